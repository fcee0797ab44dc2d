//! An utterance or a label as words: folded so that what sounds the same is written the same.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// One word, number, CJK character or symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Lower case, without accents; a number without leading zeros; hiragana for katakana.
    pub(super) text: String,
    /// What stands between this and the token before it.
    pub(super) before: Gap,
    /// A single capital letter in the text as it was written.
    pub(super) capital: bool,
}

/// What stands between two tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// White space; or the start.
    Space,
    /// White space and punctuation.
    Pause,
    /// Nothing: `v2`, `beta1`.
    Nothing,
    /// One mark without white space, as in `0.16` or `end-to-end`.
    Mark(char),
}

impl Token {
    /// Whether it is a number in digits.
    pub(super) fn is_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Whether it is one character of a script that is written without spaces.
    pub(super) fn is_ideograph(&self) -> bool {
        self.text.starts_with(is_ideograph)
    }

    fn is_symbol(&self) -> bool {
        !self.text.starts_with(char::is_alphanumeric)
    }

    /// Whether it is written together with the token before it, like the parts of `0.16`.
    pub(super) fn is_joined(&self) -> bool {
        matches!(self.before, Gap::Nothing | Gap::Mark('.' | ':' | '/' | '-' | '_' | '\''))
    }

    /// Whether this token and the next are written as one word or number: `v2`, `1.5`, `A/B`.
    pub(super) fn is_one_with(&self, next: &Self) -> bool {
        let apart = |token: &Self| token.is_ideograph() || token.is_symbol();
        next.is_joined() && !apart(self) && !apart(next)
    }
}

/// Splits a text into tokens, at most `limit` of them; `None` where it has more.
pub(super) fn tokens(text: &str, limit: usize) -> Option<Vec<Token>> {
    let mut out = Tokens { read: Vec::new(), gap: Gap::Space, limit };
    let mut word = Word::default();
    for c in fold_width(text) {
        let kind = Kind::of(c, word.kind);
        if kind != word.kind || matches!(kind, Kind::Ideograph | Kind::Symbol) {
            out.push(&mut word)?;
        }
        match kind {
            Kind::Space => out.space(),
            Kind::Mark => out.mark(c),
            _ => {
                word.kind = kind;
                word.text.push(c);
            }
        }
    }
    out.push(&mut word)?;
    Some(expand_not(out.read))
}

/// The tokens so far and the gap after them.
struct Tokens {
    read: Vec<Token>,
    gap: Gap,
    limit: usize,
}

/// The characters of the next token.
#[derive(Default)]
struct Word {
    text: String,
    kind: Kind,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[default]
    Space,
    Mark,
    Letter,
    Digit,
    Ideograph,
    Symbol,
}

impl Tokens {
    fn push(&mut self, word: &mut Word) -> Option<()> {
        let Word { text, kind } = std::mem::take(word);
        if text.is_empty() {
            return Some(());
        }
        if self.read.len() == self.limit {
            return None;
        }
        let capital = text.chars().count() == 1 && text.starts_with(char::is_uppercase);
        let text = match kind {
            Kind::Letter => fold_letters(&text),
            Kind::Digit => match text.trim_start_matches('0') {
                "" => "0".to_owned(),
                digits => digits.to_owned(),
            },
            Kind::Ideograph => text.chars().map(to_hiragana).collect(),
            _ => text,
        };
        self.read.push(Token { text, before: self.gap, capital });
        self.gap = Gap::Nothing;
        Some(())
    }

    fn space(&mut self) {
        self.gap = match self.gap {
            Gap::Nothing | Gap::Space => Gap::Space,
            Gap::Mark(_) | Gap::Pause => Gap::Pause,
        };
    }

    fn mark(&mut self, c: char) {
        let c = if c == '’' { '\'' } else { c };
        self.gap = if self.gap == Gap::Nothing { Gap::Mark(c) } else { Gap::Pause };
    }
}

impl Kind {
    fn of(c: char, before: Self) -> Self {
        match c {
            _ if c.is_whitespace() => Self::Space,
            '0'..='9' => Self::Digit,
            // The last three are typed where others say yes or no.
            '+' | '#' | '&' | '%' | '$' | '€' | '£' | '@' | '*' | '=' | '👌' | '👍' | '👎' => {
                Self::Symbol
            }
            _ if c.is_ascii() && !c.is_ascii_alphabetic() => Self::Mark,
            _ if is_ideograph(c) => Self::Ideograph,
            _ if c.is_alphanumeric() => Self::Letter,
            // What is neither letter nor known punctuation belongs to the letter before it: the
            // marks of scripts that have them.
            _ if before == Self::Letter && !is_punctuation_or_picture(c) => Self::Letter,
            _ => Self::Mark,
        }
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

fn is_punctuation_or_picture(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{BF}' | '\u{D7}' | '\u{F7}' | '\u{2000}'..='\u{2FFF}'
        | '\u{3000}'..='\u{303F}' | '\u{30FB}' | '\u{FE10}'..='\u{FE1F}'
        | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FFEF}' | '\u{1F000}'..='\u{1FBFF}')
}

/// Full-width letters, digits and punctuation as their ASCII forms.
fn fold_width(text: &str) -> impl Iterator<Item = char> {
    ComposingNormalizerBorrowed::new_nfc()
        .normalize(text)
        .chars()
        .map(|c| match c {
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
            '\u{3000}' => ' ',
            _ => c,
        })
        .collect::<Vec<_>>()
        .into_iter()
}

/// Lower case, without accents.
fn fold_letters(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let lower = word.to_lowercase();
    let mut out = String::with_capacity(lower.len());
    for c in DecomposingNormalizerBorrowed::new_nfd().normalize_iter(lower.chars()) {
        match c {
            '\u{300}'..='\u{36F}' => {}
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'ı' => out.push('i'),
            'ł' => out.push('l'),
            _ => out.push(c),
        }
    }
    // Accents of scripts that are not Latin can be letters of their own: compose them again.
    ComposingNormalizerBorrowed::new_nfc().normalize(&out).into_owned()
}

fn to_hiragana(c: char) -> char {
    match c {
        '\u{30A1}'..='\u{30F6}' => char::from_u32(u32::from(c) - 0x60).unwrap_or(c),
        _ => c,
    }
}

/// English contracts "not": `don't` is read as `do not`, also where the apostrophe was left out.
fn expand_not(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let ends_verb = token.text == "t"
            && token.before == Gap::Mark('\'')
            && out.last().is_some_and(|verb| verb.text.ends_with('n') && verb.text.len() > 2);
        if ends_verb && let Some(verb) = out.last_mut() {
            verb.text = contracted(&verb.text).to_owned();
            out.push(Token { text: "not".to_owned(), before: Gap::Space, capital: false });
        } else if let Some(verb) = without_apostrophe(&token.text) {
            let before = token.before;
            out.push(Token { text: verb.to_owned(), before, capital: false });
            out.push(Token { text: "not".to_owned(), before: Gap::Space, capital: false });
        } else {
            out.push(token);
        }
    }
    out
}

/// The verb of `can't` (here `can`, its `t` cut off) and the like.
fn contracted(verb: &str) -> &str {
    match verb {
        "can" => "can",
        "won" => "will",
        "shan" => "shall",
        _ => verb.strip_suffix('n').unwrap_or(verb),
    }
}

fn without_apostrophe(word: &str) -> Option<&'static str> {
    Some(match word {
        "dont" => "do",
        "doesnt" => "does",
        "didnt" => "did",
        "isnt" => "is",
        "arent" => "are",
        "cant" | "cannot" => "can",
        "wont" => "will",
        "shouldnt" => "should",
        "wouldnt" => "would",
        _ => return None,
    })
}
