//! Events as JavaScript objects: what is this call's, what the calling program got wrong, and what
//! of a host cannot be read.

use spoken_answer::call::event::OtherKind;

use super::*;

/// The event as it was read, or the code of the mistake; empty where it is none of the call's.
fn read(event: &Value) -> String {
    match Event::read(Some(event), "call-1") {
        Ok(Some(event)) => format!("{event:?}"),
        Ok(None) => String::new(),
        Err(mistake) => format!("{} {mistake}", mistake.code()),
    }
}

#[test]
fn only_the_ids_of_this_call_name_its_messages() {
    let known = "Delivered(FeedbackId(7), Sent)";
    for (id, expected) in [
        ("call-1:7", known),
        ("call-of-yesterday:7", ""),
        ("call-1:07", ""),
        ("call-1:+7", ""),
        ("call-1: 7", ""),
        ("call-1:7 ", ""),
        ("call-1:7.0", ""),
        ("call-1:4294967296", ""),
        ("call-1:", ""),
        ("call-1", ""),
        ("call-17", ""),
        (":7", ""),
        ("7", ""),
        ("", ""),
    ] {
        let event = json!({ "type": "delivered", "feedbackId": id, "outcome": "sent" });
        assert_eq!(read(&event), expected, "{id}");
    }
}

#[test]
fn mistakes_of_the_calling_program_name_the_argument() {
    let request = json!({ "requestId": "r", "instruction": "Yes" });
    let with = |evidence: Value| json!({ "type": "instruct", "request": request.clone(), "evidence": evidence });
    let late = json!({ "type": "heard", "requestId": "r", "evidence": "Yes" });
    let session = |session: Value| json!({ "type": "setSession", "session": session });
    let table = [
        ("INVALID_REQUEST request", json!({ "type": "instruct" })),
        ("INVALID_REQUEST request", json!({ "type": "instruct", "request": null })),
        ("INVALID_REQUEST request", json!({ "type": "instruct", "request": "Yes" })),
        ("INVALID_EVIDENCE evidence is", with(json!("Yes"))),
        ("INVALID_EVIDENCE evidence is", late),
        ("INVALID_EVIDENCE evidence.utterance", with(json!({ "utterance": 1 }))),
        ("INVALID_EVIDENCE evidence.speechStartedAt", with(json!({ "speechStartedAt": -1 }))),
        ("INVALID_EVIDENCE evidence.speechStartedAt", with(json!({ "speechStartedAt": "now" }))),
        ("INVALID_EVIDENCE evidence.speaker", with(json!({ "speaker": "bob" }))),
        ("INVALID_EVIDENCE evidence.speaker", with(json!({ "speaker": { "id": 1 } }))),
        ("INVALID_EVIDENCE evidence.speaker", with(json!({ "speaker": { "id": "" } }))),
        (
            "INVALID_EVIDENCE evidence.speaker",
            with(json!({ "speaker": { "id": "bob", "attribution": 1 } })),
        ),
        ("INVALID_SESSION session must", session(json!(false))),
        ("INVALID_SESSION session must", session(Value::Null)),
        ("INVALID_SESSION session.id", session(json!({}))),
        ("INVALID_SESSION session.id", session(json!({ "id": "" }))),
        ("INVALID_SESSION session.id", session(json!({ "id": "x".repeat(257) }))),
        ("INVALID_SESSION session.local", session(json!({ "id": "s", "local": "false" }))),
        (
            "INVALID_FEEDBACK_ID",
            json!({ "type": "delivered", "feedbackId": {}, "outcome": "sent" }),
        ),
    ];
    for (expected, event) in table {
        assert!(read(&event).starts_with(expected), "{event}: {}", read(&event));
    }
}

#[test]
fn what_a_provider_or_a_person_said_is_no_mistake() {
    let read = |request: Value, evidence: Value| {
        let event = json!({ "type": "instruct", "request": request, "evidence": evidence });
        let Ok(Some(Event::Instruct(read))) = Event::read(Some(&event), "call-1") else {
            panic!("{event}")
        };
        read
    };
    let fine = json!({ "requestId": "r", "instruction": "Yes" });
    let evidence = |evidence| read(fine.clone(), evidence).evidence;
    assert_eq!(evidence(Value::Null), Evidence::default());
    assert_eq!(
        evidence(json!({ "utterance": null, "speechStartedAt": null, "speaker": null })),
        Evidence::default()
    );
    assert_eq!(
        evidence(json!({ "utterance": "yes", "speechStartedAt": 7.9, "speaker": { "id": "bob" } })),
        Evidence {
            utterance: Some(words("yes")),
            speech_started_at: Some(7),
            speaker: Some(Speaker { id: "bob".to_owned(), attribution: String::new() }),
        }
    );
    let at = |ms: f64| evidence(json!({ "speechStartedAt": ms })).speech_started_at;
    assert_eq!((at(0.0), at(1e300)), (Some(0), Some(u64::MAX)));
    for (bytes, expected) in
        [(8_192, Some(words(&"x".repeat(8_192)))), (8_193, Some(Utterance::Unusable))]
    {
        assert_eq!(evidence(json!({ "utterance": "x".repeat(bytes) })).utterance, expected);
    }
    // Without an id or a text that can be read it is a request that is refused.
    for request in [json!({}), json!({ "requestId": 1, "instruction": {} })] {
        let read = read(request, Value::Null);
        assert_eq!((read.request_id.len(), read.text.len()), (8_193, 8_193));
    }
}

#[test]
fn one_entry_that_cannot_be_read_hides_no_other() {
    let inputs = json!([null, 7, { "kind": "plan" }, one(&json!(["Yes", "No"]))]);
    let event = json!({ "type": "listed", "id": 1, "inputs": inputs, "wall": 1 });
    let Ok(Some(Event::Listed(ReadId(1), Some(list), 1))) = Event::read(Some(&event), "call-1")
    else {
        panic!("a list")
    };
    let unreadable = |input: &OpenInput| {
        matches!(
            input,
            OpenInput::Other { kind: OtherKind::Other, input_id, session_id: None }
                if input_id.is_empty()
        )
    };
    assert_eq!(list.iter().filter(|input| unreadable(input)).count(), 3);
    let mut rig = Rig::read_out(Options::new("call"), yes_or_no());
    rig.send(Event::VoiceReset);
    let read = *rig.reads().last().unwrap();
    rig.send(Event::Listed(read, Some(list), 1));
    assert_eq!(rig.pending(), Some(("Which?", 1)));
    // On the stream it may be anything: what is open is read anew.
    let event = json!({ "type": "host", "event": { "type": "input.requested", "input": 7 } });
    assert!(matches!(Event::read(Some(&event), "call"), Ok(Some(Event::Host(HostEvent::Gap)))));
}
