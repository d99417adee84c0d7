//! Tests the output folder of `speech book` after interruptions and errors.

mod place;

use std::fs;
use std::io::Cursor;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use self::place::Place;

/// A place with a book.
fn place() -> Place {
    let place = Place::new("book");
    place.write("book.md", BOOK);
    place
}

const BOOK: &str = "---\ntitle: Deep: Waters\nauthor: Cy Sailor\n---\n\n# One\n\nIt was a night. Brzezik said so.\n\n\
    * * *\n\nBrzezik slept.\n\n# Two & More\n\nDone.\n";

fn flac(file: Vec<u8>) -> (Vec<i16>, Vec<(String, String)>) {
    let mut reader = claxon::FlacReader::new(Cursor::new(file)).unwrap();
    let tags = reader.tags().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    (reader.samples().map(|sample| sample.unwrap() as i16).collect(), tags)
}

#[test]
fn a_book_becomes_a_file_with_chapters_and_a_second_run_finds_it() {
    let place = place();
    let args = ["book.md", "-o", "out", "--format", "flac", "--subtitles", "vtt", "--keep-parts"];
    let (status, report, message) = place.run(&args);
    assert_eq!(status, 0, "{message}");
    assert_eq!(
        (&report["title"], &report["file"]),
        (&"Deep: Waters".into(), &"Deep_ Waters.flac".into())
    );
    let file = fs::read(place.path("out/Deep_ Waters.flac")).unwrap();
    assert_eq!(report["bytes"], file.len());
    let (samples, tags) = flac(file);
    assert!((report["seconds"].as_f64().unwrap() - samples.len() as f64 / 24_000.0).abs() < 1e-6);
    let tag = |name: &str| {
        let found = tags.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    assert_eq!((tag("TITLE"), tag("ARTIST")), ("Deep: Waters", "Cy Sailor"));
    assert_eq!((tag("CHAPTER000"), tag("CHAPTER000NAME")), ("00:00:00.000", "One"));
    assert_eq!(tag("CHAPTER001NAME"), "Two & More");

    // The second chapter consists of its heading, a pause, and its text.
    let chapters = report["chapters"].as_array().unwrap();
    let start = (chapters[1]["start"].as_f64().unwrap() * 24_000.0).round() as usize;
    let said = |text: &str| {
        let mut say = Command::new(env!("CARGO_BIN_EXE_speech"));
        say.args(["say", text, "--sample-rate", "24000", "--bundle", "voices", "--threads", "1"]);
        let wav = say.current_dir(place.path("")).output().unwrap().stdout;
        let samples = hound::WavReader::new(Cursor::new(wav)).unwrap().into_samples();
        samples.map(Result::unwrap).collect::<Vec<i16>>()
    };
    let second = [said("Two & More"), vec![0; 24_000], said("Done."), vec![0; 48_000]].concat();
    assert!(samples[start..] == second);

    let subtitles =
        String::from_utf8(fs::read(place.path("out/Deep_ Waters.vtt")).unwrap()).unwrap();
    assert!(
        subtitles.starts_with("WEBVTT\n") && subtitles.contains("\nTwo &amp; More\n"),
        "{subtitles}"
    );
    let unsure = String::from_utf8(fs::read(place.path("out/unsure.tsv")).unwrap()).unwrap();
    let row = unsure.lines().find(|line| line.starts_with("Brzezik\t/")).unwrap();
    assert_eq!(row.split('\t').skip(2).collect::<Vec<_>>(), ["guess", "2", "1", ""]);

    let before = place.files("out");
    let (status, again, _) = place.run(&args);
    assert_eq!((status, &again), (0, &report));
    assert_eq!(place.files("out"), before);
    let (status, ..) = place.run(&args[..args.len() - 1]);
    assert!(status == 0 && !place.path("out/parts").exists());

    // The reading in the table is a lexicon line, with which no reading is a guess.
    let reading = row.split('\t').take(2).collect::<Vec<_>>().join("\t");
    fs::write(place.path("words.tsv"), reading).unwrap();
    let listed = place.command(&["book.md", "--list", "--lexicon", "words.tsv"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(
        listed.contains("2\tTwo & More\t15 characters\n") && !listed.contains("Brzezik"),
        "{listed}"
    );
}

/// The tag of the second chapter, and the samples.
fn opus(file: Vec<u8>) -> (String, Vec<f32>) {
    let mut reader = opus_pure::OggOpusReader::new(Cursor::new(file)).unwrap();
    let tag = reader.tags().get("CHAPTER001NAME").unwrap().to_owned();
    let mut trim = opus_pure::Trim::new(reader.head(), 24_000, 1).unwrap();
    let mut decoder = reader.head().decoder(24_000).unwrap();
    let (mut samples, mut packet_samples) = (Vec::new(), vec![0.0; 24_000 / 50]);
    while let Some(packet) = reader.read_packet().unwrap() {
        let length = packet_samples.len();
        let length = decoder.decode(&packet.data, length, &mut packet_samples).unwrap();
        samples.extend(trim.keep(&packet, &packet_samples[..length]));
    }
    (tag, samples)
}

/// Chapters are encoded on several threads. The bytes do not depend on their number, and a decoder
/// plays the chapters as one stream, each from its start.
#[test]
fn opus_is_the_same_for_any_number_of_threads_and_has_the_sound() {
    let place = place();
    let chapter =
        |number| format!("# Chapter {number}\n\n{}\n\n", "Some more lines. ".repeat(number));
    place.write("book.md", &(1..6).map(chapter).collect::<String>());
    let file = |out: &str, format: &str, jobs: &str| {
        let args = ["book.md", "-o", out, "--format", format, "--jobs", jobs];
        let (status, report, message) = place.run(&args);
        assert_eq!(status, 0, "{message}");
        (fs::read(place.path(out).join(report["file"].as_str().unwrap())).unwrap(), report)
    };
    let (one, report) = file("one", "opus", "1");
    for jobs in ["2", "5", "16"] {
        assert!(file(jobs, "opus", jobs).0 == one, "{jobs}");
    }
    let (tag, decoded) = opus(one);
    let (samples, _) = flac(file("flac", "flac", "1").0);
    assert_eq!((tag.as_str(), decoded.len()), ("Chapter 2", samples.len()));
    let starts = report["chapters"].as_array().unwrap().iter();
    let starts = starts.map(|it| (it["start"].as_f64().unwrap() * 24_000.0).round() as usize);
    for start in starts {
        let (mut noise, mut power) = (0.0, 0.0);
        // Half a second, with the pause before the chapter.
        for at in start.saturating_sub(4800)..start + 12_000 {
            let sample = f32::from(samples[at]) / 32_768.0;
            noise += (decoded[at] - sample).powi(2);
            power += sample.powi(2);
        }
        assert!(power > 0.0 && noise < power / 4.0, "{start}: {noise} of {power}");
    }
}

/// A replacement for ffmpeg that stores its arguments and the metadata, and copies the samples.
#[cfg(unix)]
fn ffmpeg(place: &Place) -> String {
    use std::os::unix::fs::PermissionsExt;
    let script = "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' A..... aac AAC'; exit;; esac\n\
        for arg; do case \"$before\" in -i) cat \"$arg\" >> seen 2>/dev/null;; esac; before=$arg; done\n\
        cat > \"${before#file:}\"\n";
    fs::write(place.path("ffmpeg"), script).unwrap();
    fs::set_permissions(place.path("ffmpeg"), PermissionsExt::from_mode(0o755)).unwrap();
    "./ffmpeg".to_owned()
}

#[cfg(unix)]
#[test]
fn ffmpeg_gets_the_samples_and_the_chapters() {
    let place = place();
    let ffmpeg = ffmpeg(&place);
    let (status, report, message) = place.run(&["book.md", "-o", "out", "--ffmpeg", &ffmpeg]);
    assert_eq!((status, &report["file"]), (0, &"Deep_ Waters.m4b".into()), "{message}");
    let samples = report["seconds"].as_f64().unwrap() * 24_000.0;
    assert_eq!(report["bytes"].as_u64(), Some(2 * samples.round() as u64));
    let seen = String::from_utf8(fs::read(place.path("seen")).unwrap()).unwrap();
    for line in ["title=Deep: Waters", "artist=Cy Sailor", "START=0", "title=Two & More"] {
        assert!(seen.lines().any(|own| own == line), "{seen}");
    }
    fs::write(
        place.path("ffmpeg"),
        "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' A aac';; *) echo no >&2; exit 1;; esac\n",
    )
    .unwrap();
    let (status, _, message) = place.run(&["book.md", "-o", "fails", "--ffmpeg", &ffmpeg]);
    assert!(status == 75 && message.contains("ffmpeg failed: no"), "{status} {message}");
    let (status, _, message) =
        place.run(&["book.md", "-o", "mp3", "--ffmpeg", &ffmpeg, "--format", "mp3"]);
    assert!(status == 2 && message.contains("mp3 needs an ffmpeg"), "{message}");
}

/// Uses the real ffmpeg at the path `REQUIRE_FFMPEG`.
#[test]
#[ignore = "it needs ffmpeg: `cargo xtask full ffmpeg-books`"]
fn ffmpeg_writes_chapters_title_and_cover() {
    let program = std::env::var("REQUIRE_FFMPEG").unwrap();
    let place = place();
    for format in ["m4b", "mp3"] {
        let args = ["book.md", "-o", format, "--format", format, "--ffmpeg", &program];
        let (status, report, message) = place.run(&args);
        assert_eq!(status, 0, "{message}");
        let file = place.path(format).join(report["file"].as_str().unwrap());
        let mut read = Command::new(&program);
        read.arg("-i").arg(file).args(["-f", "ffmetadata", "-"]);
        let metadata = String::from_utf8(read.output().unwrap().stdout).unwrap();
        for line in ["title=Deep: Waters", "artist=Cy Sailor", "[CHAPTER]", "title=Two & More"] {
            assert!(metadata.lines().any(|own| own == line), "{metadata}");
        }
    }
}

#[test]
fn what_cannot_be_made_is_refused() {
    let place = place();
    fs::write(place.path("broken.epub"), "no zip").unwrap();
    fs::write(place.path("french.md"), "---\nlang: fr\n---\n\nBonjour.\n").unwrap();
    for (args, problem) in [
        (&["broken.epub", "-o", "out"][..], "not a readable EPUB"),
        (&["french.md", "-o", "out"], "with --language"),
        (&["book.md", "-o", "out", "--voice", "nobody"], "voice"),
        (&["book.md", "-o", "out", "--format", "ogg"], "m4b, mp3, opus or flac"),
        (
            &["book.md", "-o", "out", "--format", "opus", "--sample-rate", "22050"],
            "sample rate of opus",
        ),
        (
            &["book.md", "-o", "out", "--format", "m4b", "--ffmpeg", "/nonexistent"],
            "needs an ffmpeg",
        ),
        (&["book.md", "-o", "out", "--subtitles", "ass"], "srt or vtt"),
    ] {
        let (status, _, message) = place.run(args);
        assert!(status == 2 && message.contains(problem), "{status} {message}");
        assert!(!place.path("out/parts").exists());
    }
    let (status, _, message) = place.run(&["missing.md", "-o", "out"]);
    assert!(status == 75 && message.contains("missing.md"), "{message}");
}

/// The program is killed at random times. After a final complete run, the folder equals that of an
/// uninterrupted run.
#[cfg(unix)]
#[test]
fn a_book_that_is_killed_again_and_again_is_that_of_a_quiet_run() {
    let place = place();
    let chapter = |number: usize| {
        let text: String =
            (0..40).map(|at| format!("Line {at} of {number}, and more of it. ")).collect();
        format!("# Chapter {number}\n\n{text}\n\n{text}\n\n")
    };
    fs::write(place.path("long.md"), (0..12).map(chapter).collect::<String>()).unwrap();
    let args = |out| ["long.md", "-o", out, "--format", "opus", "--subtitles", "srt"];
    let (status, quiet, message) = place.run(&args("quiet"));
    assert_eq!(status, 0, "{message}");
    let mut kills = 0;
    for round in 0..60 {
        let mut run = place.command(&args("killed"));
        let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Kills some processes during loading, some during synthesis, and some during writing.
        thread::sleep(Duration::from_millis(20 + round * 37 % 400));
        if run.try_wait().unwrap().is_none() {
            run.kill().unwrap();
            kills += 1;
        }
        run.wait().unwrap();
    }
    let (status, report, message) = place.run(&args("killed"));
    assert_eq!((status, report), (0, quiet), "{kills} kills: {message}");
    assert!(place.files("killed") == place.files("quiet"), "{kills} kills");
    assert!(kills > 0);
}
