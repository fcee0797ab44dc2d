//! The lines of a file of words, and the phrases of a line.

/// Lines without comments; an indented line continues the one before it.
pub(super) fn logical_lines(file: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match lines.last_mut() {
            Some(last) if line.starts_with(' ') => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => lines.push(line.trim_end().to_owned()),
        }
    }
    lines
}

/// The phrases between the commas that are not inside braces.
pub(super) fn split(phrases: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0_usize;
    for c in phrases.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(String::new());
                continue;
            }
            '"' => continue,
            _ => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.iter().map(|phrase| phrase.trim().to_owned()).filter(|phrase| !phrase.is_empty()).collect()
}

/// `{i,we} want` is `i want` and `we want`.
pub(super) fn expand(phrase: &str) -> Vec<String> {
    let Some((before, rest)) = phrase.split_once('{') else { return vec![phrase.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![phrase.to_owned()] };
    let each = |choice: &str| expand(&format!("{before}{}{after}", choice.trim()));
    choices.split(',').flat_map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_alternatives() {
        assert_eq!(
            expand("{i,we} {want,need} it"),
            ["i want it", "i need it", "we want it", "we need it"]
        );
        assert_eq!(split("a, {b,c} d, \"+\""), ["a", "{b,c} d", "+"]);
    }
}
