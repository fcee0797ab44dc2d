//! A question as the host holds it, read within bounds.

use crate::limits;
use crate::question::Unanswerable;
use crate::untrusted::{Kind, Untrusted};

/// A host's question, whole and untouched. Only [`OpenQuestion::read`] makes one, so every bound
/// of [`limits`] holds for it: at most 8 questions of at most 256 options, ids that can address
/// it, well-formed text, 64 KiB in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenQuestion {
    pub(crate) input_id: String,
    pub(crate) session_id: String,
    pub(crate) turn_id: Option<String>,
    pub(crate) questions: Vec<Question>,
}

/// One question with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) options: Vec<QuestionOption>,
    pub(crate) multi_select: bool,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QuestionOption {
    pub(crate) label: String,
    pub(crate) description: Option<String>,
}

/// A question that was not read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unread {
    /// The host's id where it was read; else empty.
    pub(crate) input_id: String,
    /// The session it belongs to where that was read; else empty.
    pub(crate) session_id: String,
    pub(crate) why: Unanswerable,
}

impl OpenQuestion {
    /// Reads a question from an object of which [`is_question`] is true. Unknown properties are
    /// not looked at.
    ///
    /// # Errors
    /// What makes it unanswerable where a bound is passed or a part is missing, of another type
    /// or not readable. Reading stops there.
    pub(crate) fn read<V: Untrusted>(value: V) -> Result<Self, Unread> {
        let mut reader = Reader { bytes_left: limits::HOST_BYTES };
        let mut id = |name| reader.id(value.field(name)?).flatten();
        let Some(input_id) = id(c"inputId") else {
            let (input_id, session_id) = (String::new(), String::new());
            return Err(Unread { input_id, session_id, why: Unanswerable::Input });
        };
        let Some(session_id) = id(c"sessionId") else {
            return Err(Unread { input_id, session_id: String::new(), why: Unanswerable::Input });
        };
        match reader.rest(value) {
            Ok((turn_id, questions)) => Ok(Self { input_id, session_id, turn_id, questions }),
            Err(why) => Err(Unread { input_id, session_id, why }),
        }
    }
}

/// What the `kind` of an open input that can be answered by voice is.
const QUESTION: &str = "question";

/// Whether an open input is a question: its `kind` says so, or is absent. What cannot be read or
/// says anything else is not one.
pub(crate) fn is_question<V: Untrusted>(input: V) -> bool {
    input.field(c"kind").is_some_and(|kind| {
        kind.kind() == Kind::Undefined
            || kind.units() == QUESTION.len() && kind.text().is_some_and(|kind| kind == QUESTION)
    })
}

/// Reads the parts of one question; every text counts against the same bound.
struct Reader {
    bytes_left: usize,
}

impl Reader {
    /// An id: `Some(None)` where there is none.
    #[expect(clippy::option_option, reason = "absent and unreadable are two answers here")]
    fn id<V: Untrusted>(&mut self, value: V) -> Option<Option<String>> {
        if value.kind().is_absent() {
            return Some(None);
        }
        if value.units() > limits::ID_BYTES {
            return None;
        }
        let id = self.text(value)?;
        (1..=limits::ID_BYTES).contains(&id.len()).then_some(Some(id))
    }

    /// Everything after the ids of the input and its session.
    fn rest<V: Untrusted>(
        &mut self,
        value: V,
    ) -> Result<(Option<String>, Vec<Question>), Unanswerable> {
        let turn_id = value.field(c"turnId").and_then(|id| self.id(id));
        let turn_id = turn_id.ok_or(Unanswerable::Input)?;
        let questions = value.field(c"questions").ok_or(Unanswerable::Input)?;
        if questions.kind() != Kind::List || questions.length() == 0 {
            return Err(Unanswerable::Input);
        }
        if questions.length() > limits::QUESTIONS {
            return Err(Unanswerable::TooManyQuestions);
        }
        let question = |index| {
            let question = questions.item(index).and_then(|value| self.question(value));
            question.ok_or(Unanswerable::Question(index))
        };
        let questions = (0..questions.length()).map(question).collect::<Result<_, _>>()?;
        Ok((turn_id, questions))
    }

    fn question<V: Untrusted>(&mut self, value: V) -> Option<Question> {
        if value.kind() != Kind::Object {
            return None;
        }
        let text = self.text(value.field(c"question")?)?;
        let multi_select = match value.field(c"multiSelect")?.kind() {
            Kind::Boolean(value) => value,
            Kind::Undefined | Kind::Null => false,
            _ => return None,
        };
        let options = value.field(c"options")?;
        if options.kind() != Kind::List || options.length() > limits::HOST_OPTIONS {
            return None;
        }
        let options = (0..options.length())
            .map(|index| self.option(options.item(index)?))
            .collect::<Option<_>>()?;
        Some(Question { text, options, multi_select })
    }

    fn option<V: Untrusted>(&mut self, value: V) -> Option<QuestionOption> {
        match value.kind() {
            Kind::Text => Some(QuestionOption { label: self.text(value)?, description: None }),
            Kind::Object => {
                let label = self.text(value.field(c"label")?)?;
                let description = value.field(c"description")?;
                let description = if description.kind().is_absent() {
                    None
                } else {
                    Some(self.text(description)?)
                };
                Some(QuestionOption { label, description })
            }
            _ => None,
        }
    }

    fn text<V: Untrusted>(&mut self, value: V) -> Option<String> {
        if value.kind() != Kind::Text || value.units() > self.bytes_left {
            return None;
        }
        let text = value.text()?;
        self.bytes_left = self.bytes_left.checked_sub(text.len())?;
        Some(text)
    }
}
