//! Recognizes Markdown and HTML in a text: silent marks, links, tags and entities.
//!
//! Runs after emoji, and before addresses and words. A link with its target between slashes is a
//! pronunciation, and is left alone.

use super::prelude::*;
use crate::scripts::is_alphabetic;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Silent markup.
    Nothing,
    /// The end of a cell or block, with the length of the markup.
    Break(usize),
    /// A character written as an entity, with its length.
    Character(char, usize),
    /// A word with characters written as entities, with its length.
    Word(String, usize),
}

/// The character of a named entity.
fn named_entity(name: &str) -> Option<char> {
    let mut rows = include_str!("../languages/data/entities.tsv").lines();
    let sign = rows.find_map(|row| row.strip_prefix(name)?.strip_prefix('\t'))?;
    match sign.strip_prefix("U+") {
        Some(code) => char::from_u32(u32::from_str_radix(code, 16).ok()?),
        None => sign.chars().next(),
    }
}

/// Markup at a position of a sentence.
pub(crate) fn find_in(context: &MatchContext<'_>) -> Found {
    let (length, value) = find(context.before, context.rest, || context.is_code())?;
    Some((length, SemioticClass::Markup(value)))
}

/// Markup at the start of `rest`.
pub(crate) fn find(
    before: &str,
    rest: &str,
    is_code: impl FnOnce() -> bool,
) -> Option<(usize, Value)> {
    let nothing = |length: usize| (length, Value::Nothing);
    match rest.chars().next()? {
        '&' => entity(rest).map(|(c, length)| (length, Value::Character(c, length))),
        '<' => tag(before, rest, is_code),
        '{' => cue(rest).map(nothing),
        '>' => closes_angle(before)
            .then(|| nothing(1))
            .or_else(|| line_mark(before, rest).map(nothing)),
        '[' | '!' | ']' => bracket(before, rest).map(nothing),
        '|' => pipe(before, rest),
        // `1\. First`
        '\\' if rest[1..].starts_with('.') => before.ends_with(is_digit).then(|| nothing(1)),
        '\\' => rest[1..].starts_with(['*', '_', '#', '`', '~', '>', '|']).then(|| nothing(1)),
        '`' => Some(nothing(fence(before, rest))),
        c if is_alphabetic(c) => word(before, rest),
        _ => line_mark(before, rest).or_else(|| emphasis(before, rest)).map(nothing),
    }
}

/// The line at the end of `before`.
fn line_before(before: &str) -> &str {
    before.rsplit('\n').next().unwrap_or_default()
}

/// The line at the start of `rest`.
fn line_of(rest: &str) -> &str {
    rest.split('\n').next().unwrap_or_default()
}

/// Marks at the start of a line (headings, quotes, bullets, rules), and those closing a heading.
fn line_mark(before: &str, rest: &str) -> Option<usize> {
    let line = line_of(rest);
    let start = line_before(before);
    let first = rest.chars().next()?;
    let run = boundaries::run(line, |c| c == first);
    let after = &line[run..];
    if first == '#' && after.trim().is_empty() && start.starts_with('#') && start.ends_with(' ') {
        return Some(run);
    }
    let opens = start.trim_matches([' ', '\t', '>']).is_empty();
    if !opens {
        return None;
    }
    let spaced = after.starts_with([' ', '\t']);
    // `00:01:12,500 --> 00:01:15,000` in subtitles
    let is_of_timing = |c: char| c.is_ascii_digit() || ":., ->".contains(c);
    match first {
        '0'..='9' if line.contains("--> ") && line.trim().chars().all(is_of_timing) => {
            Some(line.len())
        }
        '-' | '*' | '_' | '=' if run > 2 && after.trim().is_empty() => Some(line.len()),
        '-' | '*' | '_' if is_spaced_rule(line) => Some(line.len()),
        '#' if run < 7 && spaced => Some(run),
        '>' if run < 4 && (spaced || after.starts_with(char::is_alphanumeric)) => Some(run),
        '-' | '*' | '+' | '•' | '◦' | '▪'
            if run == first.len_utf8()
                && spaced
                && !after.trim().is_empty()
                && !after.trim_start().starts_with('=') =>
        {
            let boxes = ["[ ]", "[x]", "[X]"];
            let item = after.trim_start();
            let checkbox =
                boxes.into_iter().find(|mark| item.starts_with(mark)).map_or(0, str::len);
            Some(if checkbox > 0 { line.len() - item.len() + checkbox } else { run })
        }
        _ => None,
    }
}

/// Whether the line is a rule such as "* * *".
fn is_spaced_rule(line: &str) -> bool {
    let marks: Vec<&str> = line.split_whitespace().collect();
    marks.len() > 2 && marks.iter().all(|mark| *mark == marks[0]) && marks[0].len() == 1
}

/// The length of a run of backticks, and of the language name after an opening fence.
fn fence(before: &str, rest: &str) -> usize {
    let run = boundaries::run(rest, |c| c == '`');
    let language = line_of(rest)[run..].trim_end();
    let opens = run > 2 && line_before(before).trim().is_empty() && !language.contains([' ', '`']);
    if opens { run + language.len() } else { run }
}

/// Asterisks, underscores, tildes and equals signs around words.
fn emphasis(before: &str, rest: &str) -> Option<usize> {
    let mark = rest.chars().next().filter(|c| matches!(c, '*' | '_' | '~' | '='))?;
    let run = boundaries::run(rest, |c| c == mark);
    let (sign, after) = rest.split_at(run);
    let is_word = |c: char| c.is_alphanumeric();
    let inner_before = before.chars().next_back().is_some_and(|c| !c.is_whitespace());
    let inner_after = after.chars().next().is_some_and(|c| !c.is_whitespace());
    let word_before = before.ends_with(is_word);
    let word_after = after.starts_with(is_word);
    // `==` in a code span
    let is_code = before.ends_with('`') && after.starts_with('`');
    // `COUNT(*)`
    let is_argument = before.ends_with('(') && after.starts_with(')');
    if is_code || is_argument || run > 3 || matches!(mark, '~' | '=') && run != 2 {
        return None;
    }
    let opens = inner_after
        && !word_before
        && (after.contains(sign) || run > 1 || after.starts_with(char::is_alphabetic));
    let is_opened = opened(before, sign);
    let closes = inner_before
        && !word_after
        && (is_opened
            || mark == '*' && !before.ends_with(|c: char| c.is_ascii_digit() || c == '*'));
    let is_symbol = mark == '_' && !after.contains(sign) && !is_opened
        || mark == '=' && !after.contains(sign) && !is_opened;
    (run > 0 && (opens || closes) && !is_symbol).then_some(run)
}

/// Whether such a mark is open: `before` contains an odd number of them.
fn opened(before: &str, sign: &str) -> bool {
    before.matches(sign).count() % 2 == 1
}

/// Brackets of links and images, link targets, and notes.
fn bracket(before: &str, rest: &str) -> Option<usize> {
    if rest.starts_with(']') {
        return closing(before, rest);
    }
    if let Some(length) = note(before, rest) {
        return Some(length);
    }
    let image = usize::from(rest.starts_with('!'));
    let inner = rest[image..].strip_prefix('[')?;
    if let Some(page) = inner.strip_prefix('[').filter(|_| image == 0) {
        let title = &page[..page.find("]]")?];
        return Some(2 + title.find('|').map_or(0, |bar| bar + 1));
    }
    let close = matching(inner, '[', ']')?;
    let after = &inner[close..];
    if after.starts_with("]:")
        && line_before(before).trim().is_empty()
        && image == 0
        && !inner.starts_with('^')
    {
        return after.contains("://").then(|| line_of(rest).trim_end().len());
    }
    target(after).map(|_| image + 1)
}

/// The position of the bracket that closes the one before `inner`.
fn matching(inner: &str, opens: char, closes: char) -> Option<usize> {
    let mut depth = 1;
    inner.find(|c| {
        depth += i32::from(c == opens) - i32::from(c == closes);
        depth == 0
    })
}

/// The end of a link's text and its target: "](url)", "][name]"; or the end of a page title.
fn closing(before: &str, rest: &str) -> Option<usize> {
    let is_open = before.matches('[').count() > before.matches(']').count();
    if rest.starts_with("]]") && before.contains("[[") {
        return Some(2);
    }
    target(rest).filter(|_| is_open)
}

/// The length of a target from the closing bracket on; `None` for a pronunciation.
fn target(rest: &str) -> Option<usize> {
    if let Some(name) = rest.strip_prefix("][") {
        let length = name.find(']').filter(|length| !name[..*length].contains(['\n', '[']))?;
        // `[A][C]` are separate signs.
        if name[..length].chars().all(char::is_uppercase) && length < 3 {
            return None;
        }
        return Some(2 + length + 1);
    }
    let inner = rest.strip_prefix("](")?;
    let end = matching(inner, '(', ')')?;
    let link = inner[..end].trim();
    let (address, title) = link.split_once(char::is_whitespace).unwrap_or((link, ""));
    let is_titled = title.is_empty() || title.trim_start().starts_with(['"', '\'']);
    let is_pronunciation = link.len() > 1 && link.starts_with('/') && link.ends_with('/');
    // `[T](>)` contains a sign and no address.
    let is_address = address.contains(char::is_alphanumeric)
        || address.chars().all(|c| matches!(c, '.' | '/' | '#' | '-' | '_' | '…' | '?'));
    (is_titled && is_address && !is_pronunciation && !address.contains('\n')).then_some(2 + end + 1)
}

/// A note in square brackets after a word: a number, a caret and name, or "citation needed".
fn note(before: &str, rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let text = &inner[..inner.find(']')?];
    let is_behind = before.ends_with(|c: char| c.is_alphanumeric() || ".,;:!?)]\"”’'%".contains(c));
    let number = text.trim_start_matches('^');
    let is_number = number.starts_with(|c: char| matches!(c, '1'..='9'))
        && number.len() < 12
        && number.chars().all(|c| c.is_ascii_digit() || ", -–".contains(c));
    let is_named =
        WordClass::Note.names().any(|note| note == text) || text.starts_with('^') && text.len() > 1;
    let is_note = is_behind && (is_number || is_named) || text.starts_with('^') && text.len() > 1;
    let ends = !inner[text.len() + 1..].starts_with(['(', '['])
        || is_number && inner[text.len() + 1..].starts_with('[');
    (is_note && ends).then_some(text.len() + 2)
}

/// A bar of a table. Bars at the ends of a row and the row of hyphens are silent.
fn pipe(before: &str, rest: &str) -> Option<(usize, Value)> {
    let (start, line) = (line_before(before), line_of(rest));
    let row = start.trim_start();
    // A table row, unlike an absolute value: `|x| < 2`.
    let whole = format!("{start}{line}");
    let is_value = whole.matches('|').count() == 2
        && !whole.trim_end().ends_with('|')
        && whole
            .trim_start()
            .strip_prefix('|')
            .is_some_and(|rest| !rest.starts_with(char::is_whitespace));
    if is_value {
        return None;
    }
    let begins_row = row.is_empty() && line.matches('|').count() > 1;
    if begins_row && line.contains('-') && line.chars().all(|c| "|-: \t\r".contains(c)) {
        return Some((line.trim_end().len(), Value::Nothing));
    }
    let ends_row = line[1..].trim().is_empty();
    if begins_row || row.starts_with('|') && ends_row {
        return Some((1, Value::Nothing));
    }
    row.starts_with('|').then_some((1, Value::Break(1)))
}

/// A tag, a comment, or the bracket before an address or placeholder.
fn tag(before: &str, rest: &str, is_code: impl FnOnce() -> bool) -> Option<(usize, Value)> {
    if rest.starts_with("<!--") {
        return Some((rest.find("-->")? + 3, Value::Nothing));
    }
    let inner = &rest[1..rest.find('>')?];
    let length = inner.len() + 2;
    let body = inner.strip_prefix('/').unwrap_or(inner);
    let name = &body[..boundaries::run(body, |c| c.is_ascii_alphanumeric() || c == '-')];
    if !name.starts_with(is_latin_letter) || inner.contains('<') {
        return None;
    }
    // In code, or after an article, the tag itself is the topic.
    let is_named = before.ends_with(' ')
        && (WordClass::BeforeNamedTag.has(last_word(before))
            || WordClass::AfterNamedTag.has(first_word(&rest[length..])));
    let is_code = is_code() || is_named && !body.contains(' ');
    if is_address(inner) || is_code && is_placeholder(body.trim_end_matches('/')) {
        return Some((if body.len() < inner.len() { 2 } else { 1 }, Value::Nothing));
    }
    let attributes = &body[name.len()..];
    let is_bare = matches!(attributes.trim(), "" | "/");
    let lower = name.to_ascii_lowercase();
    let is_tag = is_bare
        || attributes.starts_with(char::is_whitespace) && attributes.contains('=')
        || attributes.starts_with('.')
        || lower == "v";
    let closed = rest[length..].contains(&format!("</{name}"));
    let is_markup =
        WordClass::Tag.has(&lower) || inner.starts_with('/') || inner.ends_with('/') || closed;
    if is_tag && is_markup {
        return Some(element(before, rest, &lower, length));
    }
    is_placeholder(inner).then_some((1, Value::Nothing))
}

/// The length of subtitle positioning: `{\an8}`.
fn cue(rest: &str) -> Option<usize> {
    let settings = rest.strip_prefix("{\\")?.split_once('}')?.0;
    let value = settings.trim_start_matches(is_latin_letter);
    let is_value = |c: char| c.is_ascii_alphanumeric() || "\\(),.&".contains(c);
    let is_cue = value.starts_with(|c: char| c.is_ascii_digit() || "(&".contains(c));
    (value.len() < settings.len() && is_cue && value.chars().all(is_value))
        .then_some(settings.len() + 3)
}

/// A tag, together with its content if that is not text.
fn element(before: &str, rest: &str, name: &str, length: usize) -> (usize, Value) {
    if WordClass::SilentTag.has(name) && !rest.starts_with("</") {
        let end = format!("</{name}>");
        let whole = rest.to_ascii_lowercase().find(&end).map_or(length, |at| at + end.len());
        return (whole, Value::Nothing);
    }
    let parts =
        WordClass::BreakingTag.has(name) && before.trim_end().ends_with(char::is_alphanumeric);
    (length, if parts { Value::Break(length) } else { Value::Nothing })
}

/// Whether the text between angle brackets is a link.
fn is_address(inner: &str) -> bool {
    !inner.contains(char::is_whitespace)
        && (inner.contains("://")
            || inner.contains('@') && inner.contains('.')
            || inner.starts_with("mailto:"))
}

/// Whether the text between angle brackets is a placeholder for the reader: "<your name>".
fn is_placeholder(inner: &str) -> bool {
    inner.len() < 40
        && !inner.ends_with(' ')
        && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
}

/// Whether `before` ends in text that [`tag`] opened with only a bracket.
fn closes_angle(before: &str) -> bool {
    let Some((_, inner)) = before.rsplit_once('<') else { return false };
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let is_open = !inner.contains('>') && inner.starts_with(is_latin_letter);
    is_open && (is_address(inner) || is_placeholder(inner.trim_end_matches('/')))
}

/// A character written as "&name;" or "&#number;", and its length.
fn entity(rest: &str) -> Option<(char, usize)> {
    let body = rest.strip_prefix('&')?;
    let end = body.bytes().take(10).position(|b| b == b';')?;
    let name = &body[..end];
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
        None => named_entity(name)?,
    };
    Some((c, end + 2))
}

/// A word with letters or apostrophes written as entities: "don&#39;t", "caf&eacute;".
fn word(before: &str, rest: &str) -> Option<(usize, Value)> {
    if !boundaries::opens(before) {
        return None;
    }
    let mut word = String::new();
    let mut at = 0;
    let mut entities = 0;
    loop {
        let letters = boundaries::run(&rest[at..], is_alphabetic);
        word.push_str(&rest[at..at + letters]);
        at += letters;
        let Some((c, length)) = entity(&rest[at..]) else { break };
        let goes_on = rest[at + length..].starts_with(is_alphabetic);
        match c {
            '\'' | '’' | '‘' if goes_on => word.push('\''),
            '\u{ad}' if goes_on => {}
            c if c.is_alphabetic() => word.push(c),
            _ => break,
        }
        at += length;
        entities += 1;
    }
    (entities > 0).then_some((at, Value::Word(word, at)))
}
