use super::*;
use crate::ast::*;

fn options() -> Options<'static> {
    Options { params: true, ..Options::default() }
}

fn statement(sql: &str) -> Statement {
    match parse(sql.as_bytes(), &options()) {
        Ok(p) => p.statement.unwrap_or_else(|| panic!("empty: {sql}")),
        Err(e) => panic!("{sql}: {e}"),
    }
}

const HEAD: &str = "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server \
                    version for the right syntax to use ";

/// The recorded answers of the reference server.
fn recorded() -> impl Iterator<Item = (&'static str, String)> {
    include_str!("../../tests/data/statements.tsv").lines().filter(|l| !l.starts_with('#')).map(|line| {
        let (expected, sql) = line.split_once('\t').expect("two columns");
        (expected, sql.replace("\\n", "\n"))
    })
}

#[test]
fn takes_and_refuses_what_the_reference_does() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (expected, sql) in recorded() {
        let found = match parse(sql.as_bytes(), &options()) {
            Ok(_) => "ok".to_string(),
            Err(e) if e.code == error::ER_NOT_SUPPORTED_YET => "1235".to_string(),
            Err(e) => format!("{} {}", e.code, e.message.replace(HEAD, "").replace('\n', "\\n")),
        };
        if found != expected {
            wrong.push(format!("{sql}\n    {found}\n    {expected}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 1000, "{count}");
}

#[test]
fn cut_and_mutated_statements_never_panic() {
    let rounds = if std::env::var_os("ISAMBARD_SOAK").is_some() { 400 } else { 3 };
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    let pool: Vec<Vec<u8>> = recorded().map(|(_, s)| s.into_bytes()).collect();
    let noise = b"'\"`\\()*/!-#;,.@?{}:=<>0x1e5 \0\xff\xc3\xa9\n";
    let modes = [
        LexMode::default(),
        LexMode { ansi_quotes: true, pipes_as_concat: true, ignore_space: true, ..LexMode::default() },
        LexMode { no_backslash_escapes: true, high_not_precedence: true, ..LexMode::default() },
        LexMode { client: ClientBytes::Double("gbk"), ..LexMode::default() },
        LexMode { client: ClientBytes::Single("latin1"), ..LexMode::default() },
    ];
    for _ in 0..rounds {
        for base in &pool {
            let mut sql = base.clone();
            for _ in 0..1 + random(3) {
                match random(5) {
                    0 => sql.truncate(random(sql.len() + 1)),
                    1 => sql.insert(random(sql.len() + 1), noise[random(noise.len())]),
                    2 if !sql.is_empty() => {
                        sql.remove(random(sql.len()));
                    }
                    3 => {
                        let other = &pool[random(pool.len())];
                        let from = random(other.len());
                        let at = random(sql.len() + 1);
                        sql.splice(at..at, other[from..].iter().take(30).copied());
                    }
                    _ if !sql.is_empty() => {
                        let at = random(sql.len());
                        sql[at] = random(256) as u8;
                    }
                    _ => {}
                }
            }
            let mode = modes[random(modes.len())];
            let mut fingerprint = crate::fingerprint::Fingerprint::default();
            let found = crate::fingerprint::recognise(&sql, mode, &mut fingerprint);
            let lifted = if found { &fingerprint.literals[..] } else { &[] };
            for rows_as_text in [false, true] {
                let options = Options { mode, params: true, multi: true, rows_as_text, lifted };
                if let Ok(parsed) = parse(&sql, &options) {
                    assert!(parsed.end <= sql.len());
                    if let Some(Statement::Insert(insert)) = &parsed.statement
                        && let InsertSource::Rows(rows) = &insert.source
                    {
                        let mut reader = crate::fingerprint::ValuesReader::new(&sql, rows, mode);
                        let mut count = 0;
                        while reader.next_row() {
                            while reader.next_value() != crate::fingerprint::RowItem::EndOfRow {}
                            count += 1;
                        }
                        assert_eq!(count, rows.rows, "{:?}", String::from_utf8_lossy(&sql));
                    }
                }
            }
            let _ = crate::fingerprint::digest_text(&sql, mode);
        }
    }
}

#[test]
fn depth_is_bounded_and_fits_a_small_stack() {
    let texts = [
        format!("SELECT {}1{}", "(".repeat(5000), ")".repeat(5000)),
        format!("SELECT {}1", "-".repeat(5000).replace("--", "- -")),
        format!("SELECT {}1", "NOT ".repeat(5000)),
        format!("SELECT {}1", "!".repeat(5000)),
        format!("SELECT 1{}", "+1".repeat(5000)),
        format!("SELECT {}1{}", "(SELECT ".repeat(5000), ")".repeat(5000)),
        format!("SELECT * FROM {}t{}", "(".repeat(5000), ")".repeat(5000)),
        format!("SELECT {}1{}", "CASE WHEN ".repeat(5000), " THEN 1 END".repeat(5000)),
        format!("SELECT {}1{}", "abs(".repeat(5000), ")".repeat(5000)),
        format!("SELECT 1{}", " COLLATE x".repeat(5000)),
        format!("SELECT 1{}", " IN (1)".repeat(5000)),
        format!("SELECT 1 FROM t{}", " JOIN t".repeat(5000)),
        format!("{}SELECT 1", "EXPLAIN ".repeat(5000)),
        format!("{}SELECT 1{}", "(".repeat(5000), ")".repeat(5000)),
        format!("SELECT @a{}", ":=@a".repeat(5000)),
        format!("SELECT {}1", "BINARY ".repeat(5000)),
        format!("SELECT {}1", "INTERVAL 1 DAY + ".repeat(5000)),
        format!("WITH a AS {}SELECT 1{} SELECT 1", "(WITH b AS ".repeat(3000), ")".repeat(3000)),
        format!("{}SELECT 1", "SET STATEMENT a=1 FOR ".repeat(3000)),
    ];
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let run = move || {
        for text in &texts {
            let e = parse(text.as_bytes(), &options()).expect_err(&text[..40]);
            assert!(
                [error::ER_STACK_OVERRUN_NEED_MORE, error::ER_TOO_MANY_TABLES, error::ER_PARSE_ERROR]
                    .contains(&e.code),
                "{}: {e}",
                &text[..40]
            );
        }
        // Long chains that are no deep trees are taken.
        for text in [
            format!("SELECT 1 FROM t WHERE a=1{}", " OR a=2".repeat(5000)),
            format!("SELECT 1 FROM t WHERE a IN (1{})", ",2".repeat(50_000)),
            format!("SELECT 1{}", " UNION ALL SELECT 2".repeat(5000)),
            format!("SELECT {}1{}", "(".repeat(150), ")".repeat(150)),
            format!("SELECT 1{}", "+1".repeat(200)),
        ] {
            parse(text.as_bytes(), &options()).unwrap();
        }
    };
    small.spawn(run).unwrap().join().unwrap();
}

#[test]
fn errors_in_strange_places() {
    let message = |sql: &[u8]| parse(sql, &options()).unwrap_err().message.replace(HEAD, "");
    assert_eq!(message(b"SELECT 1 FROM \xff"), "near '?' at line 1");
    assert_eq!(message(b"  \n SELECT 1 1"), "near '1' at line 1");
    assert_eq!(message(b"CREATE TABLE `a\0b` (a int)"), "near '`a' at line 1");
    assert_eq!(message(b"SELECT 'a\nb' 1\n 2"), "near '1\n 2' at line 1");
    assert_eq!(message(b"SELECT 1 \n/*\n\n*/ 1 \n 2"), "near '1 \n 2' at line 4");
    assert_eq!(message(b"SELECT * FROM ;\n;\n"), "near '' at line 1");
    assert_eq!(message(b"SELECT 1 FROM `\xff`"), "Invalid utf8mb4 character string: '\\xFF'");
    assert_eq!(parse(b"SELECT ?", &Options::default()).unwrap_err().code, error::ER_PARSE_ERROR);
    assert_eq!(parse(b"SELECT ?, ?", &options()).unwrap().params, 2);
}

#[test]
fn several_statements_in_one_text() {
    let multi = Options { multi: true, ..options() };
    let sql = b"SELECT 1; ; SELECT ';' /* ; */ ;SELECT 3";
    let mut at = 0;
    let mut found = Vec::new();
    while at < sql.len() {
        let parsed = parse(&sql[at..], &multi).unwrap();
        found.push(parsed.statement.is_some());
        at += parsed.end;
    }
    assert_eq!(found, [true, false, true, true]);
    assert!(parse(sql, &options()).is_err());
    assert!(parse(b"SELECT 1;;  ;", &options()).is_ok());
    assert!(parse(b"SELECT 1\0", &options()).is_ok());
    assert!(parse(b" /* nothing */ ", &options()).unwrap().statement.is_none());
}

#[test]
fn trees_of_operators() {
    let show = |sql: &str| {
        let (expr, _) = parse_expression_at(sql.as_bytes(), 0, &options()).unwrap();
        expr.to_text(PrintStyle::default())
    };
    // Without the modes.
    assert_eq!(show("a || b && c"), "`a` <> 0 or `b` <> 0 and `c` <> 0");
    // With them.
    let mode = LexMode { pipes_as_concat: true, ..LexMode::default() };
    let with = Options { mode, ..options() };
    let (expr, _) = parse_expression_at(b"a || b = c", 0, &with).unwrap();
    assert!(matches!(&expr.kind, ExprKind::Binary(BinaryOp::Eq, l, _)
        if matches!(l.kind, ExprKind::Binary(BinaryOp::Concat, ..))));
    let mode = LexMode { high_not_precedence: true, ..LexMode::default() };
    let with = Options { mode, ..options() };
    let (expr, _) = parse_expression_at(b"NOT a = b", 0, &with).unwrap();
    assert!(matches!(&expr.kind, ExprKind::Binary(BinaryOp::Eq, l, _)
        if matches!(l.kind, ExprKind::Unary(UnaryOp::Not, _))));
    let mode = LexMode { ansi_quotes: true, ..LexMode::default() };
    let with = Options { mode, ..options() };
    let (expr, _) = parse_expression_at(b"\"a b\"", 0, &with).unwrap();
    assert_eq!(expr.bare_name(), Some("a b"));
    // Built-in names before a blank are stored functions, but not under IGNORE_SPACE.
    let (expr, _) = parse_expression_at(b"count (1)", 0, &options()).unwrap();
    assert!(matches!(&expr.kind, ExprKind::Function(f) if f.spaced));
    let mode = LexMode { ignore_space: true, ..LexMode::default() };
    let with = Options { mode, ..options() };
    let (expr, _) = parse_expression_at(b"count (1)", 0, &with).unwrap();
    assert!(matches!(expr.kind, ExprKind::Aggregate(_)));
}

#[test]
fn joins_nest_as_they_are_read() {
    let show = |sql: &str| {
        let Statement::Select(q) = statement(&format!("SELECT 1 FROM {sql}")) else { panic!() };
        let QueryTerm::Select(s) = q.first else { panic!() };
        fn text(t: &TableRef) -> String {
            match t {
                TableRef::Table(t) => t.name.name.to_string(),
                TableRef::Join(j) => format!("({} {:?} {})", text(&j.left), j.kind, text(&j.right)),
                TableRef::Nested(v) => format!("[{}]", v.iter().map(text).collect::<Vec<_>>().join(",")),
                TableRef::Derived(d) => d.alias.to_string(),
                TableRef::JsonTable(j) => j.alias.to_string(),
            }
        }
        s.from.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(show("a JOIN b JOIN c ON x"), "((a Inner b) Inner c)");
    assert_eq!(show("a JOIN b LEFT JOIN c ON x"), "((a Inner b) Left c)");
    assert_eq!(show("a JOIN b LEFT JOIN c ON x ON y"), "(a Inner (b Left c))");
    assert_eq!(show("a LEFT JOIN b JOIN c ON x ON y"), "(a Left (b Inner c))");
    assert_eq!(show("a LEFT JOIN b ON x JOIN c JOIN d ON y"), "(((a Left b) Inner c) Inner d)");
    assert_eq!(show("a, b JOIN (c, d) USING (x), (SELECT 1) e"), "a, (b Inner [c,d]), e");
    assert_eq!(
        show("a NATURAL LEFT JOIN b CROSS JOIN c STRAIGHT_JOIN d"),
        "(((a Left b) Cross c) Straight d)"
    );
    assert_eq!(show("((SELECT 1) UNION (SELECT 2)) f JOIN ((a JOIN b))"), "(f Inner [[(a Inner b)]])");
}

#[test]
fn names_of_columns() {
    let sql =
        "SELECT a, (a), (a+1), 'x', ('a' 'b'), 1.50, t.b, x'41', @v, +a, now(), a /*! +1 */ AS z FROM t";
    let Statement::Select(q) = statement(sql) else { panic!() };
    let QueryTerm::Select(s) = q.first else { panic!() };
    let names: Vec<String> =
        s.items.iter().map(|i| String::from_utf8(i.name(sql.as_bytes())).unwrap()).collect();
    assert_eq!(names, ["a", "a", "(a+1)", "x", "ab", "1.50", "b", "x'41'", "@v", "a", "now()", "z"]);
    let sql = "SELECT 1 /*! +1 */ , ' x ', DATE'2020-01-01'";
    let Statement::Select(q) = statement(sql) else { panic!() };
    let QueryTerm::Select(s) = q.first else { panic!() };
    let names: Vec<String> =
        s.items.iter().map(|i| String::from_utf8(i.name(sql.as_bytes())).unwrap()).collect();
    assert_eq!(names, ["1  +1", "x ", "DATE'2020-01-01'"]);
}

#[test]
fn set_operations_group_by_strength() {
    let Statement::Select(q) =
        statement("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT ALL SELECT 4 LIMIT 5")
    else {
        panic!()
    };
    assert_eq!(q.rest.len(), 2);
    assert!(matches!(&q.rest[0].1, QueryTerm::Nested(g) if g.grouped && g.rest.len() == 1));
    assert!(q.rest[1].0.all && q.limit.is_some());
}

#[test]
fn a_create_table_with_everything() {
    let sql = "CREATE TEMPORARY TABLE IF NOT EXISTS d.t (a INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'x', \
               b VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_bin DEFAULT 'q', c INT AS (a + 1) STORED, \
               UNIQUE KEY u (b(5) DESC) USING BTREE, CONSTRAINT k CHECK (a > 0)) ENGINE=MyISAM MAX_ROWS=5 PACK_KEYS=DEFAULT \
               UNION=(x, y.z) foo=1";
    let Statement::CreateTable(t) = statement(sql) else { panic!() };
    assert!(!t.or_replace && t.temporary && t.if_not_exists);
    assert_eq!(t.name.db.as_deref(), Some("d"));
    assert_eq!(t.columns.len(), 3);
    assert!(t.columns[0].auto_increment && t.columns[0].ty.unsigned && t.columns[0].nullable == Some(false));
    assert_eq!(t.columns[1].ty.collation.as_deref(), Some("latin1_bin"));
    let generated = t.columns[2].generated.as_ref().unwrap();
    assert_eq!(generated.text.of(sql.as_bytes()), b"a + 1");
    assert!(generated.stored);
    assert_eq!(t.indexes.len(), 2);
    assert!(t.indexes[0].kind == IndexKind::Primary && t.indexes[0].from_column);
    assert_eq!(t.indexes[1].parts[0], IndexPart { column: "b".into(), length: Some(5), descending: true });
    assert_eq!(t.checks[0].name.as_deref(), Some("k"));
    assert_eq!((t.options.max_rows, t.options.pack_keys), (Some(5), Some(None)));
    assert_eq!(t.options.union.as_ref().unwrap().len(), 2);
    assert_eq!(t.options.other, [("foo".into(), OptionValue::Number(1))]);
}
