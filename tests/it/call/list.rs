//! Reading the host's list: once at a time, again after a failure, and no longer than it is wanted.

use super::*;

impl Rig {
    fn aborted_reads(&self) -> Vec<ReadId> {
        let aborted = |effect: &Effect| match effect {
            Effect::AbortList(id) => Some(*id),
            _ => None,
        };
        self.effects.iter().filter_map(aborted).collect()
    }

    fn starting() -> Self {
        let (call, open) = (Call::new(Options::new("call")), vec![yes_or_no()]);
        let mut rig = Self { call, now: 1_000, open, effects: Vec::new(), requests: 0 };
        rig.send(session("session-1", true));
        rig
    }

    /// The times between a failure and the next reading, for so many failures.
    fn retries(&mut self, failures: usize, fails: Change<'_>) -> Vec<u64> {
        let mut times = Vec::new();
        for _ in 0..failures {
            fails(self);
            let (failed, reads) = (self.now, self.reads().len());
            while self.reads().len() == reads {
                let at = self.call.next_wake().expect("it is tried again");
                assert!(at > self.now, "what is due is done");
                self.now = at - 1;
                self.send(Event::Wake);
            }
            times.push(self.now - failed);
        }
        times
    }
}

/// A question that was open before the call is read out, however late the list comes.
#[test]
fn a_list_that_cannot_be_read_is_asked_for_again() {
    let rejected: Change<'_> = &|rig| {
        let read = *rig.reads().last().unwrap();
        rig.send(Event::Listed(read, None, 1));
    };
    let silent: Change<'_> = &|rig| {
        let read = *rig.reads().last().unwrap();
        rig.now = rig.call.next_wake().unwrap() - 1;
        rig.send(Event::Wake);
        assert_eq!(rig.aborted_reads().last(), Some(&read), "what is late is aborted");
    };
    let outrun: Change<'_> = &|rig| {
        for _ in 0..3 {
            let read = *rig.reads().last().unwrap();
            rig.send(Event::Host(HostEvent::Canceled("anything".to_owned())));
            rig.send(Event::Listed(read, Some(Vec::new()), 1));
        }
    };
    for (label, fails) in [("rejected", rejected), ("silent", silent), ("outrun", outrun)] {
        let mut rig = Rig::starting();
        let times = rig.retries(6, fails);
        assert_eq!(times, [500, 1_500, 5_000, 10_000, 10_000, 10_000], "{label}");
        rig.list(1);
        assert_eq!((rig.pages().len(), rig.pending()), (1, Some(("Which?", 0))), "{label}");
        // What came off well is forgotten: the next failure is the first one.
        rig.send(Event::VoiceReset);
        assert_eq!(rig.retries(1, fails), [500], "{label}: later");
    }
}

#[test]
fn nothing_is_tried_again_that_nobody_wants() {
    let elsewhere: Change<'_> = &|rig| rig.send(session("session-1", false));
    let closed: Change<'_> = &|rig| rig.send(Event::Close);
    for (label, end) in [("not local", elsewhere), ("closed", closed)] {
        let mut rig = Rig::starting();
        let [read] = rig.reads()[..] else { panic!("one reading") };
        rig.send(Event::Listed(read, None, 1));
        end(&mut rig);
        assert_eq!(rig.call.next_wake(), None, "{label}");
        let mut rig = Rig::starting();
        end(&mut rig);
        assert_eq!(rig.aborted_reads(), rig.reads(), "{label}: the one that runs is aborted");
    }
}

/// However many gaps, one reading runs and one more follows.
#[test]
fn gaps_that_come_together_are_one() {
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    let before = rig.reads().len();
    for _ in 0..1_000 {
        rig.send(Event::Host(HostEvent::Gap));
    }
    assert_eq!(rig.reads().len(), before + 1);
    let read = *rig.reads().last().unwrap();
    rig.send(Event::Listed(read, Some(Vec::new()), 1));
    assert_eq!(rig.reads().len(), before + 2, "it had begun before the others");
    assert_eq!(rig.pending(), Some(("Which?", 0)), "so it says nothing");
    rig.list(1);
    assert_eq!((rig.reads().len(), rig.aborted_reads()), (before + 2, Vec::new()));
}

#[test]
fn a_reading_for_an_answer_that_has_ended_is_aborted() {
    let newer: Change<'_> = &|rig| {
        let spoke = rig.spoke();
        rig.say("No", spoke);
    };
    let gone: Change<'_> = &|rig| rig.cancel("input-1");
    let silent: Change<'_> = &|rig| rig.wait(2_000);
    for (label, ends) in [("a newer answer", newer), ("it is gone", gone), ("silence", silent)] {
        let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
        let spoke = rig.spoke();
        rig.say("Yes", spoke);
        let read = *rig.reads().last().unwrap();
        ends(&mut rig);
        assert_eq!(rig.aborted_reads(), [read], "{label}");
    }
}
