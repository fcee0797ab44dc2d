//! The words of one language, read from its file in `words/`.

mod class;
mod lines;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::language::Language;
use super::token::{Gap, Token, tokens};
pub(super) use class::{Class, Said};
use lines::{expand, logical_lines, split};

/// A language's words.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// Phrases by their first word, longest first.
    phrases: HashMap<String, Vec<Phrase>>,
    /// Words for symbols of labels: "plus" for `+`.
    symbols: Vec<(String, char)>,
    /// Words for marks inside labels that need not be said: "dot" for `.`.
    marks: Vec<(String, char)>,
    /// Words for zero inside a number: "oh".
    zeros: Vec<String>,
    /// Words that are heard as one another.
    same: HashMap<String, Vec<String>>,
    /// Every word of every phrase.
    words: HashSet<String>,
}

#[derive(Debug)]
struct Phrase {
    rest: Vec<String>,
    class: Class,
}

/// Without its apostrophe "we're" is another word.
const OTHER_WORDS: [&str; 5] = ["were", "well", "wed", "hell", "shell"];

/// Longest phrase a file may hold, in words.
const PHRASE_WORDS: usize = 16;

impl Lexicon {
    /// The words of a language. A test holds that every file can be read; one that could not
    /// would recognise nothing.
    pub(super) fn of(language: Language) -> &'static Self {
        static ALL: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
            let read = |language: &Language| Lexicon::parse(language.words()).unwrap_or_default();
            Language::ALL.iter().map(read).collect()
        });
        static NONE: LazyLock<Lexicon> = LazyLock::new(Lexicon::default);
        ALL.get(language as usize).unwrap_or(&NONE)
    }

    /// Reads a file of words; the error is the line that is wrong.
    pub(super) fn parse(file: &str) -> Result<Self, String> {
        let mut lexicon = Self::default();
        for line in logical_lines(file) {
            lexicon.line(&line).ok_or(line)?;
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len()));
        }
        Ok(lexicon)
    }

    /// The phrases that begin at a token: how many tokens each has, and what it is.
    pub(super) fn phrases<'a>(
        &'a self,
        tokens: &'a [Token],
    ) -> impl Iterator<Item = (usize, Class)> + 'a {
        let rest = tokens.get(1..).unwrap_or_default();
        let first = tokens.first().and_then(|token| self.phrases.get(&token.text));
        first.into_iter().flatten().filter_map(|phrase| {
            let next = rest.get(..phrase.rest.len())?;
            let same = phrase.rest.iter().zip(next).all(|(word, token)| *word == token.text);
            same.then_some((phrase.rest.len() + 1, phrase.class))
        })
    }

    /// What a single word is.
    pub(super) fn classes<'a>(&'a self, word: &str) -> impl Iterator<Item = Class> + 'a {
        let phrases = self.phrases.get(word).into_iter().flatten();
        phrases.filter(|phrase| phrase.rest.is_empty()).map(|phrase| phrase.class)
    }

    /// Whether a word connects or introduces options, so that it is hardly ever one itself.
    pub(super) fn is_function_word(&self, word: &str) -> bool {
        self.classes(word).any(|class| {
            matches!(
                class,
                Class::And
                    | Class::Also
                    | Class::Or
                    | Class::But
                    | Class::Not
                    | Class::Except
                    | Class::Article
                    | Class::Want
                    | Class::Glue
                    | Class::To
                    | Class::From
                    | Class::Through
                    | Class::About
                    | Class::That
                    | Class::Noun
                    | Class::Carrier
            )
        })
    }

    /// Whether a word is part of anything in this language.
    pub(super) fn knows(&self, word: &str) -> bool {
        self.words.contains(word) || self.same.contains_key(word)
    }

    /// The number that a word says.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.classes(word).find_map(|class| match class {
            Class::Number(number) => Some(number),
            _ => None,
        })
    }

    /// The number that a word says in any language.
    pub(super) fn number_anywhere(word: &str) -> Option<u32> {
        static ALL: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
            let lexicons = Language::ALL.into_iter().map(Lexicon::of);
            let words = lexicons.flat_map(|lexicon| {
                let words = lexicon.phrases.keys().map(String::as_str);
                words.filter_map(|word| Some((word, lexicon.number(word)?)))
            });
            words.collect()
        });
        ALL.get(word).copied()
    }

    /// The symbols that a word may stand for.
    pub(super) fn symbols<'a>(&'a self, word: &'a str) -> impl Iterator<Item = char> + 'a {
        self.symbols.iter().filter(move |(said, _)| said == word).map(|(_, symbol)| *symbol)
    }

    /// Whether a word may be said for a mark between the parts of a label.
    pub(super) fn says_mark(&self, word: &str, mark: char) -> bool {
        self.marks.iter().any(|(said, is)| said == word && *is == mark)
    }

    pub(super) fn says_zero(&self, word: &str) -> bool {
        self.zeros.iter().any(|zero| zero == word)
    }

    /// Words that are heard as this one.
    pub(super) fn same(&self, word: &str) -> &[String] {
        self.same.get(word).map_or(&[], Vec::as_slice)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (head, rest) = line.split_once(": ")?;
        let (name, argument) = match head.split_once(' ') {
            Some((name, argument)) => (name, Some(argument.trim_matches('"'))),
            None => (head, None),
        };
        let phrases = || split(rest).into_iter().flat_map(|phrase| expand(&phrase));
        let letter = || argument.and_then(|argument| argument.chars().next());
        if matches!(name, "zero" | "symbol" | "spoken") {
            self.words.extend(phrases());
        }
        match name {
            "same" => {
                let words: Vec<String> = phrases().collect();
                for word in &words {
                    let others = words.iter().filter(|other| *other != word).cloned();
                    self.same.entry(word.clone()).or_default().extend(others);
                }
            }
            "zero" => self.zeros.extend(phrases()),
            "symbol" => {
                let symbol = letter()?;
                self.symbols.extend(phrases().map(|word| (word, symbol)));
            }
            "spoken" => {
                let mark = letter()?;
                self.marks.extend(phrases().map(|word| (word, mark)));
            }
            _ => {
                let class = Class::parse(name, argument)?;
                for phrase in phrases() {
                    self.add(&phrase, class)?;
                }
            }
        }
        Some(())
    }

    fn add(&mut self, phrase: &str, class: Class) -> Option<()> {
        let words = tokens(phrase, PHRASE_WORDS)?;
        self.insert(words.iter().map(|word| word.text.clone()).collect(), class)?;
        // Many write "lets" and "id".
        if words.iter().any(|word| word.before == Gap::Mark('\'')) {
            let mut joined: Vec<String> = Vec::new();
            for word in &words {
                match joined.last_mut() {
                    Some(last) if word.before == Gap::Mark('\'') => last.push_str(&word.text),
                    _ => joined.push(word.text.clone()),
                }
            }
            if !joined.iter().any(|word| OTHER_WORDS.contains(&word.as_str())) {
                self.insert(joined, class)?;
            }
        }
        Some(())
    }

    fn insert(&mut self, words: Vec<String>, class: Class) -> Option<()> {
        self.words.extend(words.iter().cloned());
        let mut words = words.into_iter();
        let first = words.next()?;
        let rest: Vec<_> = words.collect();
        let phrases = self.phrases.entry(first).or_default();
        if !phrases.iter().any(|phrase| phrase.class == class && phrase.rest == rest) {
            phrases.push(Phrase { rest, class });
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read() {
        for language in Language::ALL {
            let read = Lexicon::parse(language.words()).map(|lexicon| lexicon.phrases.len());
            assert!(matches!(read, Ok(100..)), "{}: {read:?}", language.code());
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_the_line() {
        let table = [
            ("and: und\nnonsense: x", Err("nonsense: x")),
            ("ordinal: first", Err("ordinal: first")),
            ("ordinal one: first", Err("ordinal one: first")),
            ("letter z: z", Err("letter z: z")),
            ("and und", Err("and und")),
            ("# a comment\n\nand: and,\n  plus", Ok(2)),
        ];
        for (file, expected) in table {
            let read = Lexicon::parse(file).map(|lexicon| lexicon.phrases.len());
            assert_eq!(read, expected.map_err(str::to_owned), "{file}");
        }
    }

    /// A word that says nothing must not be one that says that nothing is decided.
    #[test]
    fn no_word_both_says_nothing_and_hedges_or_asks() {
        let mut clashes = Vec::new();
        for language in Language::ALL {
            let lexicon = Lexicon::of(language);
            for (first, phrases) in &lexicon.phrases {
                let of = |class: Class| {
                    let with = phrases.iter().filter(move |phrase| phrase.class == class);
                    with.map(|phrase| &phrase.rest).collect::<Vec<_>>()
                };
                let silent = [of(Class::Filler), of(Class::Want), of(Class::Article)].concat();
                for class in [Class::Hedge, Class::Ask, Class::Decline, Class::Not, Class::Except] {
                    let clash = of(class).into_iter().filter(|rest| silent.contains(rest));
                    clashes.extend(clash.map(|rest| (language.code(), class, first, rest)));
                }
            }
        }
        assert_eq!(clashes, []);
    }
}
