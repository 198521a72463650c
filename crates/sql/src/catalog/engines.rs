//! The storage engines that statements may name.

/// One line of `SHOW ENGINES`.
pub struct EngineInfo {
    /// Name as printed.
    pub name: &'static str,
    /// YES, NO or DEFAULT.
    pub support: &'static str,
    /// Description.
    pub comment: &'static str,
}

/// What `SHOW ENGINES` lists.
pub const ENGINES: &[EngineInfo] = &[EngineInfo {
    name: "MyISAM",
    support: "DEFAULT",
    comment: "Non-transactional engine with good performance and small data footprint",
}];

/// Names of engines that are known, so that `ENGINE=` accepts them.
const KNOWN: &[(&str, &str)] = &[
    ("myisam", "MyISAM"),
    ("innodb", "InnoDB"),
    ("aria", "Aria"),
    ("memory", "MEMORY"),
    ("heap", "MEMORY"),
    ("merge", "MRG_MyISAM"),
    ("mrg_myisam", "MRG_MyISAM"),
    ("mrg_isam", "MRG_MyISAM"),
    ("csv", "CSV"),
    ("archive", "ARCHIVE"),
    ("blackhole", "BLACKHOLE"),
    ("sequence", "SEQUENCE"),
    ("performance_schema", "PERFORMANCE_SCHEMA"),
];

/// The usual spelling of an engine's name, when the engine is known.
pub fn canonical(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)).map(|(_, n)| *n)
}
