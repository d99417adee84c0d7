//! Word classes: code names classes, and tables list their words.
//!
//! `languages/data/words.tsv` lists words for sentences in every language, `words.tsv` of a
//! language only its own.

use std::collections::HashMap;

use speech_base::fork::LazyLock;

use crate::named::{Named, named};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassSet([u64; 8]);

impl ClassSet {
    pub(crate) fn has(self, class: WordClass) -> bool {
        let class = class as usize;
        self.0[class / 64] & 1 << (class % 64) != 0
    }

    fn insert(&mut self, class: WordClass) {
        let class = class as usize;
        self.0[class / 64] |= 1 << (class % 64);
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

/// The words of the classes for sentences in one language.
#[derive(Clone, Default)]
pub(crate) struct Words {
    classes: HashMap<&'static str, ClassSet>,
    rows: HashMap<&'static str, &'static str>,
}

static SHARED: LazyLock<Words> =
    LazyLock::new(|| Words::default().with(include_str!("languages/data/words.tsv")));

impl Words {
    /// Joins the words of every language with the table of one language.
    pub(crate) fn new(own: &'static str) -> Self {
        SHARED.clone().with(own)
    }

    fn with(mut self, table: &'static str) -> Self {
        let known: HashMap<_, _> = WordClass::NAMED.iter().copied().collect();
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(name), Some(row)) = (columns.next(), columns.next()) else { continue };
            self.rows.insert(name, row);
            for word in split(row) {
                self.classes.entry(word).or_default().insert(known[name]);
            }
        }
        self
    }

    /// The classes of a word in lower case, or as written.
    pub(crate) fn of(&self, word: &str) -> ClassSet {
        self.classes.get(word).copied().unwrap_or_default()
    }

    /// The classes of a word, ignoring case.
    pub(crate) fn of_any_case(&self, word: &str) -> ClassSet {
        match word.bytes().any(|b| b.is_ascii_uppercase()) {
            true => self.of(&word.to_ascii_lowercase()),
            false => self.of(word),
        }
    }

    pub(crate) fn names(&self, class: WordClass) -> impl Iterator<Item = &'static str> {
        split(self.rows.get(class.name()).copied().unwrap_or_default())
    }
}

fn split(row: &'static str) -> impl Iterator<Item = &'static str> {
    let mark = if row.contains('|') { '|' } else { ' ' };
    row.split(mark).filter(|word| !word.is_empty())
}

impl WordClass {
    /// Whether a word has this class in every language, as written.
    pub(crate) fn has(self, word: &str) -> bool {
        SHARED.of(word).has(self)
    }

    /// Whether a word has this class in every language, ignoring case.
    pub(crate) fn has_any_case(self, word: &str) -> bool {
        SHARED.of_any_case(word).has(self)
    }

    /// The words of the class for every language.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        SHARED.names(self)
    }

    /// The first word of the class.
    pub(crate) fn first(self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    /// The text after a word of the class, if `text` begins with one.
    pub(crate) fn strip_prefix(self, text: &str) -> Option<&str> {
        self.names().find_map(|word| text.strip_prefix(word))
    }

    /// The text before a word of the class, if `text` ends with one.
    pub(crate) fn strip_suffix(self, text: &str) -> Option<&str> {
        self.names().find_map(|word| text.strip_suffix(word))
    }
}

named! {
    /// A class of words. Its table row has its purpose.
    pub(crate) enum WordClass {
        // For sentences in every language.
        AfterDigit, AfterDistance, AfterGoal, AfterLabelPrefix, AfterNamedTag, AfterSubject, Ago,
        Airline, Anticoagulation, Apgar, Archive, AtBat, AtSea, BeforeCards, BeforeCity, BeforeColon, BeforeCondition,
        BeforeEarlyYear, BeforeEleven, BeforeEmojiNoun, BeforeExpiry, BeforeLastDay, BeforeMeasured, BeforeMinutes,
        BeforeNamedTag, BeforePlaceInSky, BeforePronoun, BeforeRadioCode, BeforeSeconds, BeforeSpan, BeforeTaken, BeginsSpan,
        BesideCompass, BetweenEnds, BetweenNumerals, Bid, BloodGroup, BloodTest, BookNumber, Bound, BreakingTag, Bytes,
        CapitalDomain, Card, ChoiceOfLengths, Chord, CityOrState, ClothesSize, CodeWord, Conference,
        Conjunction, Console, Contracted, CountedByOrdinal, Counterpart, CourseUnit, Credit, Day, DeterminerOfEmoji,
        DigitEnding, Directive, Distance, Domain, DoseUnit, DotFile,
        ElectricalUnit, Element, ElementSymbol, EndOfName, EndOfScale, EndOfStreetName, EndsInVisarga, EnglishOrdinal,
        Fat, Fertilizer, FileEnding, FirstGrade, FiscalYear, Foot, Function, Gigabyte,
        GoVerb, Grid, GroupEnding, GroupedByPoint, HalfOfDay, Inch, JointOfMonths, Jpeg, Key, KindOfDay,
        Label, LabelPrefix, Lane, LastLabel, LengthUnit, Limit, LimitOf, Loan, Logarithm,
        LongNasal, MedicineForm, MenuStep, Meter, MonthOrDay, NameBeforeLetter, NamedAirline, NamedFunction, NamedHour, NoHost, Note,
        Number, NumberWord, NumberedDomain, NumberedStreet, Offer, Page, PagesOrLines, PartOfDecade, PartOfYear,
        PerArticle, Period, PostalState, Press, Probability, Product, Program, RowOrColumn, Saint,
        Scale, Secret, Section, ShortDistance, ShortWeekday, Shots, Side, SilentTag, SizeLabel, SmallNumber,
        Software, Speed, SpelledEnding, SpelledLabel, SquareFeet, Stage, StandardsBody, StateOrCall, StoppedUnit, SubjectOfHeart,
        Tag, Temperature, TimeUnit, UnitInCapitals, UnitWithVowel, VisargaStem, War,
        Weight, WordDomain, WordDomainAfterName,
        // With words of each language.
        About, AddressWord, AfterCalledNumber, AfterCapital, AfterCompass, AfterDate, AfterIntravenous,
        AfterOne, AfterReign, AfterToldTime, AfterTooInChat, AfterYear, AircraftMaker, Article, Auxiliaries,
        BeforeCodeName, BeforeCompass, BeforeDate, BeforeFlight, BeforeHalfYears, BeforeHoliday, BeforeLabel,
        BeforePeriod, BeforePlural, BeforeRange, BeforeTime, BeforeToldTime, BeforeTurn, BeforeUnit,
        BeforeWeekday, BeforeYear, BesidePlace, BetweenSides, Call, CallAfterNumber, CallVerb, Caller, Chat,
        ClauseStart, CodeAbbreviation, CodeFiller, CodeName, CodeOwner, Compared, Comparisons, Containers,
        Countdown, Counted, CountedAfterMonth, CountedByNumeral, CountedInAddress, CountedInRoman,
        CountedNotCode, CountedNotPin, CountedNotYear, Cricket, DenominatorEndings, Determiners, Device,
        Dimensions, Distances, DocumentLabel, Doses, Ending, EndingIn, Estimated, ExpiryLabel, Extension,
        FeminineNoun, FunctionWord, Game, Gold, GradePoints, Halved, HasStruck, Heading, HourAbbreviations,
        HourWords, Hours, HouseLetter, Joiners, Journey, LastDigits, LengthLabel, ManyInRoman, MasculineNoun,
        Measured, Monarch, MonthInCode, MonthName, MonthWords, Music, NameOfMonarch, NotCounted, NotInAddress,
        NotPlural, NotSequel, NotYearLabel, Now, NumberName, OClock, Oblique, Of, Openers, OrderedByNumeral,
        OrdinalEndings, PartOfDay, PeriodOfRate, PinPlace, PinPlaceEnding, PlaceWithLetter, PlaceWord, Played,
        Plural, PostalCode, PostalFiller, PostalKind, Postposition, Pressure, ProductInRoman, Rates, Rating,
        RoadByWidth, Roads, RomanizedFunctionWord, Rooms, RoyalTitle, Runway, Schedule, Scripture, Seconds,
        ShortMonth, SlashedNames, SureMonth, TrainName, TypedState, WeekdayWords,
        YearLabel, ZipPlace,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::locales;

    #[test]
    fn every_class_has_words_and_every_row_has_a_class() {
        assert!(WordClass::NAMED.len() <= 512, "one bit for each");
        let own = locales().0.iter().map(|locale| &locale.lexicon().words);
        let all: Vec<_> = own.collect();
        for (name, class) in WordClass::NAMED {
            assert!(all.iter().any(|words| words.names(*class).next().is_some()), "{name}");
        }
        for (name, row) in all.iter().flat_map(|words| &words.rows) {
            assert!(split(row).count() > 0, "{name}");
        }
    }

    #[test]
    fn words_are_of_their_classes() {
        let words = Words::new("Of\tof\nPlural\tmen women\n");
        assert!(words.of_any_case("Men").has(WordClass::Plural));
        assert!(!words.of("Men").has(WordClass::Plural) && !words.of("of").has(WordClass::Plural));
        assert!(words.of("kg").has(WordClass::Weight) && WordClass::Weight.has_any_case("KG"));
        assert_eq!(WordClass::Inch.strip_prefix("in. deep"), Some(" deep"));
        assert_eq!(WordClass::Bound.strip_suffix("66 EB"), Some("66 "));
    }
}
