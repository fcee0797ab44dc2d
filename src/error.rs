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
    /// The override of a list of grants is no text.
    #[error("override must be a text, a list of ids with commas, or undefined")]
    Override,
    /// The grants are not what `parseGrants` gave.
    #[error("grants must be what parseGrants gave")]
    Grants,
    /// A turn is none of those that can be planned.
    #[error("turn must have a lane and what belongs to it: {0} does not")]
    Turn(&'static str),
    /// A binding was not made by `take`.
    #[error("binding must be what SpeakerBindings.take gave, or null")]
    Binding,
    /// The speaker of a binding is none.
    #[error("speaker must have an id of 1 to 256 bytes and an utterance, a text")]
    Speaker,
    /// A plan was not made by `planTurn`, or is not one that is run.
    #[error("plan must be what planTurn gave, and not the console's")]
    Plan,
    /// A plan has had its turn.
    #[error("this plan has had its turn; plan another")]
    PlanUsed,
    /// A part of a message is missing or of another type.
    #[error("the part {0} of a message is missing or of another type")]
    Message(&'static str),
    /// The budget of a frame is too small.
    #[error("budget must be a whole number of bytes, 1024 or more")]
    FrameBudget,
    /// A time is none.
    #[error("now must be a time in milliseconds, 0 or more")]
    Now,
    /// The room has no name.
    #[error("room must be a text of 1 to 256 bytes")]
    Room,
    /// The session of a live call, or a part of it, is wrong.
    #[error("session{0} must be as in {{ id: 'text of 1 to 256 bytes', local: true }}")]
    Session(&'static str),
    /// A request is no object.
    #[error("request must be an object with requestId and instruction")]
    Request,
    /// What the app knows about a request, or a part of it, is wrong.
    #[error("evidence{0} is not of its type: a time is a finite number, 0 or more")]
    Evidence(&'static str),
    /// The id of a message is no text.
    #[error("feedbackId must be the id that came with the message")]
    FeedbackId,
    /// The utterance is no text.
    #[error("utterance must be a text")]
    Utterance,
    /// The options of a match are no object.
    #[error("options must be an object")]
    Options,
    /// The language is not known.
    #[error("language must be 'en', 'zh', 'ja', 'de', 'es' or 'fr'")]
    Language,
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
            Self::Budget | Self::FrameBudget => "INVALID_BUDGET",
            Self::From => "INVALID_FROM",
            Self::Option(_) => "INVALID_OPTION",
            Self::Session(_) => "INVALID_SESSION",
            Self::Request => "INVALID_REQUEST",
            Self::Evidence(_) => "INVALID_EVIDENCE",
            Self::FeedbackId => "INVALID_FEEDBACK_ID",
            Self::Utterance => "INVALID_UTTERANCE",
            Self::Options => "INVALID_OPTIONS",
            Self::Language => "INVALID_LANGUAGE",
            Self::Dialect => "INVALID_DIALECT",
            Self::Override => "INVALID_OVERRIDE",
            Self::Grants => "INVALID_GRANTS",
            Self::Turn(_) => "INVALID_TURN",
            Self::Binding => "INVALID_BINDING",
            Self::Speaker => "INVALID_SPEAKER",
            Self::Plan => "INVALID_PLAN",
            Self::PlanUsed => "PLAN_USED",
            Self::Message(_) => "INVALID_MESSAGE",
            Self::Now => "INVALID_NOW",
            Self::Room => "INVALID_ROOM",
        }
    }
}
