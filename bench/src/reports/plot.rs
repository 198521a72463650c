//! Plots as SVG that takes its colours from the page, light or dark.
//!
//! Written here rather than by a library: plotters and charming put colours and fonts into what they draw, which then
//! fits one background alone; and lines, bars and logarithmic ticks are all that is needed.

use std::fmt::Write as _;

/// A line, or a bar, of a plot.
#[derive(Debug, Clone)]
pub struct Series {
    /// The system.
    pub name: String,
    /// Its values, one for each place on the axis.
    pub values: Vec<Option<f64>>,
}

/// What is drawn.
#[derive(Debug, Clone, Default)]
pub struct Plot {
    /// Above it.
    pub title: String,
    /// Places on the axis.
    pub places: Vec<String>,
    /// What they are, such as "threads".
    pub axis: String,
    /// Systems, the one to be seen first at the end: it is drawn over the others.
    pub series: Vec<Series>,
    /// Values are ratios: a line marks 1.
    pub ratio: bool,
}

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 36.0;

/// Text as HTML and SVG have it.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Three digits that count, thousands apart.
#[must_use]
pub fn figure(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 100.0 || v == 0.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 0.1 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let (whole, rest) =
        text.split_once('.').map_or((text.as_str(), String::new()), |(w, r)| (w, format!(".{r}")));
    let mut grouped = String::new();
    for (nr, digit) in whole.chars().enumerate() {
        if nr > 0 && (whole.len() - nr) % 3 == 0 && !whole.starts_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + &rest
}

/// A number of things: 1 thread, 250k rows.
#[must_use]
pub fn counted(place: &str, things: &str) -> String {
    let number = place.parse().map_or_else(|_| place.to_owned(), short);
    let things = if place == "1" { things.strip_suffix('s').unwrap_or(things) } else { things };
    format!("{number} {things}").trim().to_owned()
}

/// A figure for an axis: 1k, 20M.
#[must_use]
pub fn short(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{}M", v / 1e6),
        v if v >= 1e3 => format!("{}k", v / 1e3),
        v => format!("{}", (v * 1e6).round() / 1e6),
    }
}

/// The class of a system in the page's style sheet.
#[must_use]
pub fn class(name: &str) -> String {
    let words = name.to_lowercase();
    let mut class = "s".to_owned();
    for word in words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()) {
        class.push('-');
        class.push_str(word);
    }
    class
}

/// The classes that colour a system: that of its first word, and its own, which may dash the line.
fn classes(name: &str) -> String {
    let first = class(name.split([' ', ',']).next().unwrap_or(name));
    let own = class(name);
    if own == first { own } else { format!("{first} {own}") }
}

/// A line of a system, for the legend.
#[must_use]
pub fn key(name: &str) -> String {
    format!(
        "<span class=\"key\"><svg class=\"swatch\" viewBox=\"0 0 26 10\" aria-hidden=\"true\"><line class=\"{}\" x1=\"1\" y1=\"5\" x2=\"25\" \
         y2=\"5\"/></svg>{}</span>",
        classes(name),
        escaped(name)
    )
}

/// A logarithmic scale.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(range: (f64, f64), from: f64, to: f64) -> Scale {
        // Some air at both ends.
        let air = (range.1 / range.0).log10().max(0.3) * 0.06;
        Scale { low: range.0.log10() - air, high: range.1.log10() + air, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value.log10() - self.low) / (self.high - self.low);
        self.from + (self.to - self.from) * share
    }

    /// Round values: powers of ten, and 2 and 5 times them where there is room.
    fn ticks(&self) -> Vec<f64> {
        let decades = self.high - self.low;
        let steps: &[f64] = match decades {
            d if d < 0.7 => &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0],
            d if d < 1.9 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let mut ticks = Vec::new();
        for power in self.low.floor() as i32..=self.high.ceil() as i32 {
            // Of many decades every other is enough.
            if decades > 5.0 && power % 2 != 0 {
                continue;
            }
            ticks.extend(steps.iter().map(|s| s * 10f64.powi(power)));
        }
        ticks.retain(|t| (self.low..=self.high).contains(&t.log10()));
        ticks
    }
}

/// The smallest and the largest of the values, none where there is none.
fn range<'a>(series: impl IntoIterator<Item = &'a Series>) -> Option<(f64, f64)> {
    let values = series.into_iter().flat_map(|s| &s.values).flatten().copied().filter(|v| *v > 0.0);
    values.fold(None, |range, v| match range {
        None => Some((v, v)),
        Some((low, high)) => Some((f64::min(low, v), f64::max(high, v))),
    })
}

impl Plot {
    /// As SVG: lines over the axis; of a single place, bars.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut range = range(&self.series).unwrap_or((1.0, 10.0));
        if self.ratio {
            range = (range.0.min(1.0), range.1.max(1.0));
        }
        if self.places.len() > 1 { self.lines(range) } else { self.bars(range) }
    }

    fn open(&self, height: f64) -> String {
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
            escaped(&self.title)
        )
    }

    fn value(&self, value: f64) -> String {
        if self.ratio { format!("{}×", figure(value)) } else { figure(value) }
    }

    fn lines(&self, range: (f64, f64)) -> String {
        let scale = Scale::new(range, HEIGHT - BOTTOM, TOP);
        let step = (WIDTH - LEFT - RIGHT) / (self.places.len() - 1) as f64;
        let x = |nr: usize| LEFT + step * nr as f64;
        let mut out = self.open(HEIGHT);
        // Writing to a string does not fail.
        for tick in scale.ticks() {
            let (y, right) = (scale.at(tick), WIDTH - RIGHT);
            let mark = if self.ratio && tick == 1.0 { "one" } else { "grid" };
            let _ = write!(
                out,
                "<line class=\"{mark}\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/><text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{}{}</text>",
                LEFT - 6.0,
                y + 3.5,
                short(tick),
                if self.ratio { "×" } else { "" }
            );
        }
        for (nr, place) in self.places.iter().enumerate() {
            let text = place.parse::<f64>().map_or_else(|_| escaped(place), short);
            let _ = write!(
                out,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                x(nr),
                HEIGHT - BOTTOM + 15.0
            );
        }
        let _ = write!(
            out,
            "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 5.0,
            escaped(&self.axis)
        );
        for series in &self.series {
            self.line(&mut out, series, &scale, &x);
        }
        out + "</svg>"
    }

    fn line(&self, out: &mut String, series: &Series, scale: &Scale, x: &dyn Fn(usize) -> f64) {
        let points: Vec<(usize, f64)> = series
            .values
            .iter()
            .enumerate()
            .filter_map(|(nr, v)| Some((nr, (*v)?)).filter(|(_, v)| *v > 0.0))
            .collect();
        let classes = classes(&series.name);
        // A missing value parts the line.
        for run in points.chunk_by(|a, b| a.0 + 1 == b.0).filter(|run| run.len() > 1) {
            let path: Vec<String> =
                run.iter().map(|(nr, v)| format!("{:.1},{:.1}", x(*nr), scale.at(*v))).collect();
            let _ = write!(out, "<polyline class=\"{classes}\" points=\"{}\"/>", path.join(" "));
        }
        for (nr, value) in &points {
            let _ = write!(
                out,
                "<circle class=\"{classes}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\"><title>{}, {} {}: {}</title></circle>",
                x(*nr),
                scale.at(*value),
                escaped(&series.name),
                escaped(&self.places[*nr]),
                escaped(&self.axis),
                self.value(*value)
            );
        }
        if let Some((nr, value)) = points.last().filter(|_| series.name == "Isambard") {
            let _ = write!(
                out,
                "<text class=\"mark\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x(*nr) + 6.0,
                scale.at(*value) + 3.5,
                self.value(*value)
            );
        }
    }

    fn bars(&self, range: (f64, f64)) -> String {
        const BAR: f64 = 20.0;
        let name = |s: &Series| s.name.replace("Isambard, ", "… ").replace("MyISAM, ", "… ");
        let longest = self.series.iter().map(|s| name(s).chars().count()).max().unwrap_or(0);
        let names = if longest > 17 { 152.0 } else { 112.0 };
        let range = if self.ratio { range } else { (range.0 / 1.6, range.1) };
        let scale = Scale::new(range, names, WIDTH - 54.0);
        let start = if self.ratio { scale.at(1.0) } else { names };
        let height = BAR * self.series.len() as f64 + 8.0;
        let mut out = self.open(height);
        let _ = write!(
            out,
            "<line class=\"{}\" x1=\"{start:.1}\" y1=\"2\" x2=\"{start:.1}\" y2=\"{:.1}\"/>",
            if self.ratio { "one" } else { "grid" },
            height - 2.0
        );
        // The first to be seen is the last of the series.
        for (nr, series) in self.series.iter().rev().enumerate() {
            let y = 4.0 + BAR * nr as f64;
            let value = series.values.first().copied().flatten().filter(|v| *v > 0.0);
            let _ = write!(
                out,
                "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                names - 6.0,
                y + 14.0,
                escaped(&name(series))
            );
            let Some(value) = value else {
                let _ = write!(
                    out,
                    "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">none</text>",
                    start + 5.0,
                    y + 14.0
                );
                continue;
            };
            let (end, classes) = (scale.at(value), classes(&series.name));
            let (left, width) = (start.min(end), (end - start).abs().max(1.5));
            let _ = write!(
                out,
                "<rect class=\"{classes}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"2\"/><text class=\"mark\" \
                 x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                y + 3.0,
                BAR - 6.0,
                start.max(end) + 5.0,
                y + 14.0,
                self.value(value)
            );
        }
        out + "</svg>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_that_count() {
        let figures = [1_234_567.8, 999.4, 12.34, 1.234, 0.5, 0.0123, 0.0].map(figure);
        assert_eq!(figures, ["1,234,568", "999", "12.3", "1.23", "0.50", "0.012", "0"]);
        assert_eq!(counted("1", "threads"), "1 thread");
        assert_eq!(counted("250000", "rows"), "250k rows");
        assert_eq!([250_000.0, 1e6, 0.02, 16.0].map(short), ["250k", "1M", "0.02", "16"]);
    }

    #[test]
    fn ticks_are_round_and_within_the_scale() {
        let ticks = |low, high| Scale::new((low, high), 0.0, 1.0).ticks();
        assert_eq!(ticks(0.9, 6.0), [1.0, 2.0, 5.0]);
        assert_eq!(ticks(9.0, 21.0), [10.0, 15.0, 20.0]);
        assert_eq!(ticks(1.0, 1000.0), [1.0, 10.0, 100.0, 1000.0]);
        assert!(ticks(1.0, 1e8).len() <= 5);
        assert!(!ticks(1.0, 1.0).is_empty());
    }

    #[test]
    fn a_missing_value_parts_the_line() {
        let series = |name: &str, values: &[f64]| Series {
            name: name.into(),
            values: values.iter().map(|v| Some(*v).filter(|v| v.is_finite())).collect(),
        };
        let plot = Plot {
            title: "a < b".into(),
            places: ["1", "4", "16", "64"].map(String::from).to_vec(),
            series: vec![
                series("Isambard", &[1.0, 2.0, f64::NAN, 3.0]),
                series("MyISAM mmap", &[1.0, 2.0, 3.0, 4.0]),
            ],
            ..Plot::default()
        };
        let svg = plot.svg();
        assert_eq!(svg.matches("<polyline").count(), 2, "{svg}");
        assert_eq!(svg.matches("<circle").count(), 7);
        assert!(svg.contains("a &lt; b") && svg.contains("class=\"s-myisam s-myisam-mmap\""));
    }

    #[test]
    fn bars_of_ratios_begin_at_one() {
        let series = |name: &str, value| Series { name: name.into(), values: vec![value] };
        let plot = Plot {
            ratio: true,
            places: vec![String::new()],
            series: vec![series("InnoDB", None), series("MyISAM", Some(0.25)), series("Isambard", Some(4.0))],
            ..Plot::default()
        };
        let svg = plot.svg();
        assert_eq!(svg.matches("<rect").count(), 2, "{svg}");
        assert!(svg.contains("4.00×") && svg.contains("none"));
        let at = |text: &str| svg.find(text).expect("drawn");
        assert!(at(">Isambard<") < at(">MyISAM<"));
    }
}
