//! What the crate promises, one file per feature.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(clippy::too_many_lines, reason = "a table of cases is as long as its cases")]

mod answer;
mod authority;
mod authority_frame;
mod authority_simulation;
mod authority_turns;
mod call;
mod cases;
mod choice;
mod digest;
mod feedback;
mod oracle;
mod properties;
mod provenance;
mod question;
mod reads;
mod refusal;
mod schema;
mod search;
mod simulation;
mod support;
mod text;
