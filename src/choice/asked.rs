//! The questions that an utterance may be about, as words: prepared once for a question, and once
//! more for each language that an utterance may be in.

use std::sync::OnceLock;

use super::facts::{Facts, YesNo};
use super::label::Labels;
use super::language::Language;
use super::lexicon::{Class, Lexicon};
use super::options::Options;
use super::text::Text;
use super::token::Token;
use super::topic::Topics;
use crate::question::{Spoken, SpokenQuestion};

/// Some of an input's questions as words.
#[derive(Debug)]
pub(crate) struct Asked {
    questions: Vec<Question>,
    languages: [OnceLock<Words>; Language::ALL.len()],
}

/// One question as words.
#[derive(Debug)]
struct Question {
    /// Its position among all questions of the input.
    index: usize,
    /// The words that may tell that this question is meant.
    telling: Vec<Token>,
    labels: Vec<Text>,
    yes_no: Option<YesNo>,
    against: bool,
}

/// What the words of the questions are in one language.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) labels: Labels,
    pub(super) topics: Topics,
}

impl Asked {
    /// The questions at these positions.
    pub(super) fn new(question: &SpokenQuestion, indexes: &[usize]) -> Self {
        let of =
            |index: &usize| Some(Question::new(*index, question.asked_questions().get(*index)?));
        Self { questions: indexes.iter().filter_map(of).collect(), languages: Default::default() }
    }

    /// All questions.
    pub(crate) fn all(question: &SpokenQuestion) -> Self {
        let indexes: Vec<usize> = (0..question.asked_questions().len()).collect();
        Self::new(question, &indexes)
    }

    pub(super) fn len(&self) -> usize {
        self.questions.len()
    }

    /// The positions of the questions among all of the input.
    pub(super) fn indexes(&self) -> impl Iterator<Item = usize> {
        self.questions.iter().map(|question| question.index)
    }

    /// The words in a language.
    pub(super) fn words(&self, language: Language) -> &Words {
        let read = || {
            let each = self.questions.iter().enumerate().flat_map(|(at, question)| {
                let labels = question.labels.iter().enumerate();
                labels.map(move |(option, label)| (at, option, label))
            });
            let labels = Labels::new(each, Lexicon::of(language));
            let telling = self.questions.iter().map(|question| question.telling.as_slice());
            let topics = Topics::new(telling, &labels);
            Words { labels, topics }
        };
        match self.languages.get(language as usize) {
            Some(words) => words.get_or_init(read),
            // Every language has its place; a test of all languages would not come here.
            None => self.words(Language::En),
        }
    }

    /// What matters about each question.
    pub(super) fn facts<'a>(
        &'a self,
        question: &'a SpokenQuestion,
        words: &'a Words,
    ) -> Vec<Facts<'a>> {
        let facts = |(at, one): (usize, &Question)| {
            let spoken = question.asked_questions().get(one.index)?;
            Some(Facts::new(at, one.index + 1, spoken, one.yes_no, one.against, &words.labels))
        };
        self.questions.iter().enumerate().filter_map(facts).collect()
    }

    /// Whether there is one question and its options are marked with letters, in order.
    pub(super) fn lettered(&self) -> bool {
        let [question] = self.questions.as_slice() else { return false };
        let marked = |(label, letter): (&Text, u8)| {
            let is_letter = |token: &Token| token.capital && token.text.bytes().eq([letter]);
            label.tokens().iter().take(2).any(is_letter)
        };
        question.labels.len() > 1 && question.labels.iter().zip(b'a'..=b'h').all(marked)
    }
}

impl Question {
    fn new(index: usize, spoken: &Spoken) -> Self {
        let labels: Vec<_> = spoken.labels().map(Text::new).collect();
        let text = Text::new(spoken.question());
        let yes_no = yes_no(&labels);
        let against = text.turns() || yes_no.is_some_and(|one| turns_around(one, &labels));
        let telling = if against { Vec::new() } else { telling(text.tokens()) };
        Self { index, telling, labels, yes_no, against }
    }
}

/// The options of a question that is answered by yes or no: one label begins with a word for yes,
/// one with a word for no, in whatever language.
fn yes_no(labels: &[Text]) -> Option<YesNo> {
    let says = |class: Class, label: &[Token]| {
        Language::ALL.into_iter().any(|language| {
            let begins: Vec<_> = Lexicon::of(language).phrases(label).collect();
            let soft = |count| {
                begins.iter().any(|(other, class)| {
                    *other == count && matches!(class, Class::Filler | Class::Want | Class::Not)
                })
            };
            let is_word = |count| count == 1 || label.first().is_some_and(Token::is_ideograph);
            begins.iter().any(|(count, other)| *other == class && is_word(*count) && !soft(*count))
        })
    };
    let with = |class: Class| {
        let label = |(at, label): (usize, &Text)| {
            if says(class, label.tokens()) { Options::one(at) } else { Options::NONE }
        };
        labels.iter().enumerate().map(label).fold(Options::NONE, |all, one| all | one)
    };
    let yes = with(Class::Yes) | with(Class::True);
    let no = with(Class::No) | with(Class::Nay) | with(Class::False);
    (yes.only().is_some() && no.only().is_some() && yes != no).then_some(YesNo { yes, no })
}

/// The words of a question that tell which one is meant: those that no language knows, for a word
/// that any knows tells nothing, least of all when the answer is given in another language than the
/// question. Those of a question about one thing or another explain nothing: "run the tests", to
/// "Should I deploy without running the tests?"
fn telling(question: &[Token]) -> Vec<Token> {
    if question.iter().any(|word| is_any(word, &[Class::Or])) {
        return Vec::new();
    }
    let is_known = |word: &Token| {
        let mut languages = Language::ALL.into_iter();
        languages.any(|language| Lexicon::of(language).classes(&word.text).next().is_some())
    };
    let tells = |word: &&Token| !word.is_number() && !word.is_ideograph() && !is_known(word);
    question.iter().filter(tells).cloned().collect()
}

/// Whether a word is one of these, in whatever language.
fn is_any(word: &Token, classes: &[Class]) -> bool {
    Language::ALL.into_iter().any(|language| {
        Lexicon::of(language).classes(&word.text).any(|class| classes.contains(&class))
    })
}

/// Whether yes means stopping, or no means going ahead: "Yes, cancel", "No, continue".
fn turns_around(options: YesNo, labels: &[Text]) -> bool {
    let says = |option: Options, classes: &[Class]| {
        let label = option.only().and_then(|option| labels.get(option));
        label.is_some_and(|label| label.tokens().iter().skip(1).any(|word| is_any(word, classes)))
    };
    says(options.yes, &[Class::Against, Class::Drop])
        || says(options.no, &[Class::Consent, Class::Want, Class::Yes])
}
