//! English words by the place they take in a sentence.

/// Words that a letter by itself completes: "vitamin C", "plan B".
#[rustfmt::skip]
pub(super) const BEFORE_A_LETTER: &[&str] = &[
    "appendix", "blood", "chapter", "class", "column", "exhibit", "figure", "grade", "group",
    "hepatitis", "letter", "option", "part", "plan", "platform", "point", "section", "size",
    "step", "team", "type", "unit", "vitamin",
];

/// Words that often begin a sentence and seldom follow an abbreviation: "U.S. Navy", but "U.S. It".
#[rustfmt::skip]
pub(super) const OPENERS: &[&str] = &[
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
pub(super) const AFTER_A_TIME: &[&str] = &[
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
pub(super) const SPEECH_VERBS: &[&str] = &[
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
pub(super) const LEADS_ON: &[&str] = &[
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
pub(super) const NAMES_WITH_A_MARK: &[&str] = &[
    "airplane", "guess", "jeopardy", "mamma mia", "oliver", "wham", "yahoo", "yum",
];
