//! The JSON text of an answer. Read without building a tree, so that a duplicate key, which a
//! tree would hide, is refused like an unknown one.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};

use super::payload::{Allowance, Entry, Index, Malformed, Payload, RESPOND_INPUT};
use crate::limits;

impl Payload {
    /// Parses the JSON text of an answer: the list of entries, or the object that holds it.
    pub(crate) fn parse(json: &str) -> Result<Self, Malformed> {
        if json.len() > limits::ANSWER_BYTES {
            return Err(Malformed);
        }
        let entries = if json.trim_ascii_start().starts_with('[') {
            serde_json::from_str(json).map_err(|_| Malformed)?
        } else {
            let Object(payload): Object<PayloadText> =
                serde_json::from_str(json).map_err(|_| Malformed)?;
            if payload.kind.is_some_and(|kind| kind != RESPOND_INPUT) {
                return Err(Malformed);
            }
            payload.answers
        };
        Self::from_entries(entries)
    }

    fn from_entries(entries: Vec<Object<EntryText>>) -> Result<Self, Malformed> {
        if entries.len() > limits::ANSWER_ENTRIES {
            return Err(Malformed);
        }
        let mut allowance = Allowance::new();
        let entry = |Object(entry): Object<EntryText>| {
            let index = Index::from_number(entry.question_index).ok_or(Malformed)?;
            entry.options.iter().try_for_each(|label| allowance.take(label))?;
            Ok(Entry { index, labels: entry.options })
        };
        Ok(Self { entries: entries.into_iter().map(entry).collect::<Result<_, _>>()? })
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PayloadText {
    #[serde(default, deserialize_with = "present")]
    kind: Option<String>,
    answers: Vec<Object<EntryText>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct EntryText {
    question_index: f64,
    options: Vec<String>,
}

/// A field that may be left out, but is not null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

/// A struct written as an object. Serde alone would take `[0, ["x"]]` for one as well.
struct Object<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: DeserializeOwned> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(object)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}
