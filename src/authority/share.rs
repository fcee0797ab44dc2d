//! How much may go on at a time, in all and for one person: nobody takes all of it, and who may
//! only talk takes nothing from who may use the machine.

use super::code::Code;
use super::event::Session;
use super::turn::{Phase, Turn};

/// Turns that may wait for the session of one room.
pub const WAITING: usize = 32;
/// Turns of one person among them.
pub const WAITING_EACH: usize = 8;
/// Sessions for one turn that may be there at a time, in all rooms together; those with the
/// machine's tools and those without are counted apart. One that is still being made is counted,
/// also after its turn.
pub const ONE_SHOTS: usize = 16;
/// Sessions for turns of one person among them.
pub const ONE_SHOTS_EACH: usize = 8;

/// Why there is no place for this turn beside the others.
pub(super) fn refusal<'a>(turn: &Turn, others: impl Iterator<Item = &'a Turn>) -> Option<Code> {
    let session = turn.session()?;
    let (most, each, code) = match session {
        Session::Shared => (WAITING, WAITING_EACH, Code::RoomBusy),
        Session::Own(_) => (ONE_SHOTS, ONE_SHOTS_EACH, Code::TooBusy),
    };
    let beside = |other: &&Turn| match session {
        Session::Shared => {
            other.session() == Some(session)
                && other.room == turn.room
                && other.phase == Phase::Waiting
        }
        Session::Own(_) => other.session() == Some(session),
    };
    let (mut all, mut theirs) = (0, 0);
    for other in others.filter(beside) {
        all += 1;
        theirs += usize::from(other.plan().actor_id() == turn.plan().actor_id());
    }
    (all >= most || theirs >= each).then_some(code)
}
