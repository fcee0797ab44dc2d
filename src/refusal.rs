//! Every reason for a "no", with its fixed sentence and what the person can do next.
//!
//! A refusal is final for the request it answers (ADR 0315): it is never retried by this library,
//! the question stays open, and the sentence points at the card.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// What the person can do after a refusal. The card always works; `SayAgain` says that another
/// try by voice can, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Next {
    /// Saying it again can help.
    SayAgain,
    /// Only the card on the screen helps.
    Card,
}

/// One "no": the reason, and the question it is about where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// The question it is about, from 0.
    pub question_index: Option<usize>,
}

impl Refusal {
    /// A refusal about the answer as a whole.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { reason, question_index: None }
    }

    /// A refusal about one question, counted from 0.
    #[must_use]
    pub fn at(reason: Reason, question_index: usize) -> Self {
        Self { reason, question_index: Some(question_index) }
    }
}

/// As in the TypeScript types: `reason`, where there is one `questionIndex`, `message`, `next`.
impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("reason", &self.reason)?;
        if let Some(index) = self.question_index {
            object.serialize_entry("questionIndex", &index)?;
        }
        object.serialize_entry("message", self.reason.message())?;
        object.serialize_entry("next", &self.reason.next())?;
        object.end()
    }
}

/// Declares [`Reason`] with everything that belongs to a reason in one row.
macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $next:ident $message:literal)+) => {
        /// Why an answer was refused. Words of ADR 0315 and the design.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Reason { $($(#[doc = $doc])+ $variant,)+ }

        impl Reason {
            /// Every reason, in the order in which they are checked.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name by which the reason is known outside, in kebab case.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The sentence to tell the person. It holds no text of the agent or the user.
            #[must_use]
            pub fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)+ }
            }

            /// What the person can do next.
            #[must_use]
            pub fn next(self) -> Next {
                match self { $(Self::$variant => Next::$next,)+ }
            }
        }
    };
}

reasons! {
    /// The session waits for no answer.
    NoOpenQuestion "no-open-question" Card
        "No question is open right now, so there is nothing to answer; the card on the screen shows what is waiting."
    /// More than one question is open, so the answer cannot be attributed (ADR 0315).
    SeveralOpenQuestions "several-open-questions" Card
        "More than one question is open, so I can't tell which one that answers; please answer on the cards on the screen."
    /// What is open is a permission, a plan, a goal or something unknown. A spoken "yes" is never approval (ADR 0315).
    NotAQuestion "not-a-question" Card
        "This needs a decision that can't be given by voice; please decide on the card on the screen."
    /// The question was closed before the answer came, or an answer to it is on its way.
    QuestionClosed "question-closed" Card
        "That question does not take an answer any more; the card on the screen shows what is waiting now."
    /// The question is not the one the answer was given to.
    QuestionChanged "question-changed" Card
        "The question has changed since it was read out, so nothing was answered; please look at the card on the screen."
    /// It has an answer already: of the card, of somebody elsewhere, or an earlier one by voice.
    AnsweredElsewhere "answered-elsewhere" Card
        "That question has already been answered; the card on the screen shows how."

    /// The session runs elsewhere, and its questions are answered there.
    SessionNotLocal "session-not-local" Card
        "This session does not run on this computer, so its questions can't be answered by voice; please use its card on the screen."
    /// Over eight questions in one input: all must be answered at once, so voice cannot.
    TooManyQuestions "too-many-questions" Card
        "There are too many questions here to answer by voice; please answer them on the card on the screen."
    /// A text is missing, blank, too large or broken, or does not fit into one message.
    QuestionUnanswerable "question-unanswerable" Card
        "This question can't be answered by voice; please answer it on the card on the screen."
    /// Two options sound or look the same.
    AmbiguousOptions "ambiguous-options" Card
        "Two of the options can't be told apart by voice; please choose on the card on the screen."
    /// The whole question had not been read out yet.
    QuestionNotReadOut "question-not-read-out" SayAgain
        "The question had not been read out completely, so nothing was answered; please listen to it first, or use the card on the screen."
    /// The app does not share question texts with the voice provider.
    NotShared "not-shared" Card
        "Questions of this app are not shared with the voice service; please answer on the card on the screen."

    /// No single choice could be taken from what was said.
    NotUnderstood "not-understood" SayAgain
        "I could not tell which option that was; please say one of the options again, or choose on the card on the screen."
    /// The answer does not have the shape of an answer.
    MalformedAnswer "malformed-answer" SayAgain
        "That answer did not arrive in a usable form; please say it again, or choose on the card on the screen."
    /// An entry names a question that there is not.
    QuestionOutOfRange "question-out-of-range" SayAgain
        "That answers a question that was not asked; please say it again, or choose on the card on the screen."
    /// Two entries name the same question.
    QuestionRepeated "question-repeated" SayAgain
        "One question was answered more than once; please say one answer for each, or choose on the card on the screen."
    /// A question has no entry. A part is never an answer (ADR 0315).
    QuestionMissing "question-missing" SayAgain
        "Every question needs an answer and one is missing; please say all the answers together, or use the card on the screen."
    /// An entry names no option.
    OptionMissing "option-missing" SayAgain
        "No option was chosen for one of the questions; please say which one, or choose on the card on the screen."
    /// A label is not one that was read out.
    OptionNotOffered "option-not-offered" SayAgain
        "That is not one of the options that were read out; please say one of them, or choose on the card on the screen."
    /// The same option twice.
    OptionRepeated "option-repeated" SayAgain
        "The same option was chosen twice; please say each option once, or choose on the card on the screen."
    /// More than one option for a question that takes one.
    TooManyOptionsChosen "too-many-options-chosen" SayAgain
        "Only one option can be chosen here; please say just one, or choose on the card on the screen."

    /// Nobody is known to have spoken.
    SpeakerUnknown "speaker-unknown" Card
        "I can't tell who said that, so nothing was answered; please answer on the card on the screen."
    /// The speaker is not among those who may answer.
    SpeakerNotAllowed "speaker-not-allowed" Card
        "The person who spoke can't answer this question; it can be answered on the card on the screen."
    /// The app has no evidence that a person spoke.
    NoUserSpeech "no-user-speech" SayAgain
        "I did not hear anyone answer; please say it again, or choose on the card on the screen."

    /// A newer answer took its place before it was handed over.
    Superseded "superseded" Card
        "A newer answer has taken the place of that one; the card on the screen shows what was answered."
    /// Too many refused answers to this question.
    AttemptsExhausted "attempts-exhausted" Card
        "That did not work several times, so this question can't be answered by voice any more; please use the card on the screen."
    /// A request id was used again for something else.
    RequestConflict "request-conflict" SayAgain
        "Two different requests arrived as one, so nothing was answered; please say it again, or use the card on the screen."
    /// Too much is waiting already.
    TooBusy "too-busy" SayAgain
        "Too many answers are waiting right now; please say it again in a moment, or use the card on the screen."
    /// The agent host said no.
    HostRejected "host-rejected" Card
        "The answer was not accepted, so the question is still open; please answer on the card on the screen."
    /// The agent host could not be reached; nothing was sent.
    HostUnavailable "host-unavailable" Card
        "The answer could not be passed on, so the question is still open; please answer on the card on the screen."
    /// The call ended first.
    CallClosed "call-closed" Card
        "The call ended before the answer was passed on; please answer on the card on the screen."
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
