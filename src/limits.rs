//! Every bound, once. The first four are those of ADR 0315.
//!
//! "Characters" are Unicode scalar values, "bytes" are bytes of UTF-8.

/// Questions one input may hold: all must be answered at once, so voice cannot do more (ADR 0315).
pub const QUESTIONS: usize = 8;
/// Options of one question that are read out; further ones are on the card only (ADR 0315).
pub const OPTIONS: usize = 8;
/// Characters of a question that are read out (ADR 0315).
pub const QUESTION_CHARS: usize = 300;
/// Characters of an option label that are read out (ADR 0315).
pub const OPTION_CHARS: usize = 120;
/// Bytes of one feedback message, where the caller names no budget.
pub const FEEDBACK_BYTES: usize = 1_100;
/// Bytes of an answer: of its JSON text, or of all its labels together.
pub const ANSWER_BYTES: usize = 131_072;
/// Options a host may put under one question before it is not read at all.
pub const HOST_OPTIONS: usize = 256;
/// Bytes of a host question: ids, texts, labels and descriptions together.
pub const HOST_BYTES: usize = 65_536;
/// Bytes of one id.
pub const ID_BYTES: usize = 256;

/// Bytes of an utterance that is read; nobody answers at such length.
pub const UTTERANCE_BYTES: usize = 8_192;
/// Words of an utterance that is read.
pub const UTTERANCE_WORDS: usize = 128;
/// Entries of a list of open inputs that are looked at. In a longer list nobody could tell which
/// question was answered, so it counts as several.
pub const OPEN_INPUTS: usize = 1_024;
/// Entries of an answer. More than [`QUESTIONS`], so that a repeated question is named as such.
pub const ANSWER_ENTRIES: usize = 64;
/// Labels of an answer, all entries together. More than 8 × 8, so that a repeated or
/// never offered label is named as such.
pub const ANSWER_LABELS: usize = 256;
