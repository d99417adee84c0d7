//! Visemes: the mouth shapes of sounds.

use std::collections::HashMap;

use speech_base::fork::LazyLock;
use speech_base::string_conversions;

use crate::named::{Named, named};
use crate::normalize::locale::rows;

named! {
    /// A viseme: one of the 15 mouth shapes of OVR LipSync.
    #[derive(Default, Hash)]
    #[non_exhaustive]
    pub enum Viseme {
        /// Silence: closed mouth.
        #[default]
        Sil = "sil",
        /// p, b, m
        PP = "PP",
        /// f, v
        FF = "FF",
        /// th
        TH = "TH",
        /// t, d
        DD = "DD",
        /// k, g, ng
        KK = "kk",
        /// ch, j, sh
        CH = "CH",
        /// s, z
        SS = "SS",
        /// n, l
        NN = "nn",
        /// r
        RR = "RR",
        /// a, as in "car"; h
        AA = "aa",
        /// e, as in "bed", and the neutral vowel
        E = "E",
        /// i, as in "tip"; y
        IH = "ih",
        /// o, as in "toe"
        OH = "oh",
        /// u, as in "book"; w
        OU = "ou",
    }
}

impl Viseme {
    /// Every viseme, in the order of OVR LipSync.
    pub const ALL: [Self; 15] = {
        let mut all = [Self::Sil; 15];
        let mut at = 0;
        while at < all.len() {
            all[at] = Self::NAMED[at].1;
            at += 1;
        }
        all
    };

    /// The name in OVR LipSync: `sil`, `PP`, `kk`, `aa` and so on.
    pub const fn as_str(self) -> &'static str {
        Self::NAMED[self as usize].0
    }
}

string_conversions!(Viseme, "viseme");

/// The visemes and the viseme id of each phone, from `visemes.tsv`.
static PHONES: LazyLock<HashMap<&str, (Vec<Viseme>, u8)>> = LazyLock::new(|| {
    let named = |name| Viseme::named(name).expect("a viseme");
    let rows = rows(include_str!("languages/data/visemes.tsv")).flat_map(|row| {
        let shapes: Vec<_> = row[1].split(' ').map(named).collect();
        let id = row[2].parse().expect("an id");
        row[0].split(' ').map(move |phone| (phone, (shapes.clone(), id)))
    });
    rows.collect()
});

/// The visemes of a phone in IPA, one or (for a diphthong) two, and its viseme id in Azure.
pub fn of_phone(ipa: &str) -> (&'static [Viseme], u8) {
    let plain = ipa.trim_start_matches(['ˈ', 'ˌ']);
    let plain = plain.trim_end_matches(['ː', 'ʰ', 'ʲ', '\u{303}']);
    PHONES.get(plain).map_or((&[Viseme::Sil], 0), |(shapes, id)| (shapes, *id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_with_marks_have_the_shape_of_those_without() {
        assert_eq!(of_phone("ˈaɪ"), (&[Viseme::AA, Viseme::IH][..], 11));
        assert_eq!(of_phone("tʃʰ"), of_phone("tʃ"));
        assert_eq!(of_phone("ˌa\u{303}ː"), of_phone("a"));
    }

    #[test]
    fn names_are_those_of_ovr_lipsync() {
        let names = Viseme::ALL.map(Viseme::as_str).join(" ");
        assert_eq!(names, "sil PP FF TH DD kk CH SS nn RR aa E ih oh ou");
        assert_eq!("kk".parse::<Viseme>().unwrap(), Viseme::KK);
    }

    #[test]
    fn every_sound_of_the_voices_has_a_shape() {
        use crate::phonemize::{PhonemeToken, phones};
        let silent: Vec<_> = crate::vocabulary::symbols()
            .iter()
            .map(|(symbol, id)| PhonemeToken { id: *id, symbol: *symbol, unit: Some(0) })
            .flat_map(|token| phones(&[token]))
            .filter(|phone| of_phone(&phone.ipa).1 == 0)
            .map(|phone| phone.ipa)
            .collect();
        // Symbols of neither language: a labial palatal glide mark and a letter without a sound.
        assert_eq!(silent, ["S", "ᵝ"]);
    }
}
