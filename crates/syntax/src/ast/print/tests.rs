use super::*;
use crate::parse::{Options, parse_expression_at};

fn print(text: &str) -> String {
    let (expr, end) = parse_expression_at(text.as_bytes(), 0, &Options::default()).unwrap();
    assert_eq!(end, text.len(), "{text}");
    expr.to_text(PrintStyle::default())
}

#[test]
fn prints_as_the_server_does() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in include_str!("../../../tests/data/printed-expressions.tsv").lines() {
        if line.starts_with('#') {
            continue;
        }
        let (text, printed) = line.split_once('\t').unwrap();
        let found = print(text);
        if found != printed {
            wrong.push(format!("{text}: {found}, not {printed}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 300, "{count}");
}

#[test]
fn printing_is_stable() {
    // What was printed is read as the same expression: printed again it does not change.
    for line in include_str!("../../../tests/data/printed-expressions.tsv").lines() {
        if line.starts_with('#') {
            continue;
        }
        let (_, printed) = line.split_once('\t').unwrap();
        // `cast(x as char(n) charset cs)` is output only, and so are weight_string's numbers.
        if printed.contains(" charset ") || printed.contains("weight_string") || printed.contains("crc32") {
            continue;
        }
        assert_eq!(print(printed), printed);
    }
}

#[test]
fn aggregates_windows_and_subqueries() {
    for (text, printed) in [
        ("COUNT(*)", "count(0)"),
        ("count(distinct a, b)", "count(distinct `a`,`b`)"),
        (
            "group_concat(a order by b desc separator ';' limit 2)",
            "group_concat(`a` order by `b` desc separator ';' limit 2)",
        ),
        (
            "row_number() over (partition by a order by b rows between 1 preceding and current row)",
            "row_number() over ( partition by `a` order by `b` rows between 1 preceding and current row)",
        ),
        ("a in (select b from t where c > 1)", "`a` in (select `b` from `t` where `c` > 1)"),
        ("a > all (select 1 union select 2)", "`a` > all (select 1 union select 2)"),
        ("db.f(1)", "`db`.`f`(1)"),
        ("@x := a + 1", "@`x`:=`a` + 1"),
        ("t.a", "`t`.`a`"),
    ] {
        assert_eq!(print(text), printed);
    }
    let style = PrintStyle { ansi_quotes: true, ..PrintStyle::default() };
    let (expr, _) = parse_expression_at(b"`a\"b`", 0, &Options::default()).unwrap();
    assert_eq!(expr.to_text(style), "\"a\"\"b\"");
}
