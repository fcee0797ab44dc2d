//! How long something has taken, on two clocks.

/// How often a deadline is looked at while it runs (milliseconds): a timer may stand still while
/// the machine sleeps, and says so only when it fires.
pub const TICK_MS: u64 = 5_000;

/// One moment, on both clocks (milliseconds).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moment {
    /// Never goes back; may stand still while the machine sleeps.
    pub monotonic: u64,
    /// Goes on during sleep; may be set back or forward.
    pub wall: u64,
}

impl Moment {
    /// How long it has been since `earlier`: the larger of both clocks, so that a sleeping machine
    /// stretches nothing and a clock that is set back stretches nothing either. Each is rounded on
    /// its own, so a millisecond more on one of them is none.
    #[must_use]
    pub fn since(self, earlier: Self) -> u64 {
        let monotonic = self.monotonic.saturating_sub(earlier.monotonic);
        let wall = self.wall.saturating_sub(earlier.wall);
        if wall > monotonic + 1 { wall } else { monotonic }
    }
}

/// A limit from a moment on. Once it has passed, it has passed.
///
/// Each look at the time adds what has gone by since the look before it. Where only the beginning
/// was compared, a wall clock that was set back by an hour would hide an hour of sleep after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    last: Moment,
    limit: u64,
    elapsed: u64,
}

impl Deadline {
    /// `limit` milliseconds from now.
    #[must_use]
    pub fn new(limit: u64, now: Moment) -> Self {
        Self { last: now, limit, elapsed: 0 }
    }

    /// Takes note of the time; whether the deadline has passed.
    pub fn passed(&mut self, now: Moment) -> bool {
        self.elapsed = self.elapsed.saturating_add(now.since(self.last));
        self.last = now;
        self.elapsed >= self.limit
    }

    /// How long it has been, as far as is known.
    #[must_use]
    pub fn elapsed(&self) -> u64 {
        self.elapsed
    }

    /// In how many milliseconds the time has to be looked at again.
    #[must_use]
    pub fn look_again(&self) -> u64 {
        self.limit.saturating_sub(self.elapsed).min(TICK_MS)
    }
}
