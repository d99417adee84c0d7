//! Recognizes the last digits of an account or card whose other digits are masked.

use super::prelude::*;

/// The last digits after a mask of crosses: "XX1234".
pub(crate) fn find_crossed(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let crosses = cursor.take_while(|c| c == 'X').filter(|crosses| crosses.len() > 1)?;
    let digits = cursor.digits(3..=6)?;
    let digits = CodePart::Digits(digits.bytes().map(|digit| digit - b'0').collect());
    let code_parts = [
        (CodePart::Letters(crosses.to_owned()), 0..crosses.len()),
        (digits, crosses.len()..cursor.at()),
    ];
    let code = SemioticClass::Alphanumeric(CodeParts(code_parts.into()));
    cursor.at_word_end().then_some((cursor.at(), code))
}

/// Groups of crosses and digits that end in digits: "4321 XXXX XXXX 8765", "XXXX-XXXX-1234".
pub(crate) fn find_groups(context: &MatchContext<'_>) -> Found {
    let mut code_parts = CodeParts::default();
    let (mut at, mut crossed) = (0, 0);
    let digits = loop {
        let rest = &context.rest[at..];
        let crosses = run(rest, |c| matches!(c, 'X' | 'x'));
        let length = if crosses > 0 { crosses } else { run(rest, is_digit) };
        if !(2..=8).contains(&length) {
            return None;
        }
        let digits = crosses == 0;
        crossed += usize::from(!digits);
        if digits {
            code_parts.digits(&rest[..length], at);
        } else {
            code_parts.letters(&rest[..length].to_ascii_uppercase(), at);
        }
        at += length;
        let next = context.rest[at..].strip_prefix([' ', '-']);
        if !next.is_some_and(|next| {
            next.starts_with(|c: char| matches!(c, 'X' | 'x') || c.is_ascii_digit())
        }) {
            break digits;
        }
        at += 1;
    };
    let fits = crossed > 0 && digits && code_parts.0.len() > 1;
    (fits && boundaries::opens(context.before) && closes_number(&context.rest[at..]))
        .then_some((at, SemioticClass::Alphanumeric(code_parts)))
}

/// The last digits after a mask of stars, dots or small crosses: "**8821", "...7719".
pub(crate) fn find_last_digits(context: &MatchContext<'_>) -> Found {
    let mut cursor = context.cursor();
    let digits = cursor.digits(3..=6).filter(|_| cursor.at_number_end())?;
    let mask = context.before.chars().next_back().filter(|c| "*•●.…xX".contains(*c))?;
    let led = context.before.trim_end_matches(mask);
    let count = context.before[led.len()..].chars().count();
    let is_mask = match mask {
        '…' => true,
        // Two stars on both sides are emphasis.
        '*' => count > 3 || count > 1 && !cursor.rest().contains(&context.before[led.len()..]),
        _ => count > 1,
    };
    let code_parts = CodeParts::of_digits(digits);
    // `9400...3318`
    let is_middle = matches!(mask, '.' | '…') && led.ends_with(is_digit);
    let opens = led.is_empty()
        || is_middle
        || led.ends_with(|c: char| c.is_whitespace() || "(:-".contains(c));
    (is_mask && opens).then_some((digits.len(), SemioticClass::Alphanumeric(code_parts)))
}
