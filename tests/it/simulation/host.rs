//! The host and its card: what is asked, how it ends, and what its stream, its list and its replies say
//! of that, when, and whether at all.

use super::*;

/// From here on the questions are those of another session.
const FOREIGN: u64 = 100;
/// How their texts begin.
pub(super) const FOREIGN_TEXT: &str = "Shall I? 5";

/// The host's truth about one asking of an input.
#[derive(Clone)]
pub(super) struct Asking {
    pub(super) input_id: String,
    pub(super) question: Rc<SpokenQuestion>,
    /// Whom it is for: nobody by voice, or one person.
    pub(super) private: bool,
    pub(super) asked_of: Option<String>,
    /// Who answered it and what, once somebody has.
    pub(super) answer: Option<(Option<String>, Vec<Vec<usize>>)>,
    pub(super) open: bool,
    /// It has closed, and the list may not show that yet; until then, or until the stream has said
    /// so.
    pub(super) lags: Option<u64>,
}

pub(super) fn question(session: &str, id: &str, variant: u64) -> Rc<SpokenQuestion> {
    let short =
        json!({ "question": format!("Shall I? {}", variant / 2), "options": ["Yes", "No"] });
    let long = json!({ "question": "And?", "options": ["Yes".repeat(30), "No".repeat(40)] });
    let questions = if variant.is_multiple_of(2) { json!([short]) } else { json!([short, long]) };
    let value = json!({ "inputId": id, "sessionId": session, "questions": questions });
    Rc::new(SpokenQuestion::read(Some(&value)).unwrap())
}

impl Asking {
    pub(super) fn input(&self) -> OpenInput {
        OpenInput::Question(AskedQuestion {
            question: Rc::clone(&self.question),
            asked_of: self.asked_of.clone(),
            private: self.private,
            expires_at: None,
        })
    }
}

impl World {
    pub(super) fn snapshot(&mut self) -> Vec<OpenInput> {
        let mut list = Vec::new();
        for index in 0..self.askings.len() {
            let lags = self.askings[index].lags.is_some_and(|until| self.now < until);
            if self.askings[index].open || lags && self.random.one_in(3) {
                list.push(self.askings[index].input());
            }
        }
        if self.random.one_in(8) {
            list.push(self.foreign());
        }
        if self.permission {
            list.push(waits(OtherKind::Permission, "p"));
        }
        list
    }

    /// A question of another session, under an id that is used here as well.
    pub(super) fn foreign(&mut self) -> OpenInput {
        let question = question("elsewhere", "a", FOREIGN + self.random.below(4));
        let (private, asked_of) = (false, None);
        OpenInput::Question(AskedQuestion { question, asked_of, private, expires_at: None })
    }

    pub(super) fn ask(&mut self) {
        let id = self.random.pick(&["a", "b"]);
        let open = self.askings.iter().filter(|asking| asking.open);
        let same = open.clone().any(|asking| asking.input_id == id);
        // Two at a time are rare, or nothing would ever be read out.
        if same || open.count() > 0 && !self.random.one_in(8) {
            return;
        }
        let asking = Asking {
            input_id: id.to_owned(),
            question: question("s", id, self.random.below(4)),
            private: self.random.one_in(12),
            asked_of: self.random.one_in(8).then(|| "alice".to_owned()),
            answer: None,
            open: true,
            lags: None,
        };
        self.stream.push((HostEvent::Requested(asking.input()), None));
        self.askings.push(asking);
    }

    /// The host says otherwise whom a question is for.
    pub(super) fn ask_of_others(&mut self) {
        if let Some(index) = self.open_of() {
            let asking = &mut self.askings[index];
            if self.random.one_in(2) {
                asking.private = !asking.private;
            } else {
                asking.asked_of = asking.asked_of.is_none().then(|| "alice".to_owned());
            }
            self.stream.push((HostEvent::Requested(asking.input()), None));
        }
    }

    pub(super) fn write(&mut self, index: usize, by: Option<String>, choice: Vec<Vec<usize>>) {
        let asking = &mut self.askings[index];
        asking.open = false;
        asking.answer = Some((by, choice));
        let resolved = self.resolved_of(index);
        let id = self.askings[index].input_id.clone();
        self.askings[index].lags = Some(u64::MAX);
        self.stream.push((HostEvent::Resolved(id, resolved), Some(index)));
    }

    pub(super) fn resolved_of(&self, index: usize) -> Resolved {
        let (by, choice) = self.askings[index].answer.clone().unwrap();
        let by = self.keeps_ids.then(|| by.map_or(Answerer::Other, Answerer::Voice));
        Resolved { option_indexes: Some(choice), by, unproved: false }
    }

    pub(super) fn open_of(&mut self) -> Option<usize> {
        let open: Vec<_> = (0..self.askings.len()).filter(|i| self.askings[*i].open).collect();
        (!open.is_empty()).then(|| self.random.pick(&open))
    }

    /// The host takes up one resolution that has reached it.
    pub(super) fn process_resolve(&mut self) {
        if self.resolves.is_empty() {
            return;
        }
        let (operation, resolution) = self.resolves.remove(0);
        if self.random.one_in(8) {
            self.replies.push((operation, Reply::NotSent));
            return;
        }
        let index = self.askings.iter().position(|a| a.open && a.input_id == resolution.input_id);
        let reply = match index {
            None => Reply::Rejected(Rejection::NotFound),
            Some(index) if self.askings[index].question.digest() != resolution.expect_digest => {
                Reply::Rejected(Rejection::QuestionChanged)
            }
            Some(index) => {
                let name = format!("call:{}", operation.0);
                self.write(index, Some(name), resolution.option_indexes);
                Reply::Resolved
            }
        };
        match self.random.below(6) {
            0 => {}
            1 => self.replies.push((operation, Reply::Unknown)),
            2 => self.replies.extend([(operation, reply), (operation, reply)]),
            _ => self.replies.push((operation, reply)),
        }
    }

    pub(super) fn look_up(&mut self) {
        if self.look_ups.is_empty() {
            return;
        }
        let (operation, input) = self.look_ups.remove(0);
        let index = self.askings.iter().rposition(|asking| asking.input_id == input).unwrap();
        // The record of the asking that was answered last; an open one may be a later asking.
        let settlement = match (&self.askings[index].answer, self.askings[index].open) {
            _ if self.random.one_in(4) => Settlement::Unknown,
            (_, true) => Settlement::Open,
            (Some(_), false) => Settlement::Resolved(self.resolved_of(index)),
            (None, false) => Settlement::Canceled,
        };
        self.send(Event::LookedUp(operation, settlement));
    }

    pub(super) fn stream(&mut self) {
        if self.stream.is_empty() {
            return;
        }
        let (event, closes) = self.stream.remove(0);
        if !self.here {
            return;
        }
        if self.random.one_in(12) {
            // Lost; the host says so a little later.
            if let Some(index) = closes {
                self.askings[index].lags = Some(self.now + 100);
            }
            return self.send(Event::Host(HostEvent::Gap));
        }
        if let Some(index) = closes {
            self.askings[index].lags = None;
        }
        if self.random.one_in(20) {
            let foreign = self.foreign();
            self.send(Event::Host(HostEvent::Requested(foreign)));
        }
        if self.random.one_in(12) {
            self.send(Event::Host(event.clone()));
        }
        self.send(Event::Host(event));
    }

    pub(super) fn list(&mut self) {
        if let Some(read) = self.unread_lists.pop() {
            let list = (!self.random.one_in(8)).then(|| self.snapshot());
            self.lists.push((read, list));
        } else if !self.lists.is_empty() {
            let (read, list) = self.lists.remove(0);
            self.send(Event::Listed(read, list, 1_700_000_000_000 + self.now));
        }
    }

    /// The host says everything and answers everything: then the call knows what is open.
    pub(super) fn calm_down(&mut self) {
        if !self.here {
            self.switch_session();
        }
        for (event, _) in std::mem::take(&mut self.stream) {
            self.send(Event::Host(event));
        }
        for asking in &mut self.askings {
            asking.lags = None;
        }
        // A list that lagged before may have shown what had closed already.
        self.send(Event::Host(HostEvent::Gap));
        self.lists.clear();
        for _ in 0..100 {
            while let Some(read) = self.unread_lists.pop() {
                let list = self.snapshot();
                self.send(Event::Listed(read, Some(list), 1_700_000_000_000 + self.now));
            }
            let Some(at) = self.call.next_wake() else { break };
            self.now = self.now.max(at);
            self.send(Event::Wake);
        }
        let waiting = self.pending.as_ref().map_or(0, |pending| pending.more + 1);
        let open = self.askings.iter().filter(|asking| asking.open).count();
        assert_eq!(waiting, open + usize::from(self.permission), "the call knows what is open");
        // What was under way meanwhile is under way no more.
        self.resolves.clear();
    }
}
