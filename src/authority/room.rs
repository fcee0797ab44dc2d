//! Whose turn it is: one at a time in a room's shared session, and not too many beside it.

use std::collections::{BTreeMap, VecDeque};

use super::event::TurnId;

/// Turns that may wait for the session of one room.
pub const WAITING: usize = 32;
/// Sessions for one turn that may run at a time, in all rooms together.
pub const ONE_SHOTS: usize = 16;

/// The rooms in which a shared turn runs, and who waits there.
#[derive(Debug, Default)]
pub(super) struct Rooms(BTreeMap<String, Room>);

#[derive(Debug)]
struct Room {
    running: TurnId,
    waiting: VecDeque<TurnId>,
}

/// What became of asking for a room's session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// It is this turn's.
    Now,
    /// Others are before it.
    Waits,
    /// Too many are.
    Full,
}

impl Rooms {
    pub(super) fn enter(&mut self, room: &str, turn: TurnId) -> Entry {
        let Some(room) = self.0.get_mut(room) else {
            self.0.insert(room.to_owned(), Room { running: turn, waiting: VecDeque::new() });
            return Entry::Now;
        };
        if room.waiting.len() >= WAITING {
            return Entry::Full;
        }
        room.waiting.push_back(turn);
        Entry::Waits
    }

    /// A turn is over, or waits no longer; the turn whose turn it is now, if that has changed.
    pub(super) fn leave(&mut self, name: &str, turn: TurnId) -> Option<TurnId> {
        let room = self.0.get_mut(name)?;
        if room.running != turn {
            room.waiting.retain(|other| *other != turn);
            return None;
        }
        let next = room.waiting.pop_front();
        match next {
            Some(next) => room.running = next,
            None => drop(self.0.remove(name)),
        }
        next
    }
}
