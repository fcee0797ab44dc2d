//! Answers that may have reached the host. Their questions stay closed to voice, also where the call
//! forgets its inputs and meets the same question again: another session in between, or a gap, tells
//! nothing about an answer that is under way. Only the host does.

use super::event::OperationId;
use crate::question::SpokenQuestion;

/// How many are remembered.
const REMEMBERED: usize = 256;

/// What was handed over, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Handed {
    list: Vec<Entry>,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    session_id: String,
    input_id: String,
    digest: String,
    pub(super) operation: OperationId,
    /// The positions that were chosen.
    pub(super) choice: Vec<Vec<usize>>,
}

impl Handed {
    /// An answer to this question is handed over. Of those that are `over`, the oldest are
    /// forgotten first.
    pub(super) fn add(
        &mut self,
        session_id: &str,
        question: &SpokenQuestion,
        operation: OperationId,
        choice: Vec<Vec<usize>>,
        over: impl Fn(OperationId) -> bool,
    ) {
        self.list.push(Entry {
            session_id: session_id.to_owned(),
            input_id: question.input_id().to_owned(),
            digest: question.digest().to_owned(),
            operation,
            choice,
        });
        if self.list.len() > REMEMBERED {
            let oldest = self.list.iter().position(|entry| over(entry.operation)).unwrap_or(0);
            self.list.remove(oldest);
        }
    }

    /// The operation whose answer to this question may have reached the host.
    pub(super) fn find(&self, session_id: &str, question: &SpokenQuestion) -> Option<OperationId> {
        let same = |entry: &&Entry| {
            entry.session_id == session_id
                && entry.input_id == question.input_id()
                && entry.digest == question.digest()
        };
        self.list.iter().rev().find(same).map(|entry| entry.operation)
    }

    /// The host did not take the answer of this operation.
    pub(super) fn not_taken(&mut self, operation: OperationId) {
        self.list.retain(|entry| entry.operation != operation);
    }

    /// The host says that an input is closed: what it asks under this id from now on is new, but
    /// for the answers of which it cannot be speaking.
    pub(super) fn closed(
        &mut self,
        session_id: &str,
        input_id: &str,
        of_another: impl Fn(&Entry) -> bool,
    ) {
        self.list.retain(|entry| {
            entry.session_id != session_id || entry.input_id != input_id || of_another(entry)
        });
    }
}
