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
    "A", "About", "According", "Actually", "Add", "Additionally", "After", "Afterwards",
    "Again", "All", "Also", "Although", "Am", "Among", "An", "And", "Another", "Any",
    "Anyone", "Anything", "Anyway", "Apply", "Are", "Arrive", "As", "Ask", "At", "Avoid",
    "Bake", "Because", "Before", "Besides", "Both", "Bring", "But", "By", "Bye", "Call",
    "Can", "Cancel", "Chill", "Choose", "Click", "Combine", "Confirm", "Congrats",
    "Consequently", "Contact", "Continue", "Cook", "Could", "Currently", "Despite", "Did",
    "Do", "Does", "Don't", "Download", "Dr", "Drain", "During", "Each", "Earlier", "Either",
    "Enter", "Even", "Eventually", "Every", "Everyone", "Everything", "Expect", "Few",
    "Finally", "First", "Firstly", "Follow", "For", "Fortunately", "Freeze", "From",
    "Furthermore", "Garnish", "Generally", "Get", "Go", "Got", "Had", "Has", "Have", "He",
    "He'd", "He'll", "He's", "Hello", "Hence", "Her", "Here", "Here's", "Hey", "Hi", "His",
    "Hope", "How", "However", "Hundreds", "I", "I'd", "I'll", "I'm", "I've", "If", "In",
    "Indeed", "Instead", "Is", "It", "It's", "Its", "Just", "Keep", "Last", "Lastly", "Later",
    "Leave", "Let", "Let's", "Like", "Likewise", "Looks", "Make", "Many", "Maybe",
    "Meanwhile", "Meet", "Merge", "Millions", "Mix", "Moreover", "Most", "Mr", "Mrs", "Ms",
    "Much", "My", "Need", "Neither", "Never", "Nevertheless", "Next", "No", "Nobody", "None",
    "Nonetheless", "Not", "Nothing", "Now", "Of", "Often", "Oh", "Ok", "Okay", "On", "Once",
    "One", "Only", "Or", "Originally", "Other", "Others", "Otherwise", "Our", "Over", "Pay",
    "People", "Perhaps", "Pick", "Please", "Pour", "Preheat", "Press", "Previously",
    "Recently", "Refrigerate", "Regardless", "Remember", "Remove", "Reply", "Reserve",
    "Restart", "Scroll", "Second", "Secondly", "See", "Select", "Send", "Serve", "Several",
    "She", "She'd", "She'll", "She's", "Should", "Similarly", "Simmer", "Since", "So", "Some",
    "Someone", "Something", "Sometimes", "Soon", "Sorry", "Sounds", "Sprinkle", "Still",
    "Stir", "Such", "Suddenly", "Surely", "Swipe", "Take", "Tap", "Thank", "Thanks", "That",
    "That's", "Thaw", "The", "Their", "Then", "There", "There's", "Therefore", "These",
    "They", "They'd", "They'll", "They're", "They've", "This", "Those", "Though", "Thousands",
    "Through", "Throughout", "Thus", "To", "Today", "Together", "Tomorrow", "Transfer", "Try",
    "Turn", "Under", "Unfortunately", "Unless", "Until", "Up", "Update", "Upload", "Upon",
    "Usually", "Verify", "Visit", "Wait", "Want", "Was", "We", "We'd", "We'll", "We're",
    "We've", "Wear", "Well", "Were", "What", "What's", "When", "Whenever", "Where", "Whereas",
    "Whether", "Which", "While", "Whisk", "Who", "Whoever", "Whose", "Why", "Will", "With",
    "Within", "Without", "Would", "Yeah", "Yes", "Yesterday", "Yet", "You", "You'll",
    "You're", "You've", "Your",
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
    "Oct", "Nov", "Dec", "M", "daily",
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
