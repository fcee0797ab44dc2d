//! Who a response of the voice provider answers: reserved when the floor decides, carried in the
//! response's metadata, attached to the response's id, taken once.
//!
//! Nothing is ever guessed from order or time. Whatever does not fit leaves the response with
//! nobody bound, and a turn that nobody is bound to is refused (ADR 0105).

use std::collections::VecDeque;

use crate::limits;

/// Bindings that are kept at a time; with more, the oldest is let go.
pub const BINDINGS: usize = 64;
/// How long a binding is good for after it was reserved (milliseconds): words that old are not
/// acted on with the machine's tools.
pub const BINDING_MS: u64 = 300_000;
/// UTF-16 units of a speaker's words that are kept. More than a frame shows, so that it can say
/// that they were longer.
pub const UTTERANCE_UNITS: usize = 8_192;

/// Somebody whom the app identified, and what they said. Never inferred from the audio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speaker {
    /// The app's id of the person.
    pub id: String,
    /// Their own words; empty where there is no transcript.
    pub utterance: String,
}

/// Who a request acts for. Only [`SpeakerBindings::take`] makes one, and it cannot be copied: one
/// speech, one request.
#[derive(Debug, PartialEq, Eq)]
pub struct SpeakerBinding {
    speaker: Speaker,
    response_id: String,
}

impl SpeakerBinding {
    /// Who spoke.
    #[must_use]
    pub fn actor_id(&self) -> &str {
        &self.speaker.id
    }

    /// Their own words.
    #[must_use]
    pub fn utterance(&self) -> &str {
        &self.speaker.utterance
    }

    /// The provider's response that the request came in.
    #[must_use]
    pub fn response_id(&self) -> &str {
        &self.response_id
    }

    /// Who spoke, and in which response the request came: the binding is used up.
    pub(super) fn into_ids(self) -> (String, String) {
        (self.speaker.id, self.response_id)
    }
}

/// The bindings of one connection to a voice provider.
#[derive(Debug)]
pub struct SpeakerBindings {
    prefix: String,
    last: u64,
    held: VecDeque<Held>,
    closed: bool,
}

#[derive(Debug)]
struct Held {
    id: String,
    speaker: Speaker,
    since: u64,
    response: Option<String>,
}

impl SpeakerBindings {
    /// No binding yet. `prefix` begins every id; one that is unique keeps an event of an earlier
    /// connection from meaning anything here.
    #[must_use]
    pub fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned(), last: 0, held: VecDeque::new(), closed: false }
    }

    /// The floor has decided to answer this speaker. The id goes into the response's metadata.
    pub fn reserve(&mut self, speaker: Speaker, now: u64) -> String {
        self.last += 1;
        let id = format!("{}:{}", self.prefix, self.last);
        if !self.closed {
            self.held.retain(|held| held.is_good(now));
            if self.held.len() == BINDINGS {
                self.held.pop_front();
            }
            self.held.push_back(Held { id: id.clone(), speaker, since: now, response: None });
        }
        id
    }

    /// The provider has begun the response that carries this binding; whether it is bound now.
    ///
    /// A binding belongs to the first response it is attached to: a follow-up that carries the same
    /// metadata gets nobody. Two bindings for one response leave it with nobody as well.
    pub fn attach(&mut self, binding_id: &str, response_id: &str) -> bool {
        if response_id.is_empty() || response_id.len() > limits::ID_BYTES {
            return false;
        }
        let Some(index) = self.held.iter().position(|held| held.id == binding_id) else {
            return false;
        };
        let bound = |held: &Held| held.response.as_deref() == Some(response_id);
        if let Some(other) = self.held.iter().position(bound) {
            // Said twice, that is all.
            if other == index {
                return true;
            }
            self.held.retain(|held| held.id != binding_id && !bound(held));
            return false;
        }
        match self.held.get_mut(index) {
            Some(held) if held.response.is_none() => {
                held.response = Some(response_id.to_owned());
                true
            }
            _ => false,
        }
    }

    /// Who the request in this response acts for; once. `None`: nobody is bound.
    pub fn take(&mut self, response_id: &str, now: u64) -> Option<SpeakerBinding> {
        let bound = |held: &Held| held.response.as_deref() == Some(response_id);
        let held = self.held.remove(self.held.iter().position(bound)?)?;
        let response_id = response_id.to_owned();
        held.is_good(now).then_some(SpeakerBinding { speaker: held.speaker, response_id })
    }

    /// The response was superseded, rejected, cancelled, or is over; whether there was anything to
    /// let go.
    pub fn release(&mut self, binding_id: &str) -> bool {
        let before = self.held.len();
        self.held.retain(|held| held.id != binding_id);
        self.held.len() < before
    }

    /// The connection has ended: nobody is bound to anything any more, for good.
    pub fn close(&mut self) {
        self.held.clear();
        self.closed = true;
    }

    /// How many are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

impl Held {
    fn is_good(&self, now: u64) -> bool {
        now.saturating_sub(self.since) < BINDING_MS
    }
}
