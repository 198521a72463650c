//! Stored bytes that are not text of their set: what a server said of them, read from table files
//! whose bytes were put there as binary ones.

use charset::Collation;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")).collect()
}

#[test]
fn as_the_server_compares_them() {
    let mut failed = Vec::new();
    for line in include_str!("data/ill_formed.tsv").lines().filter(|l| !l.starts_with('#')) {
        let f: Vec<&str> = line.split('\t').collect();
        let c = Collation::by_name(f[0]).expect("collation");
        let strings: Vec<&str> = f[1].split(' ').collect();
        for (i, (a, signs)) in strings.iter().zip(f[4].split(' ')).enumerate() {
            for (b, sign) in strings.iter().zip(signs.chars()) {
                let order = c.compare(&bytes(a), &bytes(b));
                let ours = ['<', '=', '>'][(order as i8 + 1) as usize];
                // Which of two ill-formed strings of utf16 is greater has no rule that is worth following.
                let neither = |s: &str| c.charset.well_formed_len(&bytes(s)) < s.len() / 2;
                let lawless = c.charset.name == "utf16" && neither(a) && neither(b);
                if ours != sign && !lawless {
                    failed.push(format!("{} {a} {ours} {b}, should be {sign}", c.name));
                }
            }
            let length = c.charset.char_len(&bytes(a)).to_string();
            let wanted = f[2].split(' ').nth(i).expect("length");
            if length != wanted {
                failed.push(format!("{} {a}: {length} characters, should be {wanted}", c.name));
            }
            let like = c.like(&bytes(a), &bytes(a), Some(0x5C));
            if like != (f[3].as_bytes()[i] == b'1') {
                failed.push(format!("{} {a} LIKE itself: {like}", c.name));
            }
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}
