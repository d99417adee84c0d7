//! Tests words with undisputed readings, grouped by difficulty.
//!
//! The tables alternate words and readings, without stress and the variants of ə and र, which
//! `symbols` tests.

use proptest::prelude::*;

use super::*;
use crate::vocabulary;

/// The final inherent vowel.
const FINAL: &str = "
    राम ɾaːm  घर ɡʰəɾ  किताब kɪtaːb  मित्र mɪtɾə  मुख्य mʊkʰjə  विश्व ʋɪʃʋə  राष्ट्र ɾaːʂʈɾə  प्रश्न pɾəʃnə
    आत्म aːtmə  अंत ənt  शब्द ʃəbd  धर्म dʰəɾm  वक्त ʋəkt  फ़िल्म fɪlm  न nə  क kə
";

/// A medial inherent vowel.
const MEDIAL: &str = "
    कमला kəmlaː  लड़का ləɽkaː  आदमी aːdmi  करना kəɾnaː  सड़कें səɽkẽː  दुनिया dʊnɪjaː  अपना əpnaː
    इतना ɪtnaː  कपड़ा kəpɽaː  जनता ɟəntaː  नौकरी nɔːkɾi  पिछला pɪcʰlaː  दूसरा duːsɾaː  रुपये ɾʊpjeː
    मानव maːnəʋ  मानवता maːnəʋtaː
";

/// Three-consonant stems with endings.
const VERBS: &str = "
    निकलना nɪkəlnaː  निकला nɪklaː  समझते səməɟʰteː  समझाना səmɟʰaːnaː  पकड़ा pəkɽaː  पकड़ना pəkəɽnaː
    बदलकर bədəlkəɾ  मारकर maːɾkəɾ  सुनकर sʊnkəɾ  करवाना kəɾʋaːnaː  निकलवाना nɪkəlʋaːnaː  चमकता cəməktaː
    पहनना pəhənnaː  बनना bənnaː  जगमगाना ɟəɡməɡaːnaː  खटखटाया kʰəʈkʰəʈaːjaː
    पकड़कर pəkəɽkəɾ  जकड़कर ɟəkəɽkəɾ  उछलकर ʊcʰəlkəɾ  भटककर bʰəʈəkkəɾ  समझवाना səməɟʰʋaːnaː
    खनकना kʰənəknaː  सनकता sənəktaː  घबराकर ɡʰəbɾaːkəɾ  भयंकर bʰəjəŋkəɾ  प्रभाकर pɾəbʰaːkəɾ
    तेंदुलकर teːndʊlkəɾ  नौकर nɔːkəɾ
";

/// Four-consonant stems before a final vowel, and echo words.
const STEM_VOWEL: &str = "
    मतलबी mətləbi  छिपकली cʰɪpkəli  अजनबी əɟnəbi  गड़बड़ी ɡəɽbəɽi  सनसनी sənsəni  अटपटा əʈpəʈaː
    हथकड़ी hətʰkəɽi  जलपरी ɟəlpəɾi  अटकलें əʈkəlẽː  हरकतें həɾəktẽː  कथकली kətʰkəli
";

/// Endings and second members with an initial consonant.
const C_ENDING: &str = "
    गिलहरी ɡɪləhɾi  सुनहरा sʊnəhɾaː  सफलता səpʰəltaː  स्वतंत्रता sʋətəntɾətaː  अमरनाथ əməɾnaːtʰ
    जबलपुर ɟəbəlpʊɾ  समझदार səməɟʰdaːɾ  ताकतवर taːkətʋəɾ  मंगलवार məŋɡəlʋaːɾ
";

const COMPOUNDS: &str = "
    अर्धशतक əɾdʰʃətək  ओमप्रकाश oːmpɾəkaːʃ  शिरोमणि ʃɪɾoːməɳɪ
    लोकसभा loːksəbʰaː  विधानसभा ʋɪdʰaːnsəbʰaː  राष्ट्रपति ɾaːʂʈɾəpətɪ  करोड़पति kəɾoːɽpətɪ
    राजभवन ɾaːɟbʰəʋən  ताजमहल taːɟməhəl  श्रीनगर ʃɾiːnəɡəɾ  अहमदनगर əhmədnəɡəɾ  दोपहर doːpəhəɾ
    बाहुबली baːhʊbəli  उपकरण ʊpkəɾəɳ  अपहरण əphəɾəɳ  परिवहन pəɾɪʋəhən  अनुमति ənʊmətɪ  महासचिव məhaːsəcɪʋ
    प्रगति pɾəɡətɪ  बेखबर beːkʰəbəɾ  हमसफर həmsəfəɾ  गर्लफ्रेंड ɡəɾlfɾeːɳɖ  स्मार्टफोन smaːɾʈfoːn
    सॉफ्टवेयर sɔfʈʋeːjəɾ  डिपार्टमेंट ɖɪpaːɾʈmeːɳʈ  मायावती maːjaːʋəti  श्रीमती ʃɾiːməti
    जनसंख्या ɟənsəŋkʰjaː  मनप्रीत mənpɾiːt  बुलंदशहर bʊləndʃəhəɾ
";

/// Exceptions and their inflected forms.
const EXCEPTIONS: &str = "
    जनवरी ɟənʋəɾi  फरवरी fəɾʋəɾi  ज़िंदगी zĩdəɡi  लकड़ी ləkəɽi  संगठन səŋɡəʈʰən  सार्वजनिक saːɾʋəɟənɪk
    बरकरार bəɾkəɾaːɾ  मुकदमा mʊkədmaː  इंटरव्यू ĩʈəɾʋjuː  लापरवाही laːpəɾʋaːhi  नियमों nɪjəmõ
    कंपनी kəmpəni  कंपनियों kəmpnɪjõ  परंपरा pəɾəmpəɾaː  वंदना ʋəndənaː
";

/// Omitted dots of ज़ and फ़.
const LOANS: &str = "
    सीरीज siɾiːz  टूरिज्म ʈuːɾɪzm  साइज saːɪz  शेयरबाजार ʃeːjəɾbaːzaːɾ
    फिल्म fɪlm  जरूर zəɾuːɾ  बाजार baːzaːɾ  कागज kaːɡəz  सफेद səfeːd  नजर nəzəɾ  अंग्रेजी əŋɡɾeːzi
    मजदूर məzduːɾ  हफ्ता həftaː  जमीन zəmiːn  तेज teːz  रोज ɾoːz  बर्फ bəɾf  अफसर əfsəɾ  गेंदबाज ɡeːndbaːz
    बेरोजगारी beːɾoːzɡaːɾi
";

/// Native फ and ज.
const NATIVE: &str = "
    जैन ɟɛːn  गुजरात ɡʊɟɾaːt  मुसाफिर mʊsaːfɪɾ  हाइजैक haːɪɟɛːk
    फल pʰəl  फूल pʰuːl  फिर pʰɪɾ  फैलना pʰɛːlnaː  फाँसी pʰaːnsi  सफल səpʰəl  गुफा ɡʊpʰaː  फेंका pʰeːŋkaː
    फटाफट pʰəʈaːpʰəʈ  जल ɟəl  जगह ɟəɡəh  राजा ɾaːɟaː  बीज biːɟ
    फूफा pʰuːpʰaː  फेफड़ा pʰeːpʰɽaː  फहराना pʰəhɾaːnaː  फुसफुसाना pʰʊspʰʊsaːnaː  फक्कड़ pʰəkːəɽ
    फिसड्डी pʰɪsəɖɖi  अफलातून əflaːtuːn
";

/// Nasal vowels and nasal consonants.
const NASALS: &str = "
    हिंदी hĩdi  हिन्दी hĩdi  गंगा ɡəŋɡaː  पंच pəɲc  अंडा əɳɖaː  संत sənt  कंबल kəmbəl  संसार sənsaːɾ
    केंद्र keːndɾə  आंदोलन aːndoːlən  बैंक bɛːŋk  हिंसा hĩsaː  शांति ʃaːntɪ  पाँच paːɲc  साँप saːmp
    दाँत daːnt  आँख aːŋkʰ  चाँद caːnd  माँग maːŋɡ  पूँजी puːɲɟi  मैं mɛ̃  माँ mã  हाँ hã  यहाँ jəhã
    बच्चों bəcːõ  बातें baːtẽː  करेंगे kəɾẽːɡeː  जाऊँगा ɟaːũɡaː  होंगे hõɡeː  महिलाओं məhɪlaːõ
    भाषाएँ bʰaːʂaːẽː  मैंने mɛ̃neː  उन्होंने ʊnhõneː  हँसी hə̃si  हंस həns  स्वयं sʋəjəm  सिंह sĩh
    मुँह mũh  पहुंचा pəhũcaː
    गूंगा ɡuːŋɡaː  मूंगा muːŋɡaː  लूंगा lũɡaː  देंगे dẽːɡeː
";

/// Clusters and letters with a special sound.
const CLUSTERS: &str = "
    ज्ञान ɡjaːn  यज्ञ jəɡjə  विज्ञान ʋɪɡjaːn  क्षमा kʃəmaː  रक्षा ɾəkʃaː  ऋषि ɾɪʂɪ  कृपा kɾɪpaː  दुःख dʊkkʰ
    अतः ətəh  ब्रह्मा bɾəmhaː  चिह्न cɪnh  श्री ʃɾi  त्रिशूल tɾɪʃuːl  स्त्री stɾi
";

const DOUBLED: &str = "
    पक्का pəkːaː  बच्चा bəcːaː  पत्ता pətːaː  गद्दा ɡədːaː  अच्छा əcʰcʰaː  पत्थर pətʰːəɾ  मक्खी məkkʰi
    चिट्ठी cɪʈʰʈʰi  बुद्ध bʊdʰː  बिल्ली bɪlli  अम्मा əmmaː  रस्सी ɾəssi
";

/// ə beside ह.
const BEFORE_H: &str = "
    पहले pəhleː  शहर ʃəhəɾ  बहन bəhən  कहना kəhnaː  रहमान ɾəhmaːn  नहर nəhəɾ  कहानी kəhaːni  नहीं nəhĩ
    बहुत bəhʊt  महान məhaːn  मेहनत meːhnət
";

/// Vowels before य and व.
const GLIDES: &str = "
    भैया bʰəjjaː  कौवा kəʋʋaː  तैयार təjjaːɾ  गवैया ɡəʋəjjaː  चाय caːj  समय səmɛj  गाय ɡaːj  भय bʰɛj
    विषय ʋɪʂɛj
";

const ENGLISH: &str = "
    डॉक्टर ɖɔkʈəɾ  स्टेशन sʈeːʃən  कंप्यूटर kəmpjuːʈəɾ  ऑफिस ɔfɪs  टीचर ʈiːcəɾ  साइंस saːĩs
    सॉफ्टवेयर sɔfʈʋeːjəɾ  डब्ल्यू ɖəbljuː  ज़ेड zeːɖ  एच eːc  ट्रेन ʈɾeːn  स्कूल skuːl  बैंक bɛːŋk
    इंटरनेट ĩʈəɾneːʈ  क्रिकेट kɾɪkeːʈ  मैनेजर mɛːneːɟəɾ  यूनिवर्सिटी juːnɪʋəɾsɪʈi  टैक्स ʈɛːks
";

const NAMES: &str = "
    नरेंद्र nəɾeːndɾə  मोदी moːdi  राहुल ɾaːhʊl  प्रियंका pɾɪjəŋkaː  अमिताभ əmɪtaːbʰ  ऐश्वर्या ɛːʃʋəɾjaː
    विराट ʋɪɾaːʈ  कोहली koːhli  सचिन səcɪn  तेंदुलकर teːndʊlkəɾ  रवींद्रनाथ ɾəʋindɾənaːtʰ  दिल्ली dɪlli
    मुंबई mũbəi  कोलकाता koːlkaːtaː  चेन्नई ceːnnəi  बेंगलुरु beːŋɡəlʊɾʊ  हैदराबाद hɛːdɾaːbaːd
    लखनऊ ləkʰnəuː  पटना pəʈnaː  भोपाल bʰoːpaːl
";

const PLACES: &str = "
    राजस्थान ɾaːɟəstʰaːn  कजाखस्तान kəzaːkʰəstaːn  उज्बेकिस्तान ʊzbeːkɪstaːn  अररिया əɾəɾɪjaː
    इचलकरंजी ɪcəlkəɾəɲɟi  कोयंबटूर koːjəmbəʈuːɾ  विजयनगरम ʋɪɟəjnəɡəɾəm  गोमतीनगर ɡoːmtiːnəɡəɾ
    चक्रधरपुर cəkɾədʰəɾpʊɾ  पुरुलिया pʊɾʊlɪjaː  अंटार्कटिका əɳʈaːɾkʈɪkaː
    बेलग्रेड beːlɡɾeːɖ  लक्जमबर्ग ləkzəmbəɾɡ  टोंगा ʈoːŋɡaː  तंजावुर təɲɟaːʋʊɾ
    तंजानिया tənzaːnɪjaː  मजारशरीफ məzaːɾʃəɾiːf  सैनफ्रांसिस्को sɛːnfɾaːnsɪskoː
    तेलअवीव teːləʋiːʋ  क्राइस्टचर्च kɾaːɪsʈcəɾc  न्यूजर्सी njuːɟəɾsi  स्वेज sʋeːz
    गुजरांवाला ɡʊɟɾãʋaːlaː  देवस्थान deːʋəstʰaːn  सिंगापुर sĩɡaːpʊɾ
";

/// Foods, plants and animals.
const FOODS: &str = "
    मौसमी mɔːsmi  इलायची ɪlaːjci  परवल pəɾʋəl  शलजम ʃəlɟəm  पुदीना pʊdiːnaː  कमलककड़ी kəməlkəkəɽi
    शाहीपनीर ʃaːhipəniːɾ  चिलगोजा cɪlɡoːzaː  मोमोज moːmoːz  तेंदुआ teːndʊaː  गिरगिट ɡɪɾɡɪʈ
    टिटहरी ʈɪʈəhɾi  कठफोड़वा kəʈʰpʰoːɽʋaː  कटहल kəʈhəl  अमलतास əməltaːs
";

/// Persian and Arabic words, ɟ and z.
const PERSIAN: &str = "
    मौजूद mɔːɟuːd  मौजूदगी mɔːɟuːdɡi  औजार ɔːzaːɾ  तकाजा təkaːzaː  गैरहाजिर ɡɛːɾhaːzɪɾ
    बदहजमी bədhəzmi  बेवफा beːʋəfaː  बेपनाह beːpənaːh  हमउम्र həmʊmɾə  राजीनामा ɾaːzinaːmaː
    कुदरती kʊdɾəti  अफरोज əfɾoːz  जेब ɟeːb  जाती ɟaːti  जीना ɟiːnaː  सूजन suːɟən  इलाज ɪlaːɟ
    दर्ज dəɾɟ  उम्दगी ʊmdəɡi  आमदनी aːmdəni  दस्तावेज dəstaːʋeːz  बेजबान beːzəbaːn
    हाजिरजवाब haːzɪɾɟəʋaːb
";

/// Abstract nouns and adjectives.
const ABSTRACTS: &str = "
    सरलता səɾəltaː  बदलता bədəltaː  समरसता səmɾəstaː  अमरत्व əməɾətʋə  वंदनीय ʋəndəniːj
    चिंतनीय cĩtəniːj  प्रशंसनीय pɾəʃənsəniːj  अनुभवी ənʊbʰəʋi  अनियमित ənɪjəmɪt
    दीपावली dipaːʋəli  बीजगणित biːɟɡəɳɪt  विधानपरिषद ʋɪdʰaːnpəɾɪʂəd  जनआंदोलन ɟənaːndoːlən
    मनगढ़ंत mənɡəɽʰənt  अवनति əʋnətɪ  सपरिवार səpəɾɪʋaːɾ  अपशकुन əpʃəkʊn
";

/// A reading without transcription choices.
fn broad(symbols: &str) -> String {
    let plain =
        symbols.replace(transcription::ASPIRATED_FLAP, "ɽʰ").replace(transcription::FLAP, "ɽ");
    plain
        .chars()
        .filter(|c| !matches!(c, 'ˈ' | 'ˌ'))
        .map(|c| if c == 'ʌ' { 'ə' } else { c })
        .collect::<String>()
        .replace('r', "ɾ")
}

#[test]
fn words() {
    let tables = [
        FINAL, MEDIAL, VERBS, STEM_VOWEL, C_ENDING, COMPOUNDS, EXCEPTIONS, LOANS, NATIVE, NASALS,
        CLUSTERS, DOUBLED, BEFORE_H, GLIDES, ENGLISH, NAMES, PLACES, FOODS, PERSIAN, ABSTRACTS,
    ];
    let fields: Vec<&str> = tables.iter().flat_map(|table| table.split_whitespace()).collect();
    let failures: Vec<_> = fields
        .chunks_exact(2)
        .filter(|row| broad(&read(row[0])) != row[1])
        .map(|row| format!("{}: {}, not {}", row[0], broad(&read(row[0])), row[1]))
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Stress, the variants of ə and र, and function words.
#[test]
fn symbols() {
    let flap = transcription::FLAP;
    let rows = [
        ("कमल", "kˈʌməl"),
        ("चुनाव", "cʊnˈaːʋ"),
        ("बादल", "bˈaːdəl"),
        ("कहानी", "kəhˈaːni"),
        ("दिल्ली", "dˈɪlli"),
        ("बीच", "bˈiːc"),
        ("सरकार", "sˌəɾkˈaːɾ"),
        ("अस्पताल", "ˌʌspətˈaːl"),
        ("मुलाकात", "mˌʊlaːkˈaːt"),
        ("अमेरिका", "ʌmˈeːɾɪkˌaː"),
        ("पार्किंग", "pˈaːɾkĩɡ"),
        ("मीटिंग", "mˈiːʈĩɡ"),
        ("बैंकिंग", "bˈɛːŋkĩɡ"),
        ("दुनिया", "dˈʊnɪjˌaː"),
        ("आरोप", "aːɾˈoːp"),
        ("लिए", "lˈɪeː"),
        ("कर्म", "kˈʌrm"),
        ("शर्मा", "ʃˈʌrmaː"),
        ("कोर्ट", "kˈoːɾʈ"),
        ("के", "keː"),
        ("में", "mẽː"),
        ("है", "hɛː"),
        ("हैं", "hɛ̃"),
        ("हूँ", "hũ"),
        ("वह", "ʋoː"),
        ("यह", "jeː"),
        ("मेरा", "mˌeːɾaː"),
        ("छह", "cʰˈɛː"),
        ("दिल्लीः", "dˈɪlli"),
    ];
    let failures: Vec<_> = rows
        .into_iter()
        .filter(|(word, expected)| read(word) != *expected)
        .map(|(word, expected)| format!("{word}: {}, not {expected}", read(word)))
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
    assert_eq!(read("लड़का"), format!("lˈʌ{flap}kˌaː"));
}

#[test]
fn spellings_of_one_word_are_read_alike() {
    for (one, other) in [
        ("हिंदी", "हिन्दी"),
        ("पाँच", "पांच"),
        ("ज़रूर", "जरूर"),
        ("फ़िल्म", "फिल्म"),
        ("लड़का", "लड\u{93c}का"),
        ("क\u{93c}लम", "\u{958}लम"),
        ("क्\u{200d}या", "क्या"),
        ("शृंगार", "श्रृंगार"),
        ("अंतरराष्ट्रीय", "अन्तरराष्ट्रीय"),
        ("संबंध", "सम्बन्ध"),
        ("लोकसभा", "लोक-सभा"),
    ] {
        assert_eq!(read(one), read(other), "{one} {other}");
    }
}

/// The words of the tables without their marks.
fn listed_words() -> impl Iterator<Item = String> {
    let tables = [
        include_str!("../data/exceptions.tsv"),
        include_str!("../data/spellings.txt"),
        include_str!("../data/aspirates.txt"),
        include_str!("../data/compounds.tsv"),
        include_str!("../data/weak_forms.tsv"),
    ];
    let rows = tables.into_iter().flat_map(exceptions::rows);
    let words = rows.flat_map(|row| row.split_whitespace());
    words.map(|word| word.replace(['~', '=', graphemes::KEEP_SCHWA, graphemes::BOUNDARY], ""))
}

#[test]
fn every_listed_word_is_read() {
    let is_devanagari = |word: &str| word.chars().all(|c| matches!(c, '\u{900}'..='\u{97f}'));
    let faults: Vec<_> = listed_words()
        .filter(|word| is_devanagari(word))
        .filter(|word| !read(word).chars().all(|symbol| vocabulary::id(symbol).is_some()))
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn tables_are_in_one_form_and_have_no_word_twice() {
    let composed: Vec<_> = listed_words()
        .filter(|word| word.chars().any(|c| matches!(c, '\u{958}'..='\u{95f}')))
        .collect();
    assert!(composed.is_empty(), "a nukta is a letter of its own: {composed:?}");
    let mut keys: Vec<&str> = exceptions::rows(include_str!("../data/exceptions.tsv"))
        .chain(exceptions::rows(include_str!("../data/weak_forms.tsv")))
        .map(|row| row.split('\t').next().unwrap_or_default())
        .collect();
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}

/// The consonants of a Latin or Devanagari reading, with V for vowels, as far as comparable.
fn skeleton(symbols: &str) -> String {
    let mut skeleton = String::new();
    for symbol in symbols.chars() {
        let class = match symbol {
            'p' | 'b' | 'f' => 'p',
            't' | 'd' | 'ʈ' | 'ɖ' | 'T' | 'θ' | 'ð' | 'ɾ' | 'r' | 'ɹ' | 'ɽ' | 'l' => 't',
            'k' | 'ɡ' | 'q' | 'x' | 'ɣ' => 'k',
            'c' | 'ɟ' | 'ʧ' | 'ʤ' | 'z' | 'ʒ' => 'c',
            's' | 'ʃ' | 'ʂ' => 's',
            'a' | 'A' | 'I' | 'O' | 'W' | 'Y' | 'e' | 'i' | 'o' | 'u' | 'æ' | 'ɑ' | 'ɔ' | 'ə'
            | 'ɛ' | 'ɜ' | 'ɪ' | 'ʊ' | 'ʌ' | 'ᵊ' | 'ᵻ' | 'j' | 'w' | 'ʋ' | 'v' => 'V',
            // Nasals merge with nasal vowels, and h is inconsistent.
            _ => continue,
        };
        if !skeleton.ends_with(class) {
            skeleton.push(class);
        }
    }
    skeleton.trim_end_matches('V').to_owned()
}

/// Names in `names.tsv` have the same silent vowels as their hand-checked English readings. The
/// exceptions have a vowel in English that Hindi drops (Kamala, Janaki, Thackeray).
#[test]
fn names_agree_with_their_english_readings() {
    let names = exceptions::rows(include_str!("../../data/names.tsv"));
    let rows: Vec<Vec<&str>> =
        names.map(|row| row.split('\t').collect()).filter(|row: &Vec<_>| row.len() == 3).collect();
    let differ: Vec<_> = rows
        .iter()
        .filter(|row| skeleton(row[1]) != skeleton(&read(row[2]).replace("r.", "ɽ")))
        .map(|row| format!("{} {} {}", row[0], row[2], read(row[2])))
        .collect();
    assert!(
        rows.len() > 4000 && differ.len() * 100 <= rows.len() * 8,
        "{}: {differ:#?}",
        differ.len()
    );
}

#[test]
fn every_letter_of_the_block_is_in_the_vocabulary() {
    for letter in '\u{900}'..='\u{97f}' {
        let symbols = read(&letter.to_string());
        assert!(
            !symbols.is_empty() && symbols.chars().all(|symbol| vocabulary::id(symbol).is_some()),
            "{letter}: {symbols}"
        );
    }
}

proptest! {
    #[test]
    fn any_string_of_the_block_is_read(word in "[\u{900}-\u{97f}\u{200c}\u{200d}]{1,24}|[कखगनमरसहय\u{93c}\u{94d}ा-ौंँः]{1,16}") {
        let symbols = read(&word);
        prop_assert!(!symbols.is_empty());
        prop_assert!(symbols.chars().all(|symbol| vocabulary::id(symbol).is_some()), "{}", symbols);
        prop_assert!(symbols.matches('ˈ').count() <= 1);
    }
}
