//! Tests the words of English codes.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::locales;
use crate::languages::testing::{assert_rows, try_everywhere};
use crate::normalize::alphanumeric::Value;
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::code_parts(&LOCALE, &value.0, "code-symbol", out);
}

fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    crate::normalize::alphanumeric::find(before, rest, locales())
}

#[test]
fn codes() {
    assert_rows(
        &[
            ("t-0t25d12-f", "T zero T twenty five D twelve F"),
            ("133-ABC", "one hundred thirty three ABC"),
            ("133-A", "one hundred thirty three A"),
            ("B2A23C", "B two A twenty three C"),
            ("25d08A", "twenty five D zero eight A"),
            ("C24", "C twenty four"),
            ("W2s", "W twos"),
            ("4s", "four S"),
            ("5-3-Ws", "five three WS"),
            ("31/31/100", "thirty one , thirty one , one hundred"),
            ("f++", "F plus plus"),
            ("C++ and C#", "C plus plus and C sharp"),
            ("dfsd$$sfgsfd$", "DFSD dollar dollar SFGSFD dollar"),
            ("covid-19", "covid nineteen"),
            ("covid-19.5", "covid nineteen point five"),
            ("es3", "ES three"),
            ("your otp is ab9453", "your otp is AB nine four five three"),
            ("GPT-4 and GPT-4o.", "GPT four and GPT four O ."),
            ("5G, 4K and 3D", "five G , four K and three D"),
            ("MP3", "MP three"),
            ("MP3s", "MP threes"),
            ("gate 24B", "gate twenty four B"),
            ("720p and 1080p", "seven twenty P and ten eighty P"),
            ("A4 paper", "A four paper"),
            ("B-52", "B fifty two"),
            ("F-16s", "F sixteens"),
            ("iPhone15", "iPhone fifteen"),
            ("R2-D2", "R two D two"),
            ("PM2.5", "PM two point five"),
            ("PS5", "PS five"),
            ("UTF-8", "UTF eight"),
            ("SARS-CoV-2", "SARS Co V two"),
            ("I-95", "I ninety five"),
            ("US-101", "US one oh one"),
            ("RTX3080", "RTX thirty eighty"),
            ("A320neo", "A three twenty neo"),
            ("H1N1", "H one N one"),
            ("k8s", "K eight S"),
            (
                "1Z999AA10123456784",
                "one Z nine nine nine AA one zero one two three four five six seven eight four",
            ),
            ("pre-1900", "pre nineteen hundred"),
            ("Catch-22", "Catch twenty two"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn formulas_plates_flights_and_books() {
    assert_rows(
        &[
            ("H2O", "H two O"),
            ("CO₂", "CO two"),
            ("H2SO4", "H two SO four"),
            ("C6H12O6", "C six H twelve O six"),
            ("Na2CO3", "NA two CO three"),
            ("MH 12 AB 1234", "MH twelve AB one two three four"),
            ("KA-01-AB-1234.", "KA zero one AB one two three four ."),
            ("AI 302", "AI three oh two"),
            ("UA 1549", "UA fifteen forty nine"),
            ("6E 2045", "six E twenty forty five"),
            ("flight UK 955", "flight UK nine fifty five"),
            ("Boeing 737-800", "Boeing seven thirty seven eight hundred"),
            ("an Airbus 380", "an Airbus three eighty"),
            (
                "978-3-16-148410-0",
                "nine seven eight , three , one six , one four eight four one zero , zero",
            ),
            ("ISBN 0-306-40615-X", "ISBN zero , three zero six , four zero six one five , X"),
            ("0xFF", "zero XFF"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn other_words_and_numbers() {
    let rows = [
        "100km",
        "5pm",
        "80s",
        "1990s",
        "12kg/kg",
        "4.4x",
        "10k users",
        "1st",
        "30b",
        "2Q22",
        "2x8",
        "1920x1080",
        "5'10",
        "55-millimeters",
        "20-year-old",
        "mid-1990s",
        "Jan-15-2020",
        "2-10",
        "1/2",
        "3/4/1998",
        "2024/12/25",
        "1h30m",
        "2e10",
        "1e-7",
        "45º",
        "UK 2019",
        "AI 2",
        "word",
        "mother-in-law",
        "-5",
        "10am-5pm",
        "$5",
        "US$5",
        "3%",
        "COVID",
        "a1@b",
        "100MB",
        "12V",
    ];
    let found: Vec<_> = rows.into_iter().filter(|row| find("", row).is_some()).collect();
    assert!(found.is_empty(), "{found:#?}");
}

proptest! {
    #[test]
    fn any_text(text in "(\\PC|[A-Ca-c0-9 .$+#/-]|MH |Boeing |₂|s|X){0,14}") {
        try_everywhere(&text, find, verbalize);
    }
}
