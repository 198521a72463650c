//! User variables: a value of every type, assigned in every way, read in every place.

use super::columns::{COLUMNS, CONSTANTS};
use super::excuses::excused;
use super::{Both, filled};
use isambard_tests::compare::Order;
use isambard_tests::peers::oracle_present;

/// Expressions of a variable that has its value from an earlier statement.
const READ: &[&str] = &[
    "@u",
    "@u+0",
    "-@u",
    "@u*1.5",
    "@u DIV 1",
    "@u%7",
    "@u|0",
    "~@u",
    "@u=1",
    "@u='a'",
    "@u=@u",
    "@u<=>NULL",
    "@u<'b'",
    "@u>0.5",
    "@u=DATE'2001-01-01'",
    "@u<TIMESTAMP'2001-01-01 00:00:01'",
    "@u=TIME'10:00:00'",
    "@u=0x61",
    "@u IN (1,2)",
    "@u IN ('a','1')",
    "@u IN (1,'a')",
    "1 IN (@u,'a')",
    "@u BETWEEN 0 AND 2",
    "@u BETWEEN 'A' AND 'b'",
    "@u LIKE '%1%'",
    "@u AND 1",
    "NOT @u",
    "@u IS TRUE",
    "@u IS NULL",
    "@u XOR 0",
    "CASE @u WHEN 1 THEN 'one' WHEN 'a' THEN 'A' ELSE 'x' END",
    "CASE WHEN @u THEN @u ELSE 0 END",
    "IF(@u,1,2)",
    "IF(1,@u,1)",
    "IF(1,@u,'a')",
    "IFNULL(@u,1.5)",
    "COALESCE(@u,'a')",
    "COALESCE(NULL,@u)",
    "NULLIF(@u,1)",
    "GREATEST(@u,1)",
    "LEAST(@u,'a')",
    "CONCAT(@u)",
    "CONCAT(@u,'é')",
    "CONCAT_WS('-',@u,1)",
    "LENGTH(@u)",
    "CHAR_LENGTH(@u)",
    "HEX(@u)",
    "UPPER(@u)",
    "LEFT(@u,2)",
    "SUBSTRING(@u,2)",
    "REVERSE(@u)",
    "LPAD(@u,8,'x')",
    "TRIM(@u)",
    "REPLACE(@u,'1','2')",
    "LOCATE('1',@u)",
    "QUOTE(@u)",
    "CHARSET(@u)",
    "COLLATION(@u)",
    "COERCIBILITY(@u)",
    "ABS(@u)",
    "ROUND(@u)",
    "ROUND(@u,1)",
    "TRUNCATE(@u,1)",
    "FLOOR(@u)",
    "SIGN(@u)",
    "SQRT(@u)",
    "MOD(@u,3)",
    "FORMAT(@u,2)",
    "BIT_COUNT(@u)",
    "CONV(@u,10,16)",
    "CRC32(@u)",
    "CAST(@u AS SIGNED)",
    "CAST(@u AS UNSIGNED)",
    "CAST(@u AS DECIMAL(10,2))",
    "CAST(@u AS DOUBLE)",
    "CAST(@u AS CHAR)",
    "CAST(@u AS CHAR(3))",
    "CAST(@u AS BINARY)",
    "CAST(@u AS DATE)",
    "CAST(@u AS DATETIME(3))",
    "CAST(@u AS TIME)",
    "CONVERT(@u USING utf8mb4)",
    "@u COLLATE utf8mb4_bin",
    "BINARY @u",
    "YEAR(@u)",
    "HOUR(@u)",
    "DATE(@u)",
    "TIMESTAMP(@u)",
    "DATE_ADD(@u, INTERVAL 1 DAY)",
    "DATEDIFF(@u,'2000-01-01')",
    "TIME_TO_SEC(@u)",
    "SEC_TO_TIME(@u)",
    "FROM_DAYS(@u)",
    "INET6_NTOA(@u)",
    "ELT(1,@u,'b')",
    "FIELD(@u,1,'a')",
    "@u:=@u",
    "@w:=@u+1",
    "@w:=CONCAT(@u,'x')",
];

/// Statements with such a variable.
const STATEMENTS: &[&str] = &[
    "SELECT @u UNION SELECT 1",
    "SELECT @u UNION ALL SELECT 'a'",
    "SELECT @u UNION SELECT DATE'2001-01-01'",
    "SELECT id FROM p WHERE @u ORDER BY id",
    "SELECT id FROM p ORDER BY @u, id",
    "SELECT COUNT(*), @u FROM p GROUP BY @u",
    "SELECT SUM(@u), AVG(@u), MIN(@u), MAX(@u) FROM p",
    "SELECT COUNT(DISTINCT @u), GROUP_CONCAT(@u), BIT_OR(@u) FROM p",
    "SELECT (SELECT @u), (SELECT MAX(@u) FROM p)",
    "SELECT x.a, x.a+0, LENGTH(x.a) FROM (SELECT @u a) x",
    "SELECT @u IN (SELECT i FROM p), @u IN (SELECT v FROM p)",
    "SELECT id FROM p WHERE i=@u OR v=@u OR dt=@u ORDER BY id",
    "SELECT id FROM k WHERE i=@u",
    "SELECT id FROM k WHERE v=@u",
    "SELECT id FROM k WHERE c<@u",
    "SELECT id FROM k WHERE ts>@u",
    "SELECT id FROM k WHERE bi IN (@u,7)",
    "SELECT id FROM k WHERE d<=@u",
    "SELECT id FROM k WHERE de BETWEEN @u AND 100",
];

/// Statements that assign a value of every row, with what they leave.
const ASSIGNED: &[&str] = &[
    "SELECT @u:=X FROM p ORDER BY id",
    "SELECT @u:=X, @u, @u+0, CONCAT(@u) FROM p ORDER BY id",
    "SELECT id FROM p WHERE (@u:=X) IS NOT NULL ORDER BY id",
    "SELECT id FROM p WHERE (@u:=X)=1 ORDER BY id",
    "SELECT MAX(@u:=X), COUNT(@u:=X) FROM p WHERE id<9",
    "SELECT SUM(@u:=X) FROM p WHERE id<9",
    "SELECT GROUP_CONCAT(@u:=X ORDER BY id) FROM p",
    "SELECT @u:=MAX(X) FROM p",
    "SELECT @u:=MIN(X), COUNT(*) FROM p WHERE id<2",
    "SELECT IF(id=1,@u:=X,@u) FROM p ORDER BY id",
    "SELECT (@u:=X)+1, (@u:=X)='a', CONCAT(@u:=X) FROM p ORDER BY id",
    "SELECT CASE WHEN id=2 THEN @u:=X END FROM p ORDER BY id",
    "SELECT COALESCE(@u:=X,1) FROM p ORDER BY id",
    "SELECT X INTO @u FROM p WHERE id=2",
    "SELECT @u:=X UNION SELECT 1",
    "DO @u:=(SELECT X FROM p WHERE id=1)",
    "SET @u:=(SELECT X FROM p WHERE id=9)",
    "SELECT * FROM (SELECT @u:=X a FROM p ORDER BY id) z",
];

/// Tables made of a variable.
const MADE: &[&str] =
    &["SELECT @u a, @u+1 b, CONCAT(@u) c, COALESCE(@u,1) d", "SELECT @u:=@u a, @w:=@u+1 b UNION SELECT 1,2"];

/// What is executed with the variable as its parameters.
const EXECUTED: &[&str] = &[
    "SELECT ?",
    "SELECT ?+1",
    "SELECT ?=1, ?='a'",
    "SELECT CONCAT(?,'x'), HEX(?)",
    "SELECT IF(1,?,1), COALESCE(?,'a')",
    "SELECT id FROM p WHERE i=? ORDER BY id",
    "SELECT id FROM k WHERE v=?",
    "SELECT id FROM k WHERE dt>=?",
];

impl Both {
    /// A statement with a table: where there is none MariaDB shows the warnings of the one before.
    fn forget(&mut self) {
        self.same("SELECT id FROM p LIMIT 0");
    }

    /// Values and errors; `ISAMBARD_OPEN` shows what else differs, in types and warnings.
    fn values(&mut self, template: &str, x: &str, sql: &str) -> bool {
        let mut found = self.differences(sql, None, Order::Loose);
        if std::env::var_os("ISAMBARD_OPEN").is_none() {
            found.retain(|d| d.starts_with("rows") || d.starts_with("error"));
        }
        for d in &found {
            if !excused(template, [x, "@u"], d) {
                self.wrong.push(format!("{template}\t{x}\t\t{d}\t{sql}"));
            }
        }
        found.is_empty()
    }

    /// Reads `@u` in every place; `x` tells what it has.
    fn read(&mut self, x: &str) {
        for part in READ.chunks(16) {
            let found = self.differences(&format!("SELECT {}", part.join(", ")), None, Order::Rows);
            if found.iter().any(|d| !d.starts_with("type")) || std::env::var_os("ISAMBARD_OPEN").is_some() {
                for e in part {
                    self.forget();
                    self.values(e, x, &format!("SELECT {e}"));
                }
            }
        }
        for s in STATEMENTS {
            self.forget();
            self.values(s, x, s);
        }
        for s in MADE {
            self.same("DROP TABLE IF EXISTS made");
            if self.values(s, x, &format!("CREATE TABLE made AS {s}")) {
                self.values(s, x, "SHOW CREATE TABLE made");
                self.values(s, x, "SELECT * FROM made");
            }
        }
        for s in EXECUTED {
            self.forget();
            self.same(&format!("PREPARE s FROM '{}'", s.replace('\'', "''")));
            let using = vec!["@u"; s.matches('?').count()].join(",");
            self.values(s, x, &format!("EXECUTE s USING {using}"));
        }
    }
}

#[test]
fn user_variables_agree() {
    if !oracle_present() {
        return;
    }
    let mut both = Both::start();
    both.fill();
    for (n, (x, ..)) in COLUMNS.iter().enumerate() {
        for row in [n % 4, (n / 4 + 2) % 4] {
            both.same(&format!("SET @u=(SELECT {x} FROM p WHERE id={row})"));
            both.read(x);
        }
        for s in ASSIGNED {
            both.same("SET @u=NULL");
            both.values(s, x, &filled(s, x, "", "", ""));
            both.values(s, x, "SELECT @u, @u+0, HEX(@u), CHARSET(@u)");
        }
    }
    for (x, _) in CONSTANTS {
        both.same(&format!("SET @u={x}"));
        both.read(x);
    }
    both.report();
}
