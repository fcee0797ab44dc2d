//! Openings: one span of a host's input from request to close. A host may use an id again; marks,
//! locks and attempts belong to the opening and die with it.

use std::rc::Rc;

use super::effect::Answer;
use super::event::{AskedQuestion, FeedbackId, OperationId};
use super::reading::Reading;
use crate::question::{Spoken, SpokenQuestion};
use crate::refusal::{Reason, Refusal};

/// Refused answers after which an opening takes no more by voice.
pub(super) const ATTEMPTS: u8 = 5;
/// How long a closed opening still matters to what it may be confused with (milliseconds).
pub(super) const RECENT_MS: u64 = 10_000;
/// How many openings are remembered, closed ones included.
const REMEMBERED: usize = 64;

/// Which opening, numbered from 1 in each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OpeningId(pub(super) u32);

/// One opening of a question.
#[derive(Debug, Clone)]
pub(super) struct Opening {
    pub(super) id: OpeningId,
    pub(super) asked: AskedQuestion,
    pub(super) opened_at: u64,
    pub(super) closed: Option<(u64, Closing)>,
    pub(super) speech: Speech,
    /// The person is still to be pointed at the card.
    pub(super) points: bool,
    /// Refused answers so far.
    pub(super) attempts: u8,
    pub(super) hold: Hold,
    /// Parts of an answer, by question.
    pub(super) collected: Vec<Option<Vec<usize>>>,
}

/// How an opening ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// Somebody answered.
    Resolved,
    /// Another question took its place under the same id.
    Replaced,
    /// It was withdrawn, or is not on the host's list any more.
    Gone,
}

/// Whether and how an opening is read out.
#[derive(Debug, Clone)]
pub(super) enum Speech {
    /// Page by page.
    Reading(Reading),
    /// It is not: every answer is refused so.
    Not(Refusal),
}

/// Whether an answer is on its way to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// None is.
    Free,
    /// This one is being confirmed; a newer one may take its place.
    Confirming(OperationId),
    /// This one was handed over; there is no way back.
    HandedOver(OperationId),
    /// One was accepted: the host has yet to say that the input is closed.
    Answered,
    /// One was handed over, and nobody will ever know: no further answer by voice.
    InDoubt,
}

impl Speech {
    /// Whether the person is pointed at the card instead. Not for what is not shared: that only
    /// counts as something that waits.
    fn points(&self) -> bool {
        matches!(self, Self::Not(why) if why.reason != Reason::NotShared)
    }
}

impl Opening {
    pub(super) fn question(&self) -> &Rc<SpokenQuestion> {
        &self.asked.question
    }

    pub(super) fn is_open(&self) -> bool {
        self.closed.is_none()
    }

    /// Whether anything outside the app may know what it asks and offers.
    pub(super) fn is_shared(&self) -> bool {
        !matches!(self.speech, Speech::Not(why) if why.reason == Reason::NotShared)
    }

    /// Whether it was open at this time.
    pub(super) fn was_open_at(&self, time: u64) -> bool {
        self.opened_at <= time && self.closed.is_none_or(|(at, _)| time < at)
    }

    /// Whether its last page had been read out by this time.
    pub(super) fn was_read_out_at(&self, time: u64) -> bool {
        matches!(&self.speech, Speech::Reading(reading) if reading.done_at().is_some_and(|at| at <= time))
    }

    /// The provider forgot everything. That a question takes no answer by voice, or no further one,
    /// is said again.
    pub(super) fn forgotten(&mut self) {
        let no_further = self.refuses() == Some(Reason::AttemptsExhausted);
        self.points = match &self.speech {
            Speech::Reading(_) => no_further || self.hold == Hold::InDoubt,
            Speech::Not(_) => self.speech.points(),
        };
    }

    /// Whether an answer may have reached the host; the list may not know of it yet.
    pub(super) fn may_be_answered(&self) -> bool {
        matches!(self.hold, Hold::HandedOver(_) | Hold::Answered | Hold::InDoubt)
    }

    /// The parts of an answer that were said so far; none where none was.
    pub(super) fn parts(&self) -> Option<Vec<Answer>> {
        let part = |(question_index, (chosen, question)): (usize, (&Option<Vec<_>>, &Spoken))| {
            let label = |index: &usize| question.labels().nth(*index).map(str::to_owned);
            let options = chosen.as_ref()?.iter().filter_map(label).collect();
            Some(Answer { question_index, options })
        };
        let questions = self.collected.iter().zip(self.question().questions());
        let parts: Vec<_> = questions.enumerate().filter_map(part).collect();
        (!parts.is_empty()).then_some(parts)
    }

    /// Why an answer that belongs to it is refused before it is looked at, if so.
    pub(super) fn refuses(&self) -> Option<Reason> {
        match (self.closed, self.hold) {
            (Some((_, Closing::Resolved)), _) => Some(Reason::AnsweredElsewhere),
            (Some((_, Closing::Replaced)), _) => Some(Reason::QuestionChanged),
            (Some((_, Closing::Gone)), _)
            | (None, Hold::HandedOver(_) | Hold::Answered | Hold::InDoubt) => {
                Some(Reason::QuestionClosed)
            }
            (None, _) if self.attempts >= ATTEMPTS => Some(Reason::AttemptsExhausted),
            (None, _) => None,
        }
    }

    /// Why no answer by voice can be one to it, whatever is said.
    pub(super) fn takes_none(&self) -> Option<Refusal> {
        let closed = self.refuses().map(Refusal::new);
        closed.or(match self.speech {
            Speech::Not(why) => Some(why),
            Speech::Reading(_) => None,
        })
    }
}

/// All openings of a session that still matter, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Openings {
    list: Vec<Opening>,
    last: u32,
}

impl Openings {
    /// A new opening of a question.
    pub(super) fn open(&mut self, asked: AskedQuestion, speech: Speech, hold: Hold, now: u64) {
        self.last += 1;
        let questions = asked.question.questions().len();
        self.list.push(Opening {
            id: OpeningId(self.last),
            asked,
            opened_at: now,
            closed: None,
            points: speech.points(),
            speech,
            attempts: 0,
            hold,
            collected: vec![None; questions],
        });
        if self.list.len() > REMEMBERED {
            // The oldest closed one; of open ones all are kept, the host bounds them.
            if let Some(index) = self.list.iter().position(|one| !one.is_open()) {
                self.list.remove(index);
            }
        }
    }

    pub(super) fn get(&self, id: OpeningId) -> Option<&Opening> {
        self.list.iter().find(|one| one.id == id)
    }

    pub(super) fn get_mut(&mut self, id: OpeningId) -> Option<&mut Opening> {
        self.list.iter_mut().find(|one| one.id == id)
    }

    /// The open one of this input id.
    pub(super) fn of_input(&self, input_id: &str) -> Option<&Opening> {
        self.open_ones().find(|one| one.question().input_id() == input_id)
    }

    pub(super) fn open_ones(&self) -> impl Iterator<Item = &Opening> {
        self.list.iter().filter(|one| one.is_open())
    }

    pub(super) fn open_ones_mut(&mut self) -> impl Iterator<Item = &mut Opening> {
        self.list.iter_mut().filter(|one| one.is_open())
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Opening> {
        self.list.iter()
    }

    /// Closes an opening; what is being delivered of it is added to `abort`.
    pub(super) fn close(
        &mut self,
        id: OpeningId,
        how: Closing,
        now: u64,
        abort: &mut Vec<FeedbackId>,
    ) {
        let Some(opening) = self.get_mut(id).filter(|one| one.is_open()) else { return };
        opening.closed = Some((now, how));
        if let Speech::Reading(reading) = &mut opening.speech {
            // The marks stay: who began to speak before may still be told what became of it.
            reading.abort_all(abort);
        }
    }
}
