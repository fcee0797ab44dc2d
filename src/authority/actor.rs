//! Who acts.

use serde::Serialize;

/// The id of a Discord user as the list holds it: 17 to 20 digits. Compared exactly; there is no
/// prefix, no trimming and no case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ActorId(String);

impl ActorId {
    /// The most digits of an id.
    pub(super) const LONGEST: usize = 20;

    /// The id, where it is one.
    #[must_use]
    pub fn new(id: &str) -> Option<Self> {
        let is_id =
            (17..=Self::LONGEST).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_digit());
        is_id.then(|| Self(id.to_owned()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
