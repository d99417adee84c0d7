//! English words with a full stop of their own, by what may follow it.

use crate::languages::en_us::normalize::lexicon::lexicon;
use crate::segment::next::Next;
use crate::segment::rules::AbbreviationClass;
use crate::segment::runs::Run;
use crate::segment::view::View;

/// Never at the end of a sentence: a name or an explanation follows.
#[rustfmt::skip]
const BEFORE_MORE: &[&str] = &[
    "a.k.a", "cf", "e.g", "eg", "f.e", "i.e", "messrs", "mlle", "mme", "mr", "mrs", "ms", "mx", "prof",
    "r.i.p", "v", "viz", "vs",
];

/// Titles, never at the end of a sentence; with a small letter they are plain words.
#[rustfmt::skip]
const TITLES: &[&str] = &[
    "Adm", "Adv", "Ald", "Amb", "Atty", "Bp", "Brig", "Capt", "Cdr", "Cmdr", "Cmdt", "Col",
    "Comdr", "Cpl", "Det", "Drs", "Er", "Fr", "Gen", "Gov", "Hon", "Insp", "Kum", "Lt", "Maj",
    "Msgr", "Pfc", "Pres", "Profs", "Pvt", "Rep", "Reps", "Rev", "Sen", "Sens", "Sgt", "Shri",
    "Smt", "Sri", "Supt",
];

/// Titles and parts of place names that also end an address: "Dr. Lee", "Elm Dr."; "Mt. Fuji".
const TITLES_OR_STREETS: &[&str] = &["dr", "ft", "mt", "pt", "st", "ste"];

/// Before a number: "No. 5", "p. 55", "Rs. 500".
#[rustfmt::skip]
const BEFORE_A_NUMBER: &[&str] = &[
    "app", "apt", "art", "b", "c", "ca", "ch", "chap", "cl", "d", "eq", "eqn", "ex", "ext",
    "fig", "figs", "gal", "inr", "l", "ll", "n", "nn", "no", "nos", "n°", "p", "para",
    "paras", "pl", "pp", "r", "re", "rm", "rs", "s", "sec", "secs", "sect", "ser", "ss",
    "sun", "tel", "ver", "vol", "vols",
];

/// Within a sentence or at its end: it ends only before a word that often begins one.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    "a.s.a.p", "abbr", "abt", "al", "approx", "assn", "assoc", "asst", "attn", "ave",
    "avg", "b.com", "b.ed", "b.sc", "b.tech", "biol", "bldg", "blvd", "bros", "cal", "civ",
    "co", "conf", "cont", "corp", "cos", "crim", "ct", "cu", "d.phil", "def", "deg", "dept", "dia", "diam",
    "dist", "distt", "div",
    "ed", "edn", "eds", "elev", "encl", "engg", "equiv", "esp", "esq", "est", "etc", "excl", "expy",
    "fem", "freq", "fwd", "fwy", "govt", "hist", "hons", "hr", "hrs", "hts", "hwy", "ibid", "inc",
    "incl", "inj", "inst", "intl", "jr", "lang", "lat", "lb", "lbs", "ll.b", "ll.m",
    "ln", "ltd", "m.com", "m.ed", "m.phil", "m.sc", "m.tech", "masc", "max", "mfg", "mgr",
    "mi", "min", "mins", "misc", "mtn", "nat", "natl", "nr", "op", "orig", "oz", "ph", "phd",
    "phys", "pkg", "pkwy", "pron", "pseud", "pty", "publ", "pvt", "qt", "qtr", "qty", "rd", "regd", "repr",
    "rt", "rtd", "rte", "sch", "sci", "sh", "sq", "sr", "subj", "suppl", "syn", "syp", "syr", "tbsp", "teh", "temp", "ter",
    "trans", "tsp", "univ", "var", "vill", "vit", "wt", "yd", "yds", "yr", "yrs",
];

/// The same, but plain words with a small letter: months, days and states.
#[rustfmt::skip]
const ANYWHERE_CAPITALIZED: &[&str] = &[
    "Ala", "Apr", "Ariz", "Ark", "Aug", "Calif", "Colo", "Conn", "Dec", "Del", "Feb", "Fla",
    "Fri", "Ga", "Ill", "Ind", "Jan", "Jul", "Jun", "Kan", "Ky", "La", "Mar", "Mass", "Md",
    "Mich", "Minn", "Mo", "Mon", "Mont", "Neb", "Nev", "Nov", "Oct", "Okla", "Ont", "Ore",
    "Pa", "Penn", "Que", "Sat", "Sep", "Sept", "Tenn", "Tex", "Thu", "Thur", "Thurs", "Tue",
    "Tues", "Va", "Vt", "Wash", "Wed", "Wis", "Wyo",
];

/// Symbols of units, which are written without a full stop.
const UNITS: &[&str] = &[
    "cm", "gb", "kb", "kg", "km", "kph", "mb", "mg", "ml", "mm", "mph", "kts", "fps", "rpm", "bpm",
];

/// Months in small letters, before their day: "jan. 15".
#[rustfmt::skip]
const SMALL_MONTHS: &[&str] =
    &["apr", "aug", "dec", "feb", "jan", "jul", "jun", "mar", "nov", "oct", "sep", "sept"];

/// Forms of medicines, which begin the lines of a prescription: "Tab. Paracetamol".
const MEDICINES: &[&str] = &["Cap", "Caps", "Oint", "Tab", "Tabs", "Syp", "Syr"];

/// Whether the word before a full stop is short for a form of medicine: it begins the text, and a name follows.
pub(super) fn is_medicine(view: &View, run: &Run, next: &Next) -> bool {
    let before = run.word_before(view);
    let opens = before.is_empty() || before.ends_with([')', '.', ':', '-', '•']);
    opens && MEDICINES.contains(&run.word(view)) && next.word().starts_with(char::is_uppercase)
}

/// The class of `word`, which stands before a full stop; `None` for a plain word.
pub(super) fn class(word: &str) -> Option<AbbreviationClass> {
    let lower = word.to_lowercase();
    let is_in = |list: &[&str]| list.contains(&lower.as_str());
    let capitalized = word.chars().next().is_some_and(char::is_uppercase);
    let title = || capitalize(&lower);
    if is_in(BEFORE_MORE) || capitalized && TITLES.contains(&title().as_str()) {
        Some(AbbreviationClass::BeforeMore)
    } else if is_in(TITLES_OR_STREETS) {
        Some(AbbreviationClass::TitleOrStreet)
    } else if matches!(lower.as_str(), "a.m" | "p.m") {
        Some(AbbreviationClass::Time)
    } else if is_in(BEFORE_A_NUMBER) || SMALL_MONTHS.contains(&word) || lower.ends_with(".no") {
        Some(AbbreviationClass::BeforeNumber)
    } else if is_in(ANYWHERE)
        || capitalized && ANYWHERE_CAPITALIZED.contains(&title().as_str())
        || is_dotted(word)
        || is_consonants(word)
    {
        Some(AbbreviationClass::Anywhere)
    } else {
        read_class(&lower, capitalized)
    }
}

/// The class of what is read as an abbreviation.
fn read_class(lower: &str, capitalized: bool) -> Option<AbbreviationClass> {
    let readings = lexicon().abbreviations.get(lower)?;
    let all = |note| readings.iter().all(|reading| reading.is(note, lexicon()));
    // "Portland, Me.", but "call me."
    if !capitalized && all("capital") {
        return None;
    }
    // A plain word too, which may end a sentence.
    Some(if all("word") { AbbreviationClass::BeforeNumber } else { AbbreviationClass::Anywhere })
}

fn capitalize(lower: &str) -> String {
    let mut chars = lower.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// Short parts with full stops between: "U.S", "Ph.D".
fn is_dotted(word: &str) -> bool {
    let is_short = |part: &str| {
        (1..=3).contains(&part.chars().count())
            && part.starts_with(char::is_alphabetic)
            && !part.contains(|c: char| c.is_numeric())
    };
    let last = word.rsplit('.').next().unwrap_or_default();
    let ends_short = last.chars().count() == 1 || !last.is_ascii();
    word.contains('.') && ends_short && word.split('.').all(is_short)
}

/// A word that cannot be said is short for one: "bldgs", but not "BBC" or "hmm".
fn is_consonants(word: &str) -> bool {
    word.len() > 1
        && word.chars().all(|c| c.is_ascii_alphabetic())
        && word.chars().skip(1).all(|c| c.is_ascii_lowercase())
        && !word.to_lowercase().contains(['a', 'e', 'i', 'o', 'u', 'y'])
        && !UNITS.contains(&word)
        && !["hm", "hmm", "mm", "mmm", "nth", "pfft", "pst", "psst", "sh", "shh", "tsk", "tv"]
            .contains(&word.to_lowercase().as_str())
}
