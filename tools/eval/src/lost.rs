//! Checks that no text is lost: every character is either spoken or reported.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use speech_core::Language;

use crate::reading::FrontEnd;

/// The maximum number of lost characters to show.
const SHOWN: usize = 10;

/// Checks files in every language; returns a summary.
///
/// # Errors
///
/// If text is lost, or a file cannot be read. Invalid UTF-8 in a file becomes replacement
/// characters.
pub fn files(paths: &[impl AsRef<Path>]) -> Result<String> {
    let mut check = Check::new();
    for path in paths {
        let path = path.as_ref();
        let text =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        check.read(&String::from_utf8_lossy(&text));
    }
    check.finish()
}

/// Checks `count` texts made of pieces of real ones, in every language; returns a summary.
///
/// # Errors
///
/// If text is lost.
pub fn generated(count: usize) -> Result<String> {
    let mut check = Check::new();
    let mut random = Random(0x5eed);
    for _ in 0..count {
        check.read(&text(&mut random));
    }
    check.finish()
}

/// The amount of text read, and the lost parts.
struct Check {
    front_end: FrontEnd,
    texts: usize,
    characters: usize,
    lost: usize,
    report: String,
}

impl Check {
    fn new() -> Self {
        Self {
            front_end: FrontEnd::load(),
            texts: 0,
            characters: 0,
            lost: 0,
            report: String::new(),
        }
    }

    fn read(&mut self, text: &str) {
        self.texts += 1;
        self.characters += text.chars().count();
        for language in [Language::EnUs, Language::HiIn] {
            for reading in self.front_end.read(text, language) {
                for (at, c) in reading.lost(text) {
                    self.lost += 1;
                    if self.lost <= SHOWN {
                        let sentence = &text[reading.sentence.clone()];
                        let line = format!("{language}: {c:?} at byte {at} of {sentence:?}\n");
                        self.report.push_str(&line);
                    }
                }
            }
        }
    }

    fn finish(self) -> Result<String> {
        let Self { texts, characters, lost, report, .. } = self;
        ensure!(lost == 0, "{report}{lost} characters are neither said nor reported");
        Ok(format!("{texts} texts, {characters} characters, none lost"))
    }
}

/// Pieces of texts; `0` stands for a digit, `A` and `a` for a letter.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "0", "00", "000", "0000", "00000", "000000", "0000000000", "0.0", "0,000", "00,00,000", "0.000,00", ".0", "0/0", "00/00", "0/00/0000",
    "0000-00-00", "00:00", "0:00:00", "0:00.000", "00-00", "0–0", "0st", "00th", "0x", "0x0", "00%", "$0", "$0.00", "₹0,00,000", "€00", "£0",
    "0€", "Rs. 000", "$0M", "0k", "0K", "0m", "0 km", "0kg", "0°C", "00°", "0'0\"", "0\"", "½", "0½", "0²", "x²", "H₂O", "10^0", "10⁻⁰", "√0", "π",
    "θ", "∑", "∫₀¹", "±0", "≥0", "<0", ">0", "0+0=0", "0 × 0", "0!", "|x|", "f(x)", "a/b", "A/B", "km/h", "mg/00 mL", "/day", "#0", "#0000",
    "#tag", "@aaa", "aaa@aaa.com", "https://aaa.com/aaa?a=0", "www.aaa.org", "aaa.rs", "v0.0.0", "0.0.0.0", "::0", "C:\\aaa\\a", "/usr/a", "--aaa", "-a",
    "`aaa`", "**aaa**", "_aaa_", "~~aaa~~", "[aaa](https://a.aa)", "[aaa][a]", "[A][A]", "![a](a.png)", "<div>", "</div>", "<br/>", "<aaa@aaa.com>", "&amp;",
    "&#00;", "$x = \\frac{0}{0}$", "\\(a_0^0\\)", "$a$", "{a}", "(0)", "(a)", "\"aaa\"", "‘a’", "…", "...", "—", "–", "-", "--", "•", "* a", "| a | b |", "0️⃣", "⭐", "★★☆",
    "😀", "👩‍👩‍👧", "🇮🇳", "→", "⌘A", "™", "®", "©", "§ 0", "№ 0", "°", "&", "@", "+", "=", "%", "$", "#", "*", "~", "^", "\\", "|", "<", ">", "A", "a", "AA", "AAA", "Aaaa",
    "aaaa", "A.A.", "a.m.", "p.m.", "Dr.", "St.", "No. 0", "e.g.", "etc.", "Mr. Aaaa", "0A", "A0", "A-0", "AA-000", "A0A0A0", "IV", "xii", "Q0", "FY00", "Mon", "Jan. 0", "0 Jan",
    "aaa's", "don't", "aaa-aaa", "AaaAaa", "aaa_aaa", "क", "कक", "कमल", "डॉ.", "रु. 0", "0 बजे", "की", "है।", "॥", "०००", "Ж", "αβγ", "中文", "ع", "தமிழ்", "é", "ß", "ﬁ", "\u{200d}", "\u{ad}", "\u{fffd}",
    "TL;DR", "gr0", "q0h", "XXXX0000", "****0000", "...0000", "0BR/0BA", "000(k)", "M–F", "K–0", "Ca²⁺", "0/$0", "USD/AAA", "____", "0'-0\"", "0 c.", "0 T",
];

/// Separators between pieces, mostly a space.
const JOINTS: &[&str] = &[
    " ", " ", " ", " ", " ", "", "-", "/", ", ", ". ", ": ", "\n", "\n\n", " - ", " – ", "(", ") ",
    "!", "? ", "; ",
];

/// A text made of pieces of real ones.
pub(crate) fn text(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(7) {
        for c in PIECES[random.below(PIECES.len())].chars() {
            text.push(match c {
                '0' => char::from(b'0' + random.digit()),
                'A' => char::from(b'A' + random.letter()),
                'a' => char::from(b'a' + random.letter()),
                c => c,
            });
        }
        text.push_str(JOINTS[random.below(JOINTS.len())]);
    }
    text
}

/// `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn digit(&mut self) -> u8 {
        self.below(10) as u8
    }

    fn letter(&mut self) -> u8 {
        self.below(26) as u8
    }
}
