//! The languages that answers are understood in.

use serde::Serialize;

use super::token::Token;

/// A language, by its ISO 639-1 code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
    /// Japanese.
    Ja,
    /// German.
    De,
    /// Spanish.
    Es,
    /// French.
    Fr,
}

impl Language {
    /// Every language, in the order in which they are tried.
    pub const ALL: [Self; 6] = [Self::En, Self::Zh, Self::Ja, Self::De, Self::Es, Self::Fr];

    /// The ISO 639-1 code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
            Self::Ja => "ja",
            Self::De => "de",
            Self::Es => "es",
            Self::Fr => "fr",
        }
    }

    /// The language of an ISO 639-1 code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Whether an utterance may be in this language, by its script.
    pub(super) fn may_be_of(self, words: &[Token]) -> bool {
        let ideographs = words.iter().any(Token::is_ideograph);
        match self {
            Self::Zh | Self::Ja => ideographs,
            // Labels of another script are said in any language.
            Self::En | Self::De | Self::Es | Self::Fr => true,
        }
    }

    /// The file of its words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::En => include_str!("words/en.txt"),
            Self::Zh => include_str!("words/zh.txt"),
            Self::Ja => include_str!("words/ja.txt"),
            Self::De => include_str!("words/de.txt"),
            Self::Es => include_str!("words/es.txt"),
            Self::Fr => include_str!("words/fr.txt"),
        }
    }
}
