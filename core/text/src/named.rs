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

/// Defines an enum whose variants have the same names in tables and in code.
macro_rules! named {
    ($(#[$about:meta])* $vis:vis enum $name:ident { $($(#[$note:meta])* $variant:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$note])* $variant,)*
        }

        impl $crate::named::Named for $name {
            const NAMED: &'static [(&'static str, Self)] =
                &[$((stringify!($variant), Self::$variant)),*];

            fn name(self) -> &'static str {
                Self::NAMED[self as usize].0
            }
        }
    };
}
pub(crate) use named;
