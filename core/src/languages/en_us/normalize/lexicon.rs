//! The names of English that the recognizers look for.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::normalize::choice::{ContextClasses, Weights};
use crate::normalize::locale::{
    self, Abbreviation, AbbreviationPosition, Cues, Lexicon, Topics, currencies, numbered, rows,
    topics, units,
};
use crate::normalize::semiotic::Magnitude;

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon {
    months: numbered(MONTHS),
    weekdays: numbered(WEEKDAYS),
    weekday_letters: WEEKDAY_LETTERS,
    weekday_ranges: &[
        "M-F", "M-Th", "M-Sa", "M-W", "Mo-Fr", "M-S", "T-F", "T-Th", "Tu-F", "Tu-Th", "Tu-Sa",
        "W-F", "Th-F", "Th-Sa", "F-Su", "Sa-Su", "M-Su", "Th-Su", "W-Su", "Tu-Su",
    ],
    units: units(include_str!("../data/units.tsv")),
    currencies: currencies(include_str!("../data/currencies.tsv")),
    magnitudes: MAGNITUDES.iter().copied().collect(),
    magnitude_letters: LETTERS.iter().map(|(letters, m, money)| (*letters, (*m, *money))).collect(),
    abbreviations: abbreviations(include_str!("../data/abbreviations.tsv")),
    streets: pairs(include_str!("../data/streets.tsv")),
    compass: COMPASS.iter().copied().collect(),
    states: pairs(include_str!("../data/states.tsv")),
    zones: ZONES,
    eras: &["AD", "BC", "BCE", "CE"],
    day_first: false,
    cues: CUES,
    topics: topics(&[
        (RATING, Topics::RATING),
        (GAME, Topics::GAME),
        (PRESSURE, Topics::PRESSURE),
        (CRICKET, Topics::CRICKET),
    ]),
});

/// Classes of words beside a number, read once.
pub(super) fn context_classes() -> &'static ContextClasses {
    static CLASSES: LazyLock<ContextClasses> =
        LazyLock::new(|| locale::context_classes(include_str!("../data/context_classes.tsv")));
    &CLASSES
}

/// The weights of the choice between readings, read once.
pub(super) fn choice_weights() -> &'static Weights {
    static WEIGHTS: LazyLock<Weights> =
        LazyLock::new(|| Weights::parse(include_str!("../data/choice.tsv")));
    &WEIGHTS
}

/// The tables of English, read once.
pub(super) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

/// Names and abbreviations, each row one month.
const MONTHS: &[&[&str]] = &[
    &["january", "jan"],
    &["february", "feb", "febr"],
    &["march", "mar"],
    &["april", "apr"],
    &["may"],
    &["june", "jun"],
    &["july", "jul"],
    &["august", "aug"],
    &["september", "sept", "sep"],
    &["october", "oct"],
    &["november", "nov"],
    &["december", "dec"],
];

/// Names and abbreviations, each row one weekday.
const WEEKDAYS: &[&[&str]] = &[
    &["monday", "mon", "mo"],
    &["tuesday", "tue", "tues", "tu"],
    &["wednesday", "wed", "weds"],
    &["thursday", "thu", "thur", "thurs", "th"],
    &["friday", "fri", "fr"],
    &["saturday", "sat", "sa"],
    &["sunday", "sun", "su"],
];

/// Weekdays by their letters.
const WEEKDAY_LETTERS: &[(&str, u8)] = &[
    ("M", 1),
    ("Mo", 1),
    ("T", 2),
    ("Tu", 2),
    ("W", 3),
    ("We", 3),
    ("Th", 4),
    ("F", 5),
    ("Fr", 5),
    ("S", 6),
    ("Sa", 6),
    ("Su", 7),
];

const COMPASS: &[(&str, &str)] = &[
    ("N", "North"),
    ("S", "South"),
    ("E", "East"),
    ("W", "West"),
    ("NE", "Northeast"),
    ("NW", "Northwest"),
    ("SE", "Southeast"),
    ("SW", "Southwest"),
    ("NB", "Northbound"),
    ("SB", "Southbound"),
    ("EB", "Eastbound"),
    ("WB", "Westbound"),
    ("NNE", "North Northeast"),
    ("ENE", "East Northeast"),
    ("ESE", "East Southeast"),
    ("SSE", "South Southeast"),
    ("SSW", "South Southwest"),
    ("WSW", "West Southwest"),
    ("WNW", "West Northwest"),
    ("NNW", "North Northwest"),
];

const MAGNITUDES: &[(&str, Magnitude)] = &[
    ("hundred", Magnitude::Hundred),
    ("thousand", Magnitude::Thousand),
    ("lakh", Magnitude::Lakh),
    ("lakhs", Magnitude::Lakh),
    ("lac", Magnitude::Lakh),
    ("lacs", Magnitude::Lakh),
    ("million", Magnitude::Million),
    ("crore", Magnitude::Crore),
    ("crores", Magnitude::Crore),
    ("cr", Magnitude::Crore),
    ("mn", Magnitude::Million),
    ("bn", Magnitude::Billion),
    ("billion", Magnitude::Billion),
    ("trillion", Magnitude::Trillion),
    ("quadrillion", Magnitude::Quadrillion),
];

/// Letters, what they stand for, and whether only money is counted so.
const LETTERS: &[(&str, Magnitude, bool)] = &[
    ("k", Magnitude::Thousand, false),
    ("K", Magnitude::Thousand, false),
    ("m", Magnitude::Million, true),
    ("M", Magnitude::Million, false),
    ("mn", Magnitude::Million, false),
    ("Mn", Magnitude::Million, false),
    ("mln", Magnitude::Million, false),
    ("MM", Magnitude::Million, true),
    ("mm", Magnitude::Million, true),
    ("mil", Magnitude::Million, true),
    ("b", Magnitude::Billion, true),
    ("B", Magnitude::Billion, false),
    ("bn", Magnitude::Billion, false),
    ("Bn", Magnitude::Billion, false),
    ("BN", Magnitude::Billion, false),
    ("bil", Magnitude::Billion, true),
    ("t", Magnitude::Trillion, true),
    ("T", Magnitude::Trillion, true),
    ("tn", Magnitude::Trillion, false),
    ("trn", Magnitude::Trillion, false),
    ("L", Magnitude::Lakh, true),
    ("l", Magnitude::Lakh, true),
    ("Lac", Magnitude::Lakh, false),
    ("cr", Magnitude::Crore, false),
    ("Cr", Magnitude::Crore, false),
    ("CR", Magnitude::Crore, false),
];

const ZONES: &[&str] = &[
    "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "AST", "AWST", "BST", "CDT", "CEST", "CET",
    "CST", "CT", "EDT", "EEST", "EET", "EST", "ET", "GMT", "GST", "HKT", "HST", "IST", "JST",
    "KST", "MDT", "MSK", "MST", "MT", "NZDT", "NZST", "PDT", "PKT", "PST", "PT", "SAST", "SGT",
    "UTC", "WAT", "WEST", "WET", "WIB", "Z",
];

/// Things that an amount before them describes: `12 oz cans`; in the singular.
#[rustfmt::skip]
const MEASURED: &[&str] = &[
    "adapter", "apartment", "backpack", "bag", "balloon", "bar", "barrel", "battery", "beam", "bit",
    "blade", "block", "board", "boat", "bolt", "bottle", "bowl", "box", "branch", "break", "bridge",
    "bucket", "building", "bulb", "bundle", "cabin", "cable", "cake", "camera", "can", "canister",
    "canvas", "capsule", "carpet", "carton", "ceiling", "chain", "charger", "chart", "child",
    "chuck", "clip", "coil", "commute", "container", "cooler", "cord", "couch", "course", "crate",
    "crib", "cube", "cup", "curtain", "cushion", "deck", "delay", "dish", "ditch", "dive", "dog",
    "door", "dose", "dowel", "drill", "drive", "driver", "drum", "engine", "envelope", "fence",
    "fiber", "fillet", "film", "fitting", "flag", "flight", "frame", "freezer", "gap", "garden",
    "garland", "generator", "glass", "gun", "hammer", "heel", "hike", "hill", "hole", "hook",
    "hose", "house", "infant", "internship", "interval", "jar", "jog", "jug", "jump", "keg",
    "kettle", "kitten", "knife", "ladder", "lag", "lamp", "leash", "ledge", "lens", "lesson",
    "letter", "lid", "limit", "loaf", "log", "loop", "lot", "machine", "man", "mattress", "meeting",
    "memory", "mirror", "monitor", "motor", "mug", "nail", "nap", "needle", "newborn", "notebook",
    "nozzle", "opening", "oven", "pack", "pkg", "btl", "ctn", "package", "packet", "pan", "panel", "paper", "patch",
    "path", "pause", "pencil", "piece", "pillar", "pillow", "pin", "pipe", "pit", "pitcher",
    "pizza", "plank", "plate", "platform", "plot", "plywood", "podcast", "pole", "pond", "pool",
    "pot", "pouch", "print", "projector", "pump", "puppy", "rack", "radius", "ramp", "recipe",
    "recording", "refrigerator", "resistor", "ribbon", "ride", "ring", "road", "rod", "roll",
    "roof", "room", "rope", "rug", "rule", "ruler", "run", "sack", "saw", "scale", "screen",
    "screw", "seam", "session", "shaft", "sheet", "shelf", "shift", "shoe", "shot", "sink",
    "skillet", "sleeve", "slope", "socket", "sofa", "speaker", "speech", "sphere", "sprint",
    "squash", "stake", "steak", "stem", "stick", "stool", "storm", "strap", "string", "strip",
    "suitcase", "supply", "suspension", "swim", "switch", "syringe", "table", "tablet", "tank",
    "tape", "target", "tarp", "telescope", "tent", "thread", "throw", "tile", "timer", "tin",
    "tire", "toddler", "torch", "tortilla", "tower", "toy", "track", "trail", "trailer", "train",
    "tree", "trial", "trip", "truck", "trunk", "tub", "tube", "tumor", "tunnel", "turkey",
    "turntable", "tv", "tyre", "van", "vase", "veil", "vial", "video", "visit", "voyage", "walk",
    "wall", "warning", "washer", "wave", "wheel", "window", "wing", "wire", "woman", "wood",
    "wrench",
];

const CUES: Cues = Cues {
    ordinal_endings: &["st", "nd", "rd", "th"],
    denominator_endings: &["th", "ths", "rd", "rds", "nd", "nds", "st"],
    hour_words: &["hours"],
    hour_abbreviations: &["hrs", "hr"],
    counted_after_month: &["percent", "times", "people", "miles"],
    month_words: &["may", "march"],
    before_date: &[
        "on", "by", "until", "till", "since", "before", "after", "due", "dated", "of", "from",
        "the", "in", "last", "this", "next", "every", "through", "date",
    ],
    weekday_words: &["sat", "sun", "wed"],
    before_weekday: &[
        "closed", "open", "by", "until", "till", "til", "on", "next", "last", "every", "each",
        "thru", "through", "due", "since", "before", "after", "or", "and", "sale", "starts",
        "ends", "late", "early", "party",
    ],
    before_time: &["at", "by", "until", "till", "before", "after", "since", "around"],
    before_turn: &[
        "turn", "keep", "bear", "veer", "hang", "exit", "merge", "sharp", "slight", "hard",
    ],
    rooms: &[
        "room",
        "rm",
        "apartment",
        "apt",
        "suite",
        "ste",
        "unit",
        "flat",
        "form",
        "train",
        "bus",
    ],
    schedule: &[
        "arr", "arrive", "arrives", "dep", "depart", "departs", "lv", "leaves", "etd", "eta",
        "time",
    ],
    before_year: &[
        "in",
        "since",
        "until",
        "till",
        "by",
        "year",
        "before",
        "after",
        "around",
        "circa",
        "early",
        "late",
        "mid",
        "during",
        "spring",
        "summer",
        "autumn",
        "fall",
        "winter",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "from",
        "the",
    ],
    before_holiday: &["happy", "annual", "another", "our", "your", "my", "this", "every"],
    before_compass: &[
        "head",
        "heading",
        "heads",
        "headed",
        "wind",
        "winds",
        "facing",
        "faces",
        "bearing",
        "travel",
        "traveling",
        "moving",
        "drifting",
        "continue",
        "proceed",
        "veer",
        "steer",
    ],
    after_compass: &["on", "along", "via", "toward", "towards", "to"],
    roads: &[
        "i",
        "us",
        "sr",
        "cr",
        "hwy",
        "highway",
        "route",
        "rte",
        "rt",
        "interstate",
        "road",
        "fm",
        "exit",
    ],
    before_unit: &["per"],
    after_capital: &[
        "run",
        "race",
        "marathon",
        "walk",
        "video",
        "videos",
        "resolution",
        "display",
        "displays",
        "monitor",
        "monitors",
        "screen",
        "screens",
        "footage",
        "content",
        "tv",
        "tvs",
        "and",
        "or",
        "is",
        "was",
        "in",
        "on",
        "at",
        "to",
    ],
    scripture: &[
        "genesis",
        "gen",
        "exodus",
        "psalm",
        "psalms",
        "proverbs",
        "isaiah",
        "matthew",
        "mark",
        "luke",
        "john",
        "acts",
        "romans",
        "corinthians",
        "galatians",
        "ephesians",
        "philippians",
        "hebrews",
        "james",
        "peter",
        "revelation",
        "verse",
        "verses",
        "surah",
        "quran",
        "gita",
        "chronicles",
        "colossians",
        "daniel",
        "deuteronomy",
        "ecclesiastes",
        "ezekiel",
        "jeremiah",
        "joshua",
        "judges",
        "kings",
        "leviticus",
        "micah",
        "ruth",
        "samuel",
        "thessalonians",
        "timothy",
        "titus",
    ],
    before_plural: &[
        "boeing", "airbus", "the", "of", "these", "those", "low", "mid", "high", "several", "two",
        "both", "old", "many",
    ],
    not_counted: &[
        "per",
        "each",
        "more",
        "less",
        "off",
        "for",
        "and",
        "or",
        "in",
        "on",
        "at",
        "to",
        "from",
        "with",
        "into",
        "down",
        "up",
        "away",
        "ago",
        "later",
        "apart",
        "of",
        "by",
        "is",
        "was",
        "as",
        "than",
        "to",
        "a",
        "an",
        "the",
        "every",
        "above",
        "below",
        "over",
        "under",
        "so",
        "that",
        "are",
        "were",
        "will",
        "would",
        "they",
        "you",
        "she",
        "who",
        "which",
        "left",
        "until",
        "before",
        "after",
        "behind",
        "between",
        "later",
        "early",
        "late",
        "earlier",
        "north",
        "south",
        "east",
        "west",
        "past",
        "remaining",
        "total",
        "due",
        "via",
        "without",
        "has",
        "had",
        "have",
        "when",
        "while",
        "then",
        "apart",
    ],
    before_label: &[
        "route",
        "rte",
        "rt",
        "hwy",
        "highway",
        "interstate",
        "size",
        "sz",
        "sizes",
        "seat",
        "gate",
        "exit",
        "room",
        "flat",
        "section",
        "row",
        "unit",
        "apartment",
        "platform",
        "block",
        "class",
        "form",
        "grade",
        "bus",
        "route",
        "bay",
        "number",
    ],
    doses: &[
        "mg", "mcg", "g", "ug", "units", "unit", "iu", "meq", "mmol", "tab", "tabs", "tablet",
        "tablets", "cap", "caps", "capsules", "drops", "puffs", "pills", "doses", "calls",
        "requests", "req", "tokens", "miles", "mi", "km", "reps",
    ],
    comparisons: &[
        "more", "less", "as", "the", "better", "worse", "faster", "slower", "bigger", "smaller",
        "larger", "higher", "lower", "cheaper", "longer", "shorter", "greater", "stronger",
        "lighter", "heavier", "brighter", "quicker", "closer", "fewer", "a", "per", "daily",
        "weekly",
    ],
    rates: &[
        "s", "sec", "min", "hr", "h", "day", "week", "month", "year", "person", "night", "second",
        "minute", "hour", "km", "kg", "user",
    ],
    not_plural: &[
        "was",
        "this",
        "does",
        "has",
        "its",
        "his",
        "hers",
        "less",
        "plus",
        "thus",
        "versus",
        "always",
        "perhaps",
        "sometimes",
        "besides",
        "towards",
        "afterwards",
        "previous",
        "various",
        "became",
        "is",
        "as",
        "us",
        "yes",
        "bus",
        "gas",
        "census",
        "campus",
        "status",
        "series",
        "edits",
        "sees",
        "goes",
        "says",
        "comes",
        "marks",
        "begins",
        "ends",
        "starts",
        "saw",
        "brings",
        "shows",
        "remains",
        "olympics",
        "elections",
    ],
    plural: &[
        "people",
        "men",
        "women",
        "children",
        "percent",
        "feet",
        "kids",
        "of",
        "sheep",
        "mice",
        "teeth",
        "fish",
        "more",
        "other",
        "different",
        "new",
        "square",
        "cubic",
        "times",
    ],
    of: "of",
    determiners: &[
        "a", "an", "the", "this", "that", "each", "every", "per", "another", "my", "your", "his",
        "her", "its", "our", "their", "ur",
    ],
    measured: MEASURED,
    article: "the",
    openers: &[
        "a", "after", "all", "although", "an", "and", "are", "as", "at", "because", "but", "by",
        "can", "did", "do", "does", "downtown", "for", "from", "go", "has", "have", "he", "her",
        "here", "his", "how", "however", "i", "if", "in", "is", "it", "its", "meet", "my", "near",
        "no", "not", "now", "of", "on", "or", "our", "outside", "saint", "see", "she", "so",
        "that", "the", "their", "then", "there", "these", "they", "this", "those", "to", "visit",
        "was", "we", "what", "when", "where", "who", "why", "will", "with", "yes", "you", "your",
    ],
    slashed_names: &[
        "24/7", "9/11", "7/11", "26/11", "50/50", "50-50", "20/20", "60/40", "70/30", "80/20",
        "90/10",
    ],
    ..Cues::NONE
};

/// Words of a sentence about marks and ratings.
const RATING: &[&str] = &[
    "rated",
    "rate",
    "rates",
    "rating",
    "ratings",
    "score",
    "scored",
    "scores",
    "gave",
    "give",
    "gives",
    "marks",
    "mark",
    "stars",
    "grade",
    "graded",
    "review",
    "pain",
    "got",
    "test",
    "exam",
    "quiz",
    "imdb",
    "recommend",
    "solid",
];

/// Words of a sentence about games and votes.
const GAME: &[&str] = &[
    "won", "win", "wins", "beat", "beats", "lost", "lose", "loses", "defeated", "score", "scored",
    "scores", "game", "match", "drew", "draw", "tied", "tie", "lead", "led", "leads", "leading",
    "victory", "defeat", "final", "half", "halftime", "set", "vs", "against", "trailing", "ahead",
    "series", "vote", "voted", "odds", "ruled",
];

/// Words of a sentence about blood pressure.
const PRESSURE: &[&str] = &["bp", "pressure", "systolic", "mmhg", "hypertension"];

/// Words of a sentence about cricket.
const CRICKET: &[&str] = &[
    "over", "overs", "wicket", "wickets", "innings", "runs", "batting", "bowled", "chase",
    "chasing", "declared", "odi", "test", "stumps", "lunch", "tea", "score", "batted", "cricket",
    "wkt", "wkts", "ov", "balls", "bowlers", "batters",
];

fn pairs(table: &'static str) -> HashMap<&'static str, &'static str> {
    rows(table)
        .flat_map(|row| row[0].split('|').map(move |short| (short, row[1])).collect::<Vec<_>>())
        .collect()
}

fn abbreviations(table: &'static str) -> HashMap<&'static str, Vec<Abbreviation>> {
    let mut abbreviations: HashMap<_, Vec<_>> = HashMap::new();
    for row in rows(table) {
        let (place, words) = row[1].split_once(' ').unwrap_or((row[1], ""));
        let place = match place {
            "before" => AbbreviationPosition::BeforeWord(words),
            "after" => AbbreviationPosition::AfterWord(words),
            "about" => AbbreviationPosition::About(words),
            "after-money" => AbbreviationPosition::AfterMoney,
            "after-number" => AbbreviationPosition::AfterNumber,
            "small-after-ordinal" => AbbreviationPosition::SmallAfterOrdinal,
            "after-road" => AbbreviationPosition::AfterRoad,
            "between-names" => AbbreviationPosition::BetweenNames,
            "between-words" => AbbreviationPosition::BetweenWords,
            "before-name" => AbbreviationPosition::BeforeName,
            "after-name" => AbbreviationPosition::AfterName,
            "before-number" => AbbreviationPosition::BeforeNumber,
            "before-letter" => AbbreviationPosition::BeforeLetter,
            "before-verse" => AbbreviationPosition::BeforeVerse,
            "after-ordinal" => AbbreviationPosition::AfterOrdinal,
            "before-code" => AbbreviationPosition::BeforeCode,
            "before-colon" => AbbreviationPosition::BeforeColon,
            "before-operand" => AbbreviationPosition::BeforeOperand,
            "before-end" => AbbreviationPosition::BeforeEnd,
            "before-road" => AbbreviationPosition::BeforeRoad,
            "after-turn" => AbbreviationPosition::AfterTurn,
            "small" => AbbreviationPosition::Small,
            "small-inside" => AbbreviationPosition::SmallInside,
            "place" => AbbreviationPosition::Place,
            "with-stop" => AbbreviationPosition::WithStop,
            "before-of" => AbbreviationPosition::BeforeOf,
            "inside" => AbbreviationPosition::Inside,
            "unless-capitals" => AbbreviationPosition::UnlessCapitals,
            _ => AbbreviationPosition::Anywhere,
        };
        for short in row[0].split('|') {
            abbreviations.entry(short).or_default().push(Abbreviation { place, words: row[2] });
        }
    }
    abbreviations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        let lexicon = lexicon();
        assert_eq!(lexicon.months["sept"], 9);
        assert_eq!(lexicon.units["km"].many, "kilometers");
        assert_eq!(lexicon.states.len(), 52);
        let places = [
            "before-name",
            "after-name",
            "before-number",
            "before-letter",
            "before-verse",
            "after-ordinal",
            "before-code",
            "before-colon",
            "before-end",
            "before-operand",
            "before-road",
            "after-turn",
            "small",
            "small-inside",
            "place",
            "with-stop",
            "inside",
            "before-of",
            "anywhere",
            "unless-capitals",
            "after-money",
            "after-number",
            "small-after-ordinal",
            "after-road",
            "between-names",
            "between-words",
        ];
        let classes: Vec<_> = context_classes().values().flatten().copied().collect();
        for row in rows(include_str!("../data/abbreviations.tsv")) {
            let (place, words) = row[1].split_once(' ').unwrap_or((row[1], ""));
            let is_known = match place {
                "before" | "after" => !words.is_empty(),
                "about" => words.split(',').all(|class| classes.contains(&class)),
                place => places.contains(&place) && words.is_empty(),
            };
            assert!(row.len() == 3 && is_known, "{row:?}");
        }
        let is_said =
            |words: &str| words.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, ' ' | '\''));
        let readings = lexicon.abbreviations.values().flatten().map(|reading| reading.words);
        let units = lexicon.units.values().flat_map(|unit| [unit.one, unit.many]);
        let currencies = lexicon
            .currencies
            .values()
            .flatten()
            .flat_map(|(_, c)| [c.one, c.many, c.minor_one, c.minor_many]);
        for words in readings.chain(units).chain(currencies) {
            assert!(is_said(words), "{words}");
        }
    }
}
