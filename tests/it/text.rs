//! Cleaning and cutting.

use regex::Regex;
use spoken_answer::text::{Heard, clean, look, nfc};

#[test]
fn white_space_and_invisible_characters() {
    let table = [
        ("plain", "local only", "local only"),
        ("empty", "", ""),
        ("runs become one space", "push \t\n  main", "push main"),
        ("ends are trimmed", "  a b ", "a b"),
        ("U+FEFF and U+0085 are white space", "a\u{FEFF}b\u{85}c", "a b c"),
        ("line and paragraph separators are", "a\u{2028}b\u{2029}c", "a b c"),
        ("what is dropped does not break a run", "a \u{200B} b", "a b"),
        ("what is dropped at the ends leaves no space", "\u{200B} a \u{200B}", "a"),
        ("controls", "a\u{0}b\u{1B}[31m\u{7F}\u{9F}", "ab[31m"),
        ("bidi controls", "safe\u{202E}gpj.exe\u{2066}\u{2069}\u{61C}\u{200E}", "safegpj.exe"),
        ("zero width", "de\u{200B}le\u{2060}te\u{AD}\u{34F}", "delete"),
        ("fillers", "\u{3164}\u{115F}\u{1160}\u{FFA0}\u{17B4}\u{17B5}\u{2800}x", "x"),
        ("tags", "ok\u{E0041}\u{E007F}\u{E0001}", "ok"),
        ("joiners stay", "👩\u{200D}🚀 می\u{200C}خواهم", "👩\u{200D}🚀 می\u{200C}خواهم"),
        ("variation selectors stay", "❤\u{FE0F}葛\u{E0100}", "❤\u{FE0F}葛\u{E0100}"),
        ("combining marks stay", "e\u{301}", "e\u{301}"),
    ];
    for (label, raw, expected) in table {
        assert_eq!(clean(raw), expected, "{label}");
    }
}

/// The table of dropped characters against the Unicode data of another crate.
#[test]
fn every_character_is_kept_spaced_or_dropped_as_unicode_says() {
    let space = Regex::new(r"^[\p{White_Space}\x{FEFF}]$").unwrap();
    let selector = Regex::new(r"^[\x{200C}\x{200D}\p{Variation_Selector}]$").unwrap();
    let invisible =
        Regex::new(r"^[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\x{FFF9}-\x{FFFB}\x{1107F}\x{13430}-\x{13442}\x{16FE4}\x{1D159}\x{2800}]$").unwrap();
    let mut buffer = [0; 4];
    for c in '\0'..=char::MAX {
        let text: &str = c.encode_utf8(&mut buffer);
        let expected = if space.is_match(text) {
            String::from("a b")
        } else if invisible.is_match(text) && !selector.is_match(text) {
            String::from("ab")
        } else {
            format!("a{c}b")
        };
        assert_eq!(clean(&format!("a{c}b")), expected, "U+{:04X}", c as u32);
    }
}

#[test]
fn a_long_text_is_cut_to_whole_clusters_within_the_limit() {
    let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦";
    let table = [
        ("within the limit", "abc".to_owned(), 3, Some(("abc", false))),
        ("one over", "abcd".to_owned(), 3, Some(("ab…", true))),
        ("the limit is of characters, not bytes", "選選選".to_owned(), 3, Some(("選選選", false))),
        ("and not of UTF-16 units", "😀😀😀".to_owned(), 3, Some(("😀😀😀", false))),
        ("a mark stays with its letter", "ae\u{301}xy".to_owned(), 3, Some(("a…", true))),
        ("a family stays whole", format!("ab{family}c"), 9, Some(("ab…", true))),
        (
            "a family that fits stays",
            format!("a{family}bcd"),
            9,
            Some((&*format!("a{family}…"), true)),
        ),
        (
            "a line break within a cluster is one space first",
            "a\r\nbc".to_owned(),
            4,
            Some(("a bc", false)),
        ),
        (
            "a first cluster over the limit leaves nothing",
            format!("a{}", "\u{301}".repeat(9)),
            5,
            None,
        ),
        ("blank", " \u{200B} ".to_owned(), 5, None),
        ("a lone variation selector is blank", "\u{FE0F}".to_owned(), 5, None),
        ("joiners with spaces between are blank", "\u{200D} \u{200D}".to_owned(), 5, None),
    ];
    for (label, raw, limit, expected) in table {
        let heard = Heard::new(&raw, limit);
        let got = heard.as_ref().map(|heard| (heard.as_str(), heard.shortened()));
        assert_eq!(got, expected, "{label}");
    }
}

#[test]
fn sameness_and_likeness() {
    assert_eq!(nfc("Cafe\u{301}"), "Café");
    assert_eq!(nfc("Café"), "Café");
    assert_ne!(nfc("yes"), nfc("Yes"), "case counts");
    assert_eq!(look("❤\u{FE0F}"), look("❤"));
    assert_eq!(look("a\u{200D} b"), look("a b"));
    assert_eq!(look("e\u{FE0F}\u{301}"), look("é"), "composed once the selector is gone");
    assert_ne!(look("❤"), look("♥"));
}
