//! Builds a [`Lexicon`], which needs the phoneme symbols of every language.

use speech_base::error::{Error, Result};
use speech_base::limits::{MAX_LEXICON_ENTRIES, check_nul};

use super::packs;
use crate::pronunciation::{IpaNotation, Lexicon, Replacement};

impl Lexicon {
    /// Reads a lexicon from text. Each line is an entry: words, a tab, and their reading. Empty
    /// lines and lines that begin with `#` are comments. The later of two entries for the same
    /// words applies.
    ///
    /// ```
    /// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
    /// use speech_core::Lexicon;
    ///
    /// let lexicon = Lexicon::parse("# Our team\nSiobhan\t/ʃɪˈvɔːn/\nkubectl\tcube control\n")?;
    /// assert_eq!(lexicon.len(), 2);
    /// # Ok::<(), speech_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_request` with the line and the reason, and for more than
    /// [`MAX_LEXICON_ENTRIES`](speech_base::limits::MAX_LEXICON_ENTRIES) entries.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lexicon = Self::new();
        for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let at_line =
                |message: &str| Error::invalid_request(format!("line {}: {message}", i + 1));
            let (words, reading) = line
                .split_once('\t')
                .ok_or_else(|| at_line("no tab between the words and how they are read"))?;
            lexicon.insert(words, reading).map_err(|error| at_line(error.message()))?;
            if lexicon.len() > MAX_LEXICON_ENTRIES {
                return Err(at_line(&too_many_entries()));
            }
        }
        Ok(lexicon)
    }

    /// Adds an entry, or replaces the one for the same words.
    ///
    /// # Errors
    ///
    /// `invalid_request`, with the reason, for words without a letter or digit, an empty reading,
    /// more than 200 bytes of either, a NUL character, and IPA with an unknown symbol.
    pub fn insert(&mut self, words: &str, reading: &str) -> Result<()> {
        check_nul("words", words)?;
        check_nul("reading", reading)?;
        let replacement = Replacement::read(reading, self.notations())?;
        self.add(words, replacement, words.len() + reading.len())
    }

    /// The notations in which its IPA must be valid.
    pub(crate) fn notations(&self) -> impl Iterator<Item = &'static IpaNotation> + use<> {
        let language = self.language();
        let notations = packs().map(|pack| pack.locale.ipa);
        notations.filter(move |notation| language.is_none_or(|own| own == notation.language))
    }

    /// Adds entries of words and readings. On an error, the entries before the invalid one stay.
    ///
    /// ```
    /// # mod speech_core { pub use speech_base::*; pub use speech_text::*; }
    /// use speech_core::Lexicon;
    ///
    /// let mut lexicon = Lexicon::new();
    /// let error = lexicon.insert_all([("Siobhan", "/ʃɪˈvɔːn/"), ("kubectl", "!")]).unwrap_err();
    /// assert_eq!(error.message(), "entry 2: the pronunciation: neither IPA between slashes nor words");
    /// assert_eq!(lexicon.len(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// As [`insert`](Self::insert); the message begins with the number of the entry, from 1.
    pub fn insert_all<W: AsRef<str>, R: AsRef<str>>(
        &mut self,
        entries: impl IntoIterator<Item = (W, R)>,
    ) -> Result<()> {
        self.insert_each(entries, |_| Ok(()))
    }

    /// Like [`insert_all`](Self::insert_all), with the limits of a request:
    /// [`MAX_PRONUNCIATIONS`](speech_base::limits::MAX_PRONUNCIATIONS) entries and
    /// [`MAX_PRONUNCIATION_BYTES`](speech_base::limits::MAX_PRONUNCIATION_BYTES) bytes.
    #[doc(hidden)]
    pub fn insert_of_request<W: AsRef<str>, R: AsRef<str>>(
        &mut self,
        entries: impl IntoIterator<Item = (W, R)>,
    ) -> Result<()> {
        self.insert_each(entries, Self::check_request)
    }

    fn insert_each<W: AsRef<str>, R: AsRef<str>>(
        &mut self,
        entries: impl IntoIterator<Item = (W, R)>,
        check: impl Fn(&Self) -> Result<()>,
    ) -> Result<()> {
        (1..).zip(entries).try_for_each(|(number, (words, reading)): (usize, _)| {
            let inserted = self.insert(words.as_ref(), reading.as_ref());
            inserted.and_then(|()| check(self)).map_err(|error| {
                Error::invalid_request(format!("entry {number}: {}", error.message()))
            })
        })
    }
}

/// The error for a file with too many entries.
pub(crate) fn too_many_entries() -> String {
    format!("a lexicon may have {MAX_LEXICON_ENTRIES} entries")
}
