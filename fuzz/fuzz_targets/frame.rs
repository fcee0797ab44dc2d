//! Any message, any budget: a frame inside the budget, with as many lines as there are parts, each
//! a label and one JSON string, and the request comes back as it was said.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use spoken_answer::authority::{FRAME_LEAST_BYTES, Message, frame};
use spoken_answer::text::clean_lines;

type Said<'a> = (u16, &'a str, &'a str, Option<&'a str>, Vec<(&'a str, &'a str)>);

fuzz_target!(|said: Said| {
    let (budget, speaker, request, utterance, lines) = said;
    let budget = FRAME_LEAST_BYTES + usize::from(budget);
    let lines: Vec<_> =
        lines.iter().map(|(speaker, text)| json!({ "speaker": speaker, "text": text })).collect();
    let message = json!({
        "speaker": speaker, "request": request, "utterance": utterance, "context": lines,
    });
    let framed = frame(&Message::read(Some(&message)).unwrap(), budget).unwrap();
    assert!(framed.len() <= budget);
    let mut read = framed.split('\n').skip(1);
    for label in ["speaker", "request", "verbatim"] {
        let rest = read.next().unwrap().strip_prefix(label).unwrap();
        let (cut, rest) = match rest.strip_prefix(" (shortened)") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let rest = rest.strip_prefix(": ").unwrap();
        if rest == "absent" {
            continue;
        }
        let text: String = serde_json::from_str(rest).unwrap();
        if label == "request" {
            let whole = clean_lines(request);
            let kept = if cut { text.strip_suffix('…').unwrap() } else { &text };
            assert!(whole.starts_with(kept) && (cut || whole == text));
        }
    }
    assert!(read.next().unwrap().starts_with("context"));
    let mut shown = 0;
    for line in read {
        shown += 1;
        let rest = line.strip_prefix("- ").unwrap();
        let rest = match rest.strip_prefix("absent") {
            Some(rest) => rest,
            None => {
                let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
                stream.next().unwrap().unwrap();
                &rest[stream.byte_offset()..]
            }
        };
        let rest = rest.strip_prefix(" (shortened)").unwrap_or(rest).strip_prefix(": ").unwrap();
        serde_json::from_str::<String>(rest).unwrap();
    }
    assert!(shown <= lines.len());
});
