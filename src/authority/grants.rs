//! The list of those who may use the machine's tools.

use super::actor::ActorId;
use crate::error::CallerMistake;
use crate::untrusted::{Kind, Untrusted};

/// Ids a list may hold.
pub const GRANTS: usize = 64;
/// UTF-16 units of an override that are looked at: 64 ids with a comma and a space each.
const OVERRIDE_UNITS: usize = GRANTS * (ActorId::LONGEST + 2);

/// Who may use the machine's tools (ADR 0105). Only [`Grants::read`] makes one, so that a list with
/// anything wrong in it grants nobody.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grants(Vec<ActorId>);

/// What is wrong with a list. It names the place, never what stands there: a secret that was pasted
/// into the wrong setting does not end up in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The setting is there and no list.
    #[error("the setting must be a list of ids; nobody is granted")]
    NotAList,
    /// There are too many, or the override is too long to hold only ids.
    #[error("at most {GRANTS} ids can be granted; nobody is")]
    TooMany,
    /// An entry, from 1, is no text. JavaScript's numbers cannot hold an id.
    #[error("entry {0} must be a text, an id in quotes; nobody is granted")]
    NotText(usize),
    /// An entry, from 1, is no id.
    #[error("entry {0} is no id of 17 to 20 digits; nobody is granted")]
    NotAnId(usize),
}

impl Grants {
    /// Reads the list: the setting, or the override (a comma list, as an environment variable holds
    /// it) where there is one. An override wins whatever the setting says; an empty one grants
    /// nobody. Every error is reported, and with any nobody is granted.
    ///
    /// # Errors
    /// [`CallerMistake::Override`] where the override is there and no text.
    pub fn read<V: Untrusted>(
        settings: V,
        overriding: V,
    ) -> Result<(Self, Vec<GrantError>), CallerMistake> {
        let entries = match overriding.kind() {
            Kind::Undefined => from_settings(settings),
            Kind::Text => from_override(overriding),
            _ => return Err(CallerMistake::Override),
        };
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => return Ok((Self::default(), vec![error])),
        };
        let mut grants = Self::default();
        let mut errors = Vec::new();
        for (index, entry) in entries.into_iter().enumerate() {
            match entry
                .ok_or(GrantError::NotText(index + 1))
                .and_then(|text| ActorId::new(&text).ok_or(GrantError::NotAnId(index + 1)))
            {
                Ok(id) if grants.0.contains(&id) => {}
                Ok(id) => grants.0.push(id),
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            grants = Self::default();
        }
        Ok((grants, errors))
    }

    /// Whether this very id is on the list.
    #[must_use]
    pub fn holds(&self, id: &ActorId) -> bool {
        self.0.contains(id)
    }

    /// The ids, each once, in the order of the list.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(ActorId::as_str)
    }
}

/// One entry as it stands there; `None` where it is no text that an id could be.
type Entry = Option<String>;

fn from_settings<V: Untrusted>(settings: V) -> Result<Vec<Entry>, GrantError> {
    if settings.kind().is_absent() {
        return Ok(Vec::new());
    }
    if settings.kind() != Kind::List {
        return Err(GrantError::NotAList);
    }
    if settings.length() > GRANTS {
        return Err(GrantError::TooMany);
    }
    let entry = |index| {
        let value: V = settings.item(index)?;
        match value.kind() {
            // A longer text is no id, and is not copied.
            Kind::Text if value.units() > ActorId::LONGEST => Some(String::new()),
            Kind::Text => Some(value.text().unwrap_or_default()),
            _ => None,
        }
    };
    Ok((0..settings.length()).map(entry).collect())
}

fn from_override<V: Untrusted>(list: V) -> Result<Vec<Entry>, GrantError> {
    if list.units() > OVERRIDE_UNITS {
        return Err(GrantError::TooMany);
    }
    let list = list.text().unwrap_or_else(|| "?".to_owned());
    // Written by hand: white space around an entry is no part of it.
    if list.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let entries: Vec<_> = list.split(',').map(|id| Some(id.trim_ascii().to_owned())).collect();
    if entries.len() > GRANTS { Err(GrantError::TooMany) } else { Ok(entries) }
}
