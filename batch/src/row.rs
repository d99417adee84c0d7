//! A table of texts: JSON lines, or CSV with a header.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use speech_core::{Language, Quality, Request, Voice};

use crate::error::{Error, Result};
use crate::folder::hex;

/// The maximum length of a row's identifier in bytes.
const MAX_ID: usize = 512;

/// A row: its identifier, its text, and the settings of a request. An unknown field is rejected, so
/// that a typo cannot silently change a whole table. In CSV, an empty field has its default.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Identifies the row: 1 to 512 bytes, none of them a control character.
    pub id: String,
    /// The text, of any length.
    pub text: String,
    /// The name of a voice.
    pub voice: Option<String>,
    /// The tag of a language.
    pub language: Option<String>,
    /// The quality.
    pub quality: Option<String>,
    /// The speaking rate, as a factor.
    pub rate: Option<f64>,
    /// The pitch change in semitones.
    pub pitch: Option<f64>,
    /// The volume change in decibels.
    pub volume: Option<f64>,
    /// Whether the text is an SSML document.
    pub ssml: Option<bool>,
    /// Whether `[pause 500ms]` is a pause.
    pub read_pauses: Option<bool>,
    /// Whether emoji are read by name.
    pub read_emoji: Option<bool>,
    /// Whether romanized Hindi is read as Hindi.
    pub read_romanized_hindi: Option<bool>,
    /// Pronunciations of words.
    pub pronunciations: Option<BTreeMap<String, String>>,
}

impl Row {
    /// Whether the text is an SSML document.
    pub(crate) fn is_ssml(&self) -> bool {
        self.ssml.unwrap_or(false)
    }

    /// The request of the row.
    ///
    /// # Errors
    ///
    /// `invalid_request` for an unsupported setting.
    pub fn request(&self) -> speech_core::Result<Request> {
        fn choice<T: FromStr<Err = speech_core::Error> + Default>(
            name: Option<&String>,
        ) -> speech_core::Result<T> {
            name.map_or_else(|| Ok(T::default()), |name| name.parse())
        }
        let no_pronunciations = BTreeMap::new();
        Request::new(self.text.as_str())
            .voice(choice::<Voice>(self.voice.as_ref())?)
            .language(choice::<Language>(self.language.as_ref())?)
            .quality(choice::<Quality>(self.quality.as_ref())?)
            .rate(self.rate.unwrap_or(1.0))
            .pitch(self.pitch.unwrap_or(0.0))
            .volume(self.volume.unwrap_or(0.0))
            .ssml(self.is_ssml())
            .read_pauses(self.read_pauses.unwrap_or(true))
            .read_emoji(self.read_emoji.unwrap_or(false))
            .read_romanized_hindi(self.read_romanized_hindi.unwrap_or(true))
            .pronunciations(self.pronunciations.as_ref().unwrap_or(&no_pronunciations))
    }

    /// The key of the result: the SHA-256 of the job's fingerprint and of everything in the row
    /// that affects the audio.
    pub fn key(&self, fingerprint: &str) -> String {
        let name = |name: &Option<String>, default: &'static str| {
            name.clone().unwrap_or_else(|| default.to_owned())
        };
        let number = |number: Option<f64>, default: f64| number.unwrap_or(default).to_bits();
        let canonical = serde_json::to_vec(&(
            fingerprint,
            &self.text,
            name(&self.voice, Voice::default().as_str()),
            name(&self.language, Language::default().as_str()),
            name(&self.quality, Quality::default().as_str()),
            [number(self.rate, 1.0), number(self.pitch, 0.0), number(self.volume, 0.0)],
            [
                self.is_ssml(),
                self.read_pauses.unwrap_or(true),
                self.read_emoji.unwrap_or(false),
                self.read_romanized_hindi.unwrap_or(true),
            ],
            self.pronunciations.as_ref().filter(|pronunciations| !pronunciations.is_empty()),
        ));
        hex(&Sha256::digest(canonical.expect("strings and numbers")))
    }

    /// Parses a row from a JSON object.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for an invalid row.
    pub fn parse(json: &str) -> Result<Self> {
        parsed(json).map_err(Error::Refused)
    }

    fn check_id(&self) -> std::result::Result<(), &'static str> {
        match self.id.as_str() {
            "" => Err("id is empty"),
            id if id.len() > MAX_ID => Err("id is longer than 512 bytes"),
            id if id.chars().any(char::is_control) => Err("id has a control character"),
            _ => Ok(()),
        }
    }
}

/// The rows of a job.
#[derive(Clone, Debug)]
pub struct Table(Source);

#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Rows(Arc<[Row]>),
}

impl Table {
    /// A table in a file: CSV if its name ends in `.csv`, otherwise JSON lines. The file is read
    /// several times.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(Source::File(path.into()))
    }

    /// A table in memory.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for an identifier that is empty, too long, or contains a control
    /// character.
    pub fn of(rows: impl Into<Arc<[Row]>>) -> Result<Self> {
        let rows = rows.into();
        for (at, row) in rows.iter().enumerate() {
            row.check_id().map_err(|problem| Error::Refused(format!("row {at}: {problem}")))?;
        }
        Ok(Self(Source::Rows(rows)))
    }

    /// Its rows in order, each parsed on demand.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the file cannot be read. An item is [`Error::Refused`] for an invalid row;
    /// the message has the line number.
    pub fn rows(&self) -> Result<Box<dyn Iterator<Item = Result<Row>> + Send>> {
        let path = match &self.0 {
            Source::File(path) => path.as_path(),
            Source::Rows(rows) => {
                let rows = Arc::clone(rows);
                return Ok(Box::new((0..rows.len()).map(move |at| Ok(rows[at].clone()))));
            }
        };
        let file = BufReader::new(File::open(path).map_err(Error::io(path))?);
        let is_csv = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("csv"));
        Ok(if is_csv { csv_rows(path, file) } else { json_rows(path, file) })
    }

    /// Validates all rows. Returns the key of each identifier.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] for an invalid row, and for an identifier with two different requests.
    pub(crate) fn keys(&self, fingerprint: &str) -> Result<BTreeMap<String, String>> {
        let mut keys = BTreeMap::new();
        for row in self.rows()? {
            let row = row?;
            let key = row.key(fingerprint);
            if *keys.entry(row.id.clone()).or_insert_with(|| key.clone()) != key {
                let name = match &self.0 {
                    Source::File(path) => path.display().to_string(),
                    Source::Rows(_) => "the table".to_owned(),
                };
                let message = format!("{name}: two different requests have the id {:?}", row.id);
                return Err(Error::Refused(message));
            }
        }
        Ok(keys)
    }
}

fn checked(path: &Path, line: u64, row: std::result::Result<Row, String>) -> Result<Row> {
    let row = row.and_then(|row| row.check_id().map(|()| row).map_err(str::to_owned));
    row.map_err(|problem| Error::Refused(format!("{}, line {line}: {problem}", path.display())))
}

fn parsed(json: &str) -> std::result::Result<Row, String> {
    // Serde also accepts an array as a structure.
    match json.trim_start().starts_with('{') {
        true => serde_json::from_str(json).map_err(|error| error.to_string()),
        false => Err("a row must be a JSON object".to_owned()),
    }
}

fn json_rows(path: &Path, file: BufReader<File>) -> Box<dyn Iterator<Item = Result<Row>> + Send> {
    let path = path.to_owned();
    Box::new((1..).zip(file.lines()).filter_map(move |(number, line)| {
        let line = match line.map_err(Error::io(&path)) {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let is_blank = line.trim().is_empty();
        (!is_blank).then(|| checked(&path, number, parsed(&line)))
    }))
}

fn csv_rows(path: &Path, file: BufReader<File>) -> Box<dyn Iterator<Item = Result<Row>> + Send> {
    let path = path.to_owned();
    let mut reader = csv::Reader::from_reader(file);
    let headers = reader.headers().cloned();
    let records = reader.into_records();
    Box::new(records.map(move |record| {
        let headers = headers.as_ref().map_err(ToString::to_string);
        let record = record.map_err(|error| (error.position().map_or(1, |it| it.line()), error));
        match record {
            Ok(record) => {
                let line = record.position().map_or(1, csv::Position::line);
                let row = headers.and_then(|headers| {
                    record.deserialize(Some(headers)).map_err(|error| error.to_string())
                });
                checked(&path, line, row)
            }
            Err((line, error)) => checked(&path, line, Err(error.to_string())),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(json: &str) -> Row {
        serde_json::from_str(json).unwrap()
    }

    fn table(name: &str, content: &str) -> (tempfile::TempDir, Table) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        (dir, Table::new(path))
    }

    fn refusal(name: &str, content: &str) -> String {
        let (_dir, table) = table(name, content);
        let error = table.keys("").unwrap_err().to_string();
        error.rsplit_once(name).unwrap().1.to_owned()
    }

    #[test]
    fn a_key_is_of_the_request_and_not_of_its_spelling() {
        let plain = row(r#"{"id": "a", "text": "Hi."}"#).key("f");
        for same in [
            r#"{"text": "Hi.", "id": "b"}"#,
            r#"{"id": "a", "text": "Hi.", "voice": "aria", "rate": 1, "pitch": 0.0, "ssml": false}"#,
            r#"{"id": "a", "text": "\u0048i.", "language": "en-US", "pronunciations": {}}"#,
        ] {
            assert_eq!(row(same).key("f"), plain, "{same}");
        }
        for other in [
            r#"{"id": "a", "text": "Hi"}"#,
            r#"{"id": "a", "text": "Hi.", "voice": "leo"}"#,
            r#"{"id": "a", "text": "Hi.", "rate": 1.0000001}"#,
            r#"{"id": "a", "text": "Hi.", "read_pauses": false}"#,
            r#"{"id": "a", "text": "Hi.", "pronunciations": {"Hi": "hey"}}"#,
        ] {
            assert_ne!(row(other).key("f"), plain, "{other}");
        }
        assert_ne!(row(r#"{"id": "a", "text": "Hi."}"#).key("g"), plain);
    }

    #[test]
    fn csv_and_json_lines_are_the_same_rows() {
        let (_json, json) = table(
            "rows.jsonl",
            "{\"id\": \"1\", \"text\": \"One, \\\"two\\\".\", \"rate\": 1.5}\n\n\
             {\"id\": \"2\", \"text\": \"हाँ\\nहाँ\", \"ssml\": false}\n",
        );
        let (_csv, csv) = table(
            "rows.csv",
            "id,text,rate,ssml\r\n1,\"One, \"\"two\"\".\",1.5,\r\n2,\"हाँ\nहाँ\",,false\r\n",
        );
        let rows = |table: &Table| table.rows().unwrap().map(Result::unwrap).collect::<Vec<_>>();
        assert_eq!(rows(&json), rows(&csv));
        assert_eq!(rows(&json).len(), 2);
    }

    #[test]
    fn what_is_no_row_is_refused_with_its_line() {
        let good = r#"{"id": "1", "text": "Hi."}"#;
        for (line, problem) in [
            ("[]", "a row must be a JSON object"),
            (r#"["1", "a"]"#, "a row must be a JSON object"),
            ("{", "EOF while parsing"),
            (r#"{"id": "1"}"#, "missing field `text`"),
            (r#"{"id": "", "text": "a"}"#, "id is empty"),
            (r#"{"id": "a\nb", "text": "a"}"#, "id has a control character"),
            (r#"{"id": "2", "text": "a", "voise": "leo"}"#, "unknown field `voise`"),
            (r#"{"id": "2", "text": "a", "rate": "1"}"#, "invalid type"),
        ] {
            let message = refusal("rows.jsonl", &format!("{good}\n{line}\n{good}\n"));
            assert!(message.starts_with(", line 2: ") && message.contains(problem), "{message}");
        }
        let two = refusal("rows.jsonl", &format!("{good}\n{}", good.replace("Hi", "Ho")));
        assert_eq!(two, ": two different requests have the id \"1\"");
        let message = refusal("rows.csv", "id,text,voise\n1,a,\n2,b,leo\n");
        assert!(message.contains("line 2") && message.contains("voise"), "{message}");
        let message = refusal("rows.csv", "id,text\n1,a\n2\n");
        assert!(message.starts_with(", line 3: "), "{message}");
    }
}
