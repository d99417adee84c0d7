//! Operators that a code span holds and nothing else: `` `===` ``, `` `&&` ``.

use crate::normalize::recognizer::MatchContext;
use crate::normalize::semiotic::SemioticClass;

/// Operators of programs and what they are called, where prose speaks of them.
const NAMES: &[(&str, &str)] = &[
    ("=", "equals"),
    ("==", "double equals"),
    ("===", "triple equals"),
    ("!=", "not equals"),
    ("!==", "strict not equals"),
    ("<", "less than"),
    (">", "greater than"),
    ("<=", "less than or equal to"),
    (">=", "greater than or equal to"),
    ("<<", "left shift"),
    (">>", "right shift"),
    (">>>", "unsigned right shift"),
    ("+", "plus"),
    ("-", "minus"),
    ("*", "star"),
    ("**", "double star"),
    ("/", "slash"),
    ("//", "double slash"),
    ("%", "percent"),
    ("++", "plus plus"),
    ("--", "minus minus"),
    ("+=", "plus equals"),
    ("-=", "minus equals"),
    ("*=", "times equals"),
    (":=", "colon equals"),
    ("->", "arrow"),
    ("=>", "arrow"),
    ("&", "ampersand"),
    ("&&", "double ampersand"),
    ("|", "pipe"),
    ("||", "double pipe"),
    ("!", "exclamation mark"),
    ("?", "question mark"),
    ("??", "double question mark"),
    ("?.", "question mark dot"),
    (":", "colon"),
    ("::", "double colon"),
    (";", "semicolon"),
    (",", "comma"),
    (".", "dot"),
    ("..", "two dots"),
    ("...", "three dots"),
    ("~", "tilde"),
    ("^", "caret"),
    ("#", "hash"),
    ("@", "at sign"),
    ("$", "dollar sign"),
    ("_", "underscore"),
    ("__", "double underscore"),
    ("\\", "backslash"),
    ("()", "parentheses"),
    ("[]", "square brackets"),
    ("{}", "curly braces"),
    ("(", "open parenthesis"),
    (")", "close parenthesis"),
    ("[", "open bracket"),
    ("]", "close bracket"),
    ("{", "open brace"),
    ("}", "close brace"),
];

/// The operator of a code span that opened right before.
pub(super) fn find(context: &MatchContext<'_>) -> Option<(usize, SemioticClass)> {
    let outside = context.before.strip_suffix('`')?;
    let operator = &context.rest[..context.rest.find('`')?];
    let is_open = outside.matches('`').count() % 2 == 0;
    let (_, words) = NAMES.iter().find(|(written, _)| *written == operator)?;
    is_open.then_some((operator.len(), SemioticClass::Phrase { words, ends_sentence: false }))
}
