//! INSERT into tables and views that rows can or cannot be written to, of values and queries that are right or wrong: which error is
//! told first.

use std::fmt::Write;

const TABLES: [&str; 8] = [
    "create table t1 (id int primary key, x int, y int)",
    "create table m14 (id int primary key, n int)",
    "create view v14 as select a.id, a.x, b.y from t1 a join t1 b on a.id=b.id",
    "create view vg as select id, sum(x) x from t1 group by id",
    "create view ve as select id, x+1 x from t1",
    "create algorithm=temptable view v24 as select id, n from m14",
    "create view vm as select id,n x from m14",
    "drop table m14",
];

const TARGETS: [&str; 18] = [
    "v14 (id,x,y)",
    "v14",
    "v14 ()",
    "v14 (id,x,z)",
    "vg (id,x)",
    "vg",
    "ve (id,x)",
    "ve",
    "ve (id,id)",
    "t1 (id,x,q)",
    "v24 (id,n)",
    "v14 (id,id)",
    "t1 (id,id)",
    "ve (q)",
    "vg (q)",
    "t1 (id,x,x)",
    "vm (id,x)",
    "vm",
];

const SOURCES: [&str; 13] = [
    "select 1,2,n from m14",
    "select 1,2,n from v24",
    "select 1,2,n from t1",
    "select 1,2,nosuch()",
    "select 1,2",
    "select 1,2,3,4",
    "values (1,2)",
    "values (1,2,3,4)",
    "values (1,2,(select n from m14))",
    "values (1,2,(select n from t1))",
    "values (1,2,nosuch())",
    "values (1,2,n)",
    "select 1,2,n from nodb.x",
];

/// The statements.
pub fn statements() -> String {
    let mut script = String::new();
    let mut line = |statement: &str| writeln!(script, "=> {statement}").expect("a string");
    TABLES.into_iter().for_each(&mut line);
    for target in TARGETS {
        for source in SOURCES {
            line(&format!("insert into {target} {source}"));
        }
    }
    script
}
