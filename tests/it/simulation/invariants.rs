//! What holds whatever happens.

use super::*;

impl World {
    pub(super) fn check_dispatch(&mut self, operation: OperationId, resolution: Resolution) {
        assert!(!self.dispatched.contains_key(&operation), "dispatched twice: {operation:?}");
        // At most one in flight for a digest, and none after one that was taken or never known.
        for (other, earlier) in &self.dispatched {
            let same = earlier.expect_digest == resolution.expect_digest;
            let state = self.views[other].state;
            let asking = |digest: &str| {
                self.askings.iter().filter(|a| a.question.digest() == digest).count()
            };
            // The same question asked again is another opening.
            if same && asking(&resolution.expect_digest) == 1 {
                assert_eq!(state, State::Refused, "{operation:?} after {other:?}");
            }
        }
        let asking = self.askings.iter().find(|a| a.question.digest() == resolution.expect_digest);
        let question = Rc::clone(&asking.expect("a question of the host").question);
        for (one, chosen) in question.questions().iter().zip(&resolution.option_indexes) {
            assert!(chosen.len() == 1 && chosen[0] < one.labels().len());
        }
        // Every page was read out before the person began to speak.
        let request = &resolution.resolved_by;
        let request =
            serde_json::to_value(request).unwrap()["requestId"].as_str().unwrap().to_owned();
        let index = self.requests.iter().position(|one| one.request_id == request).unwrap();
        let evidence = &self.requests[index].evidence;
        let spoke = evidence.speech_started_at.unwrap_or(self.received[index]);
        let mut next = Some(0);
        while let Some(from) = next {
            let page = question.feedback(self.options.budget, from);
            let heard = self.heard.iter().any(|(at, text)| *at <= spoke && *text == page.text);
            assert!(heard, "not read out before {spoke}: {}", page.text);
            next = page.next;
        }
        if self.options.evidence == Requirement::Required {
            assert!(evidence.speech_started_at.is_some());
        }
        // It is for the question that the classifier saw, and not against the person's words.
        if self.options.app_classifies {
            assert_eq!(self.shown[&operation].as_ref(), Some(&resolution.expect_digest));
        }
        assert_ne!(evidence.utterance, Some(Utterance::Unusable));
        if let (Some(Utterance::Words(words)), [chosen]) =
            (&evidence.utterance, &resolution.option_indexes[..])
        {
            let said = match words.as_str() {
                "Yes" | "1" => Some(0),
                "2" => Some(1),
                _ => None,
            };
            assert!(said.is_none_or(|said| *chosen == [said]), "{words} is not {chosen:?}");
        }
        // The list that was read last holds it, for the ears of who spoke.
        let listed = self.listed.iter().find_map(|input| match input {
            OpenInput::Question(one) if one.question.digest() == resolution.expect_digest => {
                Some(one)
            }
            _ => None,
        });
        let listed = listed.expect("on the list");
        let speaker = evidence.speaker.as_ref().map(|speaker| &speaker.id);
        assert!(!listed.private && self.here && resolution.session_id == "s");
        assert!(listed.asked_of.as_ref().is_none_or(|one| speaker == Some(one)));
        assert!(self.options.speakers == Speakers::Any || speaker.is_some());
        self.dispatched.insert(operation, resolution.clone());
        self.resolves.push((operation, resolution));
    }

    pub(super) fn check_view(&mut self, view: OperationView) {
        if let Some(before) = self.views.get(&view.id) {
            assert!(!before.state.is_final(), "{view:?} after {before:?}");
        }
        let took = |operation: OperationId| {
            let name = format!("call:{}", operation.0);
            self.askings.iter().any(|asking| {
                asking.answer.as_ref().is_some_and(|(by, _)| by.as_deref() == Some(&name))
            })
        };
        match view.state {
            State::Accepted => {
                assert!(self.options.host_proves && self.dispatched.contains_key(&view.id));
                // Without ids in the host's record, the same choice by somebody else is proof too.
                assert!(took(view.id) || !self.keeps_ids, "accepted, not taken: {view:?}");
            }
            State::Refused => {
                assert!(!took(view.id) || !self.keeps_ids, "refused, but taken: {view:?}");
            }
            State::Withdrawn | State::Forwarded | State::Collecting => {
                assert!(!self.dispatched.contains_key(&view.id));
            }
            State::Submitted | State::Unknown => {
                assert!(self.dispatched.contains_key(&view.id));
            }
            State::Classifying | State::Dispatching => {}
        }
        self.views.insert(view.id, view);
    }
}
