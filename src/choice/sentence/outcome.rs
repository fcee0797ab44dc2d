//! What a sentence without corrections comes to.

use super::NoChoice;
use super::clause::{Clause, Mode};
use super::group::Kind;
use crate::choice::facts::Facts;
use crate::choice::options::Options;

impl Clause {
    /// What it comes to.
    pub(super) fn choice(self, facts: &Facts<'_>) -> Result<Options, NoChoice> {
        let unclear = Err(NoChoice::SeveralReadings);
        let names = !self.groups.is_empty() || self.all || self.both || self.excepted.is_some();
        if self.hedged {
            return Err(NoChoice::Hedged);
        }
        // "the first and", "yes but": there was more to come.
        if self.and || self.but || self.open_exception {
            return unclear;
        }
        // "run the tests too" is an order as likely as a choice.
        if self.also && (!facts.multi_select || self.groups.len() < 2) {
            return unclear;
        }
        if matches!(self.mode, Mode::RangeFrom(_)) || self.mode == Mode::Refuse && names {
            return unclear;
        }
        if self.none || self.declined {
            let alone = !names && self.refused.is_empty() && !self.said_yes;
            return if alone { Err(NoChoice::Declined) } else { unclear };
        }
        if self.all || self.both || self.excepted.is_some() {
            return self.quantity(facts);
        }
        if !self.groups.is_empty() {
            return self.wanted(facts);
        }
        if self.refused.is_empty() {
            let no = self.said_no || self.mode == Mode::Refuse;
            return if no { Err(NoChoice::Declined) } else { unclear };
        }
        if self.mode == Mode::Refuse {
            return unclear;
        }
        // A negation selects only where exactly one option is left of two.
        let left = facts.all().without(self.refused);
        let of_two = facts.count == 2 && facts.complete && !facts.multi_select;
        if of_two && left.only().is_some() { Ok(left) } else { unclear }
    }

    /// "all", "both", "all except the last".
    fn quantity(self, facts: &Facts<'_>) -> Result<Options, NoChoice> {
        let unclear = Err(NoChoice::SeveralReadings);
        if !self.refused.is_empty() {
            return unclear;
        }
        if self.both {
            let alone = self.groups.is_empty() && !self.all && self.excepted.is_none();
            if alone {
                let two = facts.count == 2 && facts.complete && facts.multi_select;
                return if two { Ok(facts.all()) } else { unclear };
            }
            // "both A and C" names two.
            let two = self.groups.len() == 2 && !self.all && self.excepted.is_none();
            return if two { self.wanted(facts) } else { unclear };
        }
        if !facts.complete {
            return unclear;
        }
        let Some(excepted) = self.excepted else {
            let alone = self.groups.is_empty() && facts.multi_select;
            return if alone { Ok(facts.all()) } else { unclear };
        };
        let left = facts.all().without(excepted);
        let fits = facts.multi_select || (facts.count == 2 && left.only().is_some());
        let alone = self.groups.is_empty() && !left.is_empty() && !excepted.is_empty();
        if fits && alone { Ok(left) } else { unclear }
    }

    fn wanted(&self, facts: &Facts<'_>) -> Result<Options, NoChoice> {
        let unclear = Err(NoChoice::SeveralReadings);
        let mut chosen = Options::NONE;
        for group in &self.groups {
            // A part that several labels have names none of them.
            if group.options.only().is_none() && group.kind != Kind::Position {
                return unclear;
            }
            chosen |= group.options;
        }
        if !(chosen & self.refused).is_empty() || chosen.is_empty() {
            return unclear;
        }
        if facts.multi_select || chosen.only().is_some() { Ok(chosen) } else { unclear }
    }
}
