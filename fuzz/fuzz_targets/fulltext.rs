//! Any bytes as a boolean query, an operator table and the texts it is asked of.
#![no_main]

use charset::Collation;
use fulltext::boolean::{Query, Search, count};
use fulltext::memory::MemoryIndex;
use fulltext::{Natural, Rules, Stopwords, Syntax};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&[collation, min, swapped], rest)) = data.split_first_chunk::<3>() else { return };
    let collations = ["latin1_swedish_ci", "utf8mb4_general_ci", "utf8mb4_unicode_ci", "sjis_japanese_ci"];
    let collation = Collation::by_name(collations[usize::from(collation) % collations.len()]).unwrap();
    let rules = Rules { min: usize::from(min % 4), max: 84, stopwords: Stopwords::none() };
    let syntax = match swapped % 2 {
        0 => Syntax::default(),
        _ => Syntax::new(b" +-><()~*:\"\"&|", collation.charset).unwrap(),
    };
    let mut texts = rest.split(|b| *b == 0);
    let query = texts.next().unwrap_or(b"");
    let rows: Vec<&[u8]> = texts.collect();
    let index = &MemoryIndex::new(collation, &rules, (0..).zip(rows.iter().map(|t| [*t])));
    let never = || false;
    let natural = Natural { collation, rules: &rules, query };
    let hits = natural.search(&index, &never).unwrap();
    assert!(hits.iter().all(|hit| hit.weight >= 0.0 && hit.weight.is_finite()));
    let scored = hits.iter().filter(|hit| hit.score() > 0.0);
    assert_eq!(natural.count(&index, &never).unwrap(), scored.count() as u64);
    let mut by_row = Query::new(collation, &rules, &syntax, query);
    for row in &rows {
        let score = by_row.score(&[row], &never).unwrap();
        assert!(score >= 0.0, "{score}");
    }
    let mut found = Search::new(Query::new(collation, &rules, &syntax, query), &index, &never).unwrap();
    let mut read = |row: u64, f: &mut dyn FnMut(&[u8])| {
        f(rows[row as usize]);
        Ok(())
    };
    let mut times = 0;
    while let Some((_, score)) = found.next(&index, &mut read, &never).unwrap() {
        assert!(score > 0.0);
        times += 1;
    }
    assert!(times <= rows.len());
    let again = Query::new(collation, &rules, &syntax, query);
    assert_eq!(count(again, &index, &mut read, &never).unwrap(), times as u64);
});
