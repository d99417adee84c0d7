//! Recognizes codes of letters and digits in Hindi.

use crate::normalize::alphanumeric::Value;
use crate::normalize::prelude::*;

/// A service code with stars and a final hash: "*199#", "*123*1#".
pub(super) fn find_service_code(context: &MatchContext<'_>) -> Found {
    let length = run(context.rest, |c| c.is_ascii_digit() || matches!(c, '*' | '#'));
    let code = &context.rest[..length];
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let ends = closes(&context.rest[length..]) && opens(context.before);
    if !code.starts_with('*')
        || code.starts_with("**")
        || !code.ends_with('#')
        || digits < 2
        || !ends
    {
        return None;
    }
    let mut code_parts = CodeParts::default();
    let mut at = 0;
    while let Some(c) = code[at..].chars().next() {
        let digits = run(&code[at..], is_digit);
        match c {
            '*' => code_parts.push(CodePart::Word("स्टार".into()), at..at + 1),
            '#' => code_parts.push(CodePart::Word("हैश".into()), at..at + 1),
            _ => code_parts.digits(&code[at..at + digits], at),
        }
        at += digits.max(1);
    }
    Some((length, SemioticClass::Alphanumeric(Value(code_parts))))
}

/// Reference digits between slashes: "UPI/CR/408215/RAM".
pub(super) fn find_reference(context: &MatchContext<'_>) -> Found {
    let length = run(context.rest, is_digit);
    let token = context.before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let fits = length > 4
        && token.ends_with('/')
        && token.contains(is_upper)
        && closes(&context.rest[length..]);
    let mut code_parts = CodeParts::default();
    code_parts.digits(&context.rest[..length], 0);
    fits.then_some((length, SemioticClass::Alphanumeric(Value(code_parts))))
}
