//! The East Asian sets: forward map, weights and case as tables over lead and trail bytes.

use crate::source::{bytes_literal, emit, fields, hex, hex_bytes, le16, le32, text};
use std::fmt::Write as _;

/// A well-formed code without a Unicode value, and a code that is not well-formed.
const UNASSIGNED: u16 = 0xFFFF;
const ILL_FORMED: u16 = 0xFFFE;

/// Writes `east_asian.rs` and its blobs.
pub fn write() {
    let mut out = String::new();
    let exceptions = text("cjk_reverse_exceptions.tsv");
    for set in ["big5", "cp932", "eucjpms", "euckr", "gb2312", "gbk", "sjis", "ujis"] {
        let source = text(&format!("cjk_{set}.tsv.gz"));
        let rows: Vec<(Vec<u8>, Vec<&str>)> =
            source.lines().map(|l| l.split('\t').collect::<Vec<_>>()).map(|f| (hex_bytes(f[0]), f)).collect();
        let index = |at: usize| index(&rows, at);
        let ((leads, lead_count), (trails, trail_count)) = (index(0), index(1));
        let mut single = vec![ILL_FORMED; 256];
        let mut single_weights: Vec<u8> = (0..=255).collect();
        let mut double = vec![ILL_FORMED; lead_count * trail_count];
        let mut double_weights = vec![0u16; lead_count * trail_count];
        let mut triple = Vec::new();
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let mut own_weights = true;
        for (bytes, f) in &rows {
            let cp = if f[1] == "-" { UNASSIGNED } else { u16::try_from(hex(f[1])).expect("BMP") };
            assert!(cp == UNASSIGNED || cp < ILL_FORMED);
            let weight = if f[2] == "=" { bytes.clone() } else { hex_bytes(f[2]) };
            assert_eq!(weight.len(), bytes.len(), "{set} {f:?}");
            let code = number(bytes);
            for (list, to) in [(&mut lower, f[3]), (&mut upper, f[4])] {
                if to != "=" {
                    list.extend([code, number(&hex_bytes(to))]);
                }
            }
            match bytes[..] {
                [b] => {
                    single[usize::from(b)] = cp;
                    single_weights[usize::from(b)] = weight[0];
                }
                [a, b] => {
                    let at = usize::from(leads[usize::from(a)]) * trail_count
                        + usize::from(trails[usize::from(b)]);
                    double[at] = cp;
                    double_weights[at] = number(&weight) as u16;
                    own_weights &= weight == *bytes;
                }
                [0x8F, a, b] => {
                    assert_eq!(weight, *bytes);
                    triple.resize(94 * 94, ILL_FORMED);
                    triple[usize::from(a - 0xA1) * 94 + usize::from(b - 0xA1)] = cp;
                }
                _ => panic!("{set} {f:?}"),
            }
        }
        // Not so in sjis, whose 5C is U+005C but not the other way round.
        let ascii = (0..128).all(|b| single[b] == b as u16)
            && fields(&exceptions)
                .filter(|f| f[0] == set && hex(f[1]) < 0x80)
                .all(|f| hex(f[1]) == hex(f[2]));
        let reverse = reverse_exceptions(&exceptions, set);
        let blob = |part: &str, values: &[u16]| {
            let file = format!("{set}.{part}.bin");
            emit(&file, le16(values));
            format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"))")
        };
        let weights = if own_weights {
            "None".to_string()
        } else {
            format!("Some({})", blob("weights", &double_weights))
        };
        let _ = writeln!(
            out,
            "pub(crate) static SET_{}: CjkSet = CjkSet {{ ascii: {ascii}, single: {}, leads: {}, trails: {}, \
             trail_count: {trail_count}, double: {}, triple: {}, single_weights: {}, double_weights: {weights}, \
             weigh_by_code: {}, lower: {}, upper: {}, exceptions: {}, reverse: OnceLock::new() }};",
            set.to_uppercase(),
            bytes_literal(&le16(&single)),
            bytes_literal(&leads),
            bytes_literal(&trails),
            blob("double", &double),
            blob("triple", &triple),
            bytes_literal(&single_weights),
            set == "big5",
            bytes_literal(&le32(&lower)),
            bytes_literal(&le32(&upper)),
            bytes_literal(&le32(&reverse)),
        );
    }
    emit("east_asian.rs", out);
}

/// Characters that another code than that of the table stands for.
fn reverse_exceptions(exceptions: &str, set: &str) -> Vec<u32> {
    fields(exceptions).filter(|f| f[0] == set).flat_map(|f| [hex(f[1]), number(&hex_bytes(f[2]))]).collect()
}

/// Big-endian value of a code.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |n, b| n << 8 | u32::from(*b))
}

/// Numbers of the bytes that stand at `at` in characters of two bytes, and how many there are.
fn index(rows: &[(Vec<u8>, Vec<&str>)], at: usize) -> (Vec<u8>, usize) {
    let mut used = [false; 256];
    rows.iter().filter(|(b, _)| b.len() == 2).for_each(|(b, _)| used[usize::from(b[at])] = true);
    let mut n = 0u8;
    let table: Vec<u8> = used
        .iter()
        .map(|u| {
            n += u8::from(*u);
            if *u { n - 1 } else { 0xFF }
        })
        .collect();
    (table, usize::from(n))
}
