//! Building a [`Lexicon`], which needs the phoneme symbols of every language.

use speech_base::error::{Error, Result};
use speech_base::limits::check_nul;

use super::packs;
use crate::pronunciation::Lexicon;

impl Lexicon {
    /// Reads a lexicon from text: an entry a line, the words and how they are read with a tab between.
    /// Empty lines and lines that begin with `#` are comments; of two entries for the same words the
    /// later counts.
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
    /// `invalid_request` that names the line and what is wrong with it.
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
        }
        Ok(lexicon)
    }

    /// Adds an entry, or replaces the one for the same words.
    ///
    /// # Errors
    ///
    /// `invalid_request` for words without a letter or digit, an empty reading, more than 200 bytes of
    /// either, a NUL character, and IPA with a symbol that is none; the message says which of them it is.
    pub fn insert(&mut self, words: &str, reading: &str) -> Result<()> {
        check_nul("words", words)?;
        check_nul("reading", reading)?;
        self.add(words, reading, packs().map(|pack| pack.locale.ipa))
    }

    /// Adds entries, each the words and how they are read. Those before one that is refused are added.
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
        (1..).zip(entries).try_for_each(|(number, (words, reading)): (usize, _)| {
            self.insert(words.as_ref(), reading.as_ref()).map_err(|error| {
                Error::invalid_request(format!("entry {number}: {}", error.message()))
            })
        })
    }
}
