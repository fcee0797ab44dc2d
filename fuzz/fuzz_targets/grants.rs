//! Any override, and any JSON as a setting: nobody is granted where anything is wrong, and whoever is
//! granted stands there, as a whole entry, digit by digit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use spoken_answer::authority::{Grants, GRANTS};

fuzz_target!(|text: &str| {
    let value = Value::from(text);
    let (grants, errors) = Grants::read(None, Some(&value)).unwrap();
    check(&grants, errors.is_empty(), &text.split(',').map(str::trim).collect::<Vec<_>>());
    let Ok(settings) = serde_json::from_str::<Value>(text) else { return };
    let (grants, errors) = Grants::read(Some(&settings), None).unwrap();
    let entries: Vec<_> = settings.as_array().into_iter().flatten().collect();
    let texts: Vec<_> = entries.iter().filter_map(|entry| entry.as_str()).collect();
    assert!(!errors.is_empty() || texts.len() == entries.len());
    check(&grants, errors.is_empty(), &texts);
});

fn check(grants: &Grants, fine: bool, entries: &[&str]) {
    let ids: Vec<_> = grants.ids().collect();
    assert!(fine || ids.is_empty());
    assert!(ids.len() <= GRANTS);
    for id in &ids {
        assert!((17..=20).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit()));
        assert!(entries.contains(id));
    }
    if !ids.is_empty() {
        assert!(entries.iter().all(|entry| ids.contains(entry)));
    }
}
