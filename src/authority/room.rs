//! Whose turn it is: one at a time in a room's shared session.

use std::collections::{BTreeMap, VecDeque};

use super::event::TurnId;

/// The rooms in which a shared turn runs, and who waits there.
#[derive(Debug, Default)]
pub(super) struct Rooms(BTreeMap<String, Room>);

#[derive(Debug)]
struct Room {
    running: TurnId,
    waiting: VecDeque<TurnId>,
}

impl Rooms {
    /// Whether the room's session is this turn's now; else others are before it.
    pub(super) fn enter(&mut self, room: &str, turn: TurnId) -> bool {
        if let Some(room) = self.0.get_mut(room) {
            room.waiting.push_back(turn);
            return false;
        }
        self.0.insert(room.to_owned(), Room { running: turn, waiting: VecDeque::new() });
        true
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
