//! Any bytes as a statement: recognised, digested, parsed in several ways, printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sql::fingerprint::{Fingerprint, digest_text, recognise};
use sql::lex::LexMode;
use sql::parse::{Options, parse, parse_expression_at};

fuzz_target!(|data: &[u8]| {
    let mode = LexMode::default();
    digest_text(data, mode);
    let _ = parse_expression_at(data, 0, &Options::default());
    // As a client's packet with several statements.
    let mut rest = data;
    while !rest.is_empty() {
        let options = Options { mode, params: true, multi: true, ..Options::default() };
        let Ok(parsed) = parse(rest, &options) else { break };
        assert!(parsed.end <= rest.len() && (parsed.end > 0 || rest.is_empty()));
        if parsed.end == 0 {
            break;
        }
        rest = &rest[parsed.end..];
    }
    // As the session reads it: literals are lifted and come back by their numbers.
    let mut fingerprint = Fingerprint::default();
    if recognise(data, mode, &mut fingerprint) {
        for literal in &fingerprint.literals {
            assert!(!literal.text(data).is_empty());
        }
        let options = Options {
            mode,
            rows_as_text: fingerprint.rows.is_some(),
            lifted: &fingerprint.literals,
            multi: true,
            ..Options::default()
        };
        if let Ok(parsed) = parse(data, &options) {
            assert!(parsed.lifted as usize <= fingerprint.literals.len());
        }
    }
});
