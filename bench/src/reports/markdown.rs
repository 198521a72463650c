//! The same as Markdown, for who reads it beside the code.

use std::fmt::Write as _;

use super::page::{OURS, Summary, places, summary};
use super::plot::{counted, figure};
use super::store::{Report, Results, Table};

/// Ratios, then raw figures, then the machine, of each report.
#[must_use]
pub fn markdown(results: &Results) -> String {
    let mut out = "# Five field reports, measured\n\nMade by `cargo xtask bench reports`; [index.html](index.html) has the plots. “3×” is three \
                   times as fast as the system beside; CPU is the server's time per query as a share of its. Look at the ratios.\n\n\
                   | Isambard | times as fast | lowest to highest | CPU | beside |\n|---|---:|---:|---:|---|\n"
        .to_owned();
    for table in results.reports.values().flat_map(|r| &r.tables) {
        let Some(Summary { ratio: (middle, low, high), cpu }) = summary(table) else { continue };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "| {} | **{}×** | {}× to {}× | {} | {} |",
            table.title,
            figure(middle),
            figure(low),
            figure(high),
            cpu.map_or_else(|| "–".into(), figure),
            table.baseline
        );
    }
    for (number, report) in &results.reports {
        section(&mut out, *number, report);
    }
    out
}

fn section(out: &mut String, number: u32, report: &Report) {
    let _ = write!(out, "\n## {number}. {}\n\n{}\n", report.title, report.story);
    for table in &report.tables {
        let _ = write!(out, "\n### {}\n\n", table.title);
        ratios(out, table);
        out.push('\n');
        raw(out, table);
        for note in &table.notes {
            let _ = write!(out, "\n{note}\n");
        }
    }
    let run = &report.run;
    let _ = write!(
        out,
        "\nMeasured {} UTC on {}; load {}. {}. {}.\n",
        run.date, run.machine, run.load, run.settings, run.versions
    );
}

fn heads<'a>(first: &str, rest: impl Iterator<Item = &'a str>) -> String {
    let rest: Vec<&str> = rest.collect();
    format!("| {first} | {} |\n|---|{}\n", rest.join(" | "), "---:|".repeat(rest.len()))
}

fn ratios(out: &mut String, table: &Table) {
    let places = places(table);
    let named: Vec<String> = places
        .iter()
        .map(
            |place| {
                if table.axis.is_empty() { "times as fast".to_owned() } else { counted(place, &table.axis) }
            },
        )
        .collect();
    let first = format!("{OURS} : {}", table.baseline);
    out.push_str(&heads(&first, named.iter().map(String::as_str)));
    for group in &table.groups {
        let cells: Vec<String> = places
            .iter()
            .map(|place| {
                let point = group.points.iter().find(|p| p.at == *place);
                let found = point.and_then(|p| Some((table.ratio(p, OURS)?, table.cpu_ratio(p, OURS))));
                found.map_or_else(
                    || "–".to_owned(),
                    |(ratio, cpu)| match cpu {
                        Some(cpu) => format!("{}×, CPU {}", figure(ratio), figure(cpu)),
                        None => format!("{}×", figure(ratio)),
                    },
                )
            })
            .collect();
        let _ = writeln!(out, "| {} | {} |", group.name, cells.join(" | "));
    }
}

fn raw(out: &mut String, table: &Table) {
    let first = format!("{} (CPU)", table.unit.name());
    let systems = table.systems.iter().map(String::as_str);
    out.push_str(&heads(&first, [table.axis.as_str()].into_iter().chain(systems)));
    for group in &table.groups {
        for point in &group.points {
            let cell = |name: &String| {
                let Some(cell) = point.cells.get(name) else { return String::new() };
                match (cell.value, cell.cpu) {
                    (None, _) => cell.note.chars().take(60).collect::<String>().replace(['|', '\n'], " "),
                    (Some(value), None) => figure(value),
                    (Some(value), Some(cpu)) => format!("{} ({})", figure(value), figure(cpu)),
                }
            };
            let cells: Vec<String> = table.systems.iter().map(cell).collect();
            let at = counted(&point.at, "");
            let _ = writeln!(out, "| {} | {at} | {} |", group.name, cells.join(" | "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::tests::example;
    use super::*;

    #[test]
    fn tables_are_whole() {
        let mut results = Results::default();
        results.update(2, example(1.0));
        let text = markdown(&results);
        assert!(text.contains("| Reading | **2.50×** | 2.00× to 3.00× | 0.25 | MyISAM |"), "{text}");
        assert!(text.contains("| point select | 2.00×, CPU 0.25 | 3.00×, CPU 0.25 |"), "{text}");
        assert!(text.contains("| point select | 16 | 1,800 (10.0) | 600 (40.0) | gone <away> |"), "{text}");
        let mut columns = 0;
        for line in text.lines() {
            let bars = line.matches('|').count();
            assert!(columns == 0 || bars == 0 || bars == columns, "{line}");
            columns = bars;
        }
    }
}
