use super::*;
use crate::ast::{ExprKind, InsertSource, Statement};
use crate::parse::{Options, parse};

fn fingerprint(sql: &str) -> Option<Fingerprint> {
    let mut fingerprint = Fingerprint::default();
    recognise(sql.as_bytes(), LexMode::default(), &mut fingerprint).then_some(fingerprint)
}

fn lifted(sql: &str) -> Vec<&str> {
    let fingerprint = fingerprint(sql).unwrap_or_else(|| panic!("no fingerprint: {sql}"));
    // The parser meets every lifted literal where an expression may stand.
    let options = Options { lifted: &fingerprint.literals, ..Options::default() };
    let parsed = parse(sql.as_bytes(), &options).unwrap();
    assert_eq!(parsed.lifted as usize, fingerprint.literals.len(), "{sql}");
    fingerprint.literals.iter().map(|t| std::str::from_utf8(t.text(sql.as_bytes())).unwrap()).collect()
}

#[test]
fn literals_are_lifted_where_they_are_values() {
    let none: [&str; 0] = [];
    assert_eq!(lifted("SELECT c FROM sbtest1 WHERE id=5042"), ["5042"]);
    assert_eq!(lifted("SELECT c, 5, 'x' FROM t WHERE a = 'it''s' AND b > 1.50"), ["'it''s'", "1.50"]);
    assert_eq!(lifted("SELECT c FROM t WHERE id BETWEEN 1 AND 100 ORDER BY 2 LIMIT 10"), ["1", "100", "10"]);
    assert_eq!(
        lifted("SELECT SUM(k) FROM t WHERE a IN (1,2,3) GROUP BY b + 1 HAVING SUM(k) > 5"),
        ["1", "2", "3"]
    );
    assert_eq!(lifted("UPDATE t SET k=k+1, c='x' WHERE id=7 LIMIT 1"), ["1", "'x'", "7", "1"]);
    assert_eq!(lifted("DELETE FROM t WHERE id=7 ORDER BY a+1 LIMIT 3"), ["7", "3"]);
    assert_eq!(lifted("SELECT a FROM t WHERE a = -5 AND b - 3 = .5e2"), ["5", "3", ".5e2"]);
    assert_eq!(lifted("SELECT (SELECT 1 FROM u WHERE x=2) FROM t WHERE y=3"), ["3"]);
    assert_eq!(lifted("SELECT a FROM t WHERE a = (SELECT MAX(b + 1) FROM u WHERE c = 2)"), ["2"]);
    assert_eq!(lifted("SELECT a FROM (SELECT 1 AS a FROM u WHERE z = 9) d WHERE a = 3"), ["9", "3"]);
    assert_eq!(
        lifted("SELECT a FROM t WHERE CAST(a AS CHAR(10)) = 'x' AND CONVERT(b, DECIMAL(10,2)) = 3"),
        ["'x'", "3"]
    );
    assert_eq!(lifted("SELECT a FROM t WHERE d = DATE '2020-01-01' AND e LIKE 'a%' ESCAPE '!'"), ["'a%'"]);
    assert_eq!(
        lifted("SELECT a FROM t WHERE d > NOW() - INTERVAL 3 DAY AND EXTRACT(YEAR FROM d) = 2020"),
        ["3", "2020"]
    );
    assert_eq!(
        lifted("SELECT a FROM t WHERE a = x'41' AND b = 0x42 AND c = b'1'"),
        ["x'41'", "0x42", "b'1'"]
    );
    assert_eq!(lifted("SELECT a FROM t WHERE ExtractValue(a, '/b') = 'x'"), ["'x'"]);
    assert_eq!(lifted("SELECT a FROM t WHERE a = _latin1'x' AND b = N'y'"), ["_latin1'x'", "N'y'"]);
    assert_eq!(lifted("SELECT t1.a FROM t1, db2.t3 WHERE t1.b4 = @v5 AND t3.2c = @@x"), none);
    assert_eq!(
        lifted("SELECT a FROM t WHERE a = 1 UNION SELECT 2 FROM u WHERE b = 3 ORDER BY 1"),
        ["1", "3"]
    );
    assert_eq!(
        lifted("INSERT INTO t SELECT a, 1 FROM u WHERE b = 2 ON DUPLICATE KEY UPDATE c = 3"),
        ["2", "3"]
    );
    assert_eq!(lifted("INSERT INTO t SET a = 1, b = 'x'"), ["1", "'x'"]);
    assert_eq!(lifted("REPLACE INTO t(a) SELECT b FROM u LIMIT 5, 6"), ["5", "6"]);
    assert_eq!(lifted("SELECT a /* 7 */ FROM t /* trace 123 */ WHERE a = 8 -- tail 9"), ["8"]);
    assert_eq!(lifted("SELECT GROUP_CONCAT(a ORDER BY b SEPARATOR ',') FROM t WHERE c = 1"), ["1"]);
    assert_eq!(
        lifted("SELECT a FROM t WHERE a = 99999999999999999999 OR a = 18446744073709551615"),
        ["99999999999999999999", "18446744073709551615"]
    );
}

#[test]
fn same_shape_and_other_shape() {
    let key = |s: &str| fingerprint(s).unwrap().key;
    let same = |a: &str, b: &str| assert_eq!(key(a), key(b), "{a} / {b}");
    let differ = |a: &str, b: &str| assert_ne!(key(a), key(b), "{a} / {b}");
    same("SELECT c FROM t WHERE id=1", "SELECT c FROM t WHERE id=99");
    same("SELECT c FROM t WHERE id=1", " SELECT c FROM t WHERE id=1 ;");
    same("SELECT c FROM t /* a */ WHERE id=1", "SELECT c FROM t /* bb */ WHERE id=1");
    same("SELECT c FROM t WHERE a='x'", "SELECT c FROM t WHERE a='it\\'s'");
    same("INSERT INTO t VALUES (1,'a')", "INSERT INTO t VALUES (7,NULL),(8,-1.5)");
    differ("SELECT c FROM t WHERE id=1", "SELECT c FROM t WHERE id='1'");
    differ("SELECT c FROM t WHERE id=1", "SELECT c FROM t WHERE id=1.0");
    differ("SELECT c FROM t WHERE id=1.0", "SELECT c FROM t WHERE id=1.00");
    differ("SELECT c FROM t WHERE id=1", "SELECT c FROM t WHERE id=18446744073709551615");
    differ("SELECT c FROM t WHERE a='x'", "SELECT c FROM t WHERE a='é'");
    differ("SELECT c FROM t WHERE id=1", "SELECT C FROM t WHERE id=1");
    differ("SELECT 1 FROM t", "SELECT 2 FROM t");
    differ("SELECT a FROM t ORDER BY 1", "SELECT a FROM t ORDER BY 2");
    differ("INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1,2)");
    differ("SELECT a/**/b FROM t", "SELECT ab FROM t");
    assert_ne!(
        fingerprint("SELECT c FROM t WHERE id=1").unwrap().hash,
        fingerprint("SELECT d FROM t WHERE id=1").unwrap().hash
    );
}

#[test]
fn texts_without_a_shape() {
    for sql in [
        "SET a = 1",
        "CREATE TABLE t (a INT)",
        "SELECT /*!40001 SQL_NO_CACHE */ a FROM t",
        "SELECT a INTO @x FROM t",
        "SELECT a FROM t WHERE a = ?",
        "SELECT a FROM t WHERE a = 'open",
        "SELECT a FROM t WHERE a = 'x' 'y'",
        "INSERT INTO t VALUES (1+1)",
        "INSERT INTO t VALUES (1),(1,2)",
        "INSERT INTO t VALUES (1),",
        "INSERT INTO t VALUES (1",
        "SELECT a FROM t WHERE a IN (1",
        "(SELECT 1)",
        "",
    ] {
        match fingerprint(sql) {
            None => {}
            // An unfinished text may have a fingerprint; its parse fails, so no plan is kept.
            Some(_) => assert!(parse(sql.as_bytes(), &Options::default()).is_err(), "{sql}"),
        }
    }
}

#[test]
fn end_of_the_first_statement() {
    let sql = "SELECT a FROM t WHERE b = ';' ; SELECT 2";
    assert_eq!(fingerprint(sql).unwrap().end, sql.find("; S").unwrap() + 1);
    assert_eq!(fingerprint("SELECT a FROM t\0").unwrap().key, b"SELECT a FROM t");
}

#[test]
fn digests() {
    let d = |s: &str| digest_text(s.as_bytes(), LexMode::default());
    assert_eq!(d("select c from sbtest1 where id=5"), "SELECT c FROM sbtest1 WHERE id = ?");
    assert_eq!(
        d("SELECT a,b FROM `t` WHERE a IN (1,2,'x') AND b=-5"),
        "SELECT a, b FROM `t` WHERE a IN (...) AND b = ?"
    );
    assert_eq!(
        d("INSERT INTO t(a,b) VALUES (1,2),(3,4),(5,6)"),
        "INSERT INTO t(a, b) VALUES (...) /* , ... */"
    );
    assert_eq!(d("INSERT INTO t VALUES (1),(2)"), "INSERT INTO t VALUES (?) /* , ... */");
    assert_eq!(
        d("SELECT COUNT(*), t.a FROM t /* c */ LIMIT 10 ; SELECT 2"),
        "SELECT COUNT(*), t.a FROM t LIMIT ?"
    );
    assert_eq!(d("SET @a = 1, @@session.x = NULL"), "SET @a = ?, @@session.x = ?");
    assert!(d(&format!("SELECT {}", "a,".repeat(2000))).len() < 1100);
}

/// The rows as the reader hands them out, in words.
fn read(sql: &str) -> Vec<Vec<String>> {
    let options = Options { rows_as_text: true, ..Options::default() };
    let parsed = parse(sql.as_bytes(), &options).unwrap();
    let Some(Statement::Insert(insert)) = parsed.statement else { panic!("no insert") };
    let InsertSource::Rows(rows) = &insert.source else { panic!("no text rows: {:?}", insert.source) };
    let mut reader = ValuesReader::new(sql.as_bytes(), rows, LexMode::default());
    let mut out = Vec::new();
    let mut scratch = Vec::new();
    while reader.next_row() {
        let mut row = Vec::new();
        loop {
            match reader.next_value() {
                RowItem::EndOfRow => break,
                RowItem::Expr(i) => {
                    let e = &rows.exprs[i as usize];
                    row.push(format!("expr {}", String::from_utf8_lossy(e.text.of(sql.as_bytes()))));
                }
                RowItem::Literal(t) if t.kind == LiteralKind::String => {
                    let v = string_value(&t, sql.as_bytes(), LexMode::default(), &mut scratch);
                    row.push(format!("string {}", String::from_utf8_lossy(v)));
                }
                RowItem::Literal(t) => {
                    row.push(format!("{:?} {}", t.kind, String::from_utf8_lossy(t.text(sql.as_bytes()))))
                }
            }
        }
        out.push(row);
    }
    assert_eq!(out.len() as u64, rows.rows);
    out
}

#[test]
fn rows_are_read_from_the_text() {
    assert_eq!(
        read("INSERT INTO t VALUES (1, -2.5,'a''b' ,NULL)"),
        [["Int 1", "Decimal -2.5", "string a'b", "Null NULL"]]
    );
    assert_eq!(
        read("INSERT INTO t VALUES (1),/* c */(a+1) , (DEFAULT),(default(a)), ('x' 'y'),(- 1)"),
        [["Int 1"], ["expr a+1"], ["Default DEFAULT"], ["expr default(a)"], ["expr 'x' 'y'"], ["expr - 1"]]
    );
    assert_eq!(
        read("INSERT INTO t VALUES ( /* x */ 1 , (2), now() ), (3,'z',0x41) ON DUPLICATE KEY UPDATE a=1"),
        [["Int 1", "expr (2)", "expr now()"], ["Int 3", "string z", "HexNumber 0x41"]]
    );
    assert_eq!(read("INSERT INTO t VALUES (),()"), [Vec::<String>::new(), Vec::new()]);
    assert_eq!(
        read("REPLACE t VALUE (TRUE,false,\"q\\n\",1e3,18446744073709551615,99999999999999999999)"),
        [[
            "Bool TRUE",
            "Bool false",
            "string q\n",
            "Float 1e3",
            "UInt 18446744073709551615",
            "Decimal 99999999999999999999"
        ]]
    );
    // An expression whose own parentheses hold what looks like literals.
    assert_eq!(read("INSERT INTO t VALUES (1,(SELECT 2,3),4)"), [["Int 1", "expr (SELECT 2,3)", "Int 4"]]);
    let parsed =
        parse(b"INSERT INTO t VALUES (1,2),(3)", &Options { rows_as_text: true, ..Options::default() })
            .unwrap();
    let Some(Statement::Insert(insert)) = parsed.statement else { panic!() };
    let InsertSource::Rows(rows) = insert.source else { panic!() };
    assert_eq!((rows.rows, rows.columns, rows.uneven_row), (2, 2, Some(2)));
}

#[test]
fn version_comments_and_queries_are_not_left_as_text() {
    let options = Options { rows_as_text: true, ..Options::default() };
    let parsed = parse(b"INSERT INTO t VALUES (1 /*! , 2 */)", &options).unwrap();
    let Some(Statement::Insert(insert)) = parsed.statement else { panic!() };
    let InsertSource::Values(rows) = insert.source else { panic!() };
    assert_eq!(rows[0].len(), 2);
    let parsed = parse(b"INSERT INTO t VALUES (1),(2) UNION SELECT 3", &options).unwrap();
    let Some(Statement::Insert(insert)) = parsed.statement else { panic!() };
    assert!(matches!(insert.source, InsertSource::Query(_)));
}

#[test]
fn lifted_literals_come_back_with_their_numbers() {
    let sql = b"SELECT a FROM t WHERE b = 'x' LIMIT 3";
    let mut found = Fingerprint::default();
    assert!(recognise(sql, LexMode::default(), &mut found));
    let parsed = parse(sql, &Options { lifted: &found.literals, ..Options::default() }).unwrap();
    let Some(Statement::Select(query)) = parsed.statement else { panic!() };
    let limit = query.limit.unwrap().count.unwrap();
    assert!(matches!(limit.kind, ExprKind::Lifted(1, _)));
}

#[test]
fn a_string_is_lifted_with_its_introducer() {
    let found = |sql: &str| {
        let mut found = Fingerprint::default();
        assert!(recognise(sql.as_bytes(), LexMode::default(), &mut found), "{sql}");
        found
    };
    let (a, b) = (
        found("UPDATE t SET c = _utf8mb3'abc', d = N'x'"),
        found("UPDATE t SET c = _utf8mb3'q''r', d = N''"),
    );
    assert_eq!((a.key == b.key, a.literals.len()), (true, 2));
    let sql = "UPDATE t SET c = _utf8mb3'q''r', d = N''";
    let mut scratch = Vec::new();
    assert_eq!(string_value(&b.literals[0], sql.as_bytes(), LexMode::default(), &mut scratch), b"q'r");
    assert_eq!(string_value(&b.literals[1], sql.as_bytes(), LexMode::default(), &mut scratch), b"");
    let parsed = parse(sql.as_bytes(), &Options { lifted: &b.literals, ..Options::default() }).unwrap();
    assert_eq!(parsed.lifted, 2);
    // another character set, or none, is another statement; what is not ASCII, wide or apart stays in the text
    assert_ne!(a.key, found("UPDATE t SET c = _latin1'abc', d = N'x'").key);
    assert_ne!(a.key, found("UPDATE t SET c = 'abc', d = N'x'").key);
    assert_eq!(a.key, found("UPDATE t SET c = _UTF8MB3'abc', d = n'x'").key);
    for kept in ["_utf8mb4'\u{e9}'", "_ucs2'ab'", "_latin1 'ab'", "_latin1 x'61'"] {
        assert_eq!(found(&format!("UPDATE t SET c = {kept}")).literals.len(), 0, "{kept}");
    }
    assert_eq!(found("SELECT _latin1'a' FROM t WHERE b = _latin1'b'").literals.len(), 1);
}
