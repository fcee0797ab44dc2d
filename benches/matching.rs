//! How long a match takes without the addon. Figures, not a gate: `npm run bench` prints them, and
//! nothing fails by them. The questions and utterances are those of `tools/eval/speed.js`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use spoken_answer::SpokenQuestion;

const ROUNDS: usize = 2_000;

fn main() {
    let one = question(&json!([{
        "question": "Which database?",
        "options": ["PostgreSQL", "SQLite", "MySQL", "MongoDB"],
    }]));
    let all = question(&(0..8).map(one_of_eight).collect());
    let long =
        "use the approach with every part of the module and the fast one of everything large "
            .repeat(8);

    // Nothing but words of the labels: every one of them could begin any of 64.
    let label = "use the fast approach with module 1 and every part of it ".repeat(10);

    println!("matching, in Rust");
    // It reads the lists of words, once in a process.
    println!("  the first of all        {:>8.1} µs", micros(time(&one, "the first one")));
    report("a position", &one, "let's go with the second one please");
    report("a label", &one, "postgres");
    report("something else", &one, "what is the weather like in the city tomorrow morning");
    report("8 × 8, one of them", &all, "the red one for question two");
    report("8 × 8, 250 characters", &all, first(&long, 250));
    report("8 × 8, 500 characters", &all, first(&long, 500));
    let [quarter, half, whole] = [125, 250, 500]
        .map(|chars| report(&format!("8 × 8, a label, {chars}"), &all, first(&label, chars)));
    let ratio = |longer: Duration, than: Duration| longer.as_secs_f64() / than.as_secs_f64();
    println!(
        "  twice the characters take {:.2} (125 → 250) and {:.2} (250 → 500) of the time",
        ratio(half, quarter),
        ratio(whole, half),
    );
}

fn first(text: &str, chars: usize) -> &str {
    text.get(..chars).unwrap_or_default()
}

fn question(questions: &Value) -> SpokenQuestion {
    let input = json!({ "inputId": "input-1", "sessionId": "session-1", "questions": questions });
    SpokenQuestion::read(Some(&input)).unwrap_or_else(|_| unreachable!("an object"))
}

fn one_of_eight(at: usize) -> Value {
    let words = ["fast", "slow", "red", "blue", "new", "old", "small", "large"];
    let label = |word| format!("use the {word} approach with module {at} and every part of it");
    json!({
        "question": format!("Question number {at} about something of the project?"),
        "options": words.map(label),
    })
}

/// Prints the median and the worst of many matches; returns the median.
fn report(what: &str, question: &SpokenQuestion, utterance: &str) -> Duration {
    let mut times: Vec<_> = (0..ROUNDS).map(|_| time(question, utterance)).collect();
    times.sort_unstable();
    let median = times.get(ROUNDS / 2).copied().unwrap_or_default();
    let worst = times.last().copied().unwrap_or_default();
    println!("  {what:<24}{:>8.1} µs median{:>9.1} µs worst", micros(median), micros(worst));
    median
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn time(question: &SpokenQuestion, utterance: &str) -> Duration {
    let start = Instant::now();
    black_box(question.match_utterance(black_box(utterance), None));
    start.elapsed()
}
