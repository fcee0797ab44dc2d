//! What holds for any words: more of them never make another choice, names do not matter, and what
//! nobody hears changes nothing.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::{chosen, question};

const NAMES: &[&str] =
    &["amber", "basil", "cobalt", "dune", "ember", "fjord", "garnet", "hazel", "indigo", "jasper"];

/// Ways to answer with the label at a place, and with its position.
const ANSWERS: &[&str] = &[
    "{}",
    "the {} one",
    "let's go with {}",
    "I'd like {} please",
    "not {}",
    "{} and {}",
    "{}, no wait, {}",
    "not the first one, {}",
    "everything except {}",
    "either {} or {}",
    "the second one",
    "option 2",
    "B",
    "the last one",
    "both",
    "all of them",
    "none of them",
    "maybe {}",
    "what about {}",
    "the first two",
    "{} or the last one",
];

const EXTRA: &[&str] = &[
    "please", "maybe", "giraffe", "not", "or", "and", "second", "two", "the", "what", "basil",
    "yes", "no", "wait", "except", "all", "tomorrow", "1", "b", "last",
];

prop_compose! {
    fn answer()(
        template in select(ANSWERS),
        labels in Just(NAMES.to_vec()).prop_shuffle(),
        count in 2..6_usize,
        multi in any::<bool>(),
        (a, b) in (0..6_usize, 0..6_usize),
    ) -> (Vec<&'static str>, bool, String) {
        let labels = labels[..count].to_vec();
        let utterance = template.replacen("{}", labels[a % count], 1);
        let utterance = utterance.replace("{}", labels[b % count]);
        (labels, multi, utterance)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// One more word: the same choice, or none, unless the word revokes or names an option itself.
    #[test]
    fn another_word_makes_no_other_choice(
        (labels, multi, utterance) in answer(),
        word in select(EXTRA),
        at in 0..8_usize,
    ) {
        let says_more = ["not", "and", "second", "two", "basil", "no", "wait", "except", "all", "1", "b", "last"];
        prop_assume!(!says_more.contains(&word));
        let asked = question(&json!(labels), multi);
        let mut words: Vec<_> = utterance.split(' ').collect();
        words.insert(at.min(words.len()), word);
        let more = chosen(&asked, &words.join(" "));
        if let (Ok(before), Ok(after)) = (chosen(&asked, &utterance), more) {
            prop_assert_eq!(before, after, "{} + {}", utterance, words.join(" "));
        }
    }

    /// A word that nobody knows never leaves a choice.
    #[test]
    fn an_unknown_word_leaves_no_choice((labels, multi, utterance) in answer(), at in 0..8_usize) {
        let asked = question(&json!(labels), multi);
        let mut words: Vec<_> = utterance.split(' ').collect();
        words.insert(at.min(words.len()), "giraffe");
        prop_assert!(chosen(&asked, &words.join(" ")).is_err(), "{}", words.join(" "));
    }

    /// Other names for the options, everywhere: the same outcome.
    #[test]
    fn names_do_not_matter((labels, multi, utterance) in answer()) {
        let other = ["zircon", "yarrow", "walnut", "velvet", "umber", "topaz"];
        let renamed: Vec<_> = other[..labels.len()].to_vec();
        let mut said = utterance.clone();
        for (label, name) in labels.iter().zip(&renamed) {
            said = said.replace(label, name);
        }
        let before = chosen(&question(&json!(labels), multi), &utterance);
        let after = chosen(&question(&json!(renamed), multi), &said);
        prop_assert_eq!(before, after, "{} / {}", utterance, said);
    }

    /// Capitals and punctuation between words are not heard.
    #[test]
    fn what_is_not_heard_changes_nothing((labels, multi, utterance) in answer(), mark in select(&[",", ".", "!", "…", ";", "?"][..])) {
        let asked = question(&json!(labels), multi);
        let before = chosen(&asked, &utterance);
        let plain: String = utterance.chars().filter(|c| *c != ',').collect();
        for other in [
            utterance.to_uppercase(),
            plain.clone(),
            format!("{utterance}{mark}"),
            plain.replace(' ', &format!("{mark} ")),
            format!("  {}  ", utterance.replace(' ', "  ")),
        ] {
            prop_assert_eq!(&chosen(&asked, &other), &before, "{} / {}", utterance, other);
        }
    }

    /// Whatever is said to whatever question: what is chosen was read out, and a list only where one
    /// may be chosen.
    #[test]
    fn any_text_chooses_only_what_was_read_out(
        labels in prop::collection::hash_set("\\PC{1,20}", 1..9),
        multi in any::<bool>(),
        utterance in "\\PC{0,80}",
    ) {
        let labels: Vec<_> = labels.into_iter().collect();
        let asked = question(&json!(labels), multi);
        if asked.questions().is_empty() {
            return Ok(());
        }
        if let Ok(positions) = chosen(&asked, &utterance) {
            prop_assert!(!positions.is_empty());
            prop_assert!(multi || positions.len() == 1);
            prop_assert!(positions.windows(2).all(|two| two[0] < two[1]));
        }
    }
}
