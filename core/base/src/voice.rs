//! The voices.

use crate::string_conversions;

/// A voice. There is a constant for each of the five; each speaks every
/// [`Language`](crate::Language).
///
/// Not an enum, so that voices can be added.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Voice {
    id: &'static str,
    name: &'static str,
}

impl Voice {
    /// A woman's voice; the default.
    pub const ARIA: Self = Self::new("aria", "Aria");
    /// A man's voice.
    pub const JASON: Self = Self::new("jason", "Jason");
    /// A man's voice.
    pub const JOHN: Self = Self::new("john", "John");
    /// A man's voice.
    pub const LEO: Self = Self::new("leo", "Leo");
    /// A woman's voice.
    pub const SOFIA: Self = Self::new("sofia", "Sofia");

    /// Every voice, in the order of the listing.
    pub const ALL: [Self; 5] = [Self::ARIA, Self::JASON, Self::JOHN, Self::LEO, Self::SOFIA];

    const fn new(id: &'static str, name: &'static str) -> Self {
        Self { id, name }
    }

    /// The identifier used in requests, such as `aria`.
    pub const fn as_str(self) -> &'static str {
        self.id
    }

    /// The display name, such as `Aria`.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl Default for Voice {
    fn default() -> Self {
        Self::ARIA
    }
}

impl std::fmt::Debug for Voice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Voice").field(&self.id).finish()
    }
}

string_conversions!(Voice, "voice");
