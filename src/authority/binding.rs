//! Who a response of the voice provider answers: reserved when the floor decides, carried in the
//! response's metadata, attached to the response's id, taken once.
//!
//! Nothing is ever guessed from order or time. Whatever does not fit leaves the response with
//! nobody bound, and a turn that nobody is bound to is refused (ADR 0105).

use std::collections::VecDeque;

use super::deadline::Moment;
use super::expiry::{Connection, Expiry};
use crate::limits;

/// Bindings that are kept at a time; with more, the oldest that has no response is let go.
pub const BINDINGS: usize = 64;
/// How long a binding is good for after it was reserved (milliseconds): words that old are not
/// acted on with the machine's tools.
pub const BINDING_MS: u64 = 300_000;
/// UTF-16 units of a speaker's words that are kept. More than a frame shows, so that it can say
/// that they were longer.
pub const UTTERANCE_UNITS: usize = 8_192;
/// Responses that are remembered because two bindings claimed them.
const CLASHES: usize = 256;

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
    expiry: Expiry,
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

    /// Who spoke, in which response the request came, and until when it counts: the binding is used
    /// up.
    pub(super) fn into_parts(self) -> (String, String, Expiry) {
        (self.speaker.id, self.response_id, self.expiry)
    }
}

/// The bindings of one connection to a voice provider.
#[derive(Debug)]
pub struct SpeakerBindings {
    prefix: String,
    last: u64,
    held: VecDeque<Held>,
    clashes: VecDeque<String>,
    connection: Connection,
}

#[derive(Debug)]
struct Held {
    id: String,
    speaker: Speaker,
    expiry: Expiry,
    response: Option<String>,
}

impl SpeakerBindings {
    /// No binding yet. `prefix` begins every id; one that is unique keeps an event of an earlier
    /// connection from meaning anything here.
    #[must_use]
    pub fn new(prefix: &str) -> Self {
        Self {
            prefix: prefix.to_owned(),
            last: 0,
            held: VecDeque::new(),
            clashes: VecDeque::new(),
            connection: Connection::new(),
        }
    }

    /// The floor has decided to answer this speaker. The id goes into the response's metadata.
    pub fn reserve(&mut self, speaker: Speaker, now: Moment) -> String {
        self.last += 1;
        let id = format!("{}:{}", self.prefix, self.last);
        if self.connection.is_open() {
            self.held.retain_mut(|held| !held.expiry.is_over(now));
            if self.held.len() == BINDINGS {
                // Whoever talks much pushes out no response that has begun, and first their own.
                let idle = |held: &Held| held.response.is_none();
                let own = |held: &Held| idle(held) && held.speaker.id == speaker.id;
                let at = self.held.iter().position(own);
                let at = at.or_else(|| self.held.iter().position(idle)).unwrap_or(0);
                self.held.remove(at);
            }
            let expiry = Expiry::new(&self.connection, now);
            self.held.push_back(Held { id: id.clone(), speaker, expiry, response: None });
        }
        id
    }

    /// The provider has begun the response that carries this binding; whether it is bound now.
    ///
    /// A binding belongs to the first response it is attached to: a follow-up that carries the same
    /// metadata gets nobody. Two bindings for one response leave it with nobody as well, for good.
    pub fn attach(&mut self, binding_id: &str, response_id: &str) -> bool {
        if response_id.is_empty() || response_id.len() > limits::ID_BYTES {
            return false;
        }
        let Some(index) = self.held.iter().position(|held| held.id == binding_id) else {
            return false;
        };
        let bound = |held: &Held| held.response.as_deref() == Some(response_id);
        let other = self.held.iter().position(bound);
        // Said twice, that is all.
        if other == Some(index) {
            return true;
        }
        let clashed = self.clashes.iter().any(|id| id == response_id);
        if other.is_some() || clashed {
            self.held.retain(|held| held.id != binding_id && !bound(held));
            if !clashed {
                self.clashes.push_back(response_id.to_owned());
                if self.clashes.len() > CLASHES {
                    self.clashes.pop_front();
                }
            }
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
    pub fn take(&mut self, response_id: &str, now: Moment) -> Option<SpeakerBinding> {
        for held in &mut self.held {
            held.expiry.is_over(now);
        }
        let bound = |held: &Held| held.response.as_deref() == Some(response_id);
        let held = self.held.remove(self.held.iter().position(bound)?)?;
        let Held { speaker, mut expiry, .. } = held;
        let late = expiry.is_before(now) || expiry.is_over(now);
        let response_id = response_id.to_owned();
        (!late).then_some(SpeakerBinding { speaker, response_id, expiry })
    }

    /// The response was superseded, rejected, cancelled, or is over; whether there was anything to
    /// let go.
    pub fn release(&mut self, binding_id: &str) -> bool {
        let before = self.held.len();
        self.held.retain(|held| held.id != binding_id);
        self.held.len() < before
    }

    /// The connection has ended: nobody is bound to anything any more, for good, not even by a
    /// binding that was taken or a plan that was made of it.
    pub fn close(&mut self) {
        self.held.clear();
        self.connection.close();
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
