//! Plots of the figures in `docs/figures.json`, as tables with bars: they can be read aloud, in any width, light and dark.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use crate::prelude::*;

/// A plot.
#[derive(Debug, Deserialize)]
pub(super) struct Plot {
    title: String,
    rows: Vec<Row>,
}

#[derive(Debug, Deserialize)]
struct Row {
    label: String,
    /// As it is written.
    value: String,
    /// Whether it is of this library.
    #[serde(default)]
    ours: bool,
}

/// The plots by their names.
pub(super) fn read(json: &[u8]) -> Result<BTreeMap<String, Plot>> {
    serde_json::from_slice(json).context("docs/figures.json")
}

impl Row {
    fn number(&self) -> f64 {
        self.value.replace(',', "").parse().unwrap_or_default()
    }
}

impl Plot {
    pub(super) fn html(&self) -> String {
        let most = self.rows.iter().map(Row::number).fold(f64::MIN_POSITIVE, f64::max);
        let mut html = format!("<table class=\"bars\">\n<caption>{}</caption>\n", self.title);
        for row in &self.rows {
            let class = if row.ours { " class=\"ours\"" } else { "" };
            let width = row.number() / most * 100.0;
            _ = writeln!(
                html,
                "<tr{class}><th scope=\"row\">{}</th><td><span class=\"bar\" style=\"width: {width:.1}%\"></span></td>\
                 <td>{}</td></tr>",
                row.label, row.value
            );
        }
        html + "</table>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages and the documents whose tables the figures are taken from.
    const TABLES: [&str; 4] = [
        include_str!("../../../../docs/benchmarks.md"),
        include_str!("../../../../docs/streaming.md"),
        include_str!("../../../../research/compare/README.md"),
        include_str!("../../../../README.md"),
    ];

    #[test]
    fn every_figure_stands_in_a_table_or_a_text() {
        let plots = read(include_bytes!("../../../../docs/figures.json")).unwrap();
        assert!(!plots.is_empty());
        for row in plots.values().flat_map(|plot| &plot.rows) {
            let value = row.number();
            assert!(value > 0.0, "{row:?}");
            let written = |text: &str| {
                let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
                let numbers =
                    numbers.map(|number| number.trim_end_matches(['.', ',']).replace(',', ""));
                numbers
                    .filter_map(|number| number.parse::<f64>().ok())
                    .any(|number| (number - value).abs() < 1e-9)
            };
            assert!(TABLES.into_iter().any(written), "{row:?}");
        }
    }

    #[test]
    fn the_longest_bar_has_the_whole_width() {
        let plots = read(br#"{"a": {"title": "T", "rows": [{"label": "x", "value": "2", "ours": true}, {"label": "y", "value": ".5"}]}}"#);
        let html = plots.unwrap()["a"].html();
        assert!(html.contains("<tr class=\"ours\"><th scope=\"row\">x</th>"), "{html}");
        assert!(
            html.contains("width: 100.0%")
                && html.contains("width: 25.0%")
                && html.contains("<td>.5</td>"),
            "{html}"
        );
    }
}
