//! Words that tell what a number, a code or a numeral beside them is.
//!
//! Texts mix languages, so a recognizer asks for these words in all that are registered: the code may be announced in
//! one and stand in a sentence of another.

/// Words of one language, each list with white space between.
pub(crate) struct ContextWords {
    /// A flight follows: `flight UK 955`.
    pub(crate) flights: &'static str,
    /// Makers whose models are numbers said in pairs: `Boeing 737-800`.
    pub(crate) makers: &'static str,
    /// A number with a letter follows: `gate 24B`. In small letters.
    pub(crate) places_with_letter: &'static str,
    /// Months in short, which make a date of digits and letters: `15-Jan`. In small letters.
    pub(crate) short_months: &'static str,
    /// A number follows that is read digit by digit: `the OTP is 4821`. In small letters.
    pub(crate) codes: &'static str,
    /// The same, where the number is called one: `account no. 1234`, but not `phone 15000`.
    pub(crate) code_owners: &'static str,
    /// What calls a number one.
    pub(crate) numbers: &'static str,
    /// The last digits of a code follow.
    pub(crate) last_digits: &'static str,
    /// What may stand between such a word and its code.
    pub(crate) code_fillers: &'static str,
    /// A code is called one after these: `482913 is your OTP`.
    pub(crate) before_code_name: &'static str,
    /// Abbreviations whose full stop does not end a sentence before a code.
    pub(crate) code_abbreviations: &'static str,
    /// A short number follows that is dialed: `call 911`. In small letters.
    pub(crate) calls: &'static str,
    /// An emergency number stands before these: `911 operator`.
    pub(crate) callers: &'static str,
    /// What is counted by a number, which is then no code.
    pub(crate) counted: &'static str,
    /// A range follows, not a telephone number: `pages 100-2000`. In small letters.
    pub(crate) ranges: &'static str,
    /// The last words of the names of American states.
    pub(crate) zip_places: &'static str,
    /// The last words of the names of Indian cities, states and territories.
    pub(crate) pin_places: &'static str,
    /// Endings of the names of Indian towns, for a postal code at the end of a clause.
    pub(crate) pin_place_endings: &'static str,
    /// What six digits after a place count when they are no postal code.
    pub(crate) pin_counted: &'static str,
    /// The names of postal codes, in small letters: `PIN`.
    pub(crate) postal_codes: &'static str,
    /// Words of such names: `postal code`.
    pub(crate) postal_kinds: &'static str,
    /// What may stand between those and the code: `the zip code is`.
    pub(crate) postal_fillers: &'static str,
    /// The word before the extension of a telephone number: `ext. 12`; the longest first.
    /// Words after a number and a postposition that ask to call or to write to it: `567 पर भेजें`.
    pub(crate) after_called: [&'static str; 2],
    pub(crate) extensions: &'static [&'static str],
    /// Two words before the last digits of a code: `ending in 1234`.
    pub(crate) ending_in: Option<[&'static str; 2]>,
    pub(crate) roman: RomanWords,
}

/// Words that tell whether letters are a Roman numeral, and how it is said.
pub(crate) struct RomanWords {
    /// Words that a numeral counts: `Chapter IV`. In small letters.
    pub(crate) counted: &'static str,
    /// The same in the plural: `Chapters IV and V`.
    pub(crate) counted_many: &'static str,
    /// Names whose tenth is called by the numeral alone: `iPhone X`.
    pub(crate) products: &'static str,
    /// First names of monarchs and popes, and of people who share theirs with a father.
    pub(crate) names: &'static str,
    /// First words of headings that have a number of one letter: `I. Introduction`; in small letters.
    pub(crate) headings: &'static str,
    /// Titles that make the name after them a monarch's: `King`.
    pub(crate) titles: &'static str,
    /// What stands after a monarch's numeral I and not after the pronoun.
    pub(crate) after_reign: &'static str,
    /// What stands after a numeral I that a word in small letters counts: `type I diabetes`.
    pub(crate) after_one: &'static str,
    /// Words with a capital that are no name of a work: `In II` is no sequel.
    pub(crate) not_sequels: &'static str,
    /// What stands after IV for `intravenous`.
    pub(crate) after_intravenous: &'static str,
}

impl ContextWords {
    /// No words.
    pub(crate) const NONE: Self = Self {
        flights: "",
        makers: "",
        places_with_letter: "",
        short_months: "",
        codes: "",
        code_owners: "",
        numbers: "",
        last_digits: "",
        code_fillers: "",
        before_code_name: "",
        code_abbreviations: "",
        calls: "",
        callers: "",
        counted: "",
        ranges: "",
        zip_places: "",
        pin_places: "",
        pin_place_endings: "",
        pin_counted: "",
        postal_codes: "",
        postal_kinds: "",
        postal_fillers: "",
        after_called: ["", ""],
        extensions: &[],
        ending_in: None,
        roman: RomanWords::NONE,
    };
}

impl RomanWords {
    /// No words.
    pub(crate) const NONE: Self = Self {
        counted: "",
        counted_many: "",
        products: "",
        names: "",
        headings: "",
        titles: "",
        after_reign: "",
        after_one: "",
        not_sequels: "",
        after_intravenous: "",
    };
}
