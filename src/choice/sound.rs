//! When a word that was heard may be a word of a label, though it is written otherwise.

/// Shorter words are other words as soon as one letter differs.
const SLIP_LETTERS: usize = 5;

/// Whether `heard` may be the label's word `word`: another form of it, the beginning of it, or a
/// slip of spelling or recognition that sounds the same.
pub(super) fn may_be(heard: &str, word: &str) -> bool {
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    if heard.len() < 3 || word.len() < 3 || !is_word(heard) || !is_word(word) {
        return false;
    }
    is_form(heard, word)
        || is_form(word, heard)
        || is_beginning(heard, word)
        || is_slip(heard, word)
}

/// Whether `form` is a form of `base`: "tests", "tested", "testing" of "test". Two forms of one
/// word are not taken for each other.
fn is_form(base: &str, form: &str) -> bool {
    if base.len() >= form.len() || form.len() < 4 {
        return false;
    }
    let stem = base.strip_suffix('e').unwrap_or(base);
    let ends = |stem: &str, endings: &[&str]| {
        form.strip_prefix(stem).is_some_and(|ending| endings.contains(&ending))
    };
    let doubled = || {
        let mut stem = base.to_owned();
        stem.extend(base.chars().last());
        ends(&stem, &["ed", "ing"])
    };
    ends(base, &["s", "es", "ed", "ing"])
        || base.ends_with('e') && ends(stem, &["es", "ed", "ing"])
        || base.strip_suffix('y').is_some_and(|stem| ends(stem, &["ies", "ied"]))
        || doubled()
}

/// "postgres" of "postgresql": at least five letters and two thirds of the word.
fn is_beginning(heard: &str, word: &str) -> bool {
    heard.len() >= 5 && heard.len() * 3 >= word.len() * 2 && word.starts_with(heard)
}

/// "yello" for "yellow", "postgress" for "postgres", "lokal" for "local": what sounds just the same,
/// with a letter doubled, or a silent one, or the other letter for the same sound. Another vowel or
/// another order of letters is another word as often as not: "policy" and "police", "causal" and
/// "casual".
fn is_slip(heard: &str, word: &str) -> bool {
    let shorter = heard.len().min(word.len());
    shorter >= SLIP_LETTERS
        && heard.as_bytes().first() == word.as_bytes().first()
        && strsim::osa_distance(heard, word) <= 1
        && sound(heard) == sound(word)
}

/// A word with one letter for each sound: doubled letters once, no silent ones at its end.
fn sound(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for (at, letter) in word.char_indices() {
        let next = word.as_bytes().get(at + 1).copied().unwrap_or(b' ');
        let letter = match letter {
            'c' if matches!(next, b'e' | b'i' | b'y') => 's',
            'c' | 'q' => 'k',
            'z' => 's',
            letter => letter,
        };
        if !out.ends_with(letter) {
            out.push(letter);
        }
    }
    let trimmed = out.trim_end_matches(['w', 'h']).len();
    out.truncate(trimmed);
    out
}

#[cfg(test)]
mod tests {
    use super::may_be;

    #[test]
    fn words_that_may_be_one_another() {
        for (heard, word) in [
            ("tests", "test"),
            ("caches", "cache"),
            ("test", "testing"),
            ("deploying", "deploy"),
            ("copies", "copy"),
            ("cached", "cache"),
            ("running", "run"),
            ("stopped", "stop"),
            ("postgres", "postgresql"),
            ("mongo", "mongodb"),
            ("yello", "yellow"),
            ("postgress", "postgres"),
            ("lokal", "local"),
        ] {
            assert!(may_be(heard, word), "{heard} for {word}");
        }
    }

    #[test]
    fn words_that_are_others() {
        for (heard, word) in [
            ("production", "reduction"),
            ("stating", "staging"),
            ("vocal", "local"),
            ("phases", "spaces"),
            ("posters", "postgres"),
            ("rest", "rust"),
            ("fast", "first"),
            ("post", "postgresql"),
            ("greed", "green"),
            ("private", "pirate"),
            ("pass", "past"),
            ("police", "policy"),
            ("casual", "causal"),
            ("message", "massage"),
            ("locale", "local"),
            ("back", "backend"),
            ("noted", "notes"),
            ("stats", "state"),
            ("tab", "tabs2"),
        ] {
            assert!(!may_be(heard, word), "{heard} for {word}");
        }
    }
}
