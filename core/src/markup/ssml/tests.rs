use super::*;
use crate::inspect::Inspector;

#[test]
fn scratch() {
    let inspector = Inspector::new();
    for line in std::fs::read_to_string("/tmp/ssml_scratch.txt").unwrap_or_default().lines() {
        let (language, document) = match line.strip_prefix("hi ") {
            Some(document) => (Language::HiIn, document),
            None => (Language::EnUs, line),
        };
        let document = document.replace("\\n", "\n");
        match inspector.inspect_ssml(&document, language) {
            Ok(inspection) => {
                let lines: Vec<_> =
                    inspection.sentences.iter().map(|s| s.normalized.as_str()).collect();
                let words: Vec<_> = inspection.sentences.iter().flat_map(|s| &s.words).map(|w| w.source.as_str()).collect();
                println!("{document}\n   = {}\n   {words:?}", lines.join(" | "));
            }
            Err(error) => println!("{document}\n   ! {}", error.message()),
        }
    }
}
