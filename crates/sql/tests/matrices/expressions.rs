//! Expressions of every form and type, as views keep them and as EXPLAIN EXTENDED prints them.

/// Columns of `m` below, with two values of each.
const TYPES: [(&str, &str, &str); 11] = [
    ("i", "1", "2"),
    ("d", "1.5", "2"),
    ("e", "1.5", "2.5"),
    ("c", "'a'", "'b'"),
    ("b", "'x'", "'y'"),
    ("dt", "'2001-01-01'", "'2002-01-01'"),
    ("t", "'2001-01-01 10:00:00'", "'2002-01-01 10:00:00'"),
    ("tm", "'10:20:30'", "'11:20:30'"),
    ("y", "2001", "2002"),
    ("en", "'a'", "'b'"),
    ("s", "'a'", "'b'"),
];

/// Forms of expressions: `{}` is the column, `{1}` and `{2}` are its values.
const FORMS: [&str; 55] = [
    "{}",
    "-{}",
    "not {}",
    "{} is null",
    "{} is not null",
    "{} is true",
    "{} + 1",
    "{} * 2 - 1",
    "{} div 2",
    "{} = {}",
    "{} = {1}",
    "{1} = {}",
    "{} <=> {1}",
    "{} <=> null",
    "{} > {1}",
    "{} <> {1}",
    "{} between {1} and {2}",
    "{} not between {1} and {2}",
    "{} in ({1})",
    "{} in ({1}, {2})",
    "{} not in ({1}, {2})",
    "{} like 'a%'",
    "{} not like 'a%'",
    "{} regexp 'a'",
    "{} and i",
    "{} or i",
    "{} xor i",
    "case {} when {1} then 2 else 3 end",
    "case when {} > {1} then 2 end",
    "if({}, 1, 2)",
    "ifnull({}, {1})",
    "coalesce({}, {1})",
    "cast({} as char)",
    "cast({} as signed)",
    "cast({} as decimal(5,2))",
    "cast({} as date)",
    "hex({})",
    "length({})",
    "concat({}, 'x')",
    "lower({})",
    "left({}, 2)",
    "round({})",
    "abs({})",
    "greatest({}, {1})",
    "year({})",
    "date({})",
    "{} + interval 1 day",
    "date_format({}, '%Y')",
    "{} + (1 + 1)",
    "{} = {1} and {} < {2}",
    "{} = {1} and j > {}",
    "{} = {1} or {} = {2}",
    "{} > {1} and not ({} = {2})",
    "{} = {1} and length({}) > 0",
    "{} = {1} and j > 1",
];

/// Every form of expression, of every type, in the list and the condition of a view.
pub fn in_views() -> String {
    let mut text = String::from(
        "set names utf8mb3;\ncreate table m (i int, j int, d decimal(8,2), e double, c varchar(10) character set latin1, b varbinary(5), dt date, t datetime, tm time, y year, en enum('a','b') character set latin1, s set('a','b') character set latin1);\n\
         insert into m values (1,5,1.5,1.5,'a','x','2001-01-01','2001-01-01 10:00:00','10:20:30',2001,'a','a'),(2,6,2.5,2.5,'b','y','2002-01-01','2002-01-01 11:00:00','11:20:30',2002,'b','b');\n",
    );
    for (column, one, two) in TYPES {
        for form in FORMS {
            let e = form.replace("{}", column).replace("{1}", one).replace("{2}", two);
            text.push_str(&format!(
                "create or replace view v as select i, {e} x from m where j > 4 or ({e});\n"
            ));
            text.push_str("show create view v;\nselect * from v;\n");
        }
    }
    text.push_str("drop view v;\n");
    text
}

/// Note 1003 of EXPLAIN EXTENDED: every form of expression, of every type, in every place of a SELECT.
pub fn in_explain() -> String {
    let mut text = String::from(
        "create table m (i int, j int, d decimal(8,2), e double, c varchar(10) character set latin1, b varbinary(5), dt date, t datetime, tm time, y year, en enum('a','b') character set latin1, s set('a','b') character set latin1);\n\
         insert into m values (1,5,1.5,1.5,'a','x','2001-01-01','2001-01-01 10:00:00','10:20:30',2001,'a','a'),(2,6,2.5,2.5,'b','y','2002-01-01','2002-01-01 11:00:00','11:20:30',2002,'b','b');\n\
         create table n (a int); insert into n values (1),(2),(3);\n",
    );
    for (column, one, two) in TYPES {
        for form in FORMS {
            let e = form.replace("{}", column).replace("{1}", one).replace("{2}", two);
            // what equalities of HAVING say is not put into its other conditions
            let having = column == "i" && !form.contains(" and {} < ") && !form.contains(" and j > {}");
            for place in [
                format!("select {e} x from m"),
                format!("select 1 from m where {e}"),
                format!("select m.i from m left join n on n.a > 1 and {e}"),
                format!("select i from m order by {e}"),
                format!("select count(*) from m group by {e}"),
                format!("select max(i) i, min(j) j, count(*) x from m having {e}"),
            ]
            .iter()
            .take(if having { 6 } else { 5 })
            {
                text.push_str(&format!("explain extended {place}; show warnings;\n"));
            }
        }
    }
    text.push_str("drop table m, n;\n");
    text
}
