//! Locales: names of months and days for `lc_time_names`, the signs of FORMAT.

use std::sync::OnceLock;

/// A line for each locale; its head says what is in it.
const LOCALES: &str = include_str!("../../data/locales.tsv");

/// The names of one language.
pub(super) struct Names {
    /// Full names, January first.
    pub months: [&'static str; 12],
    /// Short names.
    pub short_months: [&'static str; 12],
    /// Full names, Monday first.
    pub days: [&'static str; 7],
    /// Short names.
    pub short_days: [&'static str; 7],
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signs {
    /// The decimal point.
    pub point: u8,
    /// What stands between groups of digits.
    pub separator: &'static str,
    /// Digits of the group before the point, and of all groups before it; 0: there are none.
    pub groups: (usize, usize),
}

struct Locale {
    name: &'static str,
    names: Names,
    signs: Signs,
}

/// Those of `en_US`, and of what is no locale.
const ENGLISH: Signs = Signs { point: b'.', separator: ",", groups: (3, 3) };

/// As many words as there should be, separated by `|`; none where a line is cut.
fn words<const N: usize>(text: &'static str) -> [&'static str; N] {
    let mut words = text.split('|');
    std::array::from_fn(|_| words.next().unwrap_or_default())
}

fn read(line: &'static str) -> Locale {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let name = next();
    let names = Names {
        months: words(next()),
        short_months: words(next()),
        days: words(next()),
        short_days: words(next()),
    };
    let point = next().bytes().next().unwrap_or(b'.');
    let separator = match next() {
        "\\0" => "\0",
        other => other,
    };
    let groups = next();
    let (first, others) = groups.split_once(',').unwrap_or((groups, groups));
    let number = |text: &str| text.parse().unwrap_or(0);
    Locale { name, names, signs: Signs { point, separator, groups: (number(first), number(others)) } }
}

/// All of them, in the order of their names.
fn all() -> &'static [Locale] {
    static ALL: OnceLock<Vec<Locale>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<Locale> = LOCALES.lines().filter(|l| !l.starts_with('#')).map(read).collect();
        all.sort_by_key(|l| l.name.to_ascii_lowercase());
        all
    })
}

/// The locale of a name in letters of any case.
fn find(name: &str) -> Option<&'static Locale> {
    let lower = |s: &str| s.bytes().map(|b| b.to_ascii_lowercase()).collect::<Vec<u8>>();
    let wanted = lower(name);
    let order = |l: &Locale| l.name.bytes().map(|b| b.to_ascii_lowercase()).cmp(wanted.iter().copied());
    let at = all().binary_search_by(order).ok()?;
    all().get(at)
}

/// The names of a locale; English when it is not known.
pub(super) fn names(locale: &str) -> &'static Names {
    static OF_ENGLISH: OnceLock<&'static Names> = OnceLock::new();
    let english = || *OF_ENGLISH.get_or_init(|| find("en_US").map_or_else(|| &all()[0].names, |l| &l.names));
    match locale {
        "en_US" => english(),
        _ => find(locale).map_or_else(english, |l| &l.names),
    }
}

/// How a locale writes numbers; as English does when it is not known.
pub(super) fn signs(locale: &[u8]) -> Signs {
    if locale == b"en_US" {
        return ENGLISH;
    }
    std::str::from_utf8(locale).ok().and_then(find).map_or(ENGLISH, |l| l.signs)
}

#[cfg(test)]
mod tests {
    use super::{ENGLISH, all, find, names, signs};

    #[test]
    fn every_locale_has_all_names() {
        assert_eq!(all().len(), 112);
        for l in all() {
            assert!(crate::variables::locale::canonical(l.name).is_some(), "{}", l.name);
            let n = &l.names;
            let mut words = n.months.iter().chain(&n.short_months).chain(&n.days).chain(&n.short_days);
            assert!(words.all(|w| !w.is_empty()), "{}", l.name);
        }
    }

    #[test]
    fn locales_are_found_in_any_case() {
        assert_eq!(find("ES_es").map(|l| l.name), Some("es_ES"));
        assert_eq!(names("es_ES").months[0], "enero");
        assert_eq!(names("nowhere").months[0], "January");
        assert_eq!(signs(b"en_in").groups, (3, 2));
        assert_eq!(signs(b"de_DE").separator, ".");
        assert_eq!(signs(b"en_US"), ENGLISH);
        assert_eq!(signs(b"\xff"), ENGLISH);
    }
}
