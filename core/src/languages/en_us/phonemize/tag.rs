//! Parts of speech, as the Penn Treebank names them.

/// A part of speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag(&'static str);

impl Tag {
    /// What a word is until the tagger says otherwise.
    pub(super) const UNKNOWN: Self = Self("");

    pub(super) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    pub(super) fn name(self) -> &'static str {
        self.0
    }

    /// The word class, as the lexicon names it.
    pub(super) fn parent(self) -> &'static str {
        match self.0.get(..2) {
            Some("VB") => "VERB",
            Some("NN") => "NOUN",
            Some("RB") => "ADV",
            Some("JJ") => "ADJ",
            _ => self.0,
        }
    }

    pub(super) fn is_noun(self) -> bool {
        self.parent() == "NOUN"
    }

    pub(super) fn is_proper_noun(self) -> bool {
        self.0 == "NNP"
    }
}
