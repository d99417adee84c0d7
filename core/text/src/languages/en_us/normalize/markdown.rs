//! Tests the words of English markup.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::testing::{assert_rows, try_everywhere};
use crate::normalize::markdown::{self, Value};
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    markdown::find(before, rest, || false)
}

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::markup(&LOCALE, value, out);
}

#[test]
fn marks_of_markdown() {
    assert_rows(
        &[
            ("# Title", "Title"),
            ("## Title ##", "Title"),
            ("a\n### Next", "a Next"),
            ("**bold** and *it*", "bold and it"),
            ("**Note: read.", "Note : read ."),
            ("it ends.**", "it ends ."),
            ("***both***, __bold__", "both , bold"),
            ("_it_ and snake_case", "it and snake _ case"),
            ("~~old~~ new", "old new"),
            ("==mark== a == b", "mark a = = b"),
            ("run `ls` now", "run ls now"),
            ("```rust\nlet x", "let x"),
            ("> quoted\n> more", "quoted more"),
            ("- one\n* two\n+ three\n• four", "one two three four"),
            ("- [x] done\n- [ ] open", "done open"),
            ("above\n---\nbelow", "above below"),
            ("* * *", ""),
            ("| a | b |", "a , b"),
            ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a , b 1 , 2"),
            ("see [the docs](https://x.org/a_(b)) now", "see the docs now"),
            ("[a](b \"title\")", "a"),
            ("![a cat](cat.png)", "a cat"),
            ("[![badge](i.svg)](u)", "badge"),
            ("[text][ref]", "text"),
            ("[[Page|the page]]", "the page"),
            ("true.[1][2] Next", "true . Next"),
            ("known[citation needed]", "known"),
            ("note[^3]", "note"),
            ("terms*", "terms"),
            ("not \\*this", "not this"),
            ("2*8", "2 * 8"),
            ("5 * 3", "5 * 3"),
            ("a 5* hotel", "a 5 * hotel"),
            ("x = -5", "x = - 5"),
            ("wait - no", "wait - no"),
            ("-5 degrees", "- 5 degrees"),
            ("see [1]", "see [ 1 ]"),
            ("[sic] (he said)", "[ sic ] ( he said )"),
            ("[HH AH0 L OW1]", "[ HH AH0 L OW1 ]"),
            ("[word](/ˈfəʊni/)", "[ word ] ( / ˈfəʊni / )"),
            ("a | b", "a | b"),
            ("#1 and C#", "# 1 and C #"),
            ("$x$", "$ x $"),
            ("wow!", "wow !"),
            ("{\\an8}Go {\\pos(1,2)}on", "Go on"),
            ("{\\bf x}", "{ \\ bf x }"),
            ("_ = 5", "_ = 5"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn tags_and_entities() {
    assert_rows(
        &[
            ("<b>bold</b> text", "bold text"),
            ("one<br/>two", "one , two"),
            ("<p>One.</p><p>Two.</p>", "One . Two ."),
            ("<a href=\"https://x.org\">link</a>", "link"),
            ("<!-- no --> yes", "yes"),
            ("<style>b{c:d}</style>text", "text"),
            ("go <noise/> home", "go home"),
            ("go<noise/>home", "go home"),
            ("<singing> haleluja </singing>", "haleluja"),
            ("<https://x.org>", "https : / / x . org"),
            ("Dear <your name>,", "Dear your name ,"),
            ("R&amp;D", "R and D"),
            ("a&nbsp;b", "a b"),
            ("don&#39;t", "don't"),
            ("it&rsquo;s", "it's"),
            ("caf&eacute; ol&#233;", "café olé"),
            ("5 &lt; 7 &gt; 3", "5 less than 7 greater than 3"),
            ("a &mdash; b", "a — b"),
            ("&copy; 2024", "copyright 2024"),
            ("&#x1F600;x", "x"),
            ("AT&T; so", "AT & T ; so"),
            ("a < b > c", "a < b > c"),
            ("a <b and c> d", "a b and c d"),
            ("x<5 and y>3", "x < 5 and y > 3"),
            ("i <3 u", "i < 3 u"),
            ("->", "- >"),
            ("&bogus;", "& bogus ;"),
            ("R & D", "R & D"),
            ("<>", "< >"),
            ("< b >", "< b >"),
        ],
        find,
        verbalize,
    );
}

proptest! {
    #[test]
    fn any_text(text in "(\\PC|\\n|[a1 *_~=#>|`!&;<(/\"-]|\\[|\\]|\\)|</?b>|&amp;|&#39;){0,16}") {
        try_everywhere(&text, find, verbalize);
    }
}
