//! The record of who answered.

use serde_json::json;
use spoken_answer::Verdict;
use spoken_answer::provenance::{Basis, Facts, ReadOut, ResolvedBy, Speaker};

use crate::support::{one, spoken};

#[test]
fn the_record_holds_ids_and_facts_and_no_text() {
    let question = spoken(&one(&json!(["secret plan", "x".repeat(200)])));
    let answer = r#"[{"questionIndex":0,"options":["secret plan"]}]"#;
    let Verdict::Accepted(accepted) = question.validate_text(answer) else { panic!("accepted") };
    let mut facts = Facts {
        call_id: "call-1".to_owned(),
        operation_id: "operation-1".to_owned(),
        request_id: "request-1".to_owned(),
        provider: Some("a provider".to_owned()),
        speaker: Some(Speaker { id: "user-1".to_owned(), attribution: "device".to_owned() }),
        read_out: ReadOut::Spoken,
        basis: Basis::Both,
        at: 1_764_500_000_000,
    };
    assert_eq!(
        serde_json::to_value(ResolvedBy::voice(&accepted, facts.clone())).unwrap(),
        json!({
            "kind": "voice",
            "callId": "call-1",
            "operationId": "operation-1",
            "requestId": "request-1",
            "provider": "a provider",
            "speaker": { "id": "user-1", "attribution": "device" },
            "readOut": "spoken",
            "basis": "both",
            "at": 1_764_500_000_000_u64,
            "digest": question.digest(),
            "shortened": true,
        })
    );
    (facts.provider, facts.speaker) = (None, None);
    let record = serde_json::to_value(ResolvedBy::voice(&accepted, facts)).unwrap();
    assert_eq!((record.get("provider"), record.get("speaker")), (None, None));
}
