//! The person, the app, its classifier and its provider: what is said, what is known of it, also
//! wrongly, and what was read out.

use super::*;

/// Adding up what is known of a request: what was known first stays, and nobody's speech came after
/// the request that came of it.
pub(super) fn add(known: &mut Evidence, later: Evidence, received: u64) {
    let began = later.speech_started_at.filter(|at| *at <= received);
    known.speech_started_at = known.speech_started_at.or(began);
    known.utterance = known.utterance.take().or(later.utterance);
    known.speaker = known.speaker.take().or(later.speaker);
}

impl World {
    /// For once everybody does what is expected, at once: what is open is read out and answered.
    pub(super) fn answer_well(&mut self) {
        for _ in 0..4 {
            self.list();
        }
        for _ in 0..3 {
            if let Some(id) = self.deliveries.last().copied() {
                self.hear(id, Outcome::Spoken);
            }
        }
        self.now += 1;
        let text = self.random.pick(&["Yes", "2", "Yes; 1", "2; 2"]);
        let speaker = Speaker { id: "alice".to_owned(), attribution: "device".to_owned() };
        let (speech_started_at, speaker) = (Some(self.now), Some(speaker));
        let evidence = Evidence { utterance: None, speech_started_at, speaker };
        self.instruct(self.requests.len(), text, evidence);
        for _ in 0..self.classifying.len() {
            self.classify();
        }
        for _ in 0..4 {
            self.list();
        }
    }

    pub(super) fn speak(&mut self) {
        let text = self.random.pick(&["Yes", "2", "Yes; 1", "2; 2", "1", "run the tests", "1; 9"]);
        let ago = self.random.pick(&[1, 200, 4_000]);
        let spoke = self.now.saturating_sub(self.random.below(ago));
        let n = self.requests.len();
        let mut evidence = self.evidence(text);
        if evidence.speech_started_at.is_some_and(|at| at <= self.now) {
            evidence.speech_started_at = Some(spoke);
        }
        let request_id = if self.random.one_in(10) && n > 0 { n - 1 } else { n };
        self.instruct(request_id, text, evidence);
        if self.random.one_in(6) {
            let again = self.random.pick(&self.requests.clone());
            self.send(Event::Instruct(again));
        }
    }

    fn instruct(&mut self, request_id: usize, text: &str, evidence: Evidence) {
        let instruction =
            Instruction { request_id: format!("r{request_id}"), text: text.to_owned(), evidence };
        if request_id == self.requests.len() {
            let mut known = Instruction { evidence: Evidence::default(), ..instruction.clone() };
            add(&mut known.evidence, instruction.evidence.clone(), self.now);
            self.requests.push(known);
            self.received.push(self.now);
        }
        let operation = OperationId(u32::try_from(self.call.operations().count()).unwrap() + 1);
        self.intents.insert(operation, text.to_owned());
        self.send(Event::Instruct(instruction));
    }

    /// What the app may know, also wrongly, of somebody who says this about now.
    pub(super) fn evidence(&mut self, text: &str) -> Evidence {
        let utterance = match self.random.below(12) {
            0 => Some(Utterance::Unusable),
            1 => Some(words(self.random.pick(&["Yes", "2"]))),
            2..=6 => Some(words(text)),
            _ => None,
        };
        let speech_started_at = match self.random.below(12) {
            0 => Some(self.now + 1 + self.random.below(5_000)),
            1 => Some(1_700_000_000_000 + self.now),
            2..=8 => Some(self.now),
            _ => None,
        };
        let speaker = self.random.pick(&[None, Some("alice"), Some("bob")]);
        let speaker =
            speaker.map(|id| Speaker { id: id.to_owned(), attribution: "device".to_owned() });
        Evidence { utterance, speech_started_at, speaker }
    }

    /// More is learned about one of the last requests.
    pub(super) fn learn(&mut self) {
        let last: Vec<_> = (0..self.requests.len()).rev().take(2).collect();
        if last.is_empty() {
            return;
        }
        let index = self.random.pick(&last);
        let text = self.requests[index].text.clone();
        let mut later = self.evidence(&text);
        if self.random.one_in(2) {
            later.speech_started_at = Some(self.received[index].saturating_sub(1));
        }
        let received = self.received[index];
        add(&mut self.requests[index].evidence, later.clone(), received);
        self.send(Event::Heard(self.requests[index].request_id.clone(), later));
    }

    /// The call is about another session for a while, or not about a local one.
    pub(super) fn switch_session(&mut self) {
        self.here = !self.here;
        let (id, local) = match (self.here, self.random.one_in(2)) {
            (true, _) => ("s", true),
            (false, local) => (self.random.pick(&["s", "other"]), local),
        };
        let local = local && (self.here || id != "s");
        self.send(Event::SetSession(Session { id: id.to_owned(), local }));
        if self.here && self.random.one_in(2) {
            self.answer_well();
        }
    }

    pub(super) fn classify(&mut self) {
        if self.classifying.is_empty() {
            return;
        }
        let operation = self.classifying.remove(0);
        let answer = |labels: &[Value]| -> Event {
            let entries: Vec<_> = labels
                .iter()
                .enumerate()
                .map(|(index, label)| json!({ "questionIndex": index, "options": [label] }))
                .collect();
            let payload = Payload::read(Some(&json!(entries)));
            Event::Classified(operation, Some(Intent::Answer(payload)))
        };
        let event = match self.random.below(8) {
            0 => Event::Classified(operation, None),
            1 => Event::Classified(operation, Some(Intent::Other)),
            2 => answer(&[json!("Yes"), json!("Yes".repeat(30))]),
            3 => answer(&[json!("No"), json!("No".repeat(40))]),
            4 => answer(&[json!("Maybe")]),
            _ => answer(&[json!("Yes")]),
        };
        self.send(event);
    }

    pub(super) fn voice(&mut self) {
        if self.deliveries.is_empty() {
            return;
        }
        let newest = self.deliveries.len().saturating_sub(2);
        let recent = self.deliveries.get(newest..).unwrap_or_default().to_vec();
        let id = if self.random.one_in(4) {
            self.random.pick(&self.deliveries.clone())
        } else {
            self.random.pick(&recent)
        };
        let outcome = self.random.pick(&[
            Outcome::Sent,
            Outcome::Sent,
            Outcome::Spoken,
            Outcome::Spoken,
            Outcome::Spoken,
            Outcome::Spoken,
            Outcome::Spoken,
            Outcome::Interrupted,
            Outcome::NotSent,
            Outcome::Unknown,
            Outcome::ContextOnly,
        ]);
        self.hear(id, outcome);
    }

    fn hear(&mut self, id: FeedbackId, outcome: Outcome) {
        let counts = outcome == Outcome::Spoken
            || outcome == Outcome::Sent && self.options.read_out == ReadOut::Sent;
        if counts {
            self.heard.push((self.now, self.texts[&id].clone()));
        }
        self.send(Event::Delivered(id, outcome));
    }
}
