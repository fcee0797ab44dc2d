//! The rules once more, as naively as they can be written: no early returns by size, no fast
//! paths, other Unicode tables where there are others (grapheme clusters come from the same crate).
//! The properties hold the crate against it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};
use spoken_answer::Spoken;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::feedback::{LAST, MORE};

static SPACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[\p{White_Space}\x{FEFF}]").unwrap());
static SELECTOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[\x{200C}\x{200D}\p{Variation_Selector}]").unwrap());
static INVISIBLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\x{FFF9}-\x{FFFB}\x{1107F}\x{13430}-\x{13442}\x{16FE4}\x{1D159}\x{2800}]").unwrap()
});

pub(crate) fn clean(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|c| (c, c.to_string()))
        .filter(|(_, s)| SPACE.is_match(s) || SELECTOR.is_match(s) || !INVISIBLE.is_match(s))
        .map(|(c, s)| if SPACE.is_match(&s) { ' ' } else { c })
        .collect();
    kept.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What is read out, and whether it was cut.
fn heard(text: &str, limit: usize) -> Option<(String, bool)> {
    let text = clean(text);
    let cut = text.chars().count() > limit;
    let mut kept = String::new();
    for cluster in text.graphemes(true) {
        let room = if cut { limit - 1 } else { limit };
        if kept.chars().count() + cluster.chars().count() > room {
            break;
        }
        kept.push_str(cluster);
    }
    if look(&kept).is_empty() {
        return None;
    }
    Some((if cut { kept + "…" } else { kept }, cut))
}

fn look(text: &str) -> String {
    clean(&SELECTOR.replace_all(text, "")).nfc().collect()
}

fn label(option: &Value) -> &str {
    option.as_str().unwrap_or_else(|| option["label"].as_str().unwrap())
}

/// The verdict on a well-formed question with at least one question in it.
pub(crate) fn verdict(question: &Value, answers: &Value) -> Value {
    let refused = |reason: &str, index: Option<usize>| {
        let mut value = json!({ "reason": reason });
        if let Some(index) = index {
            value["questionIndex"] = json!(index);
        }
        value
    };
    let questions = question["questions"].as_array().unwrap();
    if questions.len() > 8 {
        return refused("too-many-questions", None);
    }
    let mut shortened = false;
    let mut read_out = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        let options = question["options"].as_array().unwrap();
        let text = heard(question["question"].as_str().unwrap(), 300);
        let labels: Option<Vec<_>> =
            options.iter().map(|option| heard(label(option), 120)).collect();
        let (Some((_, cut)), Some(labels)) = (text, labels) else {
            return refused("question-unanswerable", Some(index));
        };
        if labels.is_empty() || labels.len() > 256 {
            return refused("question-unanswerable", Some(index));
        }
        shortened |= cut || labels.iter().take(8).any(|(_, cut)| *cut);
        read_out.push(labels.into_iter().map(|(text, _)| text).collect::<Vec<_>>());
    }
    for (index, labels) in read_out.iter().enumerate() {
        let full: Vec<_> =
            questions[index]["options"].as_array().unwrap().iter().map(label).collect();
        for i in 0..labels.len() {
            for j in 0..i {
                let alike = look(&labels[i]) == look(&labels[j]);
                if alike || look(full[i]) == look(full[j]) {
                    return refused("ambiguous-options", Some(index));
                }
            }
        }
    }
    let entries = answers.as_array().unwrap();
    let index_of = |entry: &Value| entry["questionIndex"].as_i64().unwrap();
    for entry in entries {
        let index = index_of(entry);
        if index < 0 || index >= i64::try_from(questions.len()).unwrap() {
            return refused("question-out-of-range", usize::try_from(index).ok());
        }
    }
    for (position, entry) in entries.iter().enumerate() {
        if entries[..position].iter().any(|other| index_of(other) == index_of(entry)) {
            return refused("question-repeated", usize::try_from(index_of(entry)).ok());
        }
    }
    for index in 0..questions.len() {
        if !entries.iter().any(|entry| index_of(entry) == i64::try_from(index).unwrap()) {
            return refused("question-missing", Some(index));
        }
    }
    let (mut labels, mut indexes) = (Vec::new(), Vec::new());
    for (index, question) in questions.iter().enumerate() {
        let entry = entries.iter().find(|entry| entry["questionIndex"] == json!(index)).unwrap();
        let chosen = entry["options"].as_array().unwrap();
        if chosen.is_empty() {
            return refused("option-missing", Some(index));
        }
        let same = |a: &str, b: &str| clean(a).nfc().eq(clean(b).nfc());
        let offered: Vec<_> = read_out[index].iter().take(8).collect();
        let mut picked: Vec<usize> = Vec::new();
        for one in chosen {
            match offered.iter().position(|label| same(label, one.as_str().unwrap())) {
                Some(position) => picked.push(position),
                None => return refused("option-not-offered", Some(index)),
            }
        }
        picked.sort_unstable();
        let count = picked.len();
        picked.dedup();
        if picked.len() < count {
            return refused("option-repeated", Some(index));
        }
        if count > 1 && question["multiSelect"] != json!(true) {
            return refused("too-many-options-chosen", Some(index));
        }
        labels.push(picked.iter().map(|i| label(&question["options"][*i])).collect::<Vec<_>>());
        indexes.push(picked);
    }
    json!({ "answers": labels, "optionIndexes": indexes, "shortened": shortened })
}

/// Whether every question, written without descriptions, fits a message of its own.
pub(crate) fn each_question_fits(questions: &[Spoken], budget: usize) -> bool {
    let quoted = |text: &str| Value::from(text).to_string();
    questions.iter().enumerate().all(|(index, one)| {
        let mut notes = Vec::new();
        if one.multi_select() {
            notes.push("choose one or more".to_owned());
        }
        if one.shortened() {
            notes.push("shortened; the whole text is on the card".to_owned());
        }
        match one.omitted_options() {
            0 => {}
            1 => notes.push("1 more option is on the card".to_owned()),
            more => notes.push(format!("{more} more options are on the card")),
        }
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        let total = questions.len();
        let mut lines = vec![if index + 1 == total { LAST } else { MORE }.to_owned()];
        lines.push(format!("Question {} of {total}: {}{notes}", index + 1, quoted(one.question())));
        lines.extend(
            one.labels().enumerate().map(|(n, label)| format!("{}. {}", n + 1, quoted(label))),
        );
        lines.join("\n").len() <= budget
    })
}
