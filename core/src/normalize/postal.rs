//! Postal codes: ZIP behind an American state, PIN behind an Indian city, British and Canadian codes.
//!
//! Comes before serial numbers and plain numbers.

use super::boundaries::{self, lists};
use super::cursor::{first_word, is_letter};
use super::piece::{Piece, Pieces};

/// What six digits behind a place count when they are no code.
const HINDI_COUNTED: &str = "\
    लोग लोगों रुपये रुपए मतदाता मतदाताओं वोट वोटों करोड़ लाख यात्री छात्र मरीज मामले घर परिवार टन किलो किमी";

/// A postal code in its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value(pub(crate) Pieces);

const STATE_CODES: &str = "\
    AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY \
    OH OK OR PA PR RI SC SD TN TX UT VA VT WA WI WV WY";

/// The last words of the names of American states.
const STATES: &str = "\
    Alabama Alaska Arizona Arkansas California Carolina Colorado Columbia Connecticut Dakota Delaware Florida \
    Georgia Hampshire Hawaii Idaho Illinois Indiana Iowa Island Jersey Kansas Kentucky Louisiana Maine Maryland \
    Massachusetts Mexico Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada Ohio Oklahoma Oregon \
    Pennsylvania Tennessee Texas Utah Vermont Virginia Washington Wisconsin Wyoming York";

/// The last words of the names of Indian cities, states and territories.
const INDIAN_PLACES: &str = "\
    Agartala Agra Ahmedabad Aizawl Ajmer Aligarh Allahabad Amaravati Ambala Amritsar Andhra Aurangabad Bangalore \
    Bareilly Belagavi Bengal Bengaluru Bhilai Bhopal Bhubaneswar Bihar Bikaner Bombay Calcutta Calicut Chandigarh \
    Chennai Chhattisgarh Coimbatore Cuttack Dehradun Delhi Dhanbad Durgapur Ernakulam Faridabad Gandhinagar \
    Gangtok Ghaziabad Goa Gorakhpur Gujarat Guntur Gurgaon Gurugram Guwahati Gwalior Haryana Howrah Hubballi \
    Hubli Hyderabad Imphal Indore Itanagar Jabalpur Jaipur Jalandhar Jammu Jamnagar Jamshedpur Jharkhand Jodhpur \
    Kanpur Karnataka Kashmir Kerala Kochi Kohima Kolhapur Kolkata Kota Kozhikode Ladakh Lucknow Ludhiana Madras \
    Madurai Maharashtra Mangalore Mangaluru Manipur Mathura Meerut Meghalaya Mizoram Mohali Moradabad Mumbai \
    Mysore Mysuru Nadu Nagaland Nagpur Nashik Nellore Noida Odisha Orissa Panaji Panipat Patiala Patna Pondicherry \
    Pradesh Prayagraj Puducherry Pune Punjab Raipur Rajasthan Rajkot Ranchi Rourkela Salem Sangli Shillong Shimla \
    Sikkim Siliguri Solapur Srinagar Surat Telangana Thane Thiruvananthapuram Thrissur Tiruchirappalli Tirupati \
    Trichy Tripura Trivandrum Udaipur Ujjain Uttarakhand Vadodara Varanasi Vellore Vijayawada Visakhapatnam Vizag \
    Warangal";

/// The last words of the names of Indian cities, states and territories in Devanagari.
const HINDI_PLACES: &str = "\
    अगरतला अजमेर अमरावती अमृतसर अम्बाला अंबाला अयोध्या अरुणाचल अलीगढ़ असम अहमदाबाद आइजोल आइज़ोल आगरा आसनसोल इंदौर इंफाल इम्फाल इटावा इलाहाबाद ईटानगर उज्जैन \
    उत्तराखंड उत्तराखण्ड उदयपुर एर्नाकुलम ओडिशा औरंगाबाद कटक करनाल कर्नाटक कवरत्ती कश्मीर कानपुर कारगिल केरल कोच्चि कोच्ची कोझिकोड कोटा \
    कोयंबटूर कोयम्बटूर कोलकाता कोल्हापुर कोहिमा गंगटोक गया गांधीनगर गाजियाबाद ग़ाज़ियाबाद गाज़ियाबाद गुंटूर गुजरात गुड़गांव गुड़गाँव गुरुग्राम \
    गुवाहाटी गोरखपुर गोवा ग्वालियर चंडीगढ़ चेन्नई छत्तीसगढ़ जबलपुर जमशेदपुर जम्मू जयपुर जामनगर जालंधर जूनागढ़ जैसलमेर जोधपुर झांसी झाँसी \
    झारखंड झारखण्ड ठाणे तमिलनाडु तिरुचिरापल्ली तिरुपति तिरुवनंतपुरम तेलंगाना त्रिपुरा त्रिशूर दमन दरभंगा दादरा दिल्ली दिसपुर दीव दुर्ग दुर्गापुर \
    देहरादून द्वीपसमूह धनबाद नागपुर नागालैंड नाशिक नासिक नैनीताल नोएडा पंजाब पटना पटियाला पणजी पलक्कड़ पानीपत पुडुचेरी पुणे पुरी प्रदेश प्रयागराज \
    फरीदाबाद फ़रीदाबाद फिरोजाबाद फैजाबाद बंगाल बरेली बठिंडा बिलासपुर बिहार बीकानेर बेंगलुरु बेंगलूरु बंगलौर बेलगावी बोकारो ब्लेयर भरतपुर भागलपुर \
    भिलाई भुवनेश्वर भोपाल मंगलुरु मणिपुर मथुरा मदुरै महाराष्ट्र मिज़ोरम मिजोरम मुंबई मुम्बई मुजफ्फरपुर मुजफ्फरनगर मुरादाबाद मेघालय मेरठ मैसूर मैसूरु मोहाली \
    रांची राँची राजकोट राजस्थान रायपुर राउरकेला रीवा रुड़की रोहतक लक्षद्वीप लखनऊ लद्दाख लुधियाना लेह वडोदरा वाराणसी विजयवाड़ा विशाखापत्तनम वेल्लोर शिमला \
    शिलांग शिलॉन्ग श्रीनगर समूह सागर सांगली सिक्किम सिलीगुड़ी सीकर सूरत सेलम सोनीपत सोलापुर हरिद्वार हरियाणा हल्द्वानी हावड़ा हिसार हुबली हैदराबाद";

/// Endings of the names of Indian towns, for a code at the end of a clause.
const HINDI_ENDINGS: [&str; 9] = ["पुर", "पुरम", "बाद", "नगर", "गढ़", "गंज", "गांव", "गाँव", "वाड़ा"];

/// A postal code at the start of `rest`.
pub(crate) fn find(before: &str, rest: &str) -> Option<(usize, Value)> {
    if !boundaries::opens(before) || before.ends_with(['.', '$', '₹', '€', '£', '/']) {
        return None;
    }
    let (length, pieces) = zip(before, rest)
        .or_else(|| pin(before, rest))
        .or_else(|| british(rest))
        .or_else(|| canadian(rest))?;
    boundaries::closes_number(&rest[length..]).then_some((length, Value(pieces)))
}

/// The last word before a code, without the full stops of "D.C."; a comma, a colon or a hyphen may stand between.
fn place(before: &str) -> Option<String> {
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || ",-–:(".contains(c));
    let word = trimmed.rsplit(|c: char| !is_letter(c) && c != '.').next()?;
    (trimmed.len() < before.len()).then(|| word.replace('.', ""))
}

/// Five digits, and four more, behind a state or "ZIP".
fn zip(before: &str, rest: &str) -> Option<(usize, Pieces)> {
    if boundaries::run(rest, |c| c.is_ascii_digit()) != 5 {
        return None;
    }
    let place = place(before)?;
    let mut pieces = Pieces::default();
    pieces.digits(&rest[..5], 0);
    let mut end = 5;
    if let Some(more) = rest[5..].strip_prefix('-')
        && boundaries::run(more, |c| c.is_ascii_digit()) == 4
    {
        pieces.push(Piece::Pause, 5..6);
        pieces.digits(&more[..4], 6);
        end = 10;
    }
    let is_counted = rest[end..].trim_start().starts_with(char::is_lowercase);
    let is_zip = lists(STATE_CODES, &place)
        || lists(STATES, &place) && !is_counted
        || is_called(before, &place);
    is_zip.then_some((end, pieces))
}

/// Six digits, together or in halves, behind an Indian place or "PIN".
fn pin(before: &str, rest: &str) -> Option<(usize, Pieces)> {
    let mut pieces = Pieces::default();
    if !rest.starts_with(|c: char| matches!(c, '1'..='9')) {
        return None;
    }
    let place = place(before)?;
    let length = match boundaries::run(rest, |c| c.is_ascii_digit()) {
        6 => {
            pieces.digits(&rest[..6], 0);
            6
        }
        3 => {
            let half = rest[3..].strip_prefix([' ', '-'])?;
            if boundaries::run(half, |c| c.is_ascii_digit()) != 3 {
                return None;
            }
            pieces.digits(&rest[..3], 0);
            pieces.push(Piece::Pause, 3..4);
            pieces.digits(&half[..3], 4);
            7
        }
        _ => return None,
    };
    let is_counted = rest[length..].trim_start().starts_with(char::is_lowercase)
        || lists(HINDI_COUNTED, first_word(&rest[length..]));
    let ends = !rest[length..].trim_start().starts_with(is_letter);
    let is_named = ends && HINDI_ENDINGS.iter().any(|ending| place.ends_with(ending));
    let is_place = lists(INDIAN_PLACES, &place) || lists(HINDI_PLACES, &place) || is_named;
    let is_pin = is_place && !is_counted || is_called(before, &place);
    is_pin.then_some((length, pieces))
}

/// "PIN", "pin code", "ZIP code" and the like.
fn is_called(before: &str, word: &str) -> bool {
    let lower = word.to_lowercase();
    let words = boundaries::words_back(before).map(str::to_lowercase);
    lists("pin pincode zip zipcode postcode पिन पिनकोड", &lower)
        || matches!(lower.as_str(), "code" | "is" | "कोड" | "है" | "नंबर" | "संख्या")
            && words
                .into_iter()
                .take(4)
                .any(|word| lists("pin zip postal पिन पिनकोड डाक पोस्टल ज़िप", &word))
}

/// "SW1A 1AA": the district, a pause, the rest.
fn british(rest: &str) -> Option<(usize, Pieces)> {
    const ORDINALS: [&str; 6] = ["TH", "ST", "ND", "RD", "GB", "TB"];
    let area = boundaries::run(rest, |c| c.is_ascii_uppercase());
    let district = boundaries::run(&rest[area..], |c| c.is_ascii_digit());
    let letter = boundaries::run(&rest[area + district..], |c| c.is_ascii_uppercase());
    let end = area + district + letter;
    let inward = rest[end..].strip_prefix(' ')?.get(..3)?;
    let is_unit = |b: u8| b.is_ascii_uppercase() && !b"CIKMOV".contains(&b);
    let &[digit, first, second] = inward.as_bytes() else { return None };
    let fits = (1..=2).contains(&area) && (1..=2).contains(&district) && letter < 2;
    let is_code = fits
        && digit.is_ascii_digit()
        && is_unit(first)
        && is_unit(second)
        && !(area == 1 && ORDINALS.contains(&&inward[1..]));
    if !is_code {
        return None;
    }
    let mut pieces = Pieces::default();
    pieces.letters(&rest[..area], 0);
    pieces.number(&rest[area..area + district], area);
    if letter > 0 {
        pieces.letters(&rest[end - 1..end], end - 1);
    }
    pieces.push(Piece::Pause, end..end + 1);
    pieces.digits(&inward[..1], end + 1);
    pieces.letters(&inward[1..], end + 2);
    Some((end + 4, pieces))
}

/// "K1A 0B1".
fn canadian(rest: &str) -> Option<(usize, Pieces)> {
    let code = rest.get(..7)?;
    let is_code = code.bytes().enumerate().all(|(i, b)| match i {
        3 => b == b' ' || b == b'-',
        0 | 2 | 5 => b.is_ascii_uppercase(),
        _ => b.is_ascii_digit(),
    });
    if !is_code {
        return None;
    }
    let mut pieces = Pieces::default();
    for (at, c) in code.char_indices() {
        match c {
            'A'..='Z' => pieces.letters(&code[at..=at], at),
            '0'..='9' => pieces.digits(&code[at..=at], at),
            _ => pieces.push(Piece::Pause, at..at + 1),
        }
    }
    Some((7, pieces))
}
