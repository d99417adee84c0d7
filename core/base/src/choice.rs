//! String conversions shared by every public enum of choices.

/// Implements `Display`, `FromStr`, `Serialize` and `Deserialize` for an enum that has `ALL` and
/// `as_str`. All four use the string of `as_str`, compared exactly.
///
/// The string literal is the name of the choice in error messages. Any other value is
/// `invalid_request`, or the error that the optional third argument, a function, makes of it.
#[macro_export]
macro_rules! string_conversions {
    ($choice:ident, $what:literal) => {
        $crate::string_conversions!($choice, $what, |value: &str| {
            $crate::error::Error::unsupported($what, value, &$choice::ALL.map($choice::as_str))
        });
    };
    ($choice:ident, $what:literal, $refuse:expr) => {
        impl std::fmt::Display for $choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $choice {
            type Err = $crate::error::Error;

            /// Parses a string of [`as_str`](Self::as_str), compared exactly. Any other value is
            /// rejected with a message that lists the allowed ones.
            fn from_str(value: &str) -> $crate::error::Result<Self> {
                let found = Self::ALL.into_iter().find(|choice| choice.as_str() == value);
                found.ok_or_else(|| $refuse(value))
            }
        }

        impl $crate::choice::serde::Serialize for $choice {
            fn serialize<S: $crate::choice::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::choice::serde::Deserialize<'de> for $choice {
            fn deserialize<D: $crate::choice::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <std::borrow::Cow<'de, str> as $crate::choice::serde::Deserialize>::deserialize(deserializer)?;
                value.parse().map_err(<D::Error as $crate::choice::serde::de::Error>::custom)
            }
        }
    };
}

#[doc(hidden)]
pub use serde;
