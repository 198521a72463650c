//! The collation of expressions, against what a server said of some thousands of them.

use charset::Collation;
use charset::derivation::{Derivation, Derived, Mix, Operand, Purpose, aggregate};
use std::io::Read as _;

const DERIVATIONS: [Derivation; 7] = [
    Derivation::Explicit,
    Derivation::None,
    Derivation::Implicit,
    Derivation::SystemConstant,
    Derivation::Coercible,
    Derivation::Numeric,
    Derivation::Ignorable,
];

fn error(mix: &Mix) -> String {
    match mix {
        Mix::Collations { code, operands } => {
            let named: Vec<String> = operands.iter().map(|(c, d)| format!("{c} {}", d.name())).collect();
            format!("E{code} {}", named.join(" "))
        }
        Mix::Invalid { .. } => "E1300 ".into(),
    }
}

#[test]
fn as_the_server_derives_them() {
    let mut text = String::new();
    flate2::read::GzDecoder::new(&include_bytes!("data/derivation.tsv.gz")[..])
        .read_to_string(&mut text)
        .expect("gzip");
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split('\t').collect()).collect();
    let operands: Vec<(&str, Derived, Option<Vec<u8>>)> = rows
        .iter()
        .filter(|f| f[0] == "O")
        .map(|f| {
            let constant = (f[6] != "-").then(|| {
                (0..f[6].len() / 2)
                    .map(|i| u8::from_str_radix(&f[6][2 * i..2 * i + 2], 16).expect("hex"))
                    .collect()
            });
            let derived = Derived {
                collation: Collation::by_name(f[3]).expect("collation"),
                derivation: DERIVATIONS[f[4].parse::<usize>().expect("coercibility")],
                ascii: f[5] == "A",
            };
            (f[2], derived, constant)
        })
        .collect();
    let mut failed = Vec::new();
    let (mut count, mut unsettled) = (0, 0);
    for f in rows.iter().filter(|f| f[0] == "C") {
        let chosen: Vec<usize> = f[1].split(' ').map(|n| n.parse().expect("number")).collect();
        let list: Vec<Operand> = chosen
            .iter()
            .map(|i| Operand { derived: operands[*i].1, constant: operands[*i].2.as_deref() })
            .collect();
        let value = match aggregate(&list, Purpose::Value) {
            Err(mix) => error(&mix),
            // Numbers alone take the collation of the connection.
            Ok(d) if d.derivation == Derivation::Numeric => "utf8mb4_general_ci 4".into(),
            Ok(d) => format!("{} {}", d.collation.name, d.derivation as u8),
        };
        count += 1;
        let comparison = match aggregate(&list, Purpose::Comparison) {
            Err(mix) => error(&mix),
            Ok(_) => "ok".into(),
        };
        let sql = || chosen.iter().map(|i| operands[*i].0).collect::<Vec<_>>().join(" | ");
        if value.trim_end() != f[2].trim_end() {
            failed.push(format!("{}: CONCAT gives {value}, should be {}", sql(), f[2]));
        }
        // Comparisons with numbers are not comparisons of strings.
        let numbers = list.iter().any(|o| o.derived.derivation == Derivation::Numeric);
        // IN converts its items first, and may fail on what that gives.
        let converted = list.len() > 2 && comparison == "ok" && f[3].starts_with("E127");
        if converted {
            unsettled += 1;
        } else if !numbers && comparison.trim_end() != f[3].trim_end() {
            failed.push(format!("{}: comparison gives {comparison}, should be {}", sql(), f[3]));
        }
    }
    assert!(count > 4000 && unsettled < 10, "{unsettled} of {count}");
    assert!(failed.is_empty(), "{} of {count} failed:\n{}", failed.len(), failed.join("\n"));
}
