//! The front end's part in training the choice between readings: answers requests on standard
//! input.

use std::io::{BufRead, Write, stdin, stdout};

use serde_json::{Value, json};
use speech_core::Language;

use crate::reading::FrontEnd;

/// Answers each line of standard input.
///
/// # Panics
///
/// If a line is not a valid request.
pub fn run() {
    let front_end = FrontEnd::load();
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("text")).expect("a request");
        let answer = answer(&front_end, &request).expect("a request");
        writeln!(out, "{answer}").expect("a reader");
    }
}

fn answer(front_end: &FrontEnd, request: &Value) -> Option<Value> {
    let language: Language = request["language"].as_str()?.parse().ok()?;
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let forced = request["forced"].as_array().into_iter().flatten();
    let forced: Option<Vec<_>> =
        forced.map(|pair| Some((number(&pair[0])?, number(&pair[1])?))).collect();
    let (said, places) = front_end.choices(request["text"].as_str()?, language, &forced?);
    let places = places.into_iter().map(|place| {
        let readings = place.readings.into_iter();
        let readings = readings.map(|(kind, features)| json!({"kind": kind, "features": features}));
        json!({
            "start": place.start,
            "taken": place.taken,
            "readings": readings.collect::<Vec<_>>(),
        })
    });
    Some(json!({"said": said, "places": places.collect::<Vec<_>>()}))
}
