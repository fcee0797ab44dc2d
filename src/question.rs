//! The spoken question: the bounded, cleaned view of a host question. It is what is read out, what
//! a classifier sees and what an answer is checked against.

use std::collections::HashSet;
use std::fmt;
use std::sync::OnceLock;

use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use crate::choice::Asked;
use crate::digest::digest;
use crate::error::CallerMistake;
use crate::limits;
use crate::open_question::{OpenQuestion, Question, QuestionOption, Unread, is_question};
use crate::refusal::{Reason, Refusal};
use crate::text::{Heard, clean, look, nfc};
use crate::untrusted::{Kind, Untrusted};

/// One host question, prepared once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenQuestion {
    input_id: String,
    session_id: String,
    digest: String,
    asks: Asks,
    words: Prepared,
}

/// What a host question asks, as far as voice is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asks {
    /// These questions, which are read out.
    Spoken(Vec<Spoken>),
    /// These questions, and two options of the one at this position are alike. Nothing is read out; the
    /// words still tell an answer from other things that are said.
    Alike(Vec<Spoken>, usize),
    /// Nothing that could be read out.
    Nothing(Unanswerable),
}

/// The questions as words, from the first time that an utterance is matched against them.
#[derive(Default)]
struct Prepared(OnceLock<Box<Asked>>);

/// It says nothing that the questions do not say.
impl fmt::Debug for Prepared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Prepared")
    }
}

impl Clone for Prepared {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// It follows from the questions, and two equal questions have equal words.
impl PartialEq for Prepared {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Prepared {}

/// Why a question cannot be answered by voice. Then nothing of it is read out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswerable {
    /// It says that it is of another kind: a permission, a plan, a goal. A spoken "yes" is never
    /// approval (ADR 0315).
    NotAQuestion,
    /// Over [`limits::QUESTIONS`] questions: all must be answered once (ADR 0315).
    TooManyQuestions,
    /// An id is missing, too long or broken, or there is no list of questions.
    Input,
    /// A text of this question is missing, blank, too large or broken.
    Question(usize),
    /// Two options of this question cannot be told apart.
    Options(usize),
}

impl Unanswerable {
    /// The refusal every answer to such a question gets.
    #[must_use]
    pub fn refusal(self) -> Refusal {
        match self {
            Self::NotAQuestion => Refusal::new(Reason::NotAQuestion),
            Self::TooManyQuestions => Refusal::new(Reason::TooManyQuestions),
            Self::Input => Refusal::new(Reason::QuestionUnanswerable),
            Self::Question(index) => Refusal::at(Reason::QuestionUnanswerable, index),
            Self::Options(index) => Refusal::at(Reason::AmbiguousOptions, index),
        }
    }
}

/// One question as it is read out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    question: Heard,
    options: Vec<SpokenOption>,
    multi_select: bool,
    omitted_options: usize,
}

/// One option as it is read out, with the host's own label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SpokenOption {
    pub(crate) label: Heard,
    /// Cleaned; `None` where there is none.
    pub(crate) description: Option<String>,
    pub(crate) host_label: String,
}

impl SpokenQuestion {
    /// Prepares a host question.
    ///
    /// # Errors
    /// [`CallerMistake::Question`] where the value is no object. Everything else that can be wrong
    /// with it is [`SpokenQuestion::unanswerable`].
    pub fn read<V: Untrusted>(question: V) -> Result<Self, CallerMistake> {
        if question.kind() != Kind::Object {
            return Err(CallerMistake::Question);
        }
        if !is_question(question) {
            let (input_id, session_id) = (String::new(), String::new());
            return Ok(Self::unanswered(Unread {
                input_id,
                session_id,
                why: Unanswerable::NotAQuestion,
            }));
        }
        Ok(Self::read_known(question))
    }

    /// Prepares an object whose `kind` has been read already.
    pub(crate) fn read_known<V: Untrusted>(question: V) -> Self {
        match OpenQuestion::read(question) {
            Ok(open) => Self {
                digest: digest(&open),
                asks: speak_all(open.questions).unwrap_or_else(Asks::Nothing),
                input_id: open.input_id,
                session_id: open.session_id,
                words: Prepared::default(),
            },
            Err(unread) => Self::unanswered(unread),
        }
    }

    fn unanswered(Unread { input_id, session_id, why }: Unread) -> Self {
        let words = Prepared::default();
        Self { input_id, session_id, digest: String::new(), asks: Asks::Nothing(why), words }
    }

    /// The host's id; empty where it is missing, too long or broken.
    #[must_use]
    pub fn input_id(&self) -> &str {
        &self.input_id
    }

    /// The session it belongs to; empty where that is missing, too long or broken.
    #[must_use]
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// SHA-256 over the whole host question, as `1:` and 64 hexadecimal digits; empty where it was
    /// not read to its end (it is of another kind, has more than 8 questions, or is too large or
    /// too broken), and then it is unanswerable.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Why it cannot be answered by voice, if so.
    #[must_use]
    pub fn unanswerable(&self) -> Option<Unanswerable> {
        self.spoken().err()
    }

    /// The questions as they are read out; none of an unanswerable one.
    #[must_use]
    pub fn questions(&self) -> &[Spoken] {
        self.spoken().unwrap_or_default()
    }

    /// The questions as they are read out, or why there are none.
    pub(crate) fn spoken(&self) -> Result<&[Spoken], Unanswerable> {
        match &self.asks {
            Asks::Spoken(questions) => Ok(questions),
            Asks::Alike(_, index) => Err(Unanswerable::Options(*index)),
            Asks::Nothing(why) => Err(*why),
        }
    }

    /// What is asked, also where it is not read out because two options are alike.
    pub(crate) fn asked_questions(&self) -> &[Spoken] {
        match &self.asks {
            Asks::Spoken(questions) | Asks::Alike(questions, _) => questions,
            Asks::Nothing(_) => &[],
        }
    }

    /// All questions as words.
    pub(crate) fn asked(&self) -> &Asked {
        self.words.0.get_or_init(|| Box::new(Asked::all(self)))
    }

    /// Whether any question or label was cut.
    #[must_use]
    pub fn shortened(&self) -> bool {
        self.questions().iter().any(Spoken::shortened)
    }
}

impl Spoken {
    /// The question as it is read out.
    #[must_use]
    pub fn question(&self) -> &str {
        self.question.as_str()
    }

    /// The labels as they are read out, in the host's order.
    #[must_use]
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.options.iter().map(|option| option.label.as_str())
    }

    /// The host's own labels of the options that are read out, untouched.
    #[must_use]
    pub fn host_labels(&self) -> impl ExactSizeIterator<Item = &str> {
        self.options.iter().map(|option| option.host_label.as_str())
    }

    /// Whether more than one option may be chosen.
    #[must_use]
    pub fn multi_select(&self) -> bool {
        self.multi_select
    }

    /// How many further options are on the card only.
    #[must_use]
    pub fn omitted_options(&self) -> usize {
        self.omitted_options
    }

    /// Whether the question or one of the labels was cut.
    #[must_use]
    pub fn shortened(&self) -> bool {
        self.question.shortened() || self.options.iter().any(|option| option.label.shortened())
    }

    pub(crate) fn options(&self) -> &[SpokenOption] {
        &self.options
    }

    /// The option that `label` names: equal to a label that was read out, after cleaning and NFC.
    pub(crate) fn position(&self, label: &str) -> Option<usize> {
        let exact = self.labels().position(|heard| heard == label);
        exact.or_else(|| {
            let cleaned = clean(label);
            let wanted = nfc(&cleaned);
            self.labels().position(|heard| nfc(heard) == wanted)
        })
    }
}

/// As in the TypeScript types: `question`, `options`, `multiSelect`, `omittedOptions`, `shortened`.
impl Serialize for Spoken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Spoken", 5)?;
        object.serialize_field("question", self.question())?;
        object.serialize_field("options", &self.labels().collect::<Vec<_>>())?;
        object.serialize_field("multiSelect", &self.multi_select)?;
        object.serialize_field("omittedOptions", &self.omitted_options)?;
        object.serialize_field("shortened", &self.shortened())?;
        object.end()
    }
}

/// As in the TypeScript types: `reason` and, where there is one, `questionIndex`.
impl Serialize for Unanswerable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Refusal { reason, question_index } = self.refusal();
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("reason", &reason)?;
        if let Some(index) = question_index {
            object.serialize_entry("questionIndex", &index)?;
        }
        object.end()
    }
}

/// Every question in turn; blank texts come before options that cannot be told apart.
fn speak_all(questions: Vec<Question>) -> Result<Asks, Unanswerable> {
    let mut alike = None;
    let mut spoken = Vec::with_capacity(questions.len());
    for (index, question) in questions.into_iter().enumerate() {
        let (question, has_alike) = speak(question).ok_or(Unanswerable::Question(index))?;
        alike = alike.or(has_alike.then_some(index));
        spoken.push(question);
    }
    Ok(match alike {
        None => Asks::Spoken(spoken),
        Some(index) => Asks::Alike(spoken, index),
    })
}

/// One question and whether two of its options are alike; `None` where the text or an option is
/// blank or there is no option. Options that are on the card only count for both.
fn speak(question: Question) -> Option<(Spoken, bool)> {
    let text = Heard::new(&question.text, limits::QUESTION_CHARS)?;
    let mut options = question.options.into_iter().map(speak_option).collect::<Option<Vec<_>>>()?;
    if options.is_empty() {
        return None;
    }
    let alike = any_alike(&options);
    let omitted_options = options.len().saturating_sub(limits::OPTIONS);
    options.truncate(limits::OPTIONS);
    let multi_select = question.multi_select;
    Some((Spoken { question: text, options, multi_select, omitted_options }, alike))
}

fn speak_option(option: QuestionOption) -> Option<SpokenOption> {
    let label = Heard::new(&option.label, limits::OPTION_CHARS)?;
    let description = option
        .description
        .map(|text| clean(&text).into_owned())
        .filter(|text| !look(text).is_empty());
    Some(SpokenOption { label, description, host_label: option.label })
}

/// Whether two options look the same, as they are read out or in full: a cut must not tell apart
/// what is the same, and two that begin the same are not told apart by their rest.
fn any_alike(options: &[SpokenOption]) -> bool {
    let mut cut = HashSet::with_capacity(options.len());
    let mut full = HashSet::new();
    let shortened = options.iter().any(|option| option.label.shortened());
    options.iter().any(|option| {
        !cut.insert(look(option.label.as_str()))
            || shortened && !full.insert(look(&clean(&option.host_label)).into_owned())
    })
}
