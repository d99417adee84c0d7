//! Benchmarks of the front end and its stages. Compare two builds in one session: machines drift.
#![allow(clippy::print_stdout, reason = "the start happens once: it is no loop for criterion")]

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use speech_base::Language;
use speech_text::front_end::{self, FrontEnd};
use speech_text::languages::en_us::phonemize::oov;
use speech_text::normalize::Options;

const PARAGRAPH: &str = "If you press the green button twice, the machine returns to its first screen. Nobody knew \
    the 12 answers, so the teacher wrote all questions on the board again at 10:30. Dr. Smith paid $5.50 for a copy.";

/// Just under a thousand characters of prose, names, numbers and abbreviations.
const THOUSAND: &str = "If you press the green button twice, the machine returns to its first screen. Nobody knew \
    the 12 answers, so the teacher wrote all questions on the board again at 10:30. Dr. Smith paid $5.50 for a copy. \
    The lead engineer, Priyanka Raghunathan, read the report that she had written in March and closed it again: the \
    wind had torn down 3 of the towers, and no one at NASA or the FBI would present the project. “Is that a record?” \
    he asked. Well-known databases such as PostgreSQL were used to store what the sensors produced; their content was \
    separate from the minutes of the meeting. By 1999 the town had grown by 12.5%, and its people lived in new houses \
    along the winding road to the desert. They didn't object, as they were content to use what they had. I can't say \
    whether it'll be finished in time, but the contractors have been told to conduct a survey, estimate the costs and \
    close the gap. Thank you for listening, and good night to everyone at home, wherever that may be this evening.";

/// Just under a thousand characters of Hindi news, with numbers, abbreviations and English words.
const THOUSAND_HI: &str = "डॉ. शर्मा ने कहा कि 15 अगस्त, 1947 को देश आज़ाद हुआ और तब से जनसंख्या लगातार बढ़ती रही है। सरकार ने इस साल \
    ₹3.5 लाख करोड़ का बजट रखा है, जिसमें से 12% शिक्षा पर खर्च होगा। सुबह 6:15 बजे ट्रेन स्टेशन पर पहुँची, लेकिन server down होने से \
    टिकट नहीं मिल सके। मौसम विभाग के अनुसार तापमान 42°C तक जा सकता है, इसलिए लोगों को दोपहर में घर से बाहर न निकलने की सलाह दी गई है। \
    प्रो. सिंह की किताबें पढ़ने वाले विद्यार्थियों ने बताया कि परीक्षा का result कल online आएगा। मुख्यमंत्री ने उ.प्र. के गाँवों में 250 नए स्कूल खोलने की घोषणा \
    की, और हर स्कूल में 10-12 कमरे होंगे। अधिक जानकारी के लिए info@example.in पर लिखें या 1800-180-1551 पर फ़ोन करें। क्रिकेट में भारत ने \
    तीसरा मैच जीतकर श्रृंखला 2-1 से अपने नाम कर ली; कप्तान ने 5वें ओवर में शानदार कैच पकड़ा। GST और UPI के नियम बदल गए हैं, अतः अपना KYC समय \
    पर पूरा करें। अंत में हम सबको मिलकर पर्यावरण की रक्षा करनी चाहिए, क्योंकि यह केवल सरकार की नहीं, बल्कि हर नागरिक की ज़िम्मेदारी है। धन्यवाद!";

fn stages(c: &mut Criterion) {
    let en = Language::EnUs;
    let start = Instant::now();
    let front_end = FrontEnd::load();
    phonemize(&front_end, "Hello.", en);
    println!("the front end's start, with its first word: {:?}", start.elapsed());
    let mut group = c.benchmark_group("front end");
    group.throughput(Throughput::Bytes(PARAGRAPH.len() as u64));
    group.bench_function("segment", |b| b.iter(|| front_end::sentences(black_box(PARAGRAPH))));
    group.bench_function("normalize", |b| {
        b.iter(|| normalize(&front_end, black_box(PARAGRAPH), en))
    });
    group.bench_function("phonemize", |b| {
        b.iter(|| phonemize(&front_end, black_box(PARAGRAPH), en))
    });
    group.finish();
    c.bench_function("front end, 1,000 characters", |b| {
        b.iter(|| phonemize(&front_end, black_box(THOUSAND), en))
    });
    let start = Instant::now();
    phonemize(&front_end, "नमस्ते।", Language::HiIn);
    println!("the first word of Hindi: {:?}", start.elapsed());
    c.bench_function("front end, 1,000 characters of Hindi", |b| {
        b.iter(|| phonemize(&front_end, black_box(THOUSAND_HI), Language::HiIn))
    });
}

/// Repetitive texts: time must grow linearly with the length, not quadratically.
fn repeated(c: &mut Criterion) {
    let front_end = FrontEnd::load();
    let mut group = c.benchmark_group("front end, 990 characters of");
    group.sample_size(10);
    for language in Language::ALL {
        for pattern in ["a-", "aA", "#√", "1 ", "½", "क", "क ", ":.:"] {
            let text: String = pattern.chars().cycle().take(990).collect();
            group.bench_function(format!("{pattern:?} in {language}"), |b| {
                b.iter(|| phonemize(&front_end, black_box(&text), language))
            });
        }
    }
    group.finish();
}

fn unknown_word(c: &mut Criterion) {
    // Nine letters, the average of lexicon words. The first reading loads the weights.
    oov::read("word");
    c.bench_function("read an unknown word", |b| b.iter(|| oov::read(black_box("flabberga"))));
}

/// The number of tokens of a normalized text.
fn normalize(front_end: &FrontEnd, text: &str, language: Language) -> usize {
    let sentences = front_end.normalize(text, Options::plain(language));
    sentences.map(|(_, normalized)| normalized.tokens.len()).sum()
}

fn phonemize(front_end: &FrontEnd, text: &str, language: Language) -> usize {
    let sentences = front_end.normalize(text, Options::plain(language));
    sentences.map(|(_, normalized)| front_end.phonemize(&normalized).tokens().len()).sum()
}

criterion_group!(benches, stages, repeated, unknown_word);
criterion_main!(benches);
