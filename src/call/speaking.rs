//! What the provider is told, and what the app shows: pages of a question, fixed sentences, and what
//! waits.

use super::effect::{Effect, Feedback, FeedbackKind, Pending, PendingKind};
use super::event::{FeedbackId, OtherKind, Outcome};
use super::opening::{OpeningId, Speech};
use super::reading::{Reading, Step};
use super::reads::Purpose;
use super::told::{Status, Told};
use super::{Call, Life, say};
use crate::feedback;

impl Call {
    pub(super) fn delivered(&mut self, id: FeedbackId, outcome: Outcome) {
        let now = self.now;
        self.told.several.delivered(id, outcome);
        self.told.something.delivered(id, outcome);
        for opening in self.openings.open_ones_mut() {
            if let Speech::Reading(reading) = &mut opening.speech
                && reading.outcome(id, outcome, now)
            {
                return;
            }
        }
    }

    pub(super) fn voice_reset(&mut self) {
        self.told = Told::default();
        self.change_readings(Reading::restart);
        for opening in self.openings.open_ones_mut() {
            opening.forgotten();
        }
        self.read_list(Purpose::Sync);
    }

    /// Changes all readings of what is open, and aborts the deliveries they do not want any more.
    pub(super) fn change_readings(&mut self, change: fn(&mut Reading, &mut Vec<FeedbackId>)) {
        let mut abort = Vec::new();
        for opening in self.openings.open_ones_mut() {
            if let Speech::Reading(reading) = &mut opening.speech {
                change(reading, &mut abort);
            }
        }
        self.abort(abort);
    }

    /// Reads out what is to be read out, after everything that happened is known.
    pub(super) fn speak(&mut self) {
        if self.life != Life::Open {
            return;
        }
        let open: Vec<_> = self.openings.open_ones().map(|opening| opening.id).collect();
        if open.len() > 1 {
            // None is read out, and none counts as read out when it is the only one again.
            self.change_readings(Reading::restart);
            self.tell(|told| &mut told.several, true, say::SEVERAL);
        } else {
            self.tell(|told| &mut told.several, false, say::SEVERAL);
            if let [id] = open[..] {
                self.read_out(id);
            }
        }
        let hidden = self.openings.open_ones().any(|opening| !opening.is_shared());
        let something = hidden || !self.others.is_empty();
        self.tell(|told| &mut told.something, something, say::SOMETHING_WAITS);
    }

    /// Says a sentence when what it is about has come to be.
    fn tell(&mut self, which: fn(&mut Told) -> &mut Status, holds: bool, sentence: &str) {
        let now = self.now;
        if which(&mut self.told).is_to_be_said(holds, now) {
            let id = self.say(FeedbackKind::Status, sentence.to_owned());
            which(&mut self.told).said(id, now);
        }
    }

    fn read_out(&mut self, id: OpeningId) {
        let (now, read_out) = (self.now, self.options.read_out);
        let Some(opening) = self.openings.get_mut(id) else { return };
        if std::mem::take(&mut opening.points) {
            self.say(FeedbackKind::Status, feedback::POINTER.to_owned());
            return;
        }
        let refuses = opening.refuses().is_some();
        let Speech::Reading(reading) = &mut opening.speech else { return };
        let mut abort = Vec::new();
        let step = if refuses {
            // No answer by voice is wanted any more, so nothing of it is read out.
            reading.abort_all(&mut abort);
            Step::Wait
        } else {
            reading.step(read_out, now, &mut abort)
        };
        self.abort(abort);
        match step {
            Step::Wait => {}
            Step::Deliver(page, text) => {
                let feedback = self.say(FeedbackKind::InteractionRequired, text);
                if let Some(opening) = self.openings.get_mut(id)
                    && let Speech::Reading(reading) = &mut opening.speech
                {
                    reading.delivered(feedback, page, now);
                }
            }
            Step::GiveUp => {
                self.say(FeedbackKind::Status, say::NOT_READ_OUT.to_owned());
            }
        }
    }

    pub(super) fn say(&mut self, kind: FeedbackKind, text: String) -> FeedbackId {
        self.last_feedback += 1;
        let id = FeedbackId(self.last_feedback);
        if text.len() <= self.options.budget {
            self.effects.push(Effect::Deliver(Feedback { id, kind, text }));
        }
        id
    }

    pub(super) fn abort(&mut self, deliveries: Vec<FeedbackId>) {
        self.effects.extend(deliveries.into_iter().map(Effect::AbortDelivery));
    }

    pub(super) fn show_pending(&mut self) {
        let questions = self.openings.open_ones().count();
        let first_question = self.openings.open_ones().next().map(|opening| {
            let shown = opening.question().questions().first().filter(|_| !opening.asked.private);
            let text = shown.map_or("A question is waiting.", |question| question.question());
            (PendingKind::Question, text.to_owned())
        });
        let first = first_question.or_else(|| {
            let (kind, _) = self.others.iter().min_by_key(|(kind, _)| *kind)?;
            let text = match kind {
                OtherKind::Permission => "A permission is waiting.",
                OtherKind::Plan => "A plan is waiting.",
                OtherKind::Goal => "A goal is waiting.",
                OtherKind::Other => "Something is waiting.",
            };
            Some((PendingKind::Other(*kind), text.to_owned()))
        });
        let more = (questions + self.others.len()).saturating_sub(1);
        let pending = first.map(|(kind, text)| Pending { kind, text, more });
        if pending != self.pending {
            self.effects.push(Effect::Pending(pending.clone()));
            self.pending = pending;
        }
    }
}
