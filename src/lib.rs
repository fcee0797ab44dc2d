//! Reads an agent's multiple-choice question out over a voice call and checks what was answered
//! against exactly what was read out.
//!
//! ```
//! use serde_json::json;
//! use spoken_answer::{SpokenQuestion, Verdict};
//!
//! let question = SpokenQuestion::read(Some(&json!({
//!     "inputId": "input-1",
//!     "sessionId": "session-1",
//!     "questions": [{ "question": "Which version should ship?", "options": ["0.16.0-beta.1", "local only"] }],
//! })))?;
//! let page = question.feedback(spoken_answer::limits::FEEDBACK_BYTES, 0);
//! assert!(page.text.ends_with("\n1. \"0.16.0-beta.1\"\n2. \"local only\""));
//!
//! let verdict = question.validate_text(r#"{"answers":[{"questionIndex":0,"options":["local only"]}]}"#);
//! let Verdict::Accepted(accepted) = verdict else { panic!("it was read out") };
//! assert_eq!(accepted.answers(), [["local only"]]);
//! # Ok::<(), spoken_answer::CallerMistake>(())
//! ```
//!
//! # Scope of this crate
//!
//! It never approves a permission, never invents an option, and accepts only labels that are read
//! out. It does no I/O and knows no clock, no randomness and no state: that a question really was
//! read out, and is answered once, is the work of its caller. What it understands of free text is a
//! choice among the options, or nothing, and it does not talk to a voice provider or an agent.
//!
//! Bad input from a model, a provider or a user is a [`Refusal`] with a [`Reason`]; a mistake of
//! the calling program is a [`CallerMistake`].

mod answer;
pub mod authority;
pub mod call;
mod choice;
mod digest;
mod error;
mod feedback;
pub mod limits;
mod open_question;
pub mod provenance;
mod question;
mod refusal;
mod schema;
pub mod text;
mod untrusted;

#[cfg(feature = "node")]
mod addon;

pub use answer::{Accepted, Malformed, Payload, Verdict, validate_answer};
pub use choice::{Choice, Choices, Language, Match, Unsure};
pub use error::CallerMistake;
pub use feedback::QuestionFeedback;
pub use question::{Spoken, SpokenQuestion, Unanswerable};
pub use refusal::{Next, Reason, Refusal};
pub use schema::{Dialect, Schema};
pub use untrusted::{Kind, Untrusted};
