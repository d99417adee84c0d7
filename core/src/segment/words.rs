//! Words by the place they take in a sentence.

/// Words that a letter by itself completes: "vitamin C", "plan B".
#[rustfmt::skip]
const BEFORE_A_LETTER: &[&str] = &[
    "appendix", "blood", "chapter", "class", "column", "exhibit", "figure", "grade", "group",
    "hepatitis", "letter", "option", "part", "plan", "platform", "point", "section", "size",
    "step", "team", "type", "unit", "vitamin",
];

/// Words that often begin a sentence and seldom follow an abbreviation: "U.S. Navy", but "U.S. It".
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "A", "About", "According", "Actually", "Additionally", "After", "Afterwards", "Again",
    "All", "Also", "Although", "Among", "An", "And", "Another", "Any", "Anyone", "Anything",
    "Anyway", "Are", "As", "Ask", "At", "Because", "Before", "Besides", "Both", "But", "By",
    "Can", "Call", "Consequently", "Could", "Currently", "Despite", "Did", "Do", "Does",
    "Don't", "Dr", "During", "Each", "Earlier", "Either", "Even", "Eventually", "Every",
    "Everyone", "Everything", "Few", "Finally", "First", "Firstly", "For", "Fortunately",
    "From", "Furthermore", "Generally", "Had", "Has", "Have", "He", "He'd", "He'll", "He's",
    "Hence", "Her", "Here", "Here's", "His", "How", "However", "Hundreds", "I", "I'd", "I'll",
    "I'm", "I've", "If", "In", "Indeed", "Instead", "Is", "It", "It's", "Its", "Just", "Last",
    "Lastly", "Later", "Let", "Let's", "Like", "Likewise", "Many", "Maybe", "Meanwhile",
    "Millions", "Moreover", "Most", "Mr", "Mrs", "Ms", "Much", "My", "Neither", "Never",
    "Nevertheless", "Next", "No", "Nobody", "None", "Nonetheless", "Not", "Nothing", "Now",
    "Of", "Often", "Oh", "On", "Once", "One", "Only", "Or", "Originally", "Other", "Others",
    "Otherwise", "Our", "Over", "People", "Perhaps", "Please", "Previously", "Recently",
    "Regardless", "Second", "Secondly", "See", "Several", "She", "She'd", "She'll", "She's",
    "Should", "Similarly", "Since", "So", "Some", "Someone", "Something", "Sometimes", "Soon",
    "Still", "Such", "Suddenly", "Surely", "Thanks", "That", "That's", "The", "Their", "Then",
    "There", "There's", "Therefore", "These", "They", "They'd", "They'll", "They're",
    "They've", "This", "Those", "Though", "Thousands", "Through", "Throughout", "Thus", "To",
    "Today", "Together", "Tomorrow", "Under", "Unfortunately", "Unless", "Until", "Up",
    "Upon", "Usually", "Was", "We", "We'd", "We'll", "We're", "We've", "Well", "Were", "What",
    "What's", "When", "Whenever", "Where", "Whereas", "Whether", "Which", "While", "Who",
    "Whoever", "Whose", "Why", "Will", "With", "Within", "Without", "Would", "Yes",
    "Yesterday", "Yet", "You", "You'll", "You're", "You've", "Your",
];

/// What goes on with a time of day: "5 p.m. Monday", "9 a.m. Eastern".
#[rustfmt::skip]
const AFTER_A_TIME: &[&str] = &[
    "AEST", "BST", "CDT", "CEST", "CET", "CST", "CT", "Central", "EDT", "EST", "ET",
    "Eastern", "Fri", "Friday", "GMT", "IST", "JST", "MDT", "MST", "MT", "Mon", "Monday",
    "Mountain", "PDT", "PST", "PT", "Pacific", "Sat", "Saturday", "Sun", "Sunday", "Thu",
    "Thurs", "Thursday", "Tue", "Tues", "Tuesday", "UTC", "Wed", "Wednesday", "January",
    "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept",
    "Oct", "Nov", "Dec",
];

/// Verbs that name the speaker of a quotation before them.
#[rustfmt::skip]
const SPEECH_VERBS: &[&str] = &[
    "added", "admitted", "agreed", "announced", "answered", "asked", "begged", "began",
    "called", "chuckled", "continued", "cried", "declared", "demanded", "exclaimed",
    "explained", "gasped", "grumbled", "groaned", "hissed", "inquired", "insisted",
    "interrupted", "joked", "laughed", "murmured", "muttered", "observed", "protested",
    "remarked", "repeated", "replied", "responded", "retorted", "roared", "said", "says",
    "asks", "screamed", "shouted", "shrieked", "sighed", "snapped", "sobbed", "told",
    "thought", "warned", "whispered", "wondered", "wrote", "yelled",
];

/// Words that a phrase does not end with, nor a line of a list.
#[rustfmt::skip]
const LEADS_ON: &[&str] = &[
    "a", "about", "after", "against", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "between", "but", "by", "can", "could", "did", "do", "does", "during",
    "each", "every", "for", "from", "had", "has", "have", "her", "his", "i", "if", "in",
    "into", "is", "its", "may", "might", "must", "my", "no", "nor", "not", "of", "on", "onto",
    "or", "our", "over", "shall", "should", "so", "some", "than", "that", "the", "their",
    "then", "these", "this", "those", "through", "to", "under", "until", "very", "was",
    "were", "when", "where", "which", "while", "who", "whose", "will", "with", "within",
    "without", "would", "your",
];

/// Names that end in an exclamation or question mark.
#[rustfmt::skip]
const NAMES_WITH_A_MARK: &[&str] = &[
    "airplane", "guess", "jeopardy", "mamma mia", "oliver", "wham", "yahoo", "yum",
];

/// Ends of the names of files and of sites, which a full stop within a word stands before.
#[rustfmt::skip]
const NAME_ENDINGS: &[&str] = &[
    "ai", "app", "avi", "bat", "bin", "biz", "bmp", "cfg", "co", "com", "conf", "cpp", "csv",
    "css", "db", "de", "dev", "dll", "doc", "docx", "edu", "eu", "exe", "gif", "gov", "gz",
    "h", "htm", "html", "in", "info", "ini", "io", "ipynb", "iso", "jar", "java", "jpeg",
    "jpg", "js", "json", "jsx", "kt", "log", "md", "mkv", "mov", "mp", "mpeg", "net", "org",
    "pdf", "php", "png", "ppt", "pptx", "ps", "py", "rar", "rb", "rs", "rtf", "sh", "sql",
    "svg", "swift", "sys", "tar", "tex", "tiff", "toml", "ts", "tsv", "tsx", "tv", "txt",
    "uk", "us", "vue", "wav", "webp", "xls", "xlsx", "xml", "yaml", "yml", "zip",
];

/// Whether a word often begins a sentence.
pub(super) fn is_opener(word: &str) -> bool {
    OPENERS.contains(&word.replace('’', "'").as_str())
}

/// Whether a word written small would often begin a sentence.
pub(super) fn is_small_opener(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| is_opener(&c.to_uppercase().chain(chars).collect::<String>()))
}

pub(super) fn precedes_a_letter(word: &str) -> bool {
    BEFORE_A_LETTER.contains(&word.to_lowercase().as_str())
}

pub(super) fn goes_with_a_time(word: &str) -> bool {
    AFTER_A_TIME.contains(&word)
}

pub(super) fn is_speech_verb(word: &str) -> bool {
    SPEECH_VERBS.contains(&word)
}

pub(super) fn leads_on(word: &str) -> bool {
    LEADS_ON.contains(&word)
}

/// Whether the text before a mark ends in a name that has that mark: "Yahoo!".
pub(super) fn is_name_with_a_mark(before: &str) -> bool {
    NAMES_WITH_A_MARK.iter().any(|name| {
        before.len().checked_sub(name.len()).and_then(|at| before.split_at_checked(at)).is_some_and(
            |(_, end)| end.eq_ignore_ascii_case(name) && end.starts_with(char::is_uppercase),
        )
    })
}

pub(super) fn is_name_ending(word: &str) -> bool {
    NAME_ENDINGS.contains(&word.to_lowercase().as_str())
}
