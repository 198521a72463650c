//! What a run says: the figures, the causes by their weight, tests that nearly pass, and what was better before.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::compare::Comparison;
use crate::record::{End, Record};

/// A test that was run.
pub struct Outcome {
    /// Its name.
    pub name: String,
    /// Isambard's record.
    pub record: Record,
    /// Its statements beside MariaDB's.
    pub comparison: Comparison,
}

/// A line of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The test passed whole.
    pub passed: bool,
    /// Statements equal.
    pub equal: usize,
    /// Statements in all.
    pub total: usize,
}

const HEAD: &str = "# Tests of MariaDB 10.11 in scope: name, whether it passes, statements equal of all. Written by \
                    `cargo xtask mtr --update`.\n";

/// Reads the baseline.
pub fn baseline(file: &Path) -> BTreeMap<String, Kept> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, state, counts) = (words.next()?, words.next()?, words.next()?);
        let (equal, total) = counts.split_once('/')?;
        let kept = Kept { passed: state == "passes", equal: equal.parse().ok()?, total: total.parse().ok()? };
        Some((name.to_owned(), kept))
    };
    text.lines().filter(|l| !l.starts_with('#')).filter_map(line).collect()
}

/// Writes the baseline: what was run now, and what it had of other tests.
pub fn update(file: &Path, outcomes: &[Outcome]) -> Result<(), String> {
    let mut all = baseline(file);
    all.extend(outcomes.iter().map(|o| (o.name.clone(), kept(o))));
    let mut text = HEAD.to_owned();
    for (name, k) in all {
        let state = if k.passed { "passes" } else { "differs" };
        let _ = writeln!(text, "{name} {state} {}/{}", k.equal, k.total);
    }
    fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

fn kept(o: &Outcome) -> Kept {
    Kept { passed: o.record.end == End::Passed, equal: o.comparison.equal, total: o.comparison.total }
}

/// Reads the list of tests that cannot pass here, with the reason of each.
///
/// # Errors
/// A line without a reason.
pub fn skipped(file: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = |line: &str| match line.split_once(": ") {
        Some((name, reason)) if !reason.trim().is_empty() => Ok((name.to_owned(), reason.trim().to_owned())),
        _ => Err(format!("{}: no reason in {line:?}", file.display())),
    };
    text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).map(line).collect()
}

/// Tests of the list among those that were run, with their reasons; one that passes does not belong there.
pub fn told_of_skipped(outcomes: &[Outcome], skipped: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for o in outcomes {
        let Some(reason) = skipped.get(&o.name) else { continue };
        let word = if o.record.end == End::Passed { "passes now, yet the list says" } else { "skipped" };
        let _ = writeln!(text, "  {} ({word}): {reason}", o.name);
    }
    text
}

/// The figures, in one line.
pub fn figures(outcomes: &[Outcome]) -> String {
    let passed = outcomes.iter().filter(|o| o.record.end == End::Passed).count();
    let total: usize = outcomes.iter().map(|o| o.comparison.total).sum();
    let equal: usize = outcomes.iter().map(|o| o.comparison.equal).sum();
    let share = |e: usize, t: usize| if t == 0 { 100.0 } else { 100.0 * e as f64 / t as f64 };
    let mean: f64 = outcomes.iter().map(|o| share(o.comparison.equal, o.comparison.total)).sum();
    format!(
        "passed {passed} of {} in scope, {:.1} % of statements ({equal} of {total}; mean over tests {:.1} %)",
        outcomes.len(),
        share(equal, total),
        mean / outcomes.len().max(1) as f64
    )
}

#[derive(Default)]
struct Cause<'a> {
    direct: usize,
    following: usize,
    tests: HashSet<&'a str>,
    alone: usize,
}

/// The causes by the statements they take, with how many tests each blocks alone.
pub fn causes(outcomes: &[Outcome], most: usize) -> String {
    let mut all: HashMap<&str, Cause<'_>> = HashMap::new();
    for o in outcomes {
        let of_test: HashSet<&str> = o.comparison.differences.iter().map(|d| &*d.cause).collect();
        for d in &o.comparison.differences {
            let c = all.entry(&d.cause).or_default();
            *(if d.follows { &mut c.following } else { &mut c.direct }) += 1;
            c.tests.insert(&o.name);
        }
        if let (1, Some(only)) = (of_test.len(), of_test.iter().next()) {
            all.entry(only).or_default().alone += 1;
        }
    }
    let mut ranked: Vec<_> = all.into_iter().collect();
    ranked.sort_by_key(|(name, c)| (std::cmp::Reverse(c.direct + c.following), *name));
    let mut text = String::from("direct  following  tests  alone  cause\n");
    for (name, c) in ranked.into_iter().take(most) {
        let _ = writeln!(text, "{:6} {:10} {:6} {:6}  {name}", c.direct, c.following, c.tests.len(), c.alone);
    }
    text
}

/// Tests that one or two statements keep from passing.
pub fn nearly(outcomes: &[Outcome], skipped: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for o in outcomes.iter().filter(|o| !skipped.contains_key(&o.name)) {
        let differences = &o.comparison.differences;
        if o.record.end != End::Passed && differences.len() <= 2 {
            let causes: Vec<&str> = differences.iter().map(|d| &*d.cause).collect();
            let _ = writeln!(text, "  {} ({:?}): {}", o.name, o.record.end, causes.join("; "));
        }
    }
    text
}

/// Tests that did better before.
pub fn worse(outcomes: &[Outcome], before: &BTreeMap<String, Kept>) -> Vec<String> {
    let worse = |o: &Outcome| {
        let (was, is) = (before.get(&o.name)?, kept(o));
        let lost = was.passed && !is.passed || is.equal < was.equal;
        let word = |k: Kept| format!("{}/{}{}", k.equal, k.total, if k.passed { " passed" } else { "" });
        lost.then(|| format!("{}: was {}, is {} ({:?})", o.name, word(*was), word(is), o.record.end))
    };
    outcomes.iter().filter_map(worse).collect()
}

/// Every difference of a test.
pub fn details(o: &Outcome, pattern: Option<&str>) -> String {
    let mut text = String::new();
    for d in o.comparison.differences.iter().filter(|d| pattern.is_none_or(|p| d.cause.contains(p))) {
        let follows = if d.follows { " (follows)" } else { "" };
        let _ = writeln!(text, "== {}: {}{follows}\n{}", o.name, d.cause, clipped(&d.text, 600));
        let found = d.found.as_deref().unwrap_or("(not reached)");
        let (want, have): (Vec<&str>, Vec<&str>) = (d.expected.lines().collect(), found.lines().collect());
        for (sign, lines, others) in [('-', &want, &have), ('+', &have, &want)] {
            let own = lines.iter().filter(|l| !others.contains(l));
            own.take(8).for_each(|l| {
                let _ = writeln!(text, "{sign} {}", clipped(l, 300));
            });
        }
    }
    text
}

fn clipped(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_cannot_pass_have_reasons() {
        let file = std::env::temp_dir().join(format!("mtr-skip-{}", std::process::id()));
        fs::write(&file, "# why\nmain.some: no such engine\n").expect("write");
        let skipped = skipped(&file).expect("read");
        let outcome = |name: &str, end| Outcome {
            name: name.into(),
            record: Record { end, millis: 1, statements: Vec::new() },
            comparison: Comparison::default(),
        };
        let outcomes = [outcome("main.some", End::Differs), outcome("main.other", End::Differs)];
        assert_eq!(told_of_skipped(&outcomes, &skipped), "  main.some (skipped): no such engine\n");
        assert!(!nearly(&outcomes, &skipped).contains("main.some"));
        assert!(figures(&outcomes).starts_with("passed 0 of 2"));
        fs::write(&file, "main.some:\n").expect("write");
        assert!(super::skipped(&file).is_err());
        let _ = fs::remove_file(file);
    }

    #[test]
    fn a_baseline_is_kept_and_compared() {
        let file = std::env::temp_dir().join(format!("mtr-baseline-{}", std::process::id()));
        let outcome = |end, equal| Outcome {
            name: "main.some".into(),
            record: Record { end, millis: 1, statements: Vec::new() },
            comparison: Comparison { total: 10, equal, differences: Vec::new() },
        };
        update(&file, &[outcome(End::Passed, 10)]).expect("write");
        let before = baseline(&file);
        assert_eq!(before.get("main.some"), Some(&Kept { passed: true, equal: 10, total: 10 }));
        assert!(worse(&[outcome(End::Passed, 10)], &before).is_empty());
        assert_eq!(worse(&[outcome(End::Differs, 10)], &before).len(), 1);
        assert_eq!(worse(&[outcome(End::TimedOut, 4)], &before).len(), 1);
        let _ = fs::remove_file(file);
        assert!(figures(&[outcome(End::Differs, 5)]).starts_with("passed 0 of 1 in scope, 50.0 %"));
    }
}
