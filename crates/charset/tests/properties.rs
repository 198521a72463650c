//! What must hold for every collation and any bytes, well-formed or not.

use charset::derivation::{Derivation, Derived};
use charset::{Charset, Collation, KeyPad, LikeRange};
use proptest::prelude::*;
use std::cmp::Ordering;

/// Pieces that bring out the differences between collations, as UTF-8.
const PIECES: &[&str] = &[
    "a",
    "A",
    "b",
    "c",
    "h",
    "H",
    "C",
    "ch",
    "l",
    "z",
    "Z",
    "0",
    " ",
    "  ",
    "\t",
    "\0",
    "!",
    "~",
    "`",
    "e",
    "E",
    "s",
    "ss",
    "ß",
    "é",
    "É",
    "e\u{301}",
    "\u{301}",
    "ä",
    "Ä",
    "ö",
    "ü",
    "æ",
    "œ",
    "ij",
    "ŋ",
    "ı",
    "İ",
    "i",
    "I",
    "dž",
    "lj",
    "nj",
    "l·",
    "aa",
    "Å",
    "к",
    "й",
    "и\u{306}",
    "α",
    "Ω",
    "ا",
    "ا\u{653}",
    "ก",
    "เก",
    "ไ",
    "์",
    "่",
    "漢",
    "字",
    "か",
    "ガ",
    "한",
    "က",
    "က\u{103c}\u{103d}",
    "\u{ffff}",
    "\u{fffd}",
    "\u{ffa0}",
    "😀",
    "𠀀",
    "\u{10ffff}",
    "%",
    "_",
    "\\",
];

/// A string for a set: pieces converted to it, with raw bytes between now and then.
fn text(set: &'static Charset) -> impl Strategy<Value = Vec<u8>> {
    let utf8 = Charset::by_name("utf8mb4").expect("utf8mb4");
    let piece = prop_oneof![
        8 => (0..PIECES.len()).prop_map(move |i| {
            let mut out = Vec::new();
            utf8.convert(PIECES[i].as_bytes(), set, &mut out);
            out
        }),
        1 => prop::collection::vec(any::<u8>(), 1..3),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|p| p.concat())
}

fn any_collation() -> impl Strategy<Value = &'static Collation> {
    (0..Collation::all().len()).prop_map(|i| Collation::all().nth(i).expect("within the number"))
}

fn key(c: &Collation, s: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    c.weight_string(s, &mut out);
    out
}

fn cases(n: u32) -> ProptestConfig {
    let n = if std::env::var_os("ISAMBARD_SOAK").is_some() { n * 50 } else { n };
    ProptestConfig { cases: n, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(6000))]

    #[test]
    fn comparisons_keys_and_hashes_agree(
        (c, a, b, d) in any_collation().prop_flat_map(|c| {
            let t = text(c.charset).boxed();
            (Just(c), t.clone(), t.clone(), t)
        })
    ) {
        let (ab, bd, ad) = (c.compare(&a, &b), c.compare(&b, &d), c.compare(&a, &d));
        prop_assert_eq!(c.compare(&b, &a), ab.reverse(), "{} antisymmetric", c.name);
        prop_assert_eq!(c.compare(&a, &a), Ordering::Equal);
        if ab.is_le() && bd.is_le() {
            prop_assert!(ad.is_le(), "{} transitive", c.name);
        }
        if ab.is_eq() && bd.is_eq() {
            prop_assert!(ad.is_eq(), "{} transitive equality", c.name);
        }
        let (x, y) = (key(c, &a), key(c, &b));
        prop_assert_eq!(x.cmp(&y), ab, "{} keys {:02x?} {:02x?}", c.name, x, y);
        if ab.is_eq() {
            prop_assert_eq!(c.hash(&a, 7), c.hash(&b, 7), "{}", c.name);
        } else {
            prop_assert!(!x.starts_with(&y) && !y.starts_with(&x), "{} a key begins another", c.name);
        }
        // Unless the padding rule is not the collation's own, trailing spaces do not count.
        let mut padded = a.clone();
        padded.extend_from_slice(c.charset.space());
        let own = c.compare(&a, &padded);
        // Thai tone marks go to the very end, after the spaces.
        let thai = c.name.starts_with("tis620_thai");
        if !thai && a.len() % usize::from(c.charset.mbminlen) == 0 && c.charset.well_formed_len(&a) == a.len() {
            prop_assert_eq!(own.is_eq(), c.pad_space, "{} {:02x?}", c.name, a);
        }
        for pad in [KeyPad::Own, KeyPad::Pad, KeyPad::NoPad] {
            let order = c.key_prefix(&a, pad).cmp(&c.key_prefix(&b, pad));
            prop_assert!(order.is_eq() || order == c.compare_key(&a, &b, pad), "{} prefixes", c.name);
            let weights = |s: &[u8]| {
                let mut out = Vec::new();
                c.key_weights(s, pad, &mut out);
                out
            };
            let (x, y) = (weights(&a), weights(&b));
            prop_assert_eq!(x.cmp(&y), c.compare_key(&a, &b, pad), "{} weights {:?}", c.name, pad);
            prop_assert!(x == y || !x.starts_with(&y) && !y.starts_with(&x), "{} weights", c.name);
        }
    }

    #[test]
    fn searching_takes_any_bytes(
        (c, s, pattern, escape, from) in any_collation().prop_flat_map(|c| {
            let t = text(c.charset).boxed();
            (Just(c), t.clone(), t, prop::option::of(prop_oneof![Just(0x5Cu32), any::<u32>()]), 0usize..8)
        })
    ) {
        let _ = c.like(&s, &pattern, escape);
        if let Some(at) = c.find(&s, &pattern, from) {
            prop_assert!(at >= from && at + pattern.len() <= s.len());
        }
        let mut out = Vec::new();
        c.lower(&s, &mut out);
        c.upper(&s, &mut out);
        c.sql_weight_string(&s, &mut out);
        let any = [c.charset.space(), &s].concat();
        let mut percent = Vec::new();
        c.charset.encode(0x25, &mut percent);
        prop_assert!(c.like(&any, &percent, escape.filter(|e| *e != 0x25)), "{} %", c.name);
    }

    #[test]
    fn like_ranges_lose_nothing(
        (c, s, pattern) in any_collation().prop_flat_map(|c| {
            let set = c.charset;
            let utf8 = Charset::by_name("utf8mb4").expect("utf8mb4");
            let whole = move |p: Vec<usize>| {
                let mut out = Vec::new();
                for i in p {
                    utf8.convert(PIECES[i].as_bytes(), set, &mut out);
                }
                out
            };
            let t = prop::collection::vec(0..PIECES.len(), 0..4).prop_map(whole).boxed();
            (Just(c), t.clone(), t)
        })
    ) {
        // A pattern made to match: the string's own beginning in another case, then `%`.
        let set = c.charset;
        for chars in 0..=set.char_len(&s) {
            let mut made = Vec::new();
            c.upper(&s[..set.prefix(&s, chars)], &mut made);
            set.encode(0x25, &mut made);
            for pattern in [&made, &pattern] {
                let (mut min, mut max) = (Vec::new(), Vec::new());
                let width = 12;
                let range = c.like_range(pattern, Some(0x5C), width, &mut min, &mut max);
                if range == LikeRange::Between && c.like(&s, pattern, Some(0x5C)) {
                    let stored = &s[..set.prefix(&s, width)];
                    prop_assert!(c.compare(&min, stored).is_le(), "{} {:02x?} below {:02x?}", c.name, stored, min);
                    prop_assert!(c.compare(stored, &max).is_le(), "{} {:02x?} above {:02x?}", c.name, stored, max);
                }
            }
        }
    }

    #[test]
    fn characters_add_up(
        (set, s) in (0..Charset::all().len()).prop_flat_map(|i| {
            let set = Charset::all().nth(i).expect("within the number");
            (Just(set), text(set))
        }),
        chars in 0usize..10,
    ) {
        let good = set.well_formed_len(&s);
        prop_assert!(good <= s.len());
        let n = set.char_len(&s[..good]);
        prop_assert_eq!(set.prefix(&s[..good], n), good, "{}", set.name);
        let p = set.prefix(&s, chars);
        prop_assert!(p <= s.len());
        let (mut at, mut count) = (0, 0);
        while at < good {
            let len = set.first_char(&s[at..]);
            prop_assert!(len >= usize::from(set.mbminlen) && len <= usize::from(set.mbmaxlen));
            if let Some((cp, bytes)) = set.decode(&s[at..]) {
                prop_assert_eq!(bytes, len);
                let mut back = Vec::new();
                prop_assert!(set.encode(cp, &mut back), "{} U+{:04X}", set.name, cp);
                prop_assert_eq!(set.decode(&back), Some((cp, back.len())));
            }
            prop_assert_eq!(set.word_char(&s[at..]).1, len);
            at += len;
            count += 1;
        }
        prop_assert_eq!(count, n);
        for to in ["utf8mb4", "latin1", "utf16le", "ujis", "binary"] {
            let to = Charset::by_name(to).expect("set");
            if to == set {
                // Kept as it is.
                continue;
            }
            let mut out = Vec::new();
            set.convert(&s, to, &mut out);
            prop_assert_eq!(to.well_formed_len(&out), out.len(), "{} to {}", set.name, to.name);
        }
    }
}

/// Everything there is can be looked up, and all tables can be made.
#[test]
fn all_are_there() {
    assert_eq!((Collation::all().len(), Charset::all().len()), (1242, 40));
    for c in Collation::all() {
        assert!(std::ptr::eq(Collation::by_id(c.id).expect("id"), c));
        assert!(std::ptr::eq(Collation::by_name(&c.name.to_uppercase()).expect("name"), c));
        assert!(c.compare(b"a", b"b").is_lt() || c.charset.mbminlen > 1, "{}", c.name);
        assert_eq!(
            c.is_bin(),
            c.id == c.charset.bin_collation_id || c.name.ends_with("nopad_bin"),
            "{}",
            c.name
        );
    }
    assert_eq!(Collation::by_id(33).map(|c| c.name), Some("utf8mb3_general_ci"));
    assert_eq!(Charset::by_name("UTF8").map(|c| c.name), Some("utf8mb3"));
    assert_eq!(Collation::by_name("utf8_bin").map(|c| c.id), Some(83));
    assert!(Collation::by_name("utf8mb4_0900_ai_ci").is_none() && Collation::by_id(255).is_none());
    let latin1 = Charset::by_name("latin1").expect("latin1");
    assert!(Collation::by_name_in("uca1400_ai_ci", latin1).is_none());
    let utf8mb4 = Charset::by_name("utf8mb4").expect("utf8mb4");
    assert_eq!(Collation::by_name_in("uca1400_ai_ci", utf8mb4).map(|c| c.id), Some(2304));
    let _ = Derived { collation: charset::binary(), derivation: Derivation::Numeric, ascii: true };
}
