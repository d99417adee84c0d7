//! Detects unpronounceable words and spells them by letter names.

const LETTER_NAMES: &str = "\
    ˈA bˈi sˈi dˈi ˈi ˈɛf ʤˈi ˈAʧ ˈI ʤˈA kˈA ˈɛl ˈɛm ˈɛn ˈO pˈi kjˈu ˈɑɹ ˈɛs tˈi jˈu vˈi dˈʌbᵊlju ˈɛks wˈI zˈi";

pub(super) fn letter_names() -> impl Iterator<Item = &'static str> {
    LETTER_NAMES.split(' ')
}

/// Consonant clusters that begin words or syllables.
const ONSETS: &str = "
    bd bh bl br bw ch chh chl chr chth cl cn cr ct cz dh dj dr dw dz fj fl fr gh ghr gl gn gr gw hr jh jn kh khr
    kl kn kr ksh kv kw lh ll mc mn mr pf ph phl phr phth pl pn pr ps pt rh sc sch schl schm schn schr scht schw
    scl scr sf sgr sh shl shm shn shr sht shv shw sk skl skr sl sm sn sp sph spl spr sq sr st str sv sw szcz szt
    th thr thw tr ts tsch tw tz vl vr wh wr zh zl zw
";

/// Consonant clusters that begin names of many languages.
const NAME_ONSETS: &str = "
    bj brn bv chk chm dhr dm dn dzh gb gd gj gst hj hl hm hn hs hv hw jw khm khv khw kj kp kpr ks lj lv lw mb mcb mcc mcd
    mcf mcg mch mck mcl mcm mcn mcp mcq mcr mct mcw mg mh mj ml mp mst mw mz nd ndj ndl ng ngh ngw nh nj nk nr nt nw
    nz pfl prz przh rw sb sd shch shk shp sj smr ss stv sz szl tb tch tj tk tl tsv tsw tv vlt vn vs vv xh xp zb zbr
    zd zdr zhd zm zn zr zs zv
";

/// Consonant clusters that end words or syllables.
const CODAS: &str = "
    bb bbs bd bh bs bsk bt bts ch chm chs cht chts ck cks ckt cs ct cts dd dds dg dgk dh dhs dn ds dsk dst dt dth
    dths dz ff ffs ffth fs fsk ft fth fths fts gg ggs gh ghs ght ghth ghts gm gms gn gns gs hd hh hl hm hms hn hns hr
    hs ht hts jd jj jm jn kb kh khs kn ks kt lb lbs lc lch lck lcs lct lcts ld lds ldt lf lfs lft lfth lfths lfts
    lk lks ll lls llt lm lms lmsk ln lns lp lph lphs lps lpt lpts ls lsh lsk lst lt ltch lth lths lts ltz lv lx lz
    mb mbh mbs md mf mm mms mn mns mp mpf mph mphs mps mpst mpt mpts ms msk mt mth nc nch ncs nct ncts nd ndh nds
    ndt ndth ndts ng ngh ngs ngst ngsts ngth ngths nh nj nk nkh nks nkt nn nns ns nsch nsh nsk nst nt nth nths nts
    ntz nx nz nzh ph phs pht pp pps ps pt pth pths pts rb rbs rc rch rchs rck rcs rct rd rds rf rff rfs rg rgh
    rghs rgs rh rk rks rl rld rlds rls rm rms rmth rn rndl rndls rns rnst rnt rp rph rphs rps rpt rr rrh rs rsch
    rscht rsh rsk rst rsts rt rth rths rts rtz rv rvs rw rx rz rzh sc sch scht scs sh sht sk sks sm sms sp sps ss
    ssk sst st sth sts sz szcz szt tch th thm thms ths tl tls ts tsch tsk tt tts tz vl vn vs vsk wb wd wds wf wg
    wk wks wl wls wn wns wp wps ws wst wt wth wths wts ww xt xth xths xts zd zh zz
";

/// Consonant clusters that end names of many languages.
const NAME_CODAS: &str = "dl gt lff nck ndr ngt pf rdt tb";

/// Pronounceable words without a vowel letter.
const VOWELLESS: &str = "
    brr brrr crwth cwm grr grrr hm hmm hmmm krk mhm mm mmm ng nth pfft phpht psst pst pwn sh shh shhh tsk zz zzz
";

/// Whether a word has a vowel, and only clusters of words, or also of names if it is capitalized.
pub(crate) fn is_pronounceable(word: &str) -> bool {
    let is_name = word.starts_with(|c: char| c.is_ascii_uppercase());
    let letters: String = word.matches(|c: char| c.is_ascii_alphabetic()).collect();
    let letters = letters.to_ascii_lowercase();
    if has(VOWELLESS, &letters) {
        return true;
    }
    let clusters: Vec<&str> = letters.split(|c| "aeiouy".contains(c)).collect();
    let [first, inner @ .., last] = clusters.as_slice() else { return false };
    is_onset(first, is_name)
        && (is_coda(last) || is_name && has(NAME_CODAS, last))
        && inner.iter().all(|cluster| is_inner(cluster))
}

fn has(list: &str, item: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == item)
}

fn is_onset(cluster: &str, is_name: bool) -> bool {
    // A single consonant beside a vowel is always valid.
    cluster.len() <= 1
        || has(ONSETS, cluster)
        || is_name && (has(NAME_ONSETS, cluster) || has(ONSETS, &cluster[1..]))
}

fn is_coda(cluster: &str) -> bool {
    cluster.len() <= 1 || has(CODAS, cluster)
}

/// Whether consonants between vowels are a coda and an onset, including those of names.
fn is_inner(cluster: &str) -> bool {
    (0..=cluster.len()).any(|at| is_coda(&cluster[..at]) && is_onset(&cluster[at..], true))
}

/// The names of the letters of a word, the last with the primary stress.
pub(crate) fn spell(word: &str) -> String {
    let letters: Vec<usize> = word
        .bytes()
        .filter(u8::is_ascii_alphabetic)
        .map(|letter| usize::from(letter.to_ascii_lowercase() - b'a'))
        .collect();
    let last = letters.len().saturating_sub(1);
    letters
        .into_iter()
        .enumerate()
        .map(|(i, letter)| {
            let name = letter_names().nth(letter).unwrap_or_default();
            if i == last { name.to_owned() } else { name.replace('ˈ', "ˌ") }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_can_be_pronounced() {
        let pronounceable = "paneer Schmidt rhythm psst Schwarz Mbeki Ng strengths Knightsbridge Nguyen Tchaikovsky Szczecin \
            Llewelyn Khrushchev Brno Dzhokhar Ljubljana Hrithik Przybylski Vltava Tbilisi Krk Xhosa Ndebele Zbigniew \
            backscratcher Kubernetes blockchain Nietzsche Dijkstra Innsbruck Zomato Swiggy Bjork Kjell sphinx zhuzh \
            angstrom latchstring Weltschmerz borscht twelfths Srinivas Jhansi Chhattisgarh Mstislav Pfizer Qatar \
            faqir Gdansk yacht eye aye a I hmm cwm nth Rwanda McDonald McQueen O'Brien Bydgoszcz Bartoszcze crypt \
            Reinhardt Wolff Knopf Bengt Vogt Planck Ksenia Hsieh Mjolnir";
        let spelled = "nginx qzxwv btw pqrst wxyz hrvtsk html xml cpu gpu npm ssh kubectl ffmpeg gcc tcp http https \
            sdk jpg cfg vscode mysql dbms xbmc rtfm q zx fbdev xvideo ctrl qwrty lxc dpkg";
        let table = pronounceable.split_whitespace().map(|word| (word, true));
        let table = table.chain(spelled.split_whitespace().map(|word| (word, false)));
        let wrong: Vec<_> = table.filter(|(word, is)| is_pronounceable(word) != *is).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn letters_by_name() {
        assert_eq!(spell("btw"), "bˌitˌidˈʌbᵊlju");
        assert_eq!(spell(""), "");
    }
}
