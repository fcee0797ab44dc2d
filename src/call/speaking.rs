//! What the provider is told, and what the app shows: pages of a question, fixed sentences, and what
//! waits.

use super::effect::{Effect, Feedback, FeedbackKind, Pending, PendingKind};
use super::event::{FeedbackId, OtherKind, Outcome};
use super::opening::{OpeningId, Speech};
use super::reading::Step;
use super::{Call, Life, Purpose, Told, say};
use crate::refusal::Reason;

impl Call {
    pub(super) fn delivered(&mut self, id: FeedbackId, outcome: Outcome) {
        for opening in self.openings.open_ones_mut() {
            if let Speech::Reading(reading) = &mut opening.speech
                && reading.outcome(id, outcome)
            {
                return;
            }
        }
    }

    pub(super) fn voice_reset(&mut self) {
        self.told = Told::default();
        self.restart_readings();
        self.read_list(Purpose::Sync, 1);
    }

    fn restart_readings(&mut self) {
        let mut abort = Vec::new();
        for opening in self.openings.open_ones_mut() {
            if let Speech::Reading(reading) = &mut opening.speech {
                reading.restart(&mut abort);
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
            self.restart_readings();
            if !self.told.several {
                self.told.several = true;
                self.say(FeedbackKind::Status, say::SEVERAL.to_owned());
            }
        } else {
            self.told.several = false;
            if let [id] = open[..] {
                self.read_out(id);
            }
        }
        let hidden = self.openings.open_ones().any(|opening| {
            matches!(&opening.speech, Speech::Not { why, .. } if why.reason == Reason::NotShared)
        });
        let something = hidden || !self.others.is_empty();
        if something && !self.told.something {
            self.say(FeedbackKind::Status, say::SOMETHING_WAITS.to_owned());
        }
        self.told.something = something;
    }

    fn read_out(&mut self, id: OpeningId) {
        let (now, read_out) = (self.now, self.options.read_out);
        let Some(opening) = self.openings.get_mut(id) else { return };
        let mut abort = Vec::new();
        if opening.refuses().is_some() {
            // No answer by voice is wanted any more, so nothing of it is read out.
            if let Speech::Reading(reading) = &mut opening.speech {
                reading.abort_all(&mut abort);
            }
            return self.abort(abort);
        }
        let mut text = None;
        match &mut opening.speech {
            Speech::Not { pointer, .. } => {
                text = pointer.take().map(|text| (FeedbackKind::Status, text, None));
            }
            Speech::Reading(reading) => match reading.step(read_out, now, &mut abort) {
                Step::Wait => {}
                Step::Deliver(page) => {
                    let page_text = reading.page(page).to_owned();
                    text = Some((FeedbackKind::InteractionRequired, page_text, Some(page)));
                }
                Step::GiveUp => {
                    text = Some((FeedbackKind::Status, say::NOT_READ_OUT.to_owned(), None));
                }
            },
        }
        self.abort(abort);
        let Some((kind, text, page)) = text else { return };
        let feedback = self.say(kind, text);
        if let Some(page) = page
            && let Some(opening) = self.openings.get_mut(id)
            && let Speech::Reading(reading) = &mut opening.speech
        {
            reading.delivered(feedback, page, now);
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
