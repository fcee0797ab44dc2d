//! Answers to a question whose options are yes and no: people say them in many words.

use super::facts::{Facts, YesNo};
use super::item::Item;
use super::options::Options;
use super::sentence::{NoChoice, after_correction};

/// What was said so far.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
struct Said {
    yes: bool,
    /// "okay" and the like, which says yes only where nothing else is said.
    soft_yes: bool,
    no: bool,
    /// A verb of choosing: "use it, please" says not only yes.
    want: bool,
    /// A negation that waits for what it negates.
    not: bool,
}

/// What the items choose, if they say yes or no and nothing else; `None` where they say more.
pub(super) fn choose(
    items: &[Item],
    facts: &Facts<'_>,
    options: YesNo,
) -> Option<Result<Options, NoChoice>> {
    if items.contains(&Item::Unknown) {
        return None;
    }
    if items.contains(&Item::Ask) || asks(items) {
        return Some(Err(NoChoice::AskedBack));
    }
    if items.iter().any(|item| matches!(item, Item::Hedge | Item::Or)) {
        return Some(Err(NoChoice::Hedged));
    }
    let last = match after_correction(items) {
        Ok((last, _)) => last,
        Err(why) => return Some(Err(why)),
    };
    let silent = |item: &&Item| !matches!(item, Item::Filler | Item::Article);
    let alone = last.iter().filter(silent).count() == 1;
    let ends_open = matches!(last.iter().rfind(silent), Some(Item::And | Item::Also | Item::But));
    if ends_open {
        // "yes, but".
        return Some(Err(NoChoice::SeveralReadings));
    }
    let mut said = Said::default();
    for (at, item) in last.iter().enumerate() {
        let rest = last.get(at + 1..).unwrap_or_default();
        if said.hear(item, rest, alone, facts, options)?.is_none() {
            return Some(Err(NoChoice::SeveralReadings));
        }
    }
    Some(said.choice(options))
}

/// Whether it begins as a question does: "is that right".
pub(super) fn asks(items: &[Item]) -> bool {
    let first = items.iter().find(|item| !matches!(item, Item::Filler | Item::Article));
    matches!(first, Some(Item::Frame { ask: true }))
}

/// Whether nothing follows that a negation could belong to.
fn ends(rest: &[Item]) -> bool {
    rest.iter().all(|item| matches!(item, Item::Filler | Item::That | Item::Article))
}

impl Said {
    /// `None`: this is not about yes and no. `Some(None)`: it can be read in several ways.
    #[expect(clippy::option_option, reason = "the two are answered differently")]
    fn hear(
        &mut self,
        item: &Item,
        rest: &[Item],
        alone: bool,
        facts: &Facts<'_>,
        options: YesNo,
    ) -> Option<Option<()>> {
        match item {
            Item::Want | Item::Describes => self.want = true,
            Item::Filler
            | Item::Article
            | Item::That
            | Item::And
            | Item::Also
            | Item::But
            | Item::Correct { .. }
            | Item::Topic(_)
            | Item::Frame { .. } => {}
            Item::Not { no: true, .. } if ends(rest) && !self.not => self.no = true,
            Item::Not { .. } if self.not => return Some(None),
            Item::Not { .. } => self.not = true,
            Item::True if self.not => {
                self.not = false;
                self.no = true;
            }
            Item::Yes { directed: true, .. } | Item::No { directed: true, .. } if facts.against => {
                return Some(None);
            }
            // "not wrong", "not sure": neither yes nor no.
            Item::True | Item::Yes { soft: false, .. } if !self.not => self.yes = true,
            Item::Yes { soft: true, .. } if !self.not => self.soft_yes = true,
            Item::No { .. } | Item::False if !self.not => self.no = true,
            Item::True | Item::Yes { .. } | Item::No { .. } | Item::False => return Some(None),
            // "run the tests first", to "Should I deploy?"
            Item::Ref(reference) if reference.position.is_some() && !reference.noun && !alone => {
                return Some(None);
            }
            Item::Ref(reference) => {
                let Ok(named) = facts.resolve(reference) else { return Some(None) };
                match (self.not, named) {
                    (true, _) if reference.polar => return Some(None),
                    (false, named) if named == options.yes => self.yes = true,
                    (false, named) if named == options.no => self.no = true,
                    // "don't proceed", of "Yes, proceed" and "No, cancel".
                    (true, named) if named == options.yes && facts.count == 2 => {
                        self.not = false;
                        self.no = true;
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(Some(()))
    }

    fn choice(&self, options: YesNo) -> Result<Options, NoChoice> {
        match (self.yes, self.no, self.soft_yes) {
            _ if self.not => Err(NoChoice::SeveralReadings),
            (true, false, _) => Ok(options.yes),
            (false, false, true) if !self.want => Ok(options.yes),
            (false, true, _) => Ok(options.no),
            _ => Err(NoChoice::SeveralReadings),
        }
    }
}
