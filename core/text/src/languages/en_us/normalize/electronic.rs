//! Tests the words of English electronic addresses.

use proptest::prelude::*;

use super::LOCALE;
use crate::languages::testing::{assert_rows, try_everywhere};
use crate::normalize::electronic::{Value, find};
use crate::normalize::say;
use crate::normalize::verbalized::Verbalization;

fn verbalize(value: &Value, out: &mut Verbalization) {
    say::electronic(&LOCALE, value, out);
}

#[test]
fn web_addresses() {
    assert_rows(
        &[
            ("https://example.com", "HTTPS colon slash slash example dot com"),
            (
                "http://www.ourdailynews.com.sm",
                "HTTP colon slash slash WWW dot ourdailynews dot com dot SM",
            ),
            (
                "http://www.nvidia.com/rtx-6000",
                "HTTP colon slash slash WWW dot nvidia dot com slash RTX dash six thousand",
            ),
            (
                "https://developer.nvidia.com/cv-cuda/early-access",
                "HTTPS colon slash slash developer dot nvidia dot com slash CV dash cuda slash early dash access",
            ),
            (
                "file:///photos/image.jpg",
                "file colon slash slash slash photos slash image dot jpeg",
            ),
            ("electronic test.com and test2.uk", "electronic test dot com and test two dot UK"),
            ("Visit nvidia.com.", "Visit nvidia dot com ."),
            ("ourdailynews.abc", "ourdailynews dot ABC"),
            ("(see www.bbc.co.uk/news)", "( see WWW dot BBC dot co dot UK slash news )"),
            ("flipkart.in, amazon.co.in!", "flipkart dot IN , amazon dot co dot IN !"),
            ("localhost:8080/api", "localhost colon eight zero eight zero slash API"),
            ("Go to t.me/news?", "Go to T dot ME slash news ?"),
            (
                "x.org/a?q=1&r=b#top",
                "X dot org slash A question mark Q equals one ampersand R equals B hash top",
            ),
            (
                "en.wikipedia.org/wiki/C_(language)",
                "EN dot wikipedia dot org slash wiki slash C underscore open parenthesis language close parenthesis",
            ),
            ("Use ASP.NET or Socket.IO", "Use ASP dot net or Socket dot IO"),
            (
                "blog.example.com/2024/05",
                "blog dot example dot com slash twenty twenty four slash zero five",
            ),
            ("163.com", "one six three dot com"),
            ("and/or", "and / or"),
            ("e.g. this", "e . g . this"),
            ("the U.S. Navy", "the U . S . Navy"),
            ("3.5", "3 . 5"),
            ("Mr.Smith said", "Mr . Smith said"),
            ("the end.Next day", "the end . Next day"),
            ("I like it.in fact", "I like it . in fact"),
            ("he left.then he came", "he left . then he came"),
            ("wait...what", "wait . . . what"),
            ("5.in", "5 . in"),
            ("at 7 p.m.est", "at 7 p . m . est"),
            ("note:this", "note : this"),
            ("http://", "http : / /"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn people() {
    assert_rows(
        &[
            ("a.b@c.io", "A dot B at C dot IO"),
            ("a@hotmail.de", "A at hotmail dot DE"),
            ("a@aol.it", "A at AOL dot IT"),
            ("cdf@abc.edu", "CDF at ABC dot edu"),
            ("abc@gmail.abc", "ABC at gmail dot ABC"),
            ("abs@nvidia.com", "abs at nvidia dot com"),
            (
                "email is a-1.b3_c&-d@gma4i-l.com test",
                "email is A dash one dot B three underscore C ampersand dash D at GMA four I dash L dot com test",
            ),
            ("sdf@gmail.com/123-sm", "SDF at gmail dot com slash one two three dash SM"),
            (
                "sdf@gmail.abc/123456-sm",
                "SDF at gmail dot ABC slash one two three four five six dash SM",
            ),
            ("rtxprohelp@exchange.nvidia.com", "RTX pro help at exchange dot nvidia dot com"),
            (
                "(john.doe+news@mail.example.org),",
                "( john dot doe plus news at mail dot example dot org ) ,",
            ),
            (
                "mailto:priya_99@gmail.com.",
                "mailto colon priya underscore nine nine at gmail dot com .",
            ),
            ("Follow @elon_musk!", "Follow at elon underscore musk !"),
            ("@john.smith.", "at john dot smith ."),
            ("@user@mastodon.social", "at user at mastodon dot social"),
            ("npm i @types/node", "npm i at types slash node"),
            ("@12", "@ 12"),
            ("me @ home", "me @ home"),
            ("5@10", "5 @ 10"),
            ("@5pm", "@ 5pm"),
            ("#DeepLearning", "hashtag Deep Learning"),
            ("#nofilter, ok", "hashtag nofilter , ok"),
            ("#100DaysOfCode", "hashtag one hundred Days Of Code"),
            ("#WorldCup2026!", "hashtag World Cup twenty twenty six !"),
            ("#throwback_thursday", "hashtag throwback thursday"),
            ("#नमस्ते", "hashtag नमस्ते"),
            ("#FF5733", "hash FF five seven three three"),
            ("#1 in #5", "# 1 in # 5"),
            ("C# and F#", "C # and F #"),
            ("&#39;", "& # 39 ;"),
            ("# Title", "# Title"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn files_and_paths() {
    assert_rows(
        &[
            ("report_v2.pdf", "report underscore V two dot PDF"),
            (
                "Open IMG_20240512.JPG.",
                "Open IMG underscore two zero two four zero five one two dot jpeg .",
            ),
            ("invoice-2024.xlsx,", "invoice dash twenty twenty four dot XLSX ,"),
            ("song.mp3", "song dot MP three"),
            ("archive.tar.gz", "archive dot tar dot GZ"),
            ("Node.js and main.rs", "Node dot JS and main dot RS"),
            (".NET is", "dot net is"),
            ("in .gitignore", "in dot gitignore"),
            ("a .com domain", "a dot com domain"),
            (
                "C:\\Users\\Asha\\notes.txt",
                "C colon backslash Users backslash Asha backslash notes dot TXT",
            ),
            (
                "C:\\Program Files\\Git and D:\\x.",
                "C colon backslash Program Files backslash Git and D colon backslash X .",
            ),
            ("~/projects/x/y", "tilde slash projects slash X slash Y"),
            ("edit /etc/hosts.", "edit slash ETC slash hosts ."),
            ("/usr/local/bin", "slash USR slash local slash bin"),
            ("run ./setup.sh", "run dot slash setup dot SH"),
            ("../data", "dot dot slash data"),
            ("src/main.rs", "SRC slash main dot RS"),
            ("type /help", "type slash help"),
            ("his/her", "his / her"),
            ("km/h", "km / h"),
            ("1/2", "1 / 2"),
            ("upgrade / update", "upgrade / update"),
            ("tired.so I", "tired . so I"),
            ("one .then", "one . then"),
            ("wow ...and", "wow . . . and"),
            (".5 liters", ". 5 liters"),
        ],
        find,
        verbalize,
    );
}

#[test]
fn versions_and_network_numbers() {
    assert_rows(
        &[
            ("2.0.1", "two point zero point one"),
            ("v2.0.1 is", "V two point zero point one is"),
            ("Python 3.11.4", "Python three point eleven point four"),
            ("Python 3.11.", "Python three point eleven ."),
            ("Ubuntu 22.04 LTS", "Ubuntu twenty two point zero four LTS"),
            ("1.2.3-beta", "one point two point three beta"),
            ("2.0-rc.1", "two point zero RC one"),
            ("3.0b2", "three point zero B two"),
            ("version 2.x", "version 2 . x"),
            (
                "Chrome 120.0.6099.109",
                "Chrome one hundred twenty point zero point sixty ninety nine point one hundred nine",
            ),
            ("987.987.0.40", "nine eight seven dot nine eight seven dot zero dot four zero"),
            (
                "IP address is 123.123.0.40",
                "IP address is one two three dot one two three dot zero dot four zero",
            ),
            (
                "192.168.1.1:8080,",
                "one nine two dot one six eight dot one dot one colon eight zero eight zero ,",
            ),
            ("10.0.0.0/24", "one zero dot zero dot zero dot zero slash twenty four"),
            ("2001:db8::1", "two zero zero one colon DB eight colon colon one"),
            ("::1", "colon colon one"),
            ("00:1A:2b:3C:4D:5E", "zero zero , one A , two B , three C , four D , five E"),
            (
                "123e4567-e89b-12d3-a456-426614174000",
                "one two three E four five six seven , E eight nine B , one two D three , A four five six , four two six six one four one seven four zero zero zero",
            ),
            ("commit a1b2c3d", "commit A one B two , C three D"),
            ("01.10.2010", "01 . 10 . 2010"),
            ("12.05.24", "12 . 05 . 24"),
            ("3.14", "3 . 14"),
            ("$1.50", "$ 1 . 50"),
            ("10:30:00", "10 : 30 : 00"),
            ("at 10:30", "at 10 : 30"),
            ("2024-12-25", "2024 - 12 - 25"),
            ("std::vec", "std : : vec"),
            ("defaced", "defaced"),
            ("555.555.5555", "555 . 555 . 5555"),
            ("1.000.000", "1 . 000 . 000"),
            (".617", ". 617"),
            ("1234567", "1234567"),
            ("10000e", "10000e"),
        ],
        find,
        verbalize,
    );
}

proptest! {
    #[test]
    fn any_text(text in "(\\PC|[a-cA-C0-9.:/@#~_\\\\-]|www|com|\\.pdf|://|v[0-9]){0,14}") {
        try_everywhere(&text, find, verbalize);
    }
}
