//! Penn Treebank part-of-speech tags.

/// A part-of-speech tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Tag(&'static str);

impl Tag {
    /// The tag of an untagged word.
    pub(in super::super) const UNKNOWN: Self = Self("");

    pub(in super::super) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    pub(in super::super) fn name(self) -> &'static str {
        self.0
    }

    /// The word class in the lexicon.
    pub(in super::super) fn parent(self) -> &'static str {
        match self.0.get(..2) {
            Some("VB") => "VERB",
            Some("NN") => "NOUN",
            Some("RB") => "ADV",
            Some("JJ") => "ADJ",
            _ => self.0,
        }
    }

    pub(in super::super) fn is_proper_noun(self) -> bool {
        self.0 == "NNP"
    }
}
