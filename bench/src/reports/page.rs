//! The page: one HTML file with its style and plots in it, ratios first, raw figures and machine below.

use std::fmt::Write as _;

use super::plot::{Plot, Series, counted, escaped, figure, key};
use super::store::{Group, Report, Results, Table};
use crate::report::median;

const STYLE: &str = include_str!("page.css");

/// The system that the page is about.
pub(super) const OURS: &str = "Isambard";

/// What a table comes to.
pub(super) struct Summary {
    /// Median, smallest and largest of the ratios.
    pub ratio: (f64, f64, f64),
    /// Median of the shares of CPU time.
    pub cpu: Option<f64>,
}

/// Isambard beside the baseline over all points of a table.
pub(super) fn summary(table: &Table) -> Option<Summary> {
    let points = || table.groups.iter().flat_map(|g| &g.points);
    let mut ratios: Vec<f64> = points().filter_map(|p| table.ratio(p, OURS)).collect();
    let middle = median(&mut ratios)?;
    let mut shares: Vec<f64> = points().filter_map(|p| table.cpu_ratio(p, OURS)).collect();
    Some(Summary { ratio: (middle, ratios[0], ratios[ratios.len() - 1]), cpu: median(&mut shares) })
}

/// The whole page.
#[must_use]
pub fn page(results: &Results) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Isambard: five field reports, measured</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>Five field reports, measured</h1>\n<p>Five reports from the field describe \
         what MyISAM does well and where it ends. Here is each of them again: Isambard beside the storage engines of MariaDB 10.11, in \
         the same run on the same machine. Machines and days differ: look at the ratios. “3×” is three times as fast.</p>\n"
    );
    overview(&mut out, results);
    out.push_str("</header>\n<main>\n");
    for (number, report) in &results.reports {
        section(&mut out, *number, report);
    }
    out + "</main>\n<footer><p>Made by <code>cargo xtask bench reports</code>; the figures as data are in \
        <a href=\"results.json\">results.json</a>.</p></footer>\n</body>\n</html>\n"
}

fn overview(out: &mut String, results: &Results) {
    out.push_str(
        "<div class=\"wide\"><table class=\"overview\">\n<thead><tr><th>Isambard</th><th>times as fast</th><th>lowest to highest</th>\
         <th>CPU</th><th>beside</th></tr></thead>\n<tbody>\n",
    );
    for (number, report) in &results.reports {
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<tr class=\"part\"><th colspan=\"5\"><a href=\"#report{number}\">{number}. {}</a></th></tr>",
            escaped(&report.title)
        );
        for table in &report.tables {
            let Some(Summary { ratio: (middle, low, high), cpu }) = summary(table) else { continue };
            let _ = writeln!(
                out,
                "<tr><td><a href=\"#{}\">{}</a></td><td class=\"{}\"><b>{}×</b></td><td>{}× to {}×</td><td>{}</td><td>{}</td></tr>",
                table.id,
                escaped(&table.title),
                grade(middle),
                figure(middle),
                figure(low),
                figure(high),
                cpu.map_or_else(|| "–".into(), figure),
                escaped(&table.baseline)
            );
        }
    }
    out.push_str("</tbody>\n</table></div>\n<p class=\"note\">The middle one of all points of a table; CPU is the server's time per query as a \
        share of that of the system beside.</p>\n");
}

/// The class of a ratio: how it is coloured.
fn grade(ratio: f64) -> &'static str {
    match ratio {
        r if r >= 4.0 => "r4",
        r if r >= 2.0 => "r3",
        r if r >= 1.1 => "r2",
        r if r >= 0.9 => "r1",
        _ => "r0",
    }
}

fn section(out: &mut String, number: u32, report: &Report) {
    let _ = writeln!(
        out,
        "<section id=\"report{number}\">\n<h2>{number}. {}</h2>\n<p>{}</p>",
        escaped(&report.title),
        escaped(&report.story)
    );
    for table in &report.tables {
        let _ = writeln!(out, "<article id=\"{}\">\n<h3>{}</h3>", table.id, escaped(&table.title));
        ratios(out, table);
        plots(out, table);
        for note in &table.notes {
            let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(note));
        }
        raw(out, table);
        out.push_str("</article>\n");
    }
    let run = &report.run;
    let busy = run.load.split(' ').next().and_then(|l| l.parse::<f64>().ok()).is_some_and(|load| load > 1.0);
    let _ = writeln!(
        out,
        "<p class=\"run\"><b>Measured {} UTC</b> on {}; load {}{}. {}. {}. It took {:.0} min.</p>\n</section>",
        escaped(&run.date),
        escaped(&run.machine),
        escaped(&run.load),
        if busy { ": <b>the machine was busy with other work too</b>" } else { "" },
        escaped(&run.settings),
        escaped(&run.versions),
        (run.seconds / 60.0).max(1.0)
    );
}

/// All places of a table's axis in their order.
pub(super) fn places(table: &Table) -> Vec<&str> {
    let mut places: Vec<&str> = Vec::new();
    for point in table.groups.iter().flat_map(|g| &g.points) {
        if !places.contains(&point.at.as_str()) {
            places.push(&point.at);
        }
    }
    places.sort_by_key(|p| p.parse::<u64>().unwrap_or(0));
    places
}

/// The table of Isambard's ratios.
fn ratios(out: &mut String, table: &Table) {
    let places = places(table);
    let _ = write!(
        out,
        "<div class=\"wide\"><table class=\"ratios\">\n<thead><tr><th>Isambard : {}</th>",
        escaped(&table.baseline)
    );
    for place in &places {
        let head =
            if table.axis.is_empty() { "times as fast".to_owned() } else { counted(place, &table.axis) };
        let _ = write!(out, "<th>{}</th>", escaped(&head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for group in &table.groups {
        let _ = write!(out, "<tr><th>{}</th>", escaped(&group.name));
        for place in &places {
            let point = group.points.iter().find(|p| p.at == *place);
            match point.and_then(|p| Some((table.ratio(p, OURS)?, table.cpu_ratio(p, OURS)))) {
                Some((ratio, cpu)) => {
                    let cpu = cpu.map_or_else(String::new, |c| format!("<small>CPU {}</small>", figure(c)));
                    let _ = write!(out, "<td class=\"{}\"><b>{}×</b>{cpu}</td>", grade(ratio), figure(ratio));
                }
                None => {
                    let why = point
                        .and_then(|p| Some(&p.cells.get(&table.baseline)?.note))
                        .filter(|n| !n.is_empty());
                    let text = why.map_or("–".to_owned(), |n| format!("{}: {n}", table.baseline));
                    let _ = write!(out, "<td class=\"none\"><small>{}</small></td>", escaped(&text));
                }
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// The series of a group, ours last, so that it lies over the others.
fn series(
    table: &Table,
    group: &Group,
    of: &dyn Fn(&super::store::Point, &str) -> Option<f64>,
) -> Vec<Series> {
    let mut all: Vec<Series> = table
        .systems
        .iter()
        .map(|name| Series { name: name.clone(), values: group.points.iter().map(|p| of(p, name)).collect() })
        .filter(|s| s.values.iter().any(Option::is_some))
        .collect();
    all.reverse();
    all
}

fn plots(out: &mut String, table: &Table) {
    let keys: Vec<String> = table.systems.iter().map(|s| key(s)).collect();
    let _ = writeln!(out, "<p class=\"legend\">{}</p>", keys.join(" "));
    let speed = |p: &super::store::Point, name: &str| table.ratio(p, name);
    let cost = |p: &super::store::Point, name: &str| p.cells.get(name)?.cpu;
    let title = format!("Times as fast as {}", table.baseline);
    panels(out, table, &title, true, &speed);
    panels(out, table, table.unit.cpu(), false, &cost);
}

fn panels(
    out: &mut String,
    table: &Table,
    title: &str,
    ratio: bool,
    of: &dyn Fn(&super::store::Point, &str) -> Option<f64>,
) {
    let _ = writeln!(out, "<h4>{}</h4>\n<div class=\"panels\">", escaped(title));
    for group in &table.groups {
        let series = series(table, group, of);
        if series.is_empty() {
            continue;
        }
        let plot = Plot {
            title: format!("{}: {title}", group.name),
            places: group.points.iter().map(|p| p.at.clone()).collect(),
            axis: table.axis.clone(),
            series,
            ratio,
        };
        let place = match &group.points[..] {
            [only] if !only.at.is_empty() => format!(", {}", counted(&only.at, &table.axis)),
            _ => String::new(),
        };
        let caption = escaped(&format!("{}{place}", group.name));
        let _ = writeln!(out, "<figure><figcaption>{caption}</figcaption>{}</figure>", plot.svg());
    }
    out.push_str("</div>\n");
}

/// All figures, folded away.
fn raw(out: &mut String, table: &Table) {
    let reported = table.groups.iter().flat_map(|g| &g.points).any(|p| !p.reported.is_empty());
    let _ = write!(
        out,
        "<details><summary>Raw figures: {}, {}, p95</summary>\n<div class=\"wide\"><table class=\"raw\">\n<thead><tr><th></th><th>{}</th>",
        table.unit.name(),
        table.unit.cpu(),
        escaped(&table.axis)
    );
    for name in &table.systems {
        let _ = write!(out, "<th>{}</th>", escaped(name));
    }
    if reported {
        out.push_str("<th>the report's own</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let mut failures = Vec::new();
    for group in &table.groups {
        for (nr, point) in group.points.iter().enumerate() {
            let name = if nr == 0 { escaped(&group.name) } else { String::new() };
            let at = escaped(&counted(&point.at, ""));
            let _ = write!(out, "<tr><th>{name}</th><td>{at}</td>");
            for system in &table.systems {
                let Some(cell) = point.cells.get(system) else {
                    out.push_str("<td></td>");
                    continue;
                };
                let mut text = cell.value.map_or_else(|| "none".into(), |v| format!("<b>{}</b>", figure(v)));
                let more = [
                    ("CPU ", cell.cpu, ""),
                    ("p95 ", cell.latency95, " ms"),
                    ("", cell.switches, " switches/s"),
                ];
                for (before, value, after) in more {
                    if let Some(value) = value {
                        let _ = write!(text, "<small>{before}{}{after}</small>", figure(value));
                    }
                }
                if !cell.note.is_empty() {
                    failures.push(format!("{system}, {} {}: {}", group.name, point.at, cell.note));
                }
                let _ = write!(out, "<td>{text}</td>");
            }
            if reported {
                let _ = write!(out, "<td>{}</td>", escaped(&point.reported));
            }
            out.push_str("</tr>\n");
        }
    }
    out.push_str("</tbody>\n</table></div>\n");
    for failure in failures {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&failure));
    }
    out.push_str("</details>\n");
}

#[cfg(test)]
mod tests {
    use super::super::store::tests::example;
    use super::*;

    #[test]
    fn the_page_has_a_plot_of_each_group_and_ratios_before_figures() {
        let mut results = Results::default();
        results.update(1, example(1.0));
        results.update(4, example(2.0));
        let html = page(&results);
        // Two tables of two groups, each with its speed and its cost.
        assert_eq!(html.matches("class=\"plot\"").count(), 8);
        let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} is not there"));
        assert!(at("id=\"report1\"") < at("id=\"report4\""));
        assert!(at("<b>3.00×</b><small>CPU 0.25</small>") < at("<summary>Raw figures"));
        assert!(html.contains("gone &lt;away&gt;") && !html.contains("<away>"));
        assert!(html.contains("8894→9394 (1.06)"));
        assert!(html.contains("Measured 2026-11-23 10:00 UTC"));
        // Nothing is fetched from elsewhere.
        assert!(!html.contains("http") && !html.contains("<script"));
    }

    #[test]
    fn a_table_comes_to_its_middle_ratio() {
        let report = example(1.0);
        let Summary { ratio, cpu } = summary(&report.tables[0]).expect("figures");
        assert_eq!(ratio, (2.5, 2.0, 3.0));
        assert_eq!(cpu, Some(0.25));
        assert!(summary(&Table::default()).is_none());
    }

    #[test]
    fn places_are_in_order_though_groups_have_others() {
        let mut table = example(1.0).tables.remove(0);
        table.groups[0].points[0].at = "64".into();
        assert_eq!(places(&table), ["1", "16", "64"]);
    }
}
