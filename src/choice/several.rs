//! An utterance about several questions of one input: which part of it answers which question.

use super::facts::Facts;
use super::item::{Item, Position};
use super::options::Options;
use super::reading::choose_from_one as choose;
use super::sentence::NoChoice;
use super::topic::Topic;

/// What is understood of an utterance about several questions.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Assigned {
    /// For each question that is asked, what is chosen.
    pub(super) chosen: Vec<Option<Options>>,
    /// Why not every question has a choice, where one reason stands out.
    pub(super) why: Option<NoChoice>,
}

/// Assigns the parts of an utterance to questions: by the questions' own words, by labels that only
/// one question has, or one by one in order.
pub(super) fn assign(items: &[Item], facts: &[Facts<'_>]) -> Assigned {
    let has_topic =
        items.iter().any(|item| matches!(item, Item::Topic(topic) if *topic != Topic::Any));
    let clauses = if has_topic {
        by_topic(items, facts)
    } else {
        by_owner(items, facts).or_else(|| in_order(items, facts))
    };
    let mut assigned = Assigned { chosen: vec![None; facts.len()], why: None };
    for (question, clause) in clauses.unwrap_or_default() {
        let Some(facts) = facts.get(question) else { continue };
        match (choose(&clause, facts), assigned.chosen.get_mut(question)) {
            (Ok(options), Some(slot)) => *slot = Some(options),
            (Err(why), _) => assigned.why = assigned.why.or(Some(why)),
            _ => {}
        }
    }
    assigned
}

type Clauses = Vec<(usize, Vec<Item>)>;

/// "The first one for the database, and no for the tests": each clause ends with its question's
/// words; or each begins with them: "database: the first one".
fn by_topic(items: &[Item], facts: &[Facts<'_>]) -> Option<Clauses> {
    let first = items.iter().position(|item| question_of(item, facts).is_some())?;
    let ends_with_topic = items.get(..first)?.iter().any(says);
    let mut clauses: Clauses = Vec::new();
    let mut clause = Vec::new();
    let mut topic: Option<usize> = None;
    for item in items {
        let Some(question) = question_of(item, facts) else {
            clause.push(item.clone());
            continue;
        };
        if ends_with_topic {
            if !clause.iter().any(says) {
                // The same words again, or a question that nothing was said of.
                if clauses.last().map(|(last, _)| *last) == Some(question) {
                    continue;
                }
                return None;
            }
            clauses.push((question, std::mem::take(&mut clause)));
        } else {
            if topic == Some(question) && !clause.iter().any(says) {
                continue;
            }
            if let Some(topic) = topic {
                clauses.push((topic, std::mem::take(&mut clause)));
            }
            topic = Some(question);
        }
    }
    match topic {
        Some(topic) => clauses.push((topic, clause)),
        None if clause.iter().any(says) => {
            // What is said last, without a question's words, answers the only question left.
            let named = |question: &usize| clauses.iter().any(|(other, _)| other == question);
            let mut left = (0..facts.len()).filter(|question| !named(question));
            let (Some(question), None) = (left.next(), left.next()) else { return None };
            clauses.push((question, clause));
        }
        None => {}
    }
    once_each(clauses)
}

/// Labels that only one question has: "yes, and the local one".
fn by_owner(items: &[Item], facts: &[Facts<'_>]) -> Option<Clauses> {
    let mut clauses: Clauses = Vec::new();
    let mut before = Vec::new();
    let refuses = items.windows(2).any(|two| {
        let no = |item: &Item| match item {
            Item::No { .. } => true,
            Item::Ref(reference) => reference.polar,
            _ => false,
        };
        matches!(two, [a, Item::Ref(b)] if no(a) && !b.polar)
            || matches!(two, [Item::Ref(a), b] if !a.polar && matches!(b, Item::No { .. }))
    });
    if refuses {
        // "No postgres": not that one, or no to another question.
        return None;
    }
    for item in items {
        let owner = match item {
            Item::Ref(_)
            | Item::Yes { soft: false, .. }
            | Item::No { .. }
            | Item::True
            | Item::False => Some(owner(item, facts)?),
            item if says(item) => return None,
            _ => None,
        };
        match (owner, clauses.last_mut()) {
            (Some(owner), Some((last, clause))) if *last == owner => {
                clause.append(&mut before);
                clause.push(item.clone());
            }
            (Some(owner), _) => {
                let mut clause = std::mem::take(&mut before);
                clause.push(item.clone());
                clauses.push((owner, clause));
            }
            (None, _) => before.push(item.clone()),
        }
    }
    if let Some((_, clause)) = clauses.last_mut() {
        clause.append(&mut before);
    }
    once_each(clauses)
}

/// The only question that an item can be about.
fn owner(item: &Item, facts: &[Facts<'_>]) -> Option<usize> {
    let about = |facts: &&Facts<'_>| match item {
        Item::Ref(reference) => {
            let named = reference.named.map(|named| named.of(facts.question).all());
            // A position could be about any question.
            reference.position.is_some() || named.is_some_and(|named| !named.is_empty())
        }
        _ => facts.yes_no.is_some(),
    };
    let mut about = facts.iter().filter(about);
    let (Some(only), None) = (about.next(), about.next()) else { return None };
    Some(only.question)
}

/// "One, two, one": exactly one reference for each question.
fn in_order(items: &[Item], facts: &[Facts<'_>]) -> Option<Clauses> {
    let simple = |item: &&Item| match item {
        Item::Ref(_) | Item::Yes { .. } | Item::No { .. } => true,
        item => says(item),
    };
    let said: Vec<_> = items.iter().filter(simple).collect();
    let refers = |item: &&Item| matches!(item, Item::Ref(_) | Item::Yes { .. } | Item::No { .. });
    if said.len() != facts.len() || !said.iter().all(refers) {
        return None;
    }
    // "One and three" may be one question's answer, and "the first two" is.
    let bare = |item: &&Item| match item {
        Item::Ref(reference) => reference.position.is_some() && reference.named.is_none(),
        _ => false,
    };
    let list = facts.iter().any(|facts| facts.multi_select) && said.iter().any(bare);
    let many = |item: &Item| match item {
        Item::Ref(reference) => {
            matches!(reference.position, Some(Position::First(_) | Position::Last(_)))
        }
        _ => false,
    };
    let joined = items.iter().any(|item| matches!(item, Item::And | Item::Also));
    let pairs = said.len() == 2 && joined && said.iter().all(|item| is_position(item));
    if list || pairs || items.iter().any(many) {
        return None;
    }
    // "No, sqlite" refuses or answers.
    let no_label = said.windows(2).any(|two| {
        matches!(two, [Item::No { .. }, Item::Ref(next)] if next.position.is_none() && !next.polar)
    });
    if no_label {
        return None;
    }
    // "Yes, yes" is one answer, said twice.
    let polar = |item: &Item| match item {
        Item::Ref(reference) => reference.polar,
        item => matches!(item, Item::Yes { .. } | Item::No { .. }),
    };
    if said.windows(2).any(|two| matches!(two, [a, b] if polar(a) && a == b)) {
        return None;
    }
    let odd = |item: &Item| {
        matches!(item, Item::Not { .. } | Item::NotAfter | Item::Drop | Item::Correct { .. })
    };
    if items.iter().any(odd) {
        return None;
    }
    Some(said.into_iter().cloned().map(|item| vec![item]).enumerate().collect())
}

fn is_position(item: &Item) -> bool {
    matches!(item, Item::Ref(reference) if reference.position.is_some())
}

/// No question twice, and nothing taken back across questions. What connects clauses is of neither.
fn once_each(mut clauses: Clauses) -> Option<Clauses> {
    for (_, clause) in &mut clauses {
        while matches!(clause.last(), Some(Item::And | Item::Also | Item::Filler | Item::Article)) {
            clause.pop();
        }
        // "and also redis for the cache": beside another question's answer.
        let begins = clause.iter().take_while(|item| matches!(item, Item::And | Item::Also));
        clause.drain(..begins.count());
    }
    let corrects = |clause: &[Item]| {
        let first =
            clause.iter().find(|item| !matches!(item, Item::Filler | Item::And | Item::Also));
        matches!(first, Some(Item::Correct { soft: false }))
    };
    let twice = clauses.iter().enumerate().any(|(at, (question, clause))| {
        let before = clauses.get(..at).unwrap_or_default();
        at > 0 && corrects(clause) || before.iter().any(|(other, _)| other == question)
    });
    if twice || clauses.is_empty() { None } else { Some(clauses) }
}

fn question_of(item: &Item, facts: &[Facts<'_>]) -> Option<usize> {
    match item {
        Item::Topic(Topic::Question(question)) => Some(*question),
        Item::Topic(Topic::Number(number)) => {
            facts.iter().position(|facts| facts.number == *number as usize)
        }
        _ => None,
    }
}

/// Whether an item says something about options.
fn says(item: &Item) -> bool {
    matches!(
        item,
        Item::Ref(_)
            | Item::Both(_)
            | Item::All(..)
            | Item::None
            | Item::Decline
            | Item::Hedge
            | Item::Yes { soft: false, .. }
            | Item::No { .. }
            | Item::True
            | Item::False
            | Item::Except
            | Item::ExceptAfter
            | Item::Or
            | Item::Through
            | Item::To
            | Item::That
            | Item::Unclear
            | Item::Ask
    )
}
