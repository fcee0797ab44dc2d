//! How a turn ended, with the sentence that the room hears.

use serde::Serialize;
use serde::ser::Serializer;

/// Declares [`Code`] with everything that belongs to one in one row.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $message:expr;)+) => {
        /// How a turn ended.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name by which it is known outside, in kebab case.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What the room hears: a fixed sentence without anything that anybody said. `None`
            /// where it hears the answer, or nothing.
            #[must_use]
            pub fn message(self) -> Option<&'static str> {
                match self { $(Self::$variant => $message,)+ }
            }
        }
    };
}

codes! {
    /// The agent answered.
    Answered "answered" None;
    /// Nobody is bound to the request, or not any more (`voice_ask_clankie_no_speaker` of ADR 0105).
    SpeakerUnknown "speaker-unknown"
        Some("I could not tell who asked for that, so I did nothing. Please ask again.");
    /// There is no request in it.
    RequestMissing "request-missing"
        Some("That request did not reach me in one piece. Please ask again.");
    /// Who asked has been taken off the list since the turn was planned.
    GrantWithdrawn "grant-withdrawn"
        Some("I may not do that for you any more, so I did nothing.");
    /// Too many turns, or too many of this person, wait for the room's session.
    RoomBusy "room-busy"
        Some("I have too much to do here right now. Please ask again in a moment.");
    /// Too many sessions for one turn, or too many of this person, are there.
    TooBusy "too-busy"
        Some("I have too much to do right now. Please ask again in a moment.");
    /// The app gave a session that is another turn's or another room's, or one that holds machine
    /// tools it must not hold, be it before the turn or after it.
    SessionUnfit "session-unfit" Some("I can't get to that right now.");
    /// The app could not make a session.
    SessionFailed "session-failed" Some("I can't get to that right now.");
    /// The turn took too long (`captain_turn_timeout` of ADR 0105).
    TurnTimeout "turn-timeout" Some("That took too long, so I stopped it.");
    /// The turn failed.
    TurnFailed "turn-failed" Some("Something went wrong with that, and I did not finish it.");
    /// The turn ended without an answer.
    ResponseMissing "response-missing" Some("I have no answer to that.");
    /// The app ended the turn.
    TurnCancelled "turn-cancelled" None;
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
