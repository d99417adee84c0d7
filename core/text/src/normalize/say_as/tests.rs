use speech_base::language::Language;

use super::*;
use crate::languages::locales;
use crate::normalize::say::verbalize;

/// The words of a content, or the expected form.
fn said(language: Language, kind: &str, content: &str) -> Result<String, String> {
    let (kind, format) = match kind.split_once(' ') {
        Some((kind, format)) => (kind, Some(format)),
        None => (kind, None),
    };
    let say_as = SayAs::new(kind, format, None).map_err(|refusal| refusal.message)?;
    let locale = locales().of(language);
    let value = say_as.value(content, locale, locales())?.expect("a value");
    Ok(verbalize(locale, &value, content).to_line())
}

crate::row_tests::rows! {
    say_as: |[language, kind, content]| {
        let said = said(crate::row_tests::language(language), kind, content);
        said.unwrap_or_else(|refusal| format!("! {refusal}"))
    };
}

#[test]
fn formats_that_are_no_dates() {
    for format in ["", "dd-mm", "DMY", "dd mm", "mm m", "yyyyy", "dmd"] {
        assert!(DateFormat::new(format).is_none(), "{format}");
    }
}
