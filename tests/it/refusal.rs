//! The reasons and their sentences.

use std::collections::HashSet;

use spoken_answer::{Next, Reason};

#[test]
fn every_sentence_points_at_the_card_and_says_whether_saying_it_again_can_help() {
    for reason in Reason::ALL {
        let (name, message) = (reason.name(), reason.message());
        assert!(message.contains("on the screen"), "{name}: {message}");
        assert!(message.contains("card"), "{name}: {message}");
        assert!(message.ends_with('.') && message.is_ascii(), "{name}: {message}");
        assert!((40..=160).contains(&message.len()), "{name}: {} bytes", message.len());
        let again = ["say", "listen"].iter().any(|word| message.contains(word));
        assert_eq!(reason.next() == Next::SayAgain, again, "{name}: {message}");
    }
}

#[test]
fn names_and_sentences_are_distinct() {
    let names: HashSet<_> = Reason::ALL.iter().map(|reason| reason.name()).collect();
    let messages: HashSet<_> = Reason::ALL.iter().map(|reason| reason.message()).collect();
    assert_eq!((names.len(), messages.len()), (Reason::ALL.len(), Reason::ALL.len()));
}

/// TypeScript knows exactly the reasons that Rust knows, in the same order.
#[test]
fn the_types_list_the_same_reasons() {
    let types = include_str!("../../index.d.ts");
    let union = types.split_once("export type RefusalReason =").unwrap().1;
    let union = union.split_once("\n\n").unwrap().0;
    let listed: Vec<_> = union.split('\'').skip(1).step_by(2).collect();
    let known: Vec<_> = Reason::ALL.iter().map(|reason| reason.name()).collect();
    assert_eq!(listed, known);
}

/// The README explains every reason with its sentence.
#[test]
fn the_readme_lists_every_reason_with_its_sentence() {
    let readme = include_str!("../../README.md");
    for reason in Reason::ALL {
        let row = format!("| `{}` | {} |", reason.name(), reason.message());
        assert!(readme.contains(&row), "README.md lacks: {row}");
    }
}
