//! Enums whose variants have names in tables.

/// Something that tables have a name for.
pub(crate) trait Named: Copy + 'static {
    /// Each with its name, in order.
    const NAMED: &'static [(&'static str, Self)];

    /// What tables call it.
    fn name(self) -> &'static str;

    /// What has a name.
    fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, named)| *named)
    }
}

/// An enum whose variants are called in tables as they are in code.
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
