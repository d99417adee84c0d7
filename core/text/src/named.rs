//! Enums whose variants have names in tables.

/// An enum with a table name for each variant.
pub(crate) trait Named: Copy + 'static {
    /// The variants with their names, in order.
    const NAMED: &'static [(&'static str, Self)];

    /// The name in tables.
    fn name(self) -> &'static str;

    /// The variant with a name.
    fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, named)| *named)
    }
}

/// An enum whose variants are called in tables as they are in code, or by the names that are given.
macro_rules! named {
    (
        $(#[$about:meta])* $vis:vis enum $name:ident {
            $($(#[$note:meta])* $variant:ident $(= $called:literal)?,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$note])* $variant,)*
        }

        impl $crate::named::Named for $name {
            const NAMED: &'static [(&'static str, Self)] =
                &[$(($crate::named::name!($variant $($called)?), Self::$variant)),*];

            fn name(self) -> &'static str {
                Self::NAMED[self as usize].0
            }
        }
    };
}
/// The name of a variant.
macro_rules! name {
    ($variant:ident) => {
        stringify!($variant)
    };
    ($variant:ident $called:literal) => {
        $called
    };
}

pub(crate) use {name, named};
