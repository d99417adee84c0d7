//! Annotates the header for Swift and Objective-C: nullability of pointers, and names of
//! enumerations.
//!
//! Nullability is read from the comments, which state it in one of two ways: "`cancel` may be
//! NULL", or "(NULL, 0)" for the first array. An array that a function returns is NULL if it is
//! empty.

use anyhow::{Context, Result, ensure};

/// The longest line of code.
const WIDTH: usize = 112;

/// The macros, which are empty except in Objective-C, which Swift imports headers as. In C, Clang
/// would warn about NULL arguments that a program passes to test the error.
pub(crate) const MACROS: &str = "
// Annotations for Swift and Objective-C: whether a pointer may be NULL (by default it must not,
// except values received by outputs), and the names of enumerations in Swift.
#if defined(__OBJC__) && defined(__clang__)
#define SPEECH_NULLABLE _Nullable
#define SPEECH_NONNULL _Nonnull
#define SPEECH_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define SPEECH_DECLARATIONS_BEGIN \\
  _Pragma(\"clang diagnostic push\") _Pragma(\"clang diagnostic ignored \\\"-Wnullability-completeness\\\"\") \\
  _Pragma(\"clang diagnostic ignored \\\"-Wnullability-extension\\\"\") _Pragma(\"clang assume_nonnull begin\")
#define SPEECH_DECLARATIONS_END _Pragma(\"clang assume_nonnull end\") _Pragma(\"clang diagnostic pop\")
#else
#define SPEECH_NULLABLE
#define SPEECH_NONNULL
#define SPEECH_SWIFT_NAME(name)
#define SPEECH_DECLARATIONS_BEGIN
#define SPEECH_DECLARATIONS_END
#endif

// An open enumeration with 32-bit values on every platform: values may be unknown to this header.
#if defined(__cplusplus)
#define SPEECH_ENUM(name, swift) enum SPEECH_SWIFT_NAME(swift) name : int32_t
#elif defined(__OBJC__)
#define SPEECH_ENUM(name, swift) \\
  typedef enum __attribute__((enum_extensibility(open))) SPEECH_SWIFT_NAME(swift) name : int32_t name; \\
  enum name : int32_t
#else
#define SPEECH_ENUM(name, swift) typedef int32_t name; enum name
#endif";

/// The macro before all declarations.
pub(crate) const BEGIN: &str = "SPEECH_DECLARATIONS_BEGIN";
pub(crate) const END: &str = "SPEECH_DECLARATIONS_END";

/// The name of an enumeration in Swift: `speech_use_case` is `SpeechUseCase`.
pub(crate) fn type_name(name: &str) -> String {
    let words = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    words.collect()
}

/// Gives the values of enumerations their Swift names.
pub(crate) fn with_names_of_values(header: &str) -> Result<String> {
    let mut named = String::new();
    let mut prefix = None;
    for line in header.lines() {
        if let Some(rest) = line.strip_prefix("SPEECH_ENUM(") {
            let (name, _) = rest.split_once(',').context("an enumeration without a name")?;
            let body = header.split_once(line).map_or("", |(_, after)| after);
            let body = body.split_once("};").map_or("", |(body, _)| body);
            let values = || body.lines().filter_map(value);
            let shared = name.split('_').map(|word| word.to_uppercase() + "_");
            prefix = Some(shared.fold(String::new(), |prefix, word| {
                let longer = format!("{prefix}{word}");
                if values().all(|(value, _)| value.starts_with(&longer)) { longer } else { prefix }
            }));
        }
        match (value(line), &prefix) {
            (Some((name, number)), Some(prefix)) => {
                let swift = value_name(&name[prefix.len()..]);
                named.push_str(&format!("  {name} SPEECH_SWIFT_NAME({swift}) = {number},\n"));
            }
            _ => named.push_str(&format!("{line}\n")),
        }
        if line == "};" {
            prefix = None;
        }
    }
    Ok(named)
}

/// `  SPEECH_OK = 0,`
fn value(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("  SPEECH_")?;
    line.trim().strip_suffix(',')?.split_once(" = ")
}

/// `EMPTY_TEXT` is `emptyText`.
fn value_name(name: &str) -> String {
    let camel = type_name(&name.to_lowercase());
    camel[..1].to_lowercase() + &camel[1..]
}

/// Annotates each pointer of a function with its nullability.
pub(crate) fn with_nullability(header: &str) -> Result<String> {
    let mut lines = header.lines();
    let mut annotated = String::new();
    let mut comment = String::new();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("//") {
            comment.push_str(text);
        } else if line.is_empty() {
            comment.clear();
        } else if line.starts_with("SPEECH_API")
            || line.starts_with("typedef") && line.contains('(')
        {
            let mut declaration = line.to_owned();
            while !declaration.ends_with(';') {
                let next = lines.next().context("a declaration without an end")?;
                declaration = format!("{declaration} {}", next.trim());
            }
            annotated.push_str(&annotate(&declaration, &comment)?);
            continue;
        }
        annotated.push_str(&format!("{line}\n"));
    }
    Ok(annotated)
}

fn annotate(declaration: &str, comment: &str) -> Result<String> {
    let (head, parameters) =
        declaration.strip_suffix(");").and_then(|d| d.rsplit_once('(')).context("no function")?;
    let optional = Optional::of(head, comment);
    let mut seen = Vec::new();
    let parameters = parameters.split(", ").map(|parameter| {
        let (_, name) = parameter.rsplit_once([' ', '*']).unwrap_or((parameter, ""));
        let kind = &parameter[..parameter.len() - name.len()];
        seen.push(name);
        match (optional.includes(kind, name), kind.matches('*').count()) {
            (true, _) => format!("{kind}SPEECH_NULLABLE {name}"),
            (false, 2) => format!("{kind}SPEECH_NONNULL {name}"),
            (false, _) => parameter.to_owned(),
        }
    });
    let parameters: Vec<_> = parameters.collect();
    for name in &optional.named {
        ensure!(seen.contains(&name.as_str()), "{head} has no parameter {name} that may be NULL");
    }
    let head = match head.rsplit_once('*') {
        Some((kind, name)) if optional.result => format!("{kind}*SPEECH_NULLABLE {name}"),
        _ => head.to_owned(),
    };
    let line = format!("{head}({});", parameters.join(", "));
    if line.len() <= WIDTH && (parameters.len() < 2 || !head.contains("SPEECH_API")) {
        return Ok(line + "\n");
    }
    let head =
        head.strip_prefix("SPEECH_API ").map_or(head.clone(), |head| format!("SPEECH_API\n{head}"));
    let indent = " ".repeat(head.lines().last().unwrap_or_default().len() + 1);
    Ok(format!("{head}({});\n", parameters.join(&format!(",\n{indent}"))))
}

/// The pointers of a function that may be NULL.
struct Optional {
    named: Vec<String>,
    /// Whether the function may return NULL.
    result: bool,
    /// Whether it frees its argument, which may be NULL.
    frees: bool,
    /// Whether the first array may be NULL.
    array: bool,
}

impl Optional {
    fn of(head: &str, comment: &str) -> Self {
        let mut of = Optional {
            named: Vec::new(),
            result: comment.contains("and NULL for") || is_array(head),
            frees: head.ends_with("_free"),
            array: comment.contains("(NULL, 0)"),
        };
        for sentence in comment.split_inclusive(['.', ':', ';']) {
            let mut names = sentence.split('`').skip(1).step_by(2);
            if sentence.contains("may be NULL") || sentence.contains("if `error` is NULL") {
                of.named.extend(names.next().map(str::to_owned));
            } else if sentence.contains("and with NULL") {
                of.named.push("callback".to_owned());
            }
        }
        of
    }

    fn includes(&self, kind: &str, name: &str) -> bool {
        let pointers = kind.matches('*').count();
        self.named.iter().any(|optional| optional == name)
            || kind == "speech_error **"
            || kind == "void *"
            || self.frees && pointers == 1
            || self.array && pointers == 1 && kind.starts_with("const")
    }
}

/// Whether a function returns an array: a pointer that is neither a handle nor a single string.
fn is_array(head: &str) -> bool {
    let returned = head.strip_prefix("SPEECH_API ").and_then(|head| head.rsplit_once('*'));
    returned.is_some_and(|(kind, _)| kind.starts_with("const ") && kind != "const char ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_says_which_pointers_may_be_null() {
        for (comment, declaration, expected) in [
            (
                "Makes audio. `cancel` may be NULL; else it ends the call.",
                "SPEECH_API speech_status speech_make(const speech_cancel_token *cancel, speech_audio **audio, speech_error **error);",
                "SPEECH_API\nspeech_status speech_make(const speech_cancel_token *SPEECH_NULLABLE cancel,\n                          speech_audio **SPEECH_NONNULL audio,\n                          speech_error **SPEECH_NULLABLE error);\n",
            ),
            (
                "The words.",
                "SPEECH_API const speech_word *speech_words(const speech_audio *audio, size_t *count);",
                "SPEECH_API\nconst speech_word *SPEECH_NULLABLE speech_words(const speech_audio *audio,\n                                                size_t *count);\n",
            ),
            (
                "",
                "SPEECH_API const char *const *speech_strings(size_t *count);",
                "SPEECH_API const char *const *SPEECH_NULLABLE speech_strings(size_t *count);\n",
            ),
            (
                "",
                "SPEECH_API speech_cancel_token *speech_new(void);",
                "SPEECH_API speech_cancel_token *speech_new(void);\n",
            ),
            (
                "",
                "SPEECH_API void speech_free(speech_audio *audio);",
                "SPEECH_API void speech_free(speech_audio *SPEECH_NULLABLE audio);\n",
            ),
            (
                "",
                "SPEECH_API const char *speech_version(void);",
                "SPEECH_API const char *speech_version(void);\n",
            ),
            (
                "`ok`, and NULL for others.",
                "SPEECH_API const char *speech_name(int x);",
                "SPEECH_API const char *SPEECH_NULLABLE speech_name(int x);\n",
            ),
            (
                "",
                "typedef void (*speech_log)(void *userdata, const char *message);",
                "typedef void (*speech_log)(void *SPEECH_NULLABLE userdata, const char *message);\n",
            ),
        ] {
            assert_eq!(annotate(declaration, comment).unwrap(), expected);
        }
        let wrong = annotate("SPEECH_API void speech_a(int *b);", "`c` may be NULL.").unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "SPEECH_API void speech_a has no parameter c that may be NULL"
        );
    }

    #[test]
    fn values_have_short_names_in_swift() {
        let header = "SPEECH_ENUM(speech_use_case, SpeechUseCase) {\n  // One.\n  SPEECH_USE_CASE_MID_SENTENCE = 1,\n};\n";
        let named = with_names_of_values(header).unwrap();
        assert!(
            named.contains("  SPEECH_USE_CASE_MID_SENTENCE SPEECH_SWIFT_NAME(midSentence) = 1,\n"),
            "{named}"
        );
        assert_eq!(type_name("speech_use_case"), "SpeechUseCase");
    }
}
