//! When a word that was heard may be a word of a label, though it is written otherwise.

/// Shorter words are other words as soon as one letter differs.
const SLIP_LETTERS: usize = 5;
/// From here on two letters may differ.
const LONG_LETTERS: usize = 8;

/// Whether `heard` may be the label's word `word`: another form of it, the beginning of it, or a
/// slip of spelling or recognition that sounds the same.
pub(super) fn may_be(heard: &str, word: &str) -> bool {
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    if heard.len() < 3 || word.len() < 3 || !is_word(heard) || !is_word(word) {
        return false;
    }
    is_form(heard, word) || is_beginning(heard, word) || is_slip(heard, word)
}

/// "test", "tests", "tested", "testing".
fn is_form(heard: &str, word: &str) -> bool {
    heard.len().max(word.len()) > 3 && stem(heard) == stem(word)
}

/// "postgres" of "postgresql": at least four letters and half of the word.
fn is_beginning(heard: &str, word: &str) -> bool {
    heard.len() >= 4 && heard.len() * 2 >= word.len() && word.starts_with(heard)
}

/// "yello" for "yellow": the same first letter, the same consonants, hardly another spelling.
fn is_slip(heard: &str, word: &str) -> bool {
    let shorter = heard.len().min(word.len());
    if shorter < SLIP_LETTERS || heard.as_bytes().first() != word.as_bytes().first() {
        return false;
    }
    let allowed = if shorter < LONG_LETTERS { 1 } else { 2 };
    heard.len().abs_diff(word.len()) <= allowed
        && consonants(heard) == consonants(word)
        && strsim::osa_distance(heard, word) <= allowed
}

/// A word without the endings that English adds to it.
fn stem(word: &str) -> &str {
    let ending = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() >= 3);
    let stem = ending("ing").or_else(|| ending("ied")).or_else(|| ending("ies"));
    let stem = stem.or_else(|| ending("ed")).or_else(|| ending("es"));
    let stem = stem.or_else(|| ending("s").filter(|stem| !stem.ends_with('s')));
    let stem = stem.unwrap_or(word);
    let stem = stem.strip_suffix(['e', 'y', 'i']).filter(|stem| stem.len() >= 3).unwrap_or(stem);
    match stem.as_bytes() {
        // "running": the last consonant was doubled.
        [.., a, b] if a == b && stem.len() > 3 && !b"aeiousl".contains(b) => {
            stem.get(..stem.len() - 1).unwrap_or(stem)
        }
        _ => stem,
    }
}

/// The consonants as they sound, doubled ones once.
fn consonants(word: &str) -> String {
    let letters = word.as_bytes();
    let mut out = String::with_capacity(letters.len());
    for (at, letter) in letters.iter().enumerate() {
        let next = letters.get(at + 1).copied().unwrap_or(b' ');
        let front = matches!(next, b'e' | b'i' | b'y');
        let sounds = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => "",
            b'h' | b'w' | b'y' if at > 0 => "",
            b'p' if next == b'h' => "f",
            b's' | b'c' if next == b'h' => "x",
            b't' if next == b'h' => "0",
            b't' if letters.get(at..).is_some_and(|rest| rest.starts_with(b"tion")) => "x",
            b'c' if next == b'k' => "",
            b'c' if front => "s",
            b'c' | b'q' => "k",
            b'g' if front => "j",
            b'g' if next == b'h' => "",
            b'x' => "ks",
            b'z' => "s",
            letter => {
                let letter = char::from(*letter);
                if !out.ends_with(letter) {
                    out.push(letter);
                }
                continue;
            }
        };
        if !sounds.is_empty() && !out.ends_with(sounds) {
            out.push_str(sounds);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::may_be;

    #[test]
    fn words_that_may_be_one_another() {
        for (heard, word) in [
            ("tests", "test"),
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
            ("hybird", "hybrid"),
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
            ("tab", "tabs2"),
        ] {
            assert!(!may_be(heard, word), "{heard} for {word}");
        }
    }
}
