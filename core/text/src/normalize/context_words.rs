//! Words that identify the number, code or numeral beside them.
//!
//! Texts mix languages, so recognizers search these words in all registered languages. A code may
//! be announced in one language inside a sentence of another.

/// The context words of one language. Each list is separated by white space.
pub(crate) struct ContextWords {
    /// Words before a flight: `flight UK 955`.
    pub(crate) flights: &'static str,
    /// Makers whose model numbers are read in pairs: `Boeing 737-800`.
    pub(crate) makers: &'static str,
    /// Words before a number with a letter, in lower case: `gate 24B`.
    pub(crate) places_with_letter: &'static str,
    /// Abbreviated months for dates of digits and letters, in lower case: `15-Jan`.
    pub(crate) short_months: &'static str,
    /// Words before a number that is read digit by digit, in lower case: `the OTP is 4821`.
    pub(crate) codes: &'static str,
    /// Words that announce a code only with "number": `account no. 1234`, but not `phone 15000`.
    pub(crate) code_owners: &'static str,
    pub(crate) numbers: &'static str,
    /// Words before the last digits of a code.
    pub(crate) last_digits: &'static str,
    /// Words that may separate such a word from its code.
    pub(crate) code_fillers: &'static str,
    /// Words between a code and its name: `482913 is your OTP`.
    pub(crate) before_code_name: &'static str,
    /// Abbreviations whose full stop does not end a sentence before a code.
    pub(crate) code_abbreviations: &'static str,
    /// Words before a short number to dial, in lower case: `call 911`.
    pub(crate) calls: &'static str,
    /// Words after an emergency number: `911 operator`.
    pub(crate) callers: &'static str,
    /// Nouns that a number counts, so that it is no code.
    pub(crate) counted: &'static str,
    /// Words before a range that is no telephone number, in lower case: `pages 100-2000`.
    pub(crate) ranges: &'static str,
    /// Last words of the names of American states.
    pub(crate) zip_places: &'static str,
    /// Last words of the names of Indian cities, states and territories.
    pub(crate) pin_places: &'static str,
    /// Endings of the names of Indian towns, for a postal code at the end of a clause.
    pub(crate) pin_place_endings: &'static str,
    /// Nouns that six digits after a place count, so that they are no postal code.
    pub(crate) pin_counted: &'static str,
    /// Names of postal codes, in lower case: `PIN`.
    pub(crate) postal_codes: &'static str,
    /// Words of these names: `postal code`.
    pub(crate) postal_kinds: &'static str,
    /// Words that may separate such a name from the code: `the zip code is`.
    pub(crate) postal_fillers: &'static str,
    /// Postpositions and verbs after a number to call or write to: `567 पर भेजें`.
    pub(crate) after_called: [&'static str; 2],
    /// Words before a telephone extension, the longest first: `ext. 12`.
    pub(crate) extensions: &'static [&'static str],
    /// Two words before the last digits of a code: `ending in 1234`.
    pub(crate) ending_in: Option<[&'static str; 2]>,
    pub(crate) roman: RomanWords,
}

/// Words that decide whether letters are a Roman numeral, and its reading.
pub(crate) struct RomanWords {
    /// Words that a numeral counts, in lower case: `Chapter IV`.
    pub(crate) counted: &'static str,
    /// Their plurals: `Chapters IV and V`.
    pub(crate) counted_many: &'static str,
    /// Products whose tenth version is named by the letter: `iPhone X`.
    pub(crate) products: &'static str,
    /// First names of monarchs and popes, and of people named after their father.
    pub(crate) names: &'static str,
    /// First words of headings that follow a one-letter numeral, in lower case: `I. Introduction`.
    pub(crate) headings: &'static str,
    /// Titles before a monarch's name: `King`.
    pub(crate) titles: &'static str,
    /// Words that follow a monarch's numeral I but not the pronoun.
    pub(crate) after_reign: &'static str,
    /// Words that follow a numeral I counted by a word in small letters: `type I diabetes`.
    pub(crate) after_one: &'static str,
    /// Capitalized words that are no title of a work: `In II` is no sequel.
    pub(crate) not_sequels: &'static str,
    /// Words after IV for `intravenous`.
    pub(crate) after_intravenous: &'static str,
}

impl ContextWords {
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
