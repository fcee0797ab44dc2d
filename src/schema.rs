//! The spoken question → JSON Schema for a model's output. A schema narrows what a model may
//! write; [`SpokenQuestion::validate`] decides.

use serde::ser::{Serialize, Serializer};

use crate::answer::RESPOND_INPUT;
use crate::question::{Spoken, SpokenQuestion};

/// Which schema language the model's host understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// JSON Schema 2020-12, with every rule that it can express.
    Draft202012,
    /// The subset that structured-output modes accept: objects with all keys required and none
    /// besides, arrays, `enum` and `anyOf` below the root.
    Strict,
}

/// A JSON Schema; its JSON form is what it is made for. Keys come in the order in which a model
/// should write: which question, then which options.
#[derive(Debug, Default, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Schema<'a> {
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    values: Option<Values<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Properties<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<&'static [&'static str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<Schema<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_items: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_items: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_items: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contains: Option<Box<Schema<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_contains: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    any_of: Vec<Schema<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    all_of: Vec<Schema<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not: Option<Box<Schema<'a>>>,
}

#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
enum Values<'a> {
    Texts(Vec<&'a str>),
    Index([usize; 1]),
}

#[derive(Debug)]
struct Properties<'a>(Vec<(&'static str, Schema<'a>)>);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, schema)| (name, schema)))
    }
}

impl SpokenQuestion {
    /// The schema of an answer to this question, as an object `{ kind, answers }`.
    ///
    /// In both dialects an entry can only hold labels of its own question. `Draft202012` holds
    /// for every other rule as well: what it accepts, `validate` accepts. `Strict` cannot say
    /// that each question is answered once, that a question takes one option only, that an entry
    /// names at least one, or that no option is named twice.
    ///
    /// Of an unanswerable question: a schema under which no answer can be written.
    #[must_use]
    pub fn schema(&self, dialect: Dialect) -> Schema<'_> {
        match (dialect, self.questions()) {
            (Dialect::Draft202012, []) => {
                let anything = Box::new(Schema::default());
                Schema { dialect: DRAFT_2020_12, not: Some(anything), ..Schema::default() }
            }
            (Dialect::Draft202012, questions) => draft_2020_12(questions),
            (Dialect::Strict, []) => object(vec![], &[]),
            (Dialect::Strict, questions) => strict(questions),
        }
    }
}

const DRAFT_2020_12: Option<&str> = Some("https://json-schema.org/draft/2020-12/schema");

fn draft_2020_12(questions: &[Spoken]) -> Schema<'_> {
    let options = |question| Schema {
        min_items: Some(1),
        max_items: Some(if Spoken::multi_select(question) { question.labels().len() } else { 1 }),
        unique_items: Some(true),
        ..list_of_labels(question)
    };
    let once = |index| Schema {
        contains: Some(Box::new(Schema {
            kind: Some("object"),
            required: Some(&["questionIndex"]),
            properties: Some(Properties(vec![("questionIndex", this_index(index))])),
            ..Schema::default()
        })),
        max_contains: Some(1),
        ..Schema::default()
    };
    let answers = Schema {
        min_items: Some(questions.len()),
        max_items: Some(questions.len()),
        all_of: (0..questions.len()).map(once).collect(),
        ..list_of_entries(questions, options)
    };
    let properties = vec![("kind", this_kind()), ("answers", answers)];
    Schema { dialect: DRAFT_2020_12, ..object(properties, &["answers"]) }
}

fn strict(questions: &[Spoken]) -> Schema<'_> {
    let answers = list_of_entries(questions, list_of_labels);
    object(vec![("kind", this_kind()), ("answers", answers)], &["kind", "answers"])
}

fn list_of_entries<'a>(
    questions: &'a [Spoken],
    options: impl Fn(&'a Spoken) -> Schema<'a>,
) -> Schema<'a> {
    let entry = |(index, question)| {
        let properties = vec![("questionIndex", this_index(index)), ("options", options(question))];
        object(properties, &["questionIndex", "options"])
    };
    let any_of = questions.iter().enumerate().map(entry).collect();
    list(Schema { any_of, ..Schema::default() })
}

fn list_of_labels(question: &Spoken) -> Schema<'_> {
    list(texts(question.labels().collect()))
}

fn list(items: Schema<'_>) -> Schema<'_> {
    Schema { kind: Some("array"), items: Some(Box::new(items)), ..Schema::default() }
}

fn object<'a>(
    properties: Vec<(&'static str, Schema<'a>)>,
    required: &'static [&'static str],
) -> Schema<'a> {
    Schema {
        kind: Some("object"),
        properties: Some(Properties(properties)),
        required: Some(required),
        additional_properties: Some(false),
        ..Schema::default()
    }
}

fn texts(values: Vec<&str>) -> Schema<'_> {
    Schema { kind: Some("string"), values: Some(Values::Texts(values)), ..Schema::default() }
}

fn this_kind() -> Schema<'static> {
    texts(vec![RESPOND_INPUT])
}

fn this_index(index: usize) -> Schema<'static> {
    Schema { kind: Some("integer"), values: Some(Values::Index([index])), ..Schema::default() }
}
