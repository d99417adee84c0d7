//! English words that identify the number, code or numeral beside them.

use crate::normalize::context_words::{ContextWords, RomanWords};

pub(super) const CONTEXT_WORDS: ContextWords = ContextWords {
    flights: "flight Flight",
    makers: "Boeing Airbus Embraer McDonnell Porsche Peugeot",
    places_with_letter: "\
        apartment apt bay block building bus coach exit flat form gate house lane platform plot room route row \
        seat section sector shop suite train unit ward",
    short_months: "jan feb mar apr may jun jul aug sep sept oct nov dec",
    codes: "\
        a/c aadhaar aadhar ac account acct awb booking card code confirmation consignment cvv dial fax helpline \
        id imei mobile mpin otp passcode passport password phone pin pnr reference ref res roll rx sbn sku ssn tel \
        telephone ticket tracking uid utr whatsapp",
    code_owners: "\
        SMS sms badge case certificate claim contract customer docket file invoice item license licence meter order \
        parcel part patent patient permit policy prescription receipt registration reservation serial transaction \
        unit voucher work",
    numbers: "id no number",
    code_fillers: "is was be are number no num nos your the digits ending",
    before_code_name: "is",
    code_abbreviations: "no num nos ref a/c ac tel",
    calls: "\
        call called calling calls dial dialed dialing dialled dialling dials phone phoned ring ringing rang \
        text texted tty",
    callers: "call calls caller dispatcher operator helpline",
    counted: "people men women children percent million billion thousand hundred crore lakh",
    ranges: "from between pages page pp about around ages years",
    zip_places: "\
        Alabama Alaska Arizona Arkansas California Carolina Colorado Columbia Connecticut Dakota Delaware \
        Florida Georgia Hampshire Hawaii Idaho Illinois Indiana Iowa Island Jersey Kansas Kentucky Louisiana \
        Maine Maryland Massachusetts Mexico Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada \
        Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Virginia Washington Wisconsin Wyoming \
        York",
    pin_places: "\
        Agartala Agra Ahmedabad Aizawl Ajmer Aligarh Allahabad Amaravati Ambala Amritsar Andhra Aurangabad \
        Bangalore Bareilly Belagavi Bengal Bengaluru Bhilai Bhopal Bhubaneswar Bihar Bikaner Bombay Calcutta \
        Calicut Chandigarh Chennai Chhattisgarh Coimbatore Cuttack Dehradun Delhi Dhanbad Durgapur Ernakulam \
        Faridabad Gandhinagar Gangtok Ghaziabad Goa Gorakhpur Gujarat Guntur Gurgaon Gurugram Guwahati Gwalior \
        Haryana Howrah Hubballi Hubli Hyderabad Imphal Indore Itanagar Jabalpur Jaipur Jalandhar Jammu Jamnagar \
        Jamshedpur Jharkhand Jodhpur Kanpur Karnataka Kashmir Kerala Kochi Kohima Kolhapur Kolkata Kota \
        Kozhikode Ladakh Lucknow Ludhiana Madras Madurai Maharashtra Mangalore Mangaluru Manipur Mathura Meerut \
        Meghalaya Mizoram Mohali Moradabad Mumbai Mysore Mysuru Nadu Nagaland Nagpur Nashik Nellore Noida \
        Odisha Orissa Panaji Panipat Patiala Patna Pondicherry Pradesh Prayagraj Puducherry Pune Punjab Raipur \
        Rajasthan Rajkot Ranchi Rourkela Salem Sangli Shillong Shimla Sikkim Siliguri Solapur Srinagar Surat \
        Telangana Thane Thiruvananthapuram Thrissur Tiruchirappalli Tirupati Trichy Tripura Trivandrum Udaipur \
        Ujjain Uttarakhand Vadodara Varanasi Vellore Vijayawada Visakhapatnam Vizag Warangal",
    postal_codes: "pin pincode zip zipcode postcode",
    postal_kinds: "pin zip postal",
    postal_fillers: "code is",
    extensions: &["extension", "ext.", "ext", "Ext.", "x"],
    ending_in: Some(["ending", "in"]),
    roman: ROMAN,
    ..ContextWords::NONE
};

const ROMAN: RomanWords = RomanWords {
    counted: "\
        act annex appendix apollo art article axis band bk book cn nerve bowl canto category chap chapter ch class column \
        division edition episode exhibit factor fascicle fig figure final fantasy form grade group item lesson \
        level line mark mk module movement no number opus panel paper part phase plate pt protocol psalm \
        quartet region round saturn sc scene schedule season sec section series stage step symphony table theorem \
        tier title tome track type unit vatican verse vol volume war wrestlemania zone",
    counted_many: "\
        acts articles books chapters chs factors grades levels nerves pages parts phases pts schedules sections secs stages tiers titles types volumes vols",
    products: "iPhone OS Fantasy GTA Rocky Evil Scrolls Fighter Civilization Civ Diablo Halo Rambo",
    names: "\
        Abdullah Adrian Akbar Albert Alexander Alexios Alfonso Alfred Amenhotep Andrew Anne Antiochus \
        Artaxerxes Baldwin Basil Beatrix Benedict Boniface Boris Carl Carlos Casimir Catherine Celestine \
        Charles Christian Christina Clement Cleopatra Conrad Constantine Cyrus Darius David Edgar Edmund Edward \
        Elizabeth Emmanuel Ernest Eric Erik Eugene Faisal Farouk Felipe Ferdinand Francis Franz Frederick \
        Frederik George Gregory Gustav Gustaf Gustavus Haakon Harald Harold Hassan Henri Henry Hussein Innocent \
        Ivan Jahangir James John Joseph Juan Julius Justinian Kamehameha Kenneth Khufu Krishnaraja Leo Leopold \
        Louis Ludwig Magnus Mahmud Malcolm Manuel Margaret Margrethe Martin Mary Maximilian Mehmed Michael \
        Mohammed Muhammad Murad Mustafa Napoleon Nero Nicholas Olaf Olav Oscar Osman Otto Paul Pedro Peter \
        Philip Philippe Pius Ptolemy Pulakeshin Rajendra Rama Rameses Ramesses Ramses Ranjit Richard Robert \
        Rudolf Sancho Selim Seti Shapur Sigismund Sixtus Stephen Suleiman Sultan Theodosius Thutmose Umberto \
        Urban Victor Victoria Vladimir Wilhelm Willem William Wladyslaw Xerxes Zog Adam Alan Anthony Arthur Ben \
        Benjamin Bill Bob Brian Bruce Chris Daniel Davis Dale Don Donald Douglas Earl Frank Fred Gary Harry \
        Howard Jack Jacob Jason Jeff Jerry Jim Joe Johnny Jonathan Ken Kevin Larry Lee Mark Matthew Mike Nathan \
        Patrick Ralph Ray Roger Ronald Roy Sam Samuel Scott Steve Steven Thomas Tim Tom Walter Wayne \
        Aaron Andre Antonio Barry Bernard Bradley Bryan Calvin Cecil Clarence Clifford Craig Curtis Darren Dennis Derek \
        Dwight Eddie Edwin Elliott Ethan Floyd Franklin Gerald Gilbert Glenn Graham Greg Harvey Herbert Herman Hugh \
        Jared Jeffrey Jeremy Jesse Joel Jose Joshua Julian Justin Karl Keith Kyle Lawrence Leonard Lewis Lloyd Luis \
        Luther Marvin Maurice Neil Nelson Norman Oliver Percy Phillip Preston Randall Raymond Reginald Ricardo \
        Rodney Russell Ryan Sanford Seth Shawn Sidney Simon Stanley Stuart Theodore Thurston Todd Travis Trevor \
        Tyler Vernon Vincent Warren Wesley Willard Winston Zachary",
    headings: "\
        abstract abstracts acknowledgments aims analysis appendix background budget conclusion conclusions definitions \
        discussion evaluation executive facts findings general goals history implementation introduction \
        jurisdiction membership methodology methods objectives officers overview parties preamble preface prologue purpose \
        recommendations references results schedule scope statement summary terms timeline",
    titles: "\
        King Queen Pope Emperor Empress Tsar Czar Kaiser Sultan Shah Pharaoh Prince Princess Duke Duchess Saint \
        Patriarch Maharaja Maharana Raja Sir Caliph Khan Archduke",
    after_reign: "\
        abdicated against and became by died from had has in is married of or reigned ruled succeeded to was \
        who",
    after_one: "\
        cancer clinical collagen diabetes drug error errors hypersensitivity study trial trials",
    not_sequels: "A An And For If In It My No Of On Or Our So The This To Your XS XXL",
    after_intravenous: "\
        antibiotics bag catheter drip drug fluid fluids infusion line pole therapy treatment",
};
