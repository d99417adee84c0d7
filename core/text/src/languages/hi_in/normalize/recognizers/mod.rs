//! Recognizers of forms specific to Hindi.

pub(super) mod amount;
pub(super) mod date;
pub(super) mod ordinal;
pub(super) mod range;
pub(super) mod slash;
pub(super) mod time_of_day;
pub(super) mod year;
