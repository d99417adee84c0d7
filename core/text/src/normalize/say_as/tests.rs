use speech_base::language::Language;

use super::*;
use crate::languages::locales;
use crate::normalize::say::verbalize;
use crate::normalize::verbalized::Verbalization;
use crate::row_tests::check;

/// The words of a content, or the expected form.
fn said(language: Language, kind: &str, content: &str) -> Result<String, String> {
    let (kind, format) = match kind.split_once(' ') {
        Some((kind, format)) => (kind, Some(format)),
        None => (kind, None),
    };
    let say_as = SayAs::new(kind, format, None).map_err(|refusal| refusal.message)?;
    let locale = locales().of(language);
    let value = say_as.value(content, locale, locales())?.expect("a value");
    let mut verbalization = Verbalization::default();
    verbalize(locale, &value, content, &mut verbalization);
    Ok(verbalization.to_line())
}

#[test]
fn values_of_say_as() {
    check("say-as", |[language, kind, content]| {
        let said = said(language.parse().expect("a language"), kind, content);
        said.unwrap_or_else(|refusal| format!("! {refusal}"))
    });
}

#[test]
fn formats_that_are_no_dates() {
    for format in ["", "dd-mm", "DMY", "dd mm", "mm m", "yyyyy", "dmd"] {
        assert!(DateFormat::new(format).is_none(), "{format}");
    }
}
