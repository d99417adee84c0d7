//! Abbreviations in Devanagari and in Latin letters, and the names of letters with stops between them.

use std::collections::HashMap;

use speech_base::fork::LazyLock;
use unicode_normalization::char::is_combining_mark;

use super::{beside_date, letters};
use crate::normalize::alphanumeric;
use crate::normalize::boundaries::{lists, run};
use crate::normalize::code_parts::{CodePart, CodeParts};
use crate::normalize::cursor::{Cursor, first_word, is_inner, is_letter, last_word};
use crate::normalize::locale::rows;
use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::SemioticClass;
use crate::scripts::is_devanagari;

/// Where an abbreviation has its reading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AbbreviationPosition {
    /// With its stop, before a name.
    Title,
    /// As a title, and without the stop too.
    BareTitle,
    /// With its stop, before the name of an office.
    Office,
    /// Before a name: "ज़ि. गया", "पो. – बरौली".
    BeforeName,
    /// Before a capital letter or a code that begins with one: "Vit B12".
    BeforeLetter,
    /// Before a number, with its stop or with a slash: "पृ. 5", "A/c 1234".
    Number,
    /// With its stop, after a number.
    AfterNumber,
    /// Beside the day, the year or the other month of a date.
    Month,
    /// With its stop, beside a date or another weekday, or in brackets.
    Weekday,
    /// With its stop, where a sentence begins: "प्र. यह क्या है?"
    Opening,
    /// Before the sign that closes a signature: "ह./-".
    Signed,
    /// With its stop, before a place: "द. अफ़्रीका"; or after the degrees of an angle.
    Compass,
    /// The same, before a place that takes the adjective: "पू. दिल्ली".
    CompassSide,
    /// With its stop, before one of these words: "उ. प्रदेश".
    BeforeWord(&'static str),
    /// With its stop, after one of these words: "शक सं. 1946".
    AfterWord(&'static str),
    /// With its stop, before degrees: "न्यून. 29°C".
    Degrees,
    /// With its stop, before a year, with a comma or without: "अधि., 1988".
    BeforeYear,
    /// With its stop, after a slash: "786/स्था.".
    AfterSlash,
    /// After an amount with two decimals: "12,000.00 Dr".
    AfterDecimals,
    /// After an amount of rupees: "₹199 p.m.", "₹850 pp".
    AfterPrice,
    /// With its stop, and a word directly after it: "PF no. update".
    Inside,
    /// Before a word in small Latin letters: "w/o drinks".
    BeforeSmall,
    /// Before a number, without a stop too: "गेट नं 2".
    BareNumber,
    /// With its stop, and no letter or digit directly after it: "Jn.", but not "JN.1".
    BeforeEnd,
    /// With its stop, before the name of a musician: "उ. ज़ाकिर हुसैन".
    Ustad,
    /// With its stop, before one who is revered: "पू. बापू".
    Revered,
    /// With its stop, before the name of a god or a saint.
    God,
    /// With its stop, after a month of the moon or before its half.
    Lunar,
    /// With its stop, as the name of a field or one of the choices of a form: "लिंग: पु.", "श्री/कु.".
    Label,
    /// With its stop, before the name of a firm: "मे. राम ट्रेडर्स".
    Firm,
    /// With its stop, after the last of several things: "आम, केला इ.".
    EndOfList,
    /// With its stop, after an ordinal.
    AfterOrdinal,
    /// Before a month and a year in digits: "Exp: 12/25".
    BeforeDate,
    /// After a number, without a stop too.
    AfterDigits,
    /// With its stop, or with stops between its letters.
    Stop,
    Anywhere,
}

/// By what is written, without spaces, nuktas and the last stop; Latin letters small.
static TABLE: LazyLock<HashMap<&str, Vec<(AbbreviationPosition, &str)>>> = LazyLock::new(|| {
    let mut table: HashMap<_, Vec<_>> = HashMap::new();
    for row in rows(include_str!("../data/abbreviations.tsv")) {
        let place = match row[1] {
            "title" => AbbreviationPosition::Title,
            "bare-title" => AbbreviationPosition::BareTitle,
            "office" => AbbreviationPosition::Office,
            "before-name" => AbbreviationPosition::BeforeName,
            "before-letter" => AbbreviationPosition::BeforeLetter,
            "number" => AbbreviationPosition::Number,
            "after-number" => AbbreviationPosition::AfterNumber,
            "month" => AbbreviationPosition::Month,
            "weekday" => AbbreviationPosition::Weekday,
            "opening" => AbbreviationPosition::Opening,
            "degrees" => AbbreviationPosition::Degrees,
            "before-year" => AbbreviationPosition::BeforeYear,
            "inside" => AbbreviationPosition::Inside,
            "before-small" => AbbreviationPosition::BeforeSmall,
            "after-price" => AbbreviationPosition::AfterPrice,
            "bare-number" => AbbreviationPosition::BareNumber,
            "after-decimals" => AbbreviationPosition::AfterDecimals,
            "before-end" => AbbreviationPosition::BeforeEnd,
            "after-slash" => AbbreviationPosition::AfterSlash,
            "signed" => AbbreviationPosition::Signed,
            "compass" => AbbreviationPosition::Compass,
            "compass-side" => AbbreviationPosition::CompassSide,
            "ustad" => AbbreviationPosition::Ustad,
            "revered" => AbbreviationPosition::Revered,
            "god" => AbbreviationPosition::God,
            "lunar" => AbbreviationPosition::Lunar,
            "label" => AbbreviationPosition::Label,
            "firm" => AbbreviationPosition::Firm,
            "end-of-list" => AbbreviationPosition::EndOfList,
            "after-ordinal" => AbbreviationPosition::AfterOrdinal,
            "before-date" => AbbreviationPosition::BeforeDate,
            "after-digits" => AbbreviationPosition::AfterDigits,
            "stop" => AbbreviationPosition::Stop,
            place => match place.split_once('=') {
                Some(("before", words)) => AbbreviationPosition::BeforeWord(words),
                Some((_, words)) => AbbreviationPosition::AfterWord(words),
                None => AbbreviationPosition::Anywhere,
            },
        };
        for written in row[0].split('|') {
            table.entry(written).or_default().push((place, row[2]));
        }
    }
    table
});

const NUKTA: char = '\u{93c}';

/// Those who are spoken of with respect by their office.
const OFFICES: &str = "\
    अध्यक्ष आयुक्त उच्च उच्चतम उपमुख्यमंत्री उपराष्ट्रपति कुलपति गृहमंत्री जिलाधिकारी न्यायमूर्ति न्यायाधीश न्यायालय प्रधानमंत्री महापौर महोदय \
    मंत्री मुख्यमंत्री राज्यपाल राष्ट्रपति विधायक सर्वोच्च सांसद सदस्य";

/// Places that a point of the compass stands before.
const PLACES: &str = "\
    अंडमान अफ़्रीका अफ्रीका अमरीका अमेरिका अर्काट असम आर्कोट एशिया ओडिशा कन्नड़ कर्नाटक कश्मीर कोरिया गोवा चीन जर्मनी तिमोर त्रिपुरा \
    दिनाजपुर परगना पाकिस्तान प्रशांत बंगाल बर्धमान बिहार भारत मेदिनीपुर यमन यूरोप रेलवे वियतनाम सिक्किम सूडान";

/// Places that take the adjective of the compass.
const SIDES: &str = "\
    अक्षांश अटलांटिक इलाका इलाके क्षेत्र क्षेत्रों गोदावरी गोलार्द्ध गोलार्ध चंपारण चम्पारण जिला ज़िला जिले ज़िले जिलों ज़िलों तट तटीय दिल्ली देशांतर \
    ध्रुव भाग भागों मुंबई राजस्थान राज्य राज्यों विक्षोभ सिंहभूम सीमा हवा हवाएँ हवाएं हवाओं हिमालय हिस्सा हिस्से हिस्सों सागर प्रायद्वीप उप्र यूपी";

/// Parts of the names of musicians who are called ustad.
const USTADS: &str = "\
    अब्दुल अमजद अमानत अमीर अलाउद्दीन अली अल्ला अल्लाह अहमद इमरत करीम ख़ां ख़ाँ ख़ान खां खाँ खान गुलाम ग़ुलाम ज़ाकिर जाकिर डागर निसार \
    फ़ैयाज़ फैयाज बड़े बिस्मिल्लाह राशिद रशीद विलायत शाहिद शुजात सुल्तान हुसैन";

/// Those whom a text calls revered.
const REVERED: &str = "\
    आचार्य गुरु गुरुजी गुरुदेव दादा दादाजी पिता पिताजी बापू बाबा महाराज माँ माता माताजी मुनि संत साध्वी स्वामी";

/// Gods and founders of faiths.
const GODS: &str = "\
    ऋषभदेव कृष्ण गणेश जगन्नाथ दत्तात्रेय परशुराम पार्श्वनाथ बिरसा बुद्ध महावीर राम वाल्मीकि विश्वकर्मा विष्णु शंकर शिव श्रीकृष्ण श्रीराम";

/// Months of the moon.
const LUNAR_MONTHS: &str = "\
    चैत्र बैसाख वैशाख जेठ ज्येष्ठ आषाढ़ श्रावण सावन भाद्रपद भादो भादों अश्विन आश्विन क्वार कार्तिक अगहन मार्गशीर्ष पूस पौष माघ फाल्गुन फागुन";

/// Words of the names of firms.
const FIRMS: &str = "\
    इंटरप्राइजेज इंडस्ट्रीज इंडस्ट्रीज़ एंटरप्राइज़ एंटरप्राइजेज एंटरप्राइज़ेज़ एंड एजेंसी एजेंसीज एण्ड एसोसिएट्स कंपनी कंस्ट्रक्शन कार्पोरेशन कॉर्पोरेशन ज्वैलर्स ज्वेलर्स टेक्सटाइल्स ट्रेडर्स \
    ट्रेडिंग ट्रांसपोर्ट प्रा प्राइवेट फर्म फ़र्म बिल्डर्स ब्रदर्स लि लिमिटेड सन्स संस सप्लायर्स स्टोर स्टोर्स";

/// Groups of letters with stops between them at most.
const GROUPS: usize = 5;

/// An abbreviation of the table, else names of letters with stops between.
pub(super) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let groups = groups(context.rest);
    if let Some(compass) = between_points(context) {
        return Some(compass);
    }
    (1..=groups.len()).rev().find_map(|count| listed(context, &groups[..count])).or_else(|| {
        if let Some(letter) = zeroed(context, &groups) {
            return Some(letter);
        }
        let length = joined_letters(&groups)?;
        let code_parts = code_parts(&groups, length);
        let length = length + usize::from(goes_on_after_stop(&context.rest[length..]));
        Some((length, SemioticClass::Alphanumeric(alphanumeric::Value(code_parts))))
    })
}

/// A syllable with the zero that stands for the stop of an abbreviation, which has no name: "थाना-को0".
fn zeroed(context: &MatchContext<'_>, groups: &[Group<'_>]) -> Option<(usize, SemioticClass)> {
    let first = groups.first().filter(|group| is_syllable(group.text))?;
    let length = first.end() + first.stop;
    let mut code_parts = CodeParts::default();
    code_parts.push(CodePart::Word(first.text.into()), 0..length);
    context.rest[..length]
        .ends_with('0')
        .then_some((length, SemioticClass::Alphanumeric(alphanumeric::Value(code_parts))))
}

/// Two points of the compass with a hyphen between: "उ.-पू.", "द-प".
fn between_points(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let mut cursor = Cursor::new(context.rest);
    let south = cursor.eat("उ").map(|()| false).or_else(|| cursor.eat("द").map(|()| true))?;
    cursor.eat(".");
    cursor.eat("-").or_else(|| cursor.eat("–"))?;
    let west = cursor.eat("पू").map(|()| false).or_else(|| cursor.eat("प").map(|()| true))?;
    let stopped = cursor.eat(".").is_some() && cursor.rest().contains(is_inner);
    let words = match (south, west) {
        (false, false) => "उत्तर पूर्व",
        (false, true) => "उत्तर पश्चिम",
        (true, false) => "दक्षिण पूर्व",
        (true, true) => "दक्षिण पश्चिम",
    };
    let length = cursor.at() - usize::from(cursor.rest().is_empty() && stopped);
    cursor.at_word_end().then_some((length, SemioticClass::Phrase { words, ends_sentence: false }))
}

/// Letters up to a stop or a space: where they begin, what they are, and whether a stop stands after them.
struct Group<'a> {
    start: usize,
    text: &'a str,
    /// The bytes of the stop.
    stop: usize,
    /// White space stands before the group.
    is_apart: bool,
}

impl Group<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The groups at the start of `rest`, each but the last with a stop: "ई.पू.", "वि. सं.", "s/o".
fn groups(rest: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut start = 0;
    while groups.len() < GROUPS {
        let length = run(&rest[start..], is_letter);
        let slash = rest[start + length..].strip_prefix('/').filter(|_| length < 2);
        let length = length + slash.map_or(0, |after| 1 + run(after, is_letter));
        let text = &rest[start..start + length];
        let after = &rest[start + length..];
        let stop = stop(text, after);
        if text.is_empty() || stop == 0 && after.starts_with(char::is_numeric) {
            break;
        }
        let is_apart = rest[..start].ends_with(' ');
        groups.push(Group { start, text, stop, is_apart });
        start += length + stop;
        if stop == 0 {
            break;
        }
        start += usize::from(rest[start..].starts_with(' '));
    }
    groups
}

/// The bytes of a full stop, of the sign of an abbreviation, or of the zero that stands for it: "डॉ0 राम".
fn stop(text: &str, after: &str) -> usize {
    let is_zero = || {
        after.strip_prefix('0').is_some_and(|next| !next.starts_with(char::is_numeric))
            && text.ends_with(is_devanagari)
    };
    match after.chars().next() {
        Some(c @ ('.' | '॰')) => c.len_utf8(),
        Some('0') if is_zero() => 1,
        _ => 0,
    }
}

/// What the table says of these groups together, in this place.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of place")]
fn listed(context: &MatchContext<'_>, groups: &[Group<'_>]) -> Option<(usize, SemioticClass)> {
    let written: Vec<&str> = groups.iter().map(|group| group.text).collect();
    let written = written.join(".").to_ascii_lowercase().replace(NUKTA, "");
    let last = groups.last()?;
    let readings = TABLE.get(written.as_str())?;
    let after = &context.rest[last.end() + last.stop..];
    let is_short = groups.len() == 1;
    let stopped = last.stop > 0;
    let fits = |place: &AbbreviationPosition| match place {
        AbbreviationPosition::Title => {
            let is_counted = context.before.trim_end().ends_with(is_digit);
            // "रा. कु. वर्मा": an initial
            let is_initial = written == "कु" && context.before.trim_end().ends_with('.');
            names_follow(after)
                && !is_counted
                && !is_initial
                && (stopped || is_latin_title(last.text, after))
        }
        AbbreviationPosition::BareTitle => {
            let alone = context.before.ends_with('(') && after.starts_with(')');
            stopped && (alone || names_follow(after)) || precedes_name(after)
        }
        AbbreviationPosition::Office => stopped && lists(OFFICES, first_word(after)),
        AbbreviationPosition::BeforeName => {
            let named = after.trim_start_matches([' ', ':', '-', '–', '—']);
            (stopped || written.contains('/')) && names_follow(named)
        }
        AbbreviationPosition::BeforeLetter => {
            let next = after.trim_start();
            let letter = next.strip_prefix(|c: char| c.is_ascii_uppercase());
            next.len() < after.len()
                && letter.is_some_and(|next| !next.starts_with(|c: char| c.is_ascii_lowercase()))
        }
        AbbreviationPosition::Number => {
            let next = after.trim_start_matches([' ', ':', '#', '-', '–', '+', '(']);
            let is_masked = written.contains('/') && next.starts_with(['X', 'x', '*']);
            let numbers = next.starts_with(is_digit) || stopped && is_code(next);
            // "Vol-2", "Ch-5"
            let is_joined = after.starts_with('-')
                && last.text.starts_with(|c: char| c.is_ascii_uppercase())
                && lists("vol ch fig pg sec", &written);
            (stopped || is_joined || written.contains('/')) && numbers || is_masked
        }
        AbbreviationPosition::AfterNumber => {
            let before = context.before.trim_end();
            let is_spoon = lists("बड़े बड़ा छोटे छोटा", last_word(before));
            stopped && (before.ends_with(is_digit) || before.ends_with('%') || is_spoon)
        }
        AbbreviationPosition::Month => {
            beside_date::is_month(&written, context.before, after, stopped)
        }
        AbbreviationPosition::Weekday => stopped && beside_date::is_weekday(context.before, after),
        AbbreviationPosition::Opening => {
            stopped && !context.before.contains(char::is_alphanumeric) && opens_clause(after)
        }
        AbbreviationPosition::Compass => {
            let place = first_word(after);
            let is_counted = lists("24", place) && after.contains("परगना");
            stopped && (lists(PLACES, place) || is_counted)
        }
        AbbreviationPosition::CompassSide => {
            let is_angle = context.before.trim_end().ends_with(['°', '′', '″', '\'', '"', '½']);
            let is_state = after.trim_start().starts_with("उ.प्र");
            stopped && (lists(SIDES, first_word(after)) || is_angle || is_state)
        }
        AbbreviationPosition::BeforeWord(words) => {
            stopped && words.split(',').any(|word| word == first_word(after))
        }
        AbbreviationPosition::AfterWord(words) => {
            stopped && words.split(',').any(|word| word == last_word(context.before.trim_end()))
        }
        AbbreviationPosition::Degrees => {
            let number = after.trim_start_matches([' ', ':', '-', '−']);
            let unit = number.trim_start_matches(|c: char| is_digit(c) || c == '.').trim_start();
            stopped && unit.len() < number.len() && unit.starts_with(['°', '℃'])
        }
        AbbreviationPosition::BeforeYear => {
            let year = first_word(after.trim_start_matches(','));
            stopped
                && year.len() == 4
                && year.starts_with(['1', '2'])
                && year.bytes().all(|b| b.is_ascii_digit())
        }
        AbbreviationPosition::Inside => {
            stopped && after.starts_with(' ') && after[1..].starts_with(is_letter)
        }
        AbbreviationPosition::BeforeSmall => {
            after.trim_start().starts_with(|c: char| c.is_ascii_lowercase())
        }
        AbbreviationPosition::AfterPrice => {
            let amount = context.before.split_whitespace().next_back().unwrap_or_default();
            amount.starts_with(['₹', '$', '€', '£']) && amount.ends_with(is_digit)
        }
        AbbreviationPosition::BareNumber => after.trim_start().starts_with(is_digit),
        AbbreviationPosition::AfterDecimals => {
            let before = context.before.trim_end();
            let decimals = before.rsplit('.').next().unwrap_or_default();
            decimals.len() == 2 && decimals.bytes().all(|b| b.is_ascii_digit())
        }
        AbbreviationPosition::BeforeEnd => stopped && !after.starts_with(char::is_alphanumeric),
        AbbreviationPosition::AfterSlash => stopped && context.before.ends_with('/'),
        AbbreviationPosition::BeforeDate => {
            let date = after.trim_start_matches(['.', ':', ' ', '-']);
            date.get(..3).is_some_and(|date| date.ends_with('/')) && date.starts_with(is_digit)
        }
        AbbreviationPosition::AfterDigits => context.before.trim_end().ends_with(is_digit),
        AbbreviationPosition::Ustad => {
            stopped && next_words(after, 4).any(|word| lists(USTADS, word))
        }
        AbbreviationPosition::Revered => stopped && lists(REVERED, first_word(after)),
        AbbreviationPosition::God => stopped && lists(GODS, first_word(after)),
        AbbreviationPosition::Lunar => {
            let month = last_word(context.before.trim_end());
            stopped && (lists(LUNAR_MONTHS, month) || first_word(after) == "पक्ष")
        }
        AbbreviationPosition::Label => stopped && is_label(context.before, after),
        AbbreviationPosition::Firm => {
            stopped && next_words(after, 5).any(|word| lists(FIRMS, word))
        }
        AbbreviationPosition::EndOfList => stopped && context.before.contains(", "),
        AbbreviationPosition::AfterOrdinal => {
            stopped
                && ["ली", "री", "थी", "ठी", "वीं"]
                    .iter()
                    .any(|one| context.before.trim_end().ends_with(one))
        }
        AbbreviationPosition::Signed => after.starts_with("/-"),
        AbbreviationPosition::Stop => stopped || !is_short,
        AbbreviationPosition::Anywhere => !context.before.ends_with(['.', '/', '@']),
    };
    let (place, words) = readings.iter().find(|(place, _)| fits(place))?;
    let goes_on = after.contains(char::is_alphanumeric);
    let sign = if *place == AbbreviationPosition::Signed { "/-".len() } else { 0 };
    let length = last.end() + last.stop + sign;
    Some((
        length,
        SemioticClass::Phrase {
            words,
            ends_sentence: !goes_on && context.rest[..length].ends_with('.'),
        },
    ))
}

/// The words after a place, as far as its clause goes.
fn next_words(after: &str, count: usize) -> impl Iterator<Item = &str> {
    let clause = &after[..after.find([',', '।', '(', ';']).unwrap_or(after.len())];
    let words = clause.split(|c: char| !is_inner(c)).filter(|word| !word.is_empty());
    words.take(count)
}

/// Whether this is the name of a field or one of its choices: alone after a colon, in brackets, beside a slash.
fn is_label(before: &str, after: &str) -> bool {
    let opens = before.is_empty()
        || before.ends_with(['/', '('])
        || before.ends_with(", ")
        || before.trim_end().ends_with(':');
    let next = after.trim_start();
    let closes = after.starts_with(['/', ')', ':', ','])
        || next.is_empty()
        || next.starts_with(['|', '।', '…', '.', '_']);
    let is_named =
        before.trim_end().ends_with(':') && last_word(before.trim_end_matches([' ', ':'])) == "लिंग";
    let beside_slash = before.ends_with('/') || after.starts_with('/');
    (opens
        && closes
        && (beside_slash || is_named || before.ends_with('(') || after.starts_with(':')))
        || is_named
}

/// "सं. NIT-07": capitals with digits after them.
fn is_code(next: &str) -> bool {
    let code = &next[..run(next, |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/'))];
    code.starts_with(|c: char| c.is_ascii_uppercase()) && code.contains(is_digit)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// "Shri रमेश": a Latin title with a capital needs no stop before a name in Devanagari.
fn is_latin_title(title: &str, after: &str) -> bool {
    title.starts_with(|c: char| c.is_ascii_uppercase())
        && title.ends_with(|c: char| c.is_ascii_lowercase())
        && after.strip_prefix(' ').is_some_and(|name| name.starts_with(is_devanagari))
}

/// Whether a name follows; a further title may stand in brackets before it: "प्रो. (डॉ.) राम".
fn names_follow(after: &str) -> bool {
    let after = after.trim_start();
    let bracketed = after.strip_prefix('(').filter(|inner| {
        let title = run(inner, is_letter);
        let readings = TABLE.get(&inner[..title]).into_iter().flatten();
        let mut places = readings.map(|(place, _)| place);
        places.any(|place| {
            matches!(place, AbbreviationPosition::Title | AbbreviationPosition::BareTitle)
        }) || lists("श्रीमती श्री सुश्री से रिटा सेनि", &inner[..title])
    });
    // "Mr. & Mrs. Gupta"
    let joined = after.strip_prefix("& ").filter(|next| next.starts_with(is_letter));
    joined.or(bracketed).unwrap_or(after).starts_with(is_letter)
}

/// "डॉ शर्मा": white space and a name in Devanagari that is no postposition.
fn precedes_name(after: &str) -> bool {
    let word = first_word(after);
    after.starts_with(' ')
        && word.starts_with(is_devanagari)
        && !lists("ने को से में पर तक का के की और या है हैं था थे थी", word)
}

/// Whether a clause or a number begins here, after marks of emphasis and a colon.
fn opens_clause(after: &str) -> bool {
    let clause = after.trim_start_matches([' ', '*', '_', ':', '-', '–']);
    clause.starts_with(is_inner) && !clause.starts_with("प्र")
}

/// The bytes of at least two groups in Devanagari without spaces between, each a syllable or the name of a
/// Latin letter: "बी.बी.सी.", "ए.पी.जे".
fn joined_letters(groups: &[Group<'_>]) -> Option<usize> {
    const WORDS: &str = "है हैं हूं हूँ था थी थीं थे में मैं हो तो ही भी से को का ने ना जो वो ये दो लो जा आ";
    let is_initial = |group: &Group<'_>| {
        is_letter_name(group.text) || is_syllable(group.text) && !lists(WORDS, group.text)
    };
    // A plain word is one group.
    if groups.len() < 2 {
        return None;
    }
    let count = groups
        .iter()
        .enumerate()
        .take_while(|(i, group)| is_initial(group) && (*i == 0 || !group.is_apart))
        .count();
    (count > 1).then(|| groups[count - 1].end())
}

fn is_letter_name(text: &str) -> bool {
    ('a'..='z').filter_map(letters::name).any(|name| name == text)
        || matches!(text, "जेड" | "डब्लू" | "वाय")
}

/// One letter of Devanagari with the signs on it, or two that a virama joins.
fn is_syllable(text: &str) -> bool {
    let mut joined = true;
    let mut syllables = 0;
    for c in text.chars() {
        if !is_combining_mark(c) && is_devanagari(c) {
            syllables += usize::from(!joined || syllables == 0);
        }
        joined = c == '\u{94d}';
    }
    syllables == 1 && text.starts_with(is_devanagari)
}

fn code_parts(groups: &[Group<'_>], length: usize) -> CodeParts {
    let mut code_parts = CodeParts::default();
    for group in groups.iter().take_while(|group| group.end() <= length) {
        let end = (group.end() + group.stop).min(length);
        code_parts.push(CodePart::Word(group.text.into()), group.start..end);
    }
    code_parts
}

/// Whether a stop here is only that of an abbreviation: the sentence goes on.
fn goes_on_after_stop(after: &str) -> bool {
    after.strip_prefix('.').is_some_and(|after| after.contains(is_inner))
}
