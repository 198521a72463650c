//! Pairs of strings whose order was observed on a server.

use charset::Collation;
use std::cmp::Ordering;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")).collect()
}

/// Every observed pair compares as observed, in comparisons, in sort keys, and by hash when equal.
#[test]
fn all_observed_pairs() {
    let text = include_str!("../data/vectors.tsv");
    let (mut count, mut failed) = (0, Vec::new());
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let f: Vec<&str> = line.split('\t').collect();
        let collation = Collation::by_name(f[0]).unwrap_or_else(|| panic!("{}", f[0]));
        let (a, b) = (bytes(f[1]), bytes(f[2]));
        let want = f[3].parse::<i32>().expect("sign").cmp(&0);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        collation.weight_string(&a, &mut x);
        collation.weight_string(&b, &mut y);
        let hashes = collation.hash(&a, 1) == collation.hash(&b, 1);
        let agree = collation.compare(&a, &b) == want
            && collation.compare(&b, &a) == want.reverse()
            && x.cmp(&y) == want
            && (want != Ordering::Equal || hashes);
        if !agree {
            failed.push(format!("{line}: {:?} keys {:?}", collation.compare(&a, &b), x.cmp(&y)));
        }
        count += 1;
    }
    assert_eq!(count, 2265);
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}
