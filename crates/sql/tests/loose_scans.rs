//! A loose scan gives what the whole table gives, also of texts that a key finds equal and conditions tell apart.

mod common;

use common::Database;

/// Texts and numbers that are equal in their keys and not the same.
fn table() -> Database {
    let mut db = Database::new();
    db.run(
        "create table t (g int, v varchar(10) collate latin1_swedish_ci, n varchar(10) collate latin1_bin, f double, \
         key kv (v, g), key kg (g, v), key kf (f, g), key kn (n, g)) engine=myisam",
    );
    db.run(
        "insert into t select seq % 4, elt(seq % 6 + 1, 'a', 'A', 'a ', 'b', 'B', 'bb'), elt(seq % 3 + 1, 'x', 'x ', 'y'), \
         elt(seq % 3 + 1, 0, -0e0, 1) from seq_1_to_600",
    );
    db.run("analyze table t");
    db
}

#[test]
fn what_conditions_tell_apart_is_not_left_out() {
    let mut db = table();
    let conditions = [
        "binary v = 'A'",
        "v collate latin1_bin = 'A'",
        "v collate latin1_bin in ('A', 'B')",
        "v collate latin1_bin between 'A' and 'B'",
        "length(v) = 2",
        "hex(v) = '61'",
        "ascii(v) in (65, 66)",
        "v like 'a '",
        "v > 'a' and ascii(v) = 98",
        "not (ascii(v) = 97)",
        "concat(v, 'x') = 'ax'",
        "convert(v using utf8mb4) = _utf8mb4'A' collate utf8mb4_bin",
        "case v when 'a' then 1 else 0 end = 1 and ascii(v) = 65",
        "v = 'A'",
        "v in ('A', 'BB')",
        "v is not null and v <> 'a'",
    ];
    let mut loose = 0;
    for condition in conditions {
        for asked in ["v from t {} where {}", "v, max(g) from t {} where {} group by v"] {
            let distinct = if asked.contains("group") { "" } else { "distinct " };
            let of = |hint: &str| asked.replacen("{}", hint, 1).replacen("{}", condition, 1);
            let sql = |hint: &str| format!("select count(*) from (select {distinct}{}) q", of(hint));
            let whole = db.rows(&sql("ignore index (kv, kg)"));
            assert_eq!(db.rows(&sql("force index (kv)")), whole, "{}", sql(""));
            let plan = db.rows(&format!("explain select {distinct}{}", of("force index (kv)")));
            loose += usize::from(plan[0].contains("group-by"));
        }
    }
    // those that compare as the key does
    assert!(loose >= 4, "{loose}");
    for condition in ["length(n) = 2", "n = 'x'", "hex(n) = '7820'"] {
        let sql = |hint: &str| {
            format!("select count(*) from (select distinct n from t {hint} where {condition}) q")
        };
        let whole = db.rows(&sql("ignore index (kn)"));
        assert_eq!(db.rows(&sql("force index (kn)")), whole, "{condition}");
    }
    let sql = |hint: &str| {
        format!("select count(*) from (select distinct f from t {hint} where concat(f) = '-0') q")
    };
    let whole = db.rows(&sql("ignore index (kf)"));
    assert_eq!(db.rows(&sql("force index (kf)")), whole);
}

#[test]
fn another_collation_makes_other_groups() {
    let mut db = table();
    for sql in [
        "select count(*) from (select distinct v collate latin1_bin from t {}) q",
        "select count(*) from (select v collate latin1_bin as w from t {} group by v collate latin1_bin) q",
        "select g, min(v collate latin1_bin), max(v collate latin1_bin) from t {} group by g",
        "select g, count(distinct v collate latin1_bin) from t {} group by g",
        "select count(distinct v collate latin1_bin) from t {}",
        "select count(distinct binary v) from t {}",
        "select count(*) from (select distinct convert(v using utf8mb4) from t {}) q",
    ] {
        let whole = db.rows(&sql.replace("{}", "ignore index (kv, kg)"));
        assert_eq!(db.rows(&sql.replace("{}", "")), whole, "{sql}");
    }
}
