//! Names of months and days in the languages of `lc_time_names`.

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

const ENGLISH: Names = Names {
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    short_months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    short_days: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
};

const GERMAN: Names = Names {
    months: [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    short_months: ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
    days: ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
    short_days: ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"],
};

const FRENCH: Names = Names {
    months: [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    short_months: ["jan", "fév", "mar", "avr", "mai", "jun", "jui", "aoû", "sep", "oct", "nov", "déc"],
    days: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    short_days: ["lun", "mar", "mer", "jeu", "ven", "sam", "dim"],
};

/// The names of a locale; English when it is not known.
pub(super) fn names(locale: &str) -> &'static Names {
    match locale.get(..3).unwrap_or("") {
        "de_" => &GERMAN,
        "fr_" => &FRENCH,
        _ => &ENGLISH,
    }
}
