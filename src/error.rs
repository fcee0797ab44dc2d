//! Mistakes of the calling program. JavaScript sees each as a `TypeError` whose `code` names the
//! argument.

/// An argument that the calling program got wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallerMistake {
    /// The question is neither an object nor, where that is allowed, a list or nothing.
    #[error("question must be an object with inputId, sessionId and questions")]
    Question,
    /// The digest to expect is no text.
    #[error("expected must be a digest, as SpokenQuestion and the feedback give it")]
    Expected,
    /// The budget is no whole number.
    #[error("budget must be a whole number of bytes, 0 or more")]
    Budget,
    /// The first question is no whole number.
    #[error("from must be the index of a question, a whole number, 0 or more")]
    From,
    /// An option of a live call is wrong.
    #[error("the option {0} of a live call is missing or not one of its values")]
    Option(&'static str),
    /// The schema dialect is not known.
    #[error("dialect must be '2020-12' or 'strict'")]
    Dialect,
}

impl CallerMistake {
    /// The `code` of the `TypeError`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Question => "INVALID_QUESTION",
            Self::Expected => "INVALID_EXPECTED",
            Self::Budget => "INVALID_BUDGET",
            Self::From => "INVALID_FROM",
            Self::Option(_) => "INVALID_OPTION",
            Self::Dialect => "INVALID_DIALECT",
        }
    }
}
