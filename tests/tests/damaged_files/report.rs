//! What was found, cured and kept, beside the reference's own tool.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::tools::Verdict;

/// The tables by which packed rows are decoded: who takes wrong ones has rows, but other values than there were.
pub const TREES: &str = "trees of packed rows";

/// Damages that `myisamchk` cures and REPAIR does not, by the ends of their names: a head without columns; another collation or other
/// flags of a part of a key, which REPAIR takes as they are; the longest head of packed rows.
const UNCURED: [&str; 4] =
    ["columns: 4 -> 0", "part 0 language: 8 -> 136", "part 0 flag: 19 -> 20", "head: byte 26 is 0"];

/// One damage; pairs are ours and theirs.
pub struct Outcome {
    pub name: String,
    pub kind: &'static str,
    pub found: [Verdict; 2],
    /// Rows that are left by `-r`; none = not cured.
    pub recovered: [Option<u64>; 2],
    /// And by `-o`.
    pub safely: [Option<u64>; 2],
    /// Words of CHECK, `myisamchk -e`, and our two repairs.
    pub said: [String; 4],
}

#[derive(Default)]
struct Row {
    damages: u64,
    found: [u64; 2],
    cured: [u64; 2],
    /// Rows of those that both cured.
    rows: [u64; 2],
    safely: [u64; 2],
    safe_rows: [u64; 2],
}

#[derive(Default)]
pub struct Report {
    kinds: BTreeMap<&'static str, Row>,
    /// Damages that `myisamchk -e` finds and CHECK does not.
    missed: Vec<String>,
    /// Those that it cures and REPAIR does not.
    uncured: Vec<String>,
    /// Those after which REPAIR has fewer rows.
    fewer: Vec<String>,
    /// Processes that crashed, did not end, or took too much memory.
    pub lost: Vec<String>,
    /// Most memory of a process of ours, in KiB.
    pub memory: i64,
}

impl Report {
    pub fn add(&mut self, o: Outcome) {
        let [ours, theirs] = o.found;
        let found = |v: Verdict| matches!(v, Verdict::Bad | Verdict::Warning);
        if found(theirs) && ours == Verdict::Fine {
            self.missed.push(format!("{}: {}", o.name, o.said[1].replace('\n', "; ")));
        }
        let kind = self.kinds.entry(o.kind).or_default();
        kind.damages += 1;
        for (n, said) in o.found.into_iter().enumerate() {
            kind.found[n] += u64::from(found(said));
        }
        for (how, pair, said) in [("-r", o.recovered, &o.said[2]), ("-o", o.safely, &o.said[3])] {
            let (cured, rows) = if how == "-r" {
                (&mut kind.cured, &mut kind.rows)
            } else {
                (&mut kind.safely, &mut kind.safe_rows)
            };
            for n in 0..2 {
                cured[n] += u64::from(pair[n].is_some());
            }
            match pair {
                // other rows than there were
                _ if o.kind == TREES => {}
                [Some(ours), Some(theirs)] => {
                    rows[0] += ours;
                    rows[1] += theirs;
                    if ours < theirs {
                        self.fewer.push(format!("{how} {}: {ours} rows, myisamchk {theirs}: {said}", o.name));
                    }
                }
                [None, Some(_)] if UNCURED.iter().any(|end| o.name.ends_with(end)) => {}
                [None, Some(_)] => self.uncured.push(format!("{how} {}: {said}", o.name)),
                _ => {}
            }
        }
    }

    /// As `docs/repair.md` has it.
    pub fn table(&self) -> String {
        let mut out = String::from(
            "| damage | files | found: `myisamchk -e` | CHECK | cured: `myisamchk -r` | REPAIR | rows: `-r` | REPAIR | \
             cured: `-o` | REPAIR `-o` | rows: `-o` | REPAIR `-o` |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        let mut all = Row::default();
        let line = |out: &mut String, name: &str, r: &Row| {
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                r.damages,
                r.found[1],
                r.found[0],
                r.cured[1],
                r.cured[0],
                r.rows[1],
                r.rows[0],
                r.safely[1],
                r.safely[0],
                r.safe_rows[1],
                r.safe_rows[0],
            );
        };
        for (name, row) in &self.kinds {
            line(&mut out, name, row);
            all.damages += row.damages;
            for n in 0..2 {
                all.found[n] += row.found[n];
                all.cured[n] += row.cured[n];
                all.rows[n] += row.rows[n];
                all.safely[n] += row.safely[n];
                all.safe_rows[n] += row.safe_rows[n];
            }
        }
        line(&mut out, "**all**", &all);
        let _ = write!(
            out,
            "\nRows are those of damages that both cure. Most memory of a process: {} MiB.",
            self.memory >> 10
        );
        out
    }

    /// Fails when ours did worse somewhere.
    pub fn judge(&self) {
        let short = |list: &[String]| list.iter().take(400).cloned().collect::<Vec<_>>().join("\n  ");
        let lists = [
            ("crashed, endless or too large", &self.lost),
            ("found by myisamchk -e and not by CHECK", &self.missed),
            ("cured by myisamchk and not by REPAIR", &self.uncured),
            ("fewer rows than myisamchk keeps", &self.fewer),
        ];
        let worse: Vec<String> = lists
            .iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(what, list)| format!("{} {what}:\n  {}", list.len(), short(list)))
            .collect();
        assert!(worse.is_empty(), "{}", worse.join("\n"));
    }
}
