//! What the rules of the segmenter are written with.

pub(super) use super::Boundary;
pub(super) use super::groups::is_closing;
pub(super) use super::markers::Marker;
pub(super) use super::next::{Next, Start};
pub(super) use super::rules::Rules;
pub(super) use super::runs::Run;
pub(super) use super::table::Class;
pub(super) use super::view::{View, is_line_break};
