//! Tests books of every format: valid, damaged and malicious.

use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;

use speech_batch::Error;
use speech_book::{Block, Book};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A zip archive of files.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const CONTAINER: &str = r#"<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;

/// A package with these items of the manifest, this reading order and these metadata.
fn package(metadata: &str, items: &str, order: &[&str]) -> String {
    let order: String = order.iter().map(|id| format!("<itemref idref=\"{id}\"/>")).collect();
    format!(
        "<?xml version='1.0'?><package xmlns='http://www.idpf.org/2007/opf' xmlns:dc='http://purl.org/dc/elements/1.1/'>
        <metadata>{metadata}</metadata><manifest>{items}</manifest><spine toc='ncx'>{order}</spine></package>"
    )
}

const METADATA: &str = "<dc:title>A &amp; B</dc:title><dc:creator id='a'>Ann Author</dc:creator>\
    <dc:creator>Bob Writer</dc:creator><dc:language>en-GB</dc:language>";

fn document(id: &str) -> String {
    format!("<item id='{id}' href='text/{id}.xhtml' media-type='application/xhtml+xml'/>")
}

/// The book of a file with this content.
fn open(name: &str, content: &[u8]) -> Result<Book, Error> {
    let (_dir, path) = written(name, content);
    Book::open(&path)
}

fn written(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, content).unwrap();
    (dir, path)
}

/// The title of each chapter with its texts; headings begin with `#`.
fn chapters(book: &Book) -> Vec<(String, Vec<String>)> {
    let block = |block: &Block| match block {
        Block::Heading(text) => format!("#{text}"),
        Block::Paragraph(text) => text.clone(),
    };
    let chapter =
        |it: &speech_book::Chapter| (it.title.clone(), it.blocks.iter().map(block).collect());
    book.chapters.iter().map(chapter).collect()
}

fn expected(chapters: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect();
    chapters.iter().map(|(title, texts)| ((*title).to_owned(), owned(texts))).collect()
}

#[test]
fn epub_3_has_its_metadata_cover_and_chapters() {
    let items = document("one")
        + &document("two")
        + &document("note")
        + "<item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
           <item id='c' href='my%20cover.png' media-type='image/png' properties='cover-image'/>";
    let nav = "<html xmlns:epub='x'><nav epub:type='toc'><h1>Contents</h1><ol>\
        <li><a href='text/one.xhtml'>The <i>First</i></a><ol><li><a href='text/one.xhtml#b'>Half</a></li></ol></li>\
        <li><a href='text/two.xhtml#s'>The Second</a></li></ol></nav>\
        <nav epub:type='landmarks'><ol><li><a href='text/two.xhtml'>No chapter</a></li></ol></nav></html>";
    let one = "<html><head><title/><style>p{}</style></head><body><h1>I</h1><p>One\n text<a epub:type='noteref' \
        href='#n'>1</a>.</p><script/><p id='b'>Half <b>way</b><sup><a href='note.xhtml#n1'>[12]</a></sup>.</p></body></html>";
    let two = "<html><body><p>Before.</p><section id='s'><h2>II</h2><ul><li>a</li><li>b</li></ul>\
        <table><tr><td>x</td><td>y</td></tr></table><p>Line<br/>break &amp; <![CDATA[data]]></p></section></body></html>";
    let files = [
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/content.opf", &package(METADATA, &items, &["nav", "one", "two", "one"])),
        ("OEBPS/nav.xhtml", nav),
        ("OEBPS/text/one.xhtml", one),
        ("OEBPS/text/two.xhtml", two),
        ("OEBPS/my cover.png", "\u{0}"),
    ];
    let book = open("a.epub", &archive(&files)).unwrap();
    assert_eq!((book.title.as_str(), book.language.as_deref()), ("A & B", Some("en-GB")));
    assert_eq!(book.authors, ["Ann Author", "Bob Writer"]);
    assert_eq!(book.spoken_language(), Some(speech_core::Language::EnUs));
    assert_eq!(book.cover, None, "it is no picture");
    assert_eq!(
        chapters(&book),
        expected(&[
            ("The First", &["#I", "One text."]),
            ("Half", &["Half way.", "Before."]),
            ("The Second", &["#II", "a", "b", "x, y", "Line\nbreak & data"]),
        ])
    );
}

#[test]
fn epub_2_has_its_contents_and_cover() {
    let items = document("one")
        + &document("two")
        + "<item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>\
           <item id='img' href='c.jpg' media-type='image/jpeg'/>";
    let ncx = "<?xml version='1.0'?><!DOCTYPE ncx><ncx:ncx><ncx:docTitle><ncx:text>T</ncx:text></ncx:docTitle><ncx:navMap>\
        <ncx:navPoint><ncx:navLabel><ncx:text>Uno</ncx:text></ncx:navLabel><ncx:content src='text/one.xhtml'/></ncx:navPoint>\
        <ncx:navPoint><ncx:navLabel><ncx:text>Due</ncx:text></ncx:navLabel><ncx:content src='text/two.xhtml'/></ncx:navPoint>\
        </ncx:navMap></ncx:ncx>";
    let metadata = METADATA.to_owned() + "<meta name='cover' content='img'/>";
    let package = package(&metadata, &items, &["one", "two"]);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &[u8]| {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    };
    add("META-INF/container.xml", CONTAINER.as_bytes());
    add("OEBPS/content.opf", package.as_bytes());
    add("OEBPS/toc.ncx", ncx.as_bytes());
    add("OEBPS/text/one.xhtml", b"<html><body><p>1.</p></body></html>");
    add("OEBPS/text/two.xhtml", "\u{feff}<html><body><p>2.</p></body></html>".as_bytes());
    add("OEBPS/c.jpg", &[0xff, 0xd8, 0xff, 0xe0, 1]);
    let book = open("a.epub", &zip.finish().unwrap().into_inner()).unwrap();
    assert_eq!(chapters(&book), expected(&[("Uno", &["1."]), ("Due", &["2."])]));
    let cover = book.cover.unwrap();
    assert_eq!((cover.media_type, cover.bytes.len()), ("image/jpeg", 5));
}

/// A main title comes before its subtitle, in any order of the package. Other types are left out.
#[test]
fn epub_3_has_the_main_title_and_the_subtitle() {
    let title = |id: &str, text: &str| format!("<dc:title id='{id}'>{text}</dc:title>");
    let kind = |id: &str, kind: &str| {
        format!("<meta refines='#{id}' property='title-type'>\n {kind}</meta>")
    };
    let (whale, moby) = (title("s", "The Whale"), title("m", "Moby-Dick"));
    let (sub, main) = (kind("s", "subtitle"), kind("m", "main"));
    let series = title("c", "Great Books") + &kind("c", "collection");
    for (metadata, expected) in [
        (format!("{series}{whale}{moby}{sub}{main}"), "Moby-Dick: The Whale"),
        (format!("{main}{sub}{moby}{whale}"), "Moby-Dick: The Whale"),
        (format!("{series}{whale}{moby}{sub}"), "Moby-Dick: The Whale"),
        (format!("{moby}{whale}"), "Moby-Dick"),
        (format!("{whale}{sub}"), "The Whale"),
        (format!("{moby}<meta property='title-type'>main</meta>"), "Moby-Dick"),
    ] {
        let files = [
            ("META-INF/container.xml", CONTAINER),
            ("OEBPS/content.opf", &package(&metadata, &document("one"), &["one"])),
            ("OEBPS/text/one.xhtml", "<p>1.</p>"),
        ];
        assert_eq!(open("a.epub", &archive(&files)).unwrap().title, expected, "{metadata}");
    }
}

#[test]
fn a_book_without_contents_has_chapters_by_its_headings() {
    let items = document("one") + &document("two");
    let order = ["one", "two"];
    let epub = |one: &str, two: &str| {
        let files = [
            ("META-INF/container.xml", CONTAINER),
            ("OEBPS/content.opf", &package(METADATA, &items, &order)),
            ("OEBPS/text/one.xhtml", one),
            ("OEBPS/text/two.xhtml", two),
        ];
        chapters(&open("a.epub", &archive(&files)).unwrap())
    };
    assert_eq!(
        epub("<h1>Book</h1><h2>A</h2><p>1.</p>", "<h2>B</h2><p>2.</p><h3>x</h3><p>3.</p>"),
        expected(&[("A", &["#Book", "#A", "1."]), ("B", &["#B", "2.", "#x", "3."])])
    );
    assert_eq!(epub("<p>1.</p>", "<p>2.</p>"), expected(&[("1", &["1."]), ("2", &["2."])]));
}

#[test]
fn html_markdown_and_text_have_titles_and_chapters() {
    let html = "<!doctype html><html lang=hi><title>T &lt;1&gt;</title><meta name=author content='A. B.'>\
        <nav><a href=#x>skip</a></nav><p>Before<h2>One</h2><p>a<p>b<p hidden>no<div aria-hidden=true>no</div>\
        <h2>Two</h2>c<hr>d<pre>e\nf</pre>";
    let book = open("b.html", html.as_bytes()).unwrap();
    assert_eq!((book.title.as_str(), &book.authors[..]), ("T <1>", &["A. B.".to_owned()][..]));
    assert_eq!(book.spoken_language(), Some(speech_core::Language::HiIn));
    assert_eq!(
        chapters(&book),
        expected(&[
            ("T <1>", &["Before"]),
            ("One", &["#One", "a", "b"]),
            ("Two", &["#Two", "c", "d", "e\nf"]),
        ])
    );
    let markdown = "---\ntitle: \"The *Title*\"\nauthor: Ann\nlang: fr\n---\n\n# One\n\nA [link](x) and *stress*.[^1]\n\n\
        # Two\n\n- x\n- y\n\n[^1]: Note.\n";
    let book = open("b.md", markdown.as_bytes()).unwrap();
    assert_eq!((book.title.as_str(), book.spoken_language()), ("The *Title*", None));
    assert_eq!(chapters(&book)[..1], expected(&[("One", &["#One", "A link and stress."])])[..]);
    let text = "Title: Deep Waters\nAuthor: Cy Sailor\n\n*** START OF THE PROJECT GUTENBERG EBOOK ***\n\nDEEP WATERS\n\n\
        CHAPTER I.\nCHAPTER II.\n\n\nCHAPTER I.\n\nIt was\na night.\n\nIt rained.\n\nCHAPTER II. The End\n\nDone.\n\n\
        *** END OF THE PROJECT GUTENBERG EBOOK ***\n\nLicense\n";
    let book = open("b.txt", text.as_bytes()).unwrap();
    assert_eq!(
        (book.title.as_str(), &book.authors[..]),
        ("Deep Waters", &["Cy Sailor".to_owned()][..])
    );
    assert_eq!(
        chapters(&book),
        expected(&[
            ("Deep Waters", &["DEEP WATERS", "CHAPTER I.\nCHAPTER II."]),
            ("CHAPTER I.", &["#CHAPTER I.", "It was\na night.", "It rained."]),
            ("CHAPTER II. The End", &["#CHAPTER II. The End", "Done."]),
        ])
    );
    let utf16: Vec<u8> = "\u{feff}Plain.".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(chapters(&open("b.txt", &utf16).unwrap()), expected(&[("1", &["Plain."])]));
}

#[test]
fn what_is_no_book_is_refused_with_the_reason() {
    let container = ("META-INF/container.xml", CONTAINER);
    let whole = package(METADATA, &document("one"), &["one"]);
    let pkg = ("OEBPS/content.opf", whole.as_str());
    let page = ("OEBPS/text/one.xhtml", "<p>Text of the book.</p>");
    let encrypted = "<encryption><EncryptedData><CipherData><CipherReference URI='OEBPS/text/one.xhtml'/>\
        </CipherData></EncryptedData></encryption>";
    let good = archive(&[container, pkg, page]);
    assert!(open("a.epub", &good).is_ok());
    for (name, content, problem) in [
        ("a.epub", b"no zip at all".to_vec(), "not a readable EPUB"),
        ("a.epub", Vec::new(), "not a readable EPUB"),
        ("a.epub", good[..good.len() / 2].to_vec(), "not a readable EPUB"),
        ("a.epub", archive(&[("x", "y")]), "\"META-INF/container.xml\" is missing"),
        ("a.epub", archive(&[("META-INF/container.xml", "<a/>")]), "names no package"),
        ("a.epub", archive(&[container]), "\"OEBPS/content.opf\" is missing"),
        ("a.epub", archive(&[container, pkg]), "\"OEBPS/text/one.xhtml\" is missing"),
        ("a.epub", archive(&[container, (pkg.0, "<<<>>&&"), page]), "the book has no text"),
        ("a.epub", archive(&[container, pkg, (page.0, "<p> * * * </p>")]), "the book has no text"),
        ("a.epub", archive(&[container, pkg, page, ("META-INF/encryption.xml", encrypted)]), "DRM"),
        ("a.html", b"caf\xe9".to_vec(), "not UTF-8 at byte 3"),
        ("a.txt", b" \n\n".to_vec(), "the book has no text"),
        ("a.pdf", b"%PDF".to_vec(), "a book is an .epub, .html, .md or .txt file"),
    ] {
        match open(name, &content) {
            Err(Error::Refused(message)) => {
                assert!(message.contains(problem) && !message.contains("Text of"), "{message}");
            }
            other => panic!("{problem}: {other:?}"),
        }
    }
    assert!(matches!(Book::open("/nonexistent/a.epub".as_ref()), Err(Error::Io { .. })));
}

/// Without limits, such files take hours, all memory or the process.
#[test]
fn hostile_books_are_read_within_limits() {
    let container = ("META-INF/container.xml", CONTAINER);
    let spaces = " ".repeat(20 << 20);
    let deep = |open: &str, close: &str, count| open.repeat(count) + "x" + &close.repeat(count);
    let page = |content: &str| {
        let whole = package(METADATA, &document("one"), &["one"]);
        let files =
            [container, ("OEBPS/content.opf", whole.as_str()), ("OEBPS/text/one.xhtml", content)];
        archive(&files)
    };
    let nested_contents = {
        let items = document("one")
            + "<item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>";
        let whole = package(METADATA, &items, &["one"]);
        let nav = deep(
            "<nav epub:type='toc'><ol><li><a href='text/one.xhtml'>",
            "</a></li></ol></nav>",
            200_000,
        );
        let files = [
            container,
            ("OEBPS/content.opf", whole.as_str()),
            ("OEBPS/nav.xhtml", nav.as_str()),
            ("OEBPS/text/one.xhtml", "<p>x</p>"),
        ];
        archive(&files)
    };
    let escape = package(
        METADATA,
        "<item id='one' href='../../../../../../etc/passwd' media-type='application/xhtml+xml'/>",
        &["one"],
    );
    let bombs: Vec<String> = (0..20).map(|at| format!("b{at}")).collect();
    let items: String = bombs.iter().map(|id| document(id)).collect();
    let order: Vec<&str> = bombs.iter().map(String::as_str).collect();
    let many = package(METADATA, &items, &order);
    let names: Vec<String> = bombs.iter().map(|id| format!("OEBPS/text/{id}.xhtml")).collect();
    let large = "<p>word</p>".repeat(1_000_000);
    let mut files = vec![container, ("OEBPS/content.opf", many.as_str())];
    files.extend(names.iter().map(|name| (name.as_str(), large.as_str())));
    let long = "f".repeat(250);
    let list = (0..40_000).map(|at| format!("{long}{at}")).collect::<Vec<_>>();
    let list: Vec<_> = list.iter().map(|name| (name.as_str(), "")).collect();
    for (what, content, problem) in [
        ("a page that unpacks to 20 MiB", page(&spaces), Some("more than the limit")),
        ("pages of 200 MiB together", archive(&files), Some("more than the limit")),
        (
            "a path out of the archive",
            archive(&[container, ("OEBPS/content.opf", &escape)]),
            Some("etc/passwd"),
        ),
        ("a list of 12 MB", archive(&list), Some("list of files is too long")),
        ("nested contents", nested_contents, None),
        ("nested elements", page(&deep("<div>", "</div>", 1_000_000)), None),
        ("nested formatting", page(&deep("<b><i>", "</b></i>", 500_000)), None),
        (
            "open elements",
            page(&deep("<svg>", "", 1_000_000).replace("<svg>x", "</svg>x")),
            Some("no text"),
        ),
        (
            "a million attributes",
            page(
                &("<p ".to_owned()
                    + &(0..1_000_000).map(|at| format!("a{at} ")).collect::<String>()
                    + ">x</p>"),
            ),
            None,
        ),
        (
            "a million entities",
            page(&("<p>".to_owned() + &"&amp".repeat(1_000_000) + "x</p>")),
            None,
        ),
        (
            "an entity that expands",
            page("<!DOCTYPE p [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><p>x &b;</p>"),
            None,
        ),
        ("open tags", page(&("<p>x</p>".to_owned() + &"<".repeat(1_000_000))), None),
    ] {
        match (open("a.epub", &content), problem) {
            (Ok(_), None) => (),
            (Err(Error::Refused(message)), Some(problem)) if message.contains(problem) => (),
            (other, _) => panic!("{what}: {:?}", other.map(|book| book.chapters.len())),
        }
    }
}
