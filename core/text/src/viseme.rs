//! Visemes: the mouth shapes of sounds.

use speech_base::string_conversions;

use crate::named::{Named, named};

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

/// The visemes of a phone in IPA, one or (for a diphthong) two, and its viseme id in Azure.
pub fn of_phone(ipa: &str) -> (&'static [Viseme], u8) {
    use Viseme::{AA, CH, DD, E, FF, IH, KK, NN, OH, OU, PP, RR, SS, Sil, TH};
    let plain = ipa.trim_start_matches(['ˈ', 'ˌ']);
    let plain = plain.trim_end_matches(['ː', 'ʰ', 'ʲ', '\u{303}']);
    match plain {
        "aɪ" => (&[AA, IH], 11),
        "aʊ" => (&[AA, OU], 9),
        "ɔɪ" => (&[OH, IH], 10),
        "eɪ" => (&[E, IH], 4),
        "oʊ" => (&[OH, OU], 8),
        "əʊ" => (&[E, OU], 8),
        "p" | "b" | "m" => (&[PP], 21),
        "f" | "v" | "ʋ" | "ɸ" | "β" => (&[FF], 18),
        "θ" => (&[TH], 19),
        "ð" => (&[TH], 17),
        "t" | "d" | "ʈ" | "ɖ" | "ɾ" => (&[DD], 19),
        "n" | "ɳ" | "ɲ" => (&[NN], 19),
        "l" | "ʎ" => (&[NN], 14),
        "k" | "ɡ" | "ŋ" | "x" | "ɣ" | "q" | "χ" | "ɴ" | "ʔ" | "ɰ" => (&[KK], 20),
        "tʃ" | "dʒ" | "ʃ" | "ʒ" | "ʂ" | "tʂ" | "tɕ" | "dʑ" | "ɕ" | "ç" | "ʝ" => {
            (&[CH], 16)
        }
        "s" | "z" | "ts" | "dz" => (&[SS], 15),
        "ɹ" | "r" | "ɻ" | "ɽ" | "ʁ" => (&[RR], 13),
        "h" => (&[AA], 12),
        "ɑ" | "ɒ" => (&[AA], 2),
        "a" | "ʌ" | "ɐ" => (&[AA], 1),
        "æ" => (&[E], 1),
        "ə" => (&[E], 1),
        "ɛ" | "e" | "ø" | "œ" => (&[E], 4),
        "ɜ" | "ɚ" => (&[E], 5),
        "i" | "ɪ" | "ɨ" | "y" | "j" | "ɥ" => (&[IH], 6),
        "ɔ" => (&[OH], 3),
        "o" | "ɤ" => (&[OH], 8),
        "ʊ" => (&[OU], 4),
        "u" | "ɯ" | "w" => (&[OU], 7),
        _ => (&[Sil], 0),
    }
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
