//! Tests the output folder of `speech batch` after interruptions and errors.

mod place;

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use self::place::Place;

/// A table with this number of rows. Some have equal texts, some another voice, and some cannot be
/// spoken.
fn rows(count: usize) -> String {
    let row = |i: usize| {
        let voice = ["aria", "leo", "nobody"][(i % 10).saturating_sub(7)];
        let text = if i % 17 == 3 { String::new() } else { format!("Row {}.", i % 40) };
        serde_json::json!({"id": format!("row {i}"), "text": text, "voice": voice}).to_string()
            + "\n"
    };
    (0..count).map(row).collect()
}

#[test]
fn a_table_becomes_a_folder_and_a_second_run_finds_it() {
    let place = Place::new("batch");
    place.write("rows.jsonl", &rows(60));
    let (status, report, _) = place.run(&["rows.jsonl", "-o", "out"]);
    assert_eq!(status, 1, "some rows failed");
    let failed = &report["failed"];
    assert_eq!(
        (failed["empty_text"].as_u64(), failed["invalid_request"].as_u64()),
        (Some(4), Some(6))
    );
    assert_eq!((report["rows"].as_u64(), report["done"].as_u64()), (Some(60), Some(50)));
    assert!(report["seconds"].as_f64().unwrap() > 10.0);

    let index = fs::read_to_string(place.path("out/index/0-of-1.jsonl")).unwrap();
    let done: Value = index
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .find(|it: &Value| it["outcome"] == "done")
        .unwrap();
    let key = done["key"].as_str().unwrap();
    let sound = place.path("out").join(&key[..2]).join(key);
    let wav = hound::WavReader::open(sound.with_extension("wav")).unwrap();
    let times: Value =
        serde_json::from_str(&fs::read_to_string(sound.with_extension("json")).unwrap()).unwrap();
    let seconds = f64::from(wav.duration()) / 22_050.0;
    assert!((times["seconds"].as_f64().unwrap() - seconds).abs() < 1e-9);
    assert!(!times["words"].as_array().unwrap().is_empty());

    let (status, again, _) = place.run(&["rows.jsonl", "-o", "out"]);
    assert_eq!((status, again["spoken"].as_u64()), (1, Some(0)));
    assert_eq!(again["digest"], report["digest"]);
    let (status, ..) = place.run(&["rows.jsonl", "-o", "out", "--accept-failures"]);
    assert_eq!(status, 0);
    let (status, retried, _) = place.run(&["rows.jsonl", "-o", "out", "--retry"]);
    assert_eq!((status, &retried["digest"]), (1, &report["digest"]));
    assert!(retried["spoken"].as_u64().unwrap() > 0);
    let (status, checked, printed) = place.run(&["--check", "out"]);
    assert_eq!(
        (status, checked["digest"].as_str(), printed.as_str()),
        (1, report["digest"].as_str(), "")
    );
}

#[test]
fn the_sound_is_that_of_say() {
    let place = Place::new("batch");
    place.write("rows.csv", "id,text,voice,rate\n1,\"Hello, you. And you.\",leo,1.5\n");
    let (status, ..) =
        place.run(&["rows.csv", "-o", "out", "--sample-rate", "8000", "--encoding", "alaw"]);
    assert_eq!(status, 0);
    let wav =
        place.files("out").into_keys().find(|it| it.extension().is_some_and(|it| it == "wav"));
    let mut say = Command::new(env!("CARGO_BIN_EXE_speech"));
    say.args([
        "say",
        "Hello, you. And you.",
        "--voice",
        "leo",
        "--rate",
        "1.5",
        "--sample-rate",
        "8000",
    ]);
    say.args(["--encoding", "alaw", "--bundle", "voices"]);
    let said = say.current_dir(place.path("")).output().unwrap().stdout;
    assert!(fs::read(place.path("out").join(wav.unwrap())).unwrap() == said);
}

#[test]
fn shards_together_are_the_whole() {
    let place = Place::new("batch");
    place.write("rows.jsonl", &rows(60));
    place.run(&["rows.jsonl", "-o", "whole", "--jobs", "3"]);
    let runs: Vec<_> = ["0/3", "1/3", "2/3", "2/3"]
        .map(|shard| {
            place
                .command(&["rows.jsonl", "-o", "parts", "--shard", shard])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .into();
    for mut run in runs {
        run.wait().unwrap();
    }
    let without_index = |folder| {
        place.files(folder).into_keys().filter(|it| !it.starts_with("index")).collect::<Vec<_>>()
    };
    assert_eq!(without_index("whole"), without_index("parts"));
    let digest = |folder| place.run(&["--check", folder]).1["digest"].clone();
    assert_eq!(digest("whole"), digest("parts"));
}

#[test]
fn what_would_mix_two_jobs_is_refused_and_named() {
    let place = Place::new("batch");
    place.write("rows.jsonl", &rows(3));
    place.write("words.tsv", "Row\trow\n");
    place.run(&["rows.jsonl", "-o", "out"]);
    let before = place.files("out");
    for (option, value, name) in [
        ("--sample-rate", "8000", "sample_rate is 8000 now, but 22050 in the folder"),
        ("--encoding", "mulaw", "encoding is \"mulaw\" now, but \"pcm16\" in the folder"),
        ("--lexicon", "words.tsv", "lexicon is "),
    ] {
        let (status, _, message) = place.run(&["rows.jsonl", "-o", "out", option, value]);
        assert!(status == 2 && message.contains(name), "{status} {message}");
    }
    place.write("twice.jsonl", &(rows(3) + &rows(1).replace("Row", "Line")));
    place.write("typo.jsonl", &(rows(3) + &rows(1).replace("voice", "voise")));
    for (table, name) in [
        ("twice.jsonl", "two different requests have the id \"row 0\""),
        ("typo.jsonl", "typo.jsonl, line 4: unknown field `voise`"),
    ] {
        let (status, _, message) = place.run(&[table, "-o", "out"]);
        assert!(status == 2 && message.contains(name), "{status} {message}");
    }
    let (status, _, message) = place.run(&["rows.jsonl", "-o", "out", "--shard", "3/3"]);
    assert!(status == 2 && message.contains("INDEX/COUNT"), "{message}");
    let (status, _, message) = place.run(&["--check", "voices"]);
    assert!(status == 2 && message.contains("not the output folder of a batch"), "{message}");
    assert_eq!(place.run(&["none.jsonl", "-o", "out"]).0, 75);
    assert!(place.files("out") == before);
}

#[test]
fn damage_is_found_and_mended() {
    let place = Place::new("batch");
    place.write("rows.jsonl", &rows(20));
    let (_, report, _) = place.run(&["rows.jsonl", "-o", "out"]);
    let sounds: Vec<_> = place
        .files("out")
        .into_keys()
        .filter(|it| it.extension().is_some_and(|it| it == "wav"))
        .collect();
    let [altered, cut, lost] = [0, 1, 2].map(|i| place.path("out").join(&sounds[i]));
    let mut bytes = fs::read(&altered).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&altered, bytes).unwrap();
    fs::File::options().write(true).open(cut).unwrap().set_len(100).unwrap();
    fs::remove_file(lost).unwrap();
    let (status, _, message) = place.run(&["--check", "out"]);
    assert_eq!(status, 75);
    assert_eq!((message.matches("damaged").count(), message.matches("missing").count()), (1, 2));
    // Sizes are always checked, contents only on request.
    assert_eq!(place.run(&["rows.jsonl", "-o", "out"]).1["spoken"], 2);
    let (_, mended, _) = place.run(&["rows.jsonl", "-o", "out", "--verify"]);
    assert_eq!((&mended["spoken"], &mended["digest"]), (&1.into(), &report["digest"]));
    assert_eq!(place.run(&["--check", "out"]).2, "");
}

/// The program is killed at random times. After a final complete run, the folder equals that of an
/// uninterrupted run.
#[cfg(unix)]
#[test]
fn a_batch_that_is_killed_again_and_again_is_that_of_a_quiet_run() {
    let place = Place::new("batch");
    place.write("rows.jsonl", &rows(500));
    let (_, quiet, _) = place.run(&["rows.jsonl", "-o", "quiet"]);
    let mut kills = 0;
    for round in 0..200 {
        let mut run = place
            .command(&["rows.jsonl", "-o", "killed"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Kills some processes during loading, and some during synthesis.
        thread::sleep(Duration::from_millis(20 + round * 7 % 60));
        if run.try_wait().unwrap().is_none() {
            run.kill().unwrap();
            kills += 1;
        }
        run.wait().unwrap();
    }
    let (status, report, _) = place.run(&["rows.jsonl", "-o", "killed", "--verify"]);
    assert_eq!((status, &report["digest"]), (1, &quiet["digest"]), "{kills} kills");
    let files = |folder| {
        let mut files = place.files(folder);
        files.retain(|path, _| path.extension().is_some_and(|it| it != "partial"));
        files
    };
    let (killed, quiet) = (files("killed"), files("quiet"));
    assert!(killed.keys().eq(quiet.keys()));
    for (path, content) in killed {
        assert!(content == quiet[&path], "{path:?}");
    }
    assert!(kills > 0);
}

/// After a termination signal the program ends soon, and reports that the work is unfinished.
#[cfg(unix)]
#[test]
fn a_batch_that_is_interrupted_says_to_run_it_again() {
    let place = Place::new("batch");
    place.write(
        "rows.jsonl",
        &rows(500).replace("Row", &"Many words stand in this row ".repeat(20)),
    );
    let run = place
        .command(&["rows.jsonl", "-o", "out", "--jobs", "2"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while !place.path("out").exists() || place.files("out").len() < 3 {
        thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(75));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["unfinished"].as_u64().unwrap() > 0 && report["rows"] == 500);
}
