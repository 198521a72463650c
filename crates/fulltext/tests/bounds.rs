//! Queries and texts that nobody means well: very long, deeply nested, in no character set. They end with an answer, in time that
//! grows as they do, and soon after somebody stops them.

use std::cell::Cell;

use charset::Collation;
use fulltext::boolean::{Query, Search, Stopped, count};
use fulltext::memory::MemoryIndex;
use fulltext::{Failure, Natural, Rules, Stopwords, Syntax, count_until};

const MEGABYTE: usize = 1 << 20;

fn utf8() -> &'static Collation {
    Collation::by_name("utf8mb4_general_ci").unwrap()
}

fn rules() -> Rules {
    Rules { min: 1, max: 84, stopwords: Stopwords::none() }
}

fn query(text: &[u8]) -> Query {
    Query::new(utf8(), &rules(), &Syntax::default(), text)
}

fn rows_of(texts: &[&[u8]], text: &[u8]) -> Vec<u64> {
    let index = &MemoryIndex::new(utf8(), &rules(), (0..).zip(texts.iter().map(|t| [*t])));
    let (mut search, mut rows) = (Search::new(query(text), &index, &|| false).unwrap(), Vec::new());
    let read = &mut |row: u64, f: &mut dyn FnMut(&[u8])| {
        f(texts[row as usize]);
        Ok(())
    };
    while let Some((row, _)) = search.next(&index, read, &|| false).unwrap() {
        rows.push(row);
    }
    let counted = count(query(text), &index, read, &|| false).unwrap();
    assert_eq!(counted, rows.len() as u64);
    rows
}

#[test]
fn a_megabyte_of_parentheses() {
    let texts: [&[u8]; 2] = [b"aa bb", b"cc"];
    for open in ["(", "+(", "-(", "~(", ">(", "\""] {
        let mut text = open.repeat(MEGABYTE / open.len());
        text.push_str("aa");
        let _ = rows_of(&texts, text.as_bytes());
        let _ = query(text.as_bytes()).score(&[b"aa bb"], &|| false).unwrap();
    }
    let mut closed = ")".repeat(MEGABYTE);
    closed.push_str("aa");
    assert_eq!(rows_of(&texts, closed.as_bytes()), [0]);
}

#[test]
fn a_word_at_every_depth() {
    // Each group waits for the one in it and for its word.
    for (member, found) in [("+(+aa ", 1), ("+(+aa +a* ", 1), ("(a* ", 1), ("+(+zz ", 0)] {
        let text = member.repeat(2_000);
        assert_eq!(rows_of(&[b"aa", b"bb"], text.as_bytes()).len(), found, "{member}");
    }
    let deep = "+(".repeat(MEGABYTE / 8) + &"aa ".repeat(MEGABYTE / 8);
    let stop = |after: u32| {
        let asked = Cell::new(0);
        move || {
            asked.set(asked.get() + 1);
            asked.get() > after
        }
    };
    let index = &MemoryIndex::new(utf8(), &rules(), [(0, [&b"aa"[..]])]);
    let read = &mut |_: u64, _: &mut dyn FnMut(&[u8])| Ok(());
    let counted = count(query(deep.as_bytes()), &index, read, &stop(100));
    assert_eq!(counted, Err(Failure::Stopped), "climbing from every word to the top is stopped");
}

#[test]
fn ten_thousand_terms() {
    let words: Vec<String> = (0..10_000).map(|n| format!("w{n}")).collect();
    let text = words.join(" ");
    let row = words[..100].join(",");
    let texts: [&[u8]; 3] = [row.as_bytes(), b"w9999 w1", b"other"];
    assert_eq!(rows_of(&texts, text.as_bytes()), [0, 1]);
    let must = words.iter().map(|w| format!("+{w}")).collect::<Vec<_>>().join(" ");
    assert_eq!(rows_of(&texts, must.as_bytes()), [0u64; 0]);
    let cut = words.iter().map(|w| format!("{w}*")).collect::<Vec<_>>().join(" ");
    assert_eq!(rows_of(&texts, cut.as_bytes()), [0, 1]);
    let phrase = format!("\"{}\"", words[..100].join(" "));
    assert_eq!(rows_of(&texts, phrase.as_bytes()), [0]);
    let index = &MemoryIndex::new(utf8(), &rules(), (0..).zip(texts.iter().map(|t| [*t])));
    let (rules, query) = (&rules(), text.as_bytes());
    let natural = Natural { collation: utf8(), rules, query };
    let hits = natural.search(&index, &|| false).unwrap();
    assert_eq!(hits.iter().map(|h| h.row).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(natural.count(&index, &|| false).unwrap(), 2);
}

#[test]
fn entries_of_a_frequent_word_are_not_all_kept() {
    // more entries than are kept to be counted; the same words in a few rows say what the scores must be
    let texts: Vec<&[u8]> = (0..70_000).map(|n| if n % 3 == 0 { &b"aa bb"[..] } else { b"aa" }).collect();
    let others: Vec<&[u8]> = (0..80_000).map(|_| &b"cc"[..]).collect();
    let index = &MemoryIndex::new(utf8(), &rules(), (0..).zip(texts.iter().chain(&others).map(|t| [*t])));
    let rules = &rules();
    let natural = |query| Natural { collation: utf8(), rules, query };
    let hits = natural(b"aa").search(&index, &|| false).unwrap();
    assert!(hits.iter().map(|h| h.row).eq(0..70_000));
    assert_eq!(natural(b"aa").count(&index, &|| false).unwrap(), 70_000);
    let both = natural(b"aa bb").search(&index, &|| false).unwrap();
    let factor = |found: f64| ((150_000.0 - found) / found).ln();
    let weight = |words: f64| f64::from((1.0 / (1.0 + 0.0115 * words)) as f32);
    for (hit, text) in both.iter().zip(&texts) {
        let expected = match text.len() {
            2 => weight(1.0) * factor(70_000.0),
            _ => weight(2.0) * factor(70_000.0) + weight(2.0) * factor(23_334.0),
        };
        assert!((hit.weight - expected).abs() < 1e-6, "{hit:?}, expected {expected}");
    }
    assert_eq!(both.len(), 70_000);
}

#[test]
fn the_same_word_in_phrase_and_text() {
    // The phrase is one word longer than the longest run of the text.
    let text = ("aa ".repeat(50_000) + "bb ").repeat(4);
    let long = format!("\"{}\"", "aa ".repeat(50_001));
    assert_eq!(query(long.as_bytes()).score(&[text.as_bytes()], &|| false), Ok(0.0));
    let fits = format!("\"{} bb\"", "aa ".repeat(50_000));
    assert!(query(fits.as_bytes()).score(&[text.as_bytes()], &|| false).unwrap() > 0.0);
}

#[test]
fn work_that_is_stopped_ends() {
    let long = "aa bb ".repeat(MEGABYTE / 6);
    let (asked, rules) = (Cell::new(0), &rules());
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() >= 5
    };
    assert_eq!(count_until(utf8(), rules, [long.as_bytes()], &stop), Err(Stopped));
    assert_eq!(asked.replace(0), 5);
    assert_eq!(query(b"\"aa cc\"").score(&[long.as_bytes()], &stop), Err(Stopped));
    assert_eq!(asked.replace(0), 5);
    let index = &MemoryIndex::new(utf8(), rules, (0..100_000).map(|row| (row, [&b"aa"[..]])));
    let natural = Natural { collation: utf8(), rules, query: long.as_bytes() };
    assert_eq!(natural.search(&index, &stop), Err(Failure::Stopped));
    assert_eq!(asked.replace(0), 5);
    let natural = Natural { collation: utf8(), rules, query: b"aa" };
    assert_eq!(natural.count(&index, &stop), Err(Failure::Stopped));
}

#[test]
fn bytes_of_no_character_set() {
    for name in ["utf8mb4_general_ci", "utf8mb4_unicode_ci", "sjis_japanese_ci", "gbk_chinese_ci", "ujis_bin"]
    {
        let collation = Collation::by_name(name).unwrap();
        let bytes: Vec<u8> = (0..32_768).map(|i| (i * 151 + i / 256) as u8).collect();
        let rules = &rules();
        let index = &MemoryIndex::new(collation, rules, [(0, [&bytes[..5000]]), (1, [b"aa"]), (2, [b"bb"])]);
        let natural = Natural { collation, rules, query: &bytes };
        assert!(natural.search(&index, &|| false).unwrap().iter().any(|h| h.row == 0), "{name}");
        let read = &mut |_: u64, f: &mut dyn FnMut(&[u8])| {
            f(&bytes[..5000]);
            Ok(())
        };
        let query = Query::new(collation, rules, &Syntax::default(), &bytes);
        let _ = count(query, &index, read, &|| false).unwrap();
    }
}

#[test]
fn more_words_than_a_search_walks_over() {
    let index = MemoryIndex::new(utf8(), &rules(), [(0, [&b"common"[..]])]);
    let begun = |words: usize, word: &str| {
        let text = word.repeat(words);
        Search::new(query(text.as_bytes()), &index, &|| false).map(|_| ())
    };
    assert!(begun(100_000, "common ").is_ok());
    assert!(matches!(begun(200_000, "common "), Err(Failure::TooManyWords)));
    // words that are in no row take no room
    assert!(begun(200_000, "absent ").is_ok());
}
