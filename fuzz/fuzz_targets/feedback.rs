//! Any question, any budget: pages inside the budget that hold every question once, in order, and
//! whose quoted texts are what was read out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use spoken_answer::SpokenQuestion;

fuzz_target!(|input: (u16, &str)| {
    let (budget, text) = (usize::from(input.0), input.1);
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    let Ok(question) = SpokenQuestion::read(Some(&value)) else { return };
    let mut seen = 0;
    let mut next = Some(0);
    while let Some(from) = next {
        let page = question.feedback(budget, from);
        assert!(page.text.len() <= budget);
        if !page.answerable {
            assert!(from == 0 && page.next.is_none() && !page.text.contains('\n'));
            return;
        }
        next = page.next;
        let end = next.unwrap_or(question.questions().len());
        assert!(end > from, "every page moves on");
        for line in page.text.lines().skip(1) {
            let (head, rest) = line.split_at(line.find('"').unwrap());
            let first = serde_json::Deserializer::from_str(rest).into_iter::<String>().next();
            let first = first.unwrap().unwrap();
            if head.starts_with("Question ") {
                assert_eq!(first, question.questions()[seen].question());
                seen += 1;
            } else {
                let number: usize = head.trim_end_matches(". ").parse().unwrap();
                assert_eq!(Some(&*first), question.questions()[seen - 1].labels().nth(number - 1));
            }
        }
        assert_eq!(seen, end);
    }
    assert_eq!(seen, question.questions().len());
});
