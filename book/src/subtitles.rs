//! Writes cues in subtitle formats, escaping text so that it is not read as markup.

/// A format of subtitles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SubRip, `.srt`.
    SubRip,
    /// WebVTT, `.vtt`.
    WebVtt,
}

/// An invisible character without a line break or markup function: it keeps the characters around
/// it from being read as markup.
const WORD_JOINER: char = '\u{2060}';

impl Format {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::SubRip => "srt",
            Self::WebVtt => "vtt",
        }
    }

    /// The start of a file.
    pub fn header(self) -> &'static str {
        match self {
            Self::SubRip => "",
            Self::WebVtt => "WEBVTT\n\n",
        }
    }

    /// A cue, with its number (from 1) and its times in seconds.
    pub fn cue(self, number: usize, start: f64, end: f64, text: &str) -> String {
        match self {
            Self::SubRip => {
                let (start, end, text) = (clock(start, ','), clock(end, ','), sub_rip(text));
                format!("{number}\n{start} --> {end}\n{text}\n\n")
            }
            Self::WebVtt => {
                let (start, end, text) = (clock(start, '.'), clock(end, '.'), web_vtt(text));
                format!("{start} --> {end}\n{text}\n\n")
            }
        }
    }
}

/// Joins a text into one line, because a blank line ends a cue. Control characters become white
/// space: some readers take them for line ends.
pub fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Escapes with the character references of <https://www.w3.org/TR/webvtt1/#webvtt-cue-text>.
fn web_vtt(text: &str) -> String {
    one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// SubRip has no escapes. Readers take `<b>`, `{\b1}` and `\N` for markup, and a line with an arrow
/// or two times for the start of the next cue; a word joiner inside prevents that.
fn sub_rip(text: &str) -> String {
    let text = one_line(text);
    let mut safe = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_end_of_arrow = c == '>' && safe.ends_with("--");
        let is_in_time = matches!(c, ',' | '.')
            && rest.peek().is_some_and(char::is_ascii_digit)
            && safe.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with(':');
        if is_end_of_arrow || is_in_time {
            safe.push(WORD_JOINER);
        }
        safe.push(c);
        if matches!(c, '<' | '{' | '\\') {
            safe.push(WORD_JOINER);
        }
    }
    safe
}

/// Hours, minutes, seconds and milliseconds.
pub(crate) fn clock(seconds: f64, point: char) -> String {
    let milliseconds = (seconds * 1000.0).round() as u64;
    let (seconds, milliseconds) = (milliseconds / 1000, milliseconds % 1000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    format!("{:02}:{:02}:{seconds:02}{point}{milliseconds:03}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        for (text, web_vtt, sub_rip) in [
            ("2 < 3 & 4 > 1", "2 &lt; 3 &amp; 4 &gt; 1", "2 <\u{2060} 3 & 4 > 1"),
            ("Q --> A", "Q --&gt; A", "Q --\u{2060}> A"),
            ("the <b> tag &lt;", "the &lt;b&gt; tag &amp;lt;", "the <\u{2060}b> tag &lt;"),
            ("one\n\ntwo", "one two", "one two"),
        ] {
            assert_eq!(
                Format::WebVtt.cue(1, 0.0, 1.5, text),
                format!("00:00:00.000 --> 00:00:01.500\n{web_vtt}\n\n")
            );
            assert_eq!(
                Format::SubRip.cue(1, 0.0, 1.5, text),
                format!("1\n00:00:00,000 --> 00:00:01,500\n{sub_rip}\n\n")
            );
        }
    }
}
