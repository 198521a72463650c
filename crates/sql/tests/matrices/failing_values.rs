//! Values that cannot be computed or bound, or do not fit, for columns of NEW, variables and results of functions of every type: what
//! a handler goes on with.

use std::fmt::Write;

/// Fail when they are computed, or do not fit some type.
const COMPUTED: [&str; 9] = [
    "9223372036854775807+1",
    "exp(1000)",
    "(select 1 union select 2)",
    "f()",
    "1+f()",
    "(select 9223372036854775807+1)",
    "if(1,9223372036854775807+1,3)",
    "'hello'",
    "null",
];

/// Fail before.
const BOUND: [&str; 10] = [
    "(select n from nowhere)",
    "(select nocolumn from t where id<0)",
    "nofunction()",
    "nocolumn",
    "new.nothing",
    "(select id,d from t limit 1)",
    "(1,2)",
    "concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1",
    "st_x('x')",
    "json_value('x','$.')",
];

/// Results of functions and variables.
const TYPES: [&str; 18] = [
    "smallint unsigned",
    "int unsigned",
    "smallint",
    "tinyint unsigned",
    "bigint unsigned",
    "decimal(3,1)",
    "decimal(3,1) unsigned",
    "double unsigned",
    "varchar(2)",
    "year",
    "date",
    "enum('a','b')",
    "bit(3)",
    "float unsigned",
    "char(2)",
    "datetime",
    "time",
    "set('a','b')",
];

const VALUES: [&str; 12] = [
    "-a1",
    "-5",
    "-5.00",
    "-5e0",
    "99999999",
    "99999999.5",
    "1e12",
    "'-5'",
    "'x'",
    "'999999999999'",
    "cast(-5 as signed)",
    "cast('2020-01-01' as date)",
];

/// The statements.
pub fn statements() -> String {
    let mut script = String::new();
    let mut line = |statement: String| writeln!(script, "=> {statement}").expect("a string");
    line("create function f() returns int begin signal sqlstate '45000'; return 3; end".to_owned());
    for ty in ["int", "varchar(30)", "decimal(30,2)", "datetime", "enum('a','b')", "bit(9)"] {
        for value in COMPUTED {
            for handler in ["continue", "exit"] {
                let handler = format!("declare {handler} handler for sqlexception, 1265, 1366 set @e=1");
                column(&mut line, ty, value, &handler);
            }
        }
    }
    for ty in ["int", "varchar(30)", "decimal(30,2)"] {
        for value in BOUND {
            let handler = "declare continue handler for sqlexception set @e=1";
            column(&mut line, ty, value, handler);
            line(format!(
                "create or replace procedure p() begin declare x {ty} default 7; {handler}; set x = {value}; select x; end"
            ));
            line("call p()".to_owned());
        }
    }
    line("create table lg (what text, v text)".to_owned());
    let handled =
        |kind: &str| format!("declare {kind} handler for sqlexception insert into lg values ('a','b')");
    for ty in TYPES {
        for value in VALUES {
            line(format!(
                "create or replace function r(a1 decimal(10,2)) returns {ty} begin {}; return {value}; end",
                handled("exit")
            ));
            line("select r(5)".to_owned());
            line(format!(
                "create or replace procedure p(a1 decimal(10,2)) begin declare x {ty} default null; {}; set x={value}; \
                 select x; end",
                handled("continue")
            ));
            line("call p(5)".to_owned());
        }
    }
    line("select count(*) from lg".to_owned());
    script
}

/// A column of NEW in triggers before INSERT and UPDATE.
fn column(line: &mut dyn FnMut(String), ty: &str, value: &str, handler: &str) {
    for null in ["not null", "null"] {
        line(format!("create or replace table t (id int primary key, c {ty} {null}, d int)"));
        let body = format!("begin {handler}; set new.c = {value}; set new.d=2; end");
        line(format!("create trigger g before insert on t for each row {body}"));
        for insert in [
            "insert into t (id) values (1)",
            "insert into t (id,c) values (3,null)",
            "insert ignore into t (id,c) values (4,null)",
            "insert into t (id,c) values (5,0)",
        ] {
            line(insert.to_owned());
        }
        let body = format!("begin {handler}; set new.c = {value}; end");
        line(format!("create or replace trigger g before update on t for each row {body}"));
        line("update t set d=3".to_owned());
        line("update t set c=null".to_owned());
        line("select id, c+0, d from t order by id".to_owned());
    }
}
