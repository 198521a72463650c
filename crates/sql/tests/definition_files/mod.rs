//! The files of views and triggers, both ways: those that are written here are those of the reference, and each server reads the other's.

use crate::common::reference::Reference;
use crate::common::{Answer, Database};
use crate::{ONE, differs, statements};

/// Views whose columns have another width here: COMPAT.md, Views.
const OTHER_WIDTHS: &[&str] = &["describe v15"];

/// The files of views are those that the reference writes, but for the time, and each server reads those of the other.
#[test]
fn files_of_views() {
    let Some(reference) = Reference::shared() else {
        eprintln!("MariaDB is not installed: nothing to compare with");
        return;
    };
    let all = statements(include_str!("../sql/views.sql"));
    let end = all.iter().position(|s| s.starts_with("show create")).expect("a statement that shows");
    let made = &all[..end];
    let names: Vec<String> = made
        .iter()
        .filter_map(|s| s.split(" view ").nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_owned))
        .collect();
    assert!(names.len() > 30, "{names:?}");
    let shown: Vec<String> = names
        .iter()
        .flat_map(|v| {
            [format!("show create view {v}"), format!("select count(*) from {v}"), format!("describe {v}")]
        })
        .collect();
    let mut db = Database::new();
    made.iter().for_each(|s| _ = db.run(s));
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    reference.script(made);
    let file = |folder: &std::path::Path, v: &str| {
        let path = folder.join("test").join(v).with_extension("frm");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        text.lines().filter(|l| !l.starts_with("timestamp=")).collect::<Vec<_>>().join("\n")
    };
    let theirs = reference.datadir();
    for v in &names {
        assert_eq!(file(db.dir.path(), v), file(&theirs, v), "{v}");
    }
    // each other's files over the own tables
    let tables = &made[..made.iter().position(|s| s.contains(" view ")).expect("a view")];
    let mut other = Database::new();
    tables.iter().for_each(|s| _ = other.run(s));
    let exchange = |from: &std::path::Path, to: &std::path::Path| {
        for v in &names {
            let file = format!("test/{v}.frm");
            std::fs::copy(from.join(&file), to.join(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        }
    };
    exchange(&theirs, other.dir.path());
    let own: Vec<Answer> = shown.iter().map(|s| other.ask(s)).collect();
    exchange(db.dir.path(), &theirs);
    let mut again = vec!["flush tables".to_string(), "use test".to_string()];
    again.extend_from_slice(&shown);
    let answers = reference.again(&again);
    let pairs = shown.iter().zip(&own).zip(&answers[2..]);
    let found: Vec<String> = pairs
        .filter(|((sql, _), _)| !OTHER_WIDTHS.contains(&sql.as_str()))
        .filter_map(|((sql, own), expected)| Some(format!("{sql}\n  {}", differs(own, expected)?)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// Triggers with everything that their files keep.
const FILED: [&str; 14] = [
    "create table `t 1` (a int not null auto_increment primary key, b varchar(10) not null, c int)",
    "create table `t``2` (a int)",
    "create table t3 (a int)",
    "create trigger au1 after update on `t 1` for each row set @a='it''s \\\\ back \n line'",
    "create definer='x y'@'%' trigger `d1 q` before delete on test.`t 1` for each row set @a=\"x\"",
    "set sql_mode='ANSI_QUOTES', names latin1",
    "create trigger  bi1 before insert on `t 1` for each row  set @a='bi1'",
    "create trigger if not exists bi0 before insert on \"t 1\" for each row  precedes  bi1   set @a='\u{fc}'",
    "create trigger au0 after update on `t 1` for each row precedes au1 begin set @a=1; end",
    "set sql_mode=default, names utf8mb4 collate utf8mb4_bin",
    "create or replace trigger test.bi2 before insert on `t 1` for each row follows bi0 begin set @a='\u{fc}'; set @b=1; end",
    "create trigger tx before update on `t``2` for each row set new.a=old.a+1",
    "create table t9 (a int)",
    "create trigger t9i after insert on t9 for each row set @a=1",
];

/// What fails is undone: the trigger of `t9` names its table in quotes then.
const UNDONE: &str = "rename table t9 to t10, nowhere to t11";

/// What happens to them then.
const MOVED: [&str; 7] = [
    "set names utf8mb3",
    "rename table `t 1` to t4, `t``2` to `t 1`",
    "alter table t4 rename to `t\"5`, add z int",
    "drop trigger bi0",
    "create trigger gone before insert on t3 for each row set @a=1",
    "drop table t3",
    "create or replace trigger tx after delete on `t 1` for each row set @a=old.a",
];

/// `.TRG` and `.TRN` are those that the reference writes, but for the time, after each statement, and each server runs the other's.
#[test]
fn files_of_triggers() {
    let Some(reference) = Reference::shared() else {
        eprintln!("MariaDB is not installed: nothing to compare with");
        return;
    };
    let files = |folder: &std::path::Path| {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder.join("test")).expect("folder") {
            let path = entry.expect("entry").path();
            if path.extension().is_some_and(|e| e == "TRG" || e == "TRN") {
                let text = String::from_utf8_lossy(&std::fs::read(&path).expect("file")).into_owned();
                let text: Vec<&str> = text.lines().filter(|l| !l.starts_with("created=")).collect();
                found.push(format!("{}\n{}", path.file_name().expect("name").display(), text.join("\n")));
            }
        }
        found.sort();
        found
    };
    let mut db = Database::new();
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let made: Vec<String> = FILED.iter().map(ToString::to_string).collect();
    reference.script(&made);
    FILED.iter().for_each(|s| _ = db.run(s));
    reference.again(&["use test".into(), UNDONE.into()]);
    assert_eq!(db.ask(UNDONE).error.as_deref(), Some("1146 (42S02): Table 'test.nowhere' doesn't exist"));
    let theirs = reference.datadir();
    let (own, expected) = (files(db.dir.path()), files(&theirs));
    assert!(expected.len() >= 8, "{expected:?}");
    assert_eq!(own, expected);
    let moved: Vec<String> = ["use test"].iter().chain(&MOVED).map(ToString::to_string).collect();
    reference.again(&moved);
    MOVED.iter().for_each(|s| _ = db.run(s));
    let (own, expected) = (files(db.dir.path()), files(&theirs));
    assert!(expected.iter().all(|f| !f.starts_with("gone")), "{expected:?}");
    assert_eq!(own, expected);
    // theirs here, ours there
    let asked = [
        "insert into `t\"5` (b,c) values ('x',1)",
        "select @a, @b",
        "update `t\"5` set c=2",
        "select @a",
        "delete from `t\"5`",
        "select @a",
        "select trigger_name, event_object_table, action_order, hex(action_statement), sql_mode, definer, character_set_client, collation_connection from information_schema.triggers where trigger_schema='test' and trigger_name <> 'au1' order by 1",
    ];
    let mut other = Database::new();
    FILED.iter().chain(&MOVED).filter(|s| !s.contains("trigger")).for_each(|s| _ = other.run(s));
    let copy = |from: &std::path::Path, to: &std::path::Path| {
        for entry in std::fs::read_dir(from.join("test")).expect("folder") {
            let path = entry.expect("entry").path();
            if path.extension().is_some_and(|e| e == "TRG" || e == "TRN") {
                std::fs::copy(&path, to.join("test").join(path.file_name().expect("name"))).expect("copy");
            }
        }
    };
    copy(&theirs, other.dir.path());
    other.run("flush tables");
    let own: Vec<Answer> = asked.iter().map(|s| other.ask(s)).collect();
    copy(db.dir.path(), &theirs);
    let mut again = vec!["flush tables".to_string(), "use test".to_string()];
    again.extend(asked.iter().map(ToString::to_string));
    let answers = reference.again(&again);
    let pairs = asked.iter().zip(&own).zip(&answers[2..]);
    let found: Vec<String> = pairs
        .filter_map(|((sql, own), expected)| Some(format!("{sql}\n  {}", differs(own, expected)?)))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// A table of 4.1, as the package of the reference's tests brings one: its VARCHARs are filled up with spaces, and CHECK asks for a REPAIR.
#[test]
fn varchars_of_4_1() {
    let Some(reference) = Reference::shared() else {
        eprintln!("MariaDB is not installed: nothing to compare with");
        return;
    };
    let found = ["/usr/share/mysql/mysql-test/std_data", "/usr/lib/mysql-test/std_data"]
        .map(std::path::Path::new)
        .into_iter()
        .find(|folder| folder.join("bug19371.frm").exists());
    let Some(found) = found else {
        eprintln!("the package of MariaDB's tests is not installed: no table of 4.1");
        return;
    };
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut db = Database::new();
    reference.script(&["select 1".to_string()]);
    for folder in [db.dir.path().to_path_buf(), reference.datadir()] {
        for name in ["o1", "o2", "o3", "o4"] {
            for extension in ["frm", "MYD", "MYI"] {
                let to = folder.join("test").join(name).with_extension(extension);
                std::fs::copy(found.join("bug19371").with_extension(extension), &to).expect("a copy");
            }
        }
        let to = folder.join("test/v1.frm");
        std::fs::copy(found.join("vchar.frm"), to).expect("a copy");
    }
    let all = statements(include_str!("../sql/varchars_of_4_1.sql"));
    let own: Vec<Answer> = all.iter().map(|s| db.ask(s)).collect();
    let mut again = vec!["flush tables".to_string(), "use test".to_string()];
    again.extend_from_slice(&all);
    let answers = reference.again(&again);
    for ((statement, own), theirs) in all.iter().zip(&own).zip(&answers[2..]) {
        if let Some(difference) = differs(own, theirs) {
            panic!("{statement}: {difference}");
        }
    }
}
