//! Turns `data/error-messages.tsv` into the table of errors: one constant per symbol and one
//! sorted table of (number, symbol, SQLSTATE, format).

use std::{env, fmt::Write as _, fs, path::Path};

fn main() {
    let source = "data/error-messages.tsv";
    println!("cargo:rerun-if-changed={source}");
    println!("cargo:rerun-if-changed=build.rs");
    let text = fs::read_to_string(source).expect("data/error-messages.tsv");
    let mut rows: Vec<(u16, &str, &str, &str)> = text
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut f = line.splitn(4, '\t');
            let number = f.next()?.parse().ok()?;
            Some((number, f.next()?, f.next()?, f.next()?))
        })
        .collect();
    rows.sort_by_key(|r| r.0);
    let mut out = String::new();
    for (number, symbol, state, format) in &rows {
        assert_eq!(state.len(), 5, "SQLSTATE of {symbol}");
        let doc = format.replace('\\', "\\\\");
        let _ = writeln!(
            out,
            "#[doc = {:?}]\npub const {symbol}: u16 = {number};",
            format!("{number} {state}: `{}`", doc.replace('`', "'"))
        );
    }
    let _ = writeln!(out, "pub(super) static MESSAGES: &[(u16, &str, [u8; 5], &str)] = &[");
    for (number, symbol, state, format) in &rows {
        let _ = writeln!(out, "    ({number}, {symbol:?}, *b{state:?}, {format:?}),");
    }
    out.push_str("];\n");
    let dir = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&dir).join("errors.rs"), out).expect("write errors.rs");
}
