//! The same statements here and on MariaDB: rows, counts, info texts, warnings and errors must be
//! the same. Scripts are in `tests/sql`, one statement a line; `$DATA` is the folder `tests/data`.

mod common;
mod matrices;

use common::reference::Reference;
use common::{Answer, Database};
use matrices::{failing_values, refused_targets};

/// Statements of a script: everything between `;` at line ends.
fn statements(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        // A routine: one statement, whatever `;` there are.
        if let Some(whole) = line.strip_prefix("=> ") {
            all.push(whole.to_string());
            continue;
        }
        // Several statements may share a line.
        let mut start = 0;
        let mut quote = None;
        for (i, c) in line.char_indices() {
            match (quote, c) {
                (None, '\'' | '"' | '`') => quote = Some(c),
                (Some(q), c) if c == q => quote = None,
                (None, ';') => {
                    let s = line[start..i].trim();
                    if !s.is_empty() {
                        all.push(s.to_string());
                    }
                    start = i + 1;
                }
                _ => {}
            }
        }
    }
    all
}

/// What differs between two answers.
fn differs(own: &Answer, reference: &Answer) -> Option<String> {
    if own.error != reference.error {
        return Some(format!("error\n   own: {:?}\n   ref: {:?}", own.error, reference.error));
    }
    if own.error.is_some() {
        return None;
    }
    // The client prints neither headings nor rows of an empty set.
    if own.rows != reference.rows {
        let own: Vec<String> = own.rows.iter().map(|r| r.join("|")).collect();
        let reference: Vec<String> = reference.rows.iter().map(|r| r.join("|")).collect();
        return Some(format!(
            "rows\n   own: {}\n   ref: {}",
            own.join("\n        "),
            reference.join("\n        ")
        ));
    }
    if !own.rows.is_empty() && !reference.columns.is_empty() && own.columns != reference.columns {
        return Some(format!("headings\n   own: {:?}\n   ref: {:?}", own.columns, reference.columns));
    }
    // the client knows no count of a statement that gives rows (RETURNING)
    if own.rows.is_empty() && (own.affected != reference.affected || own.info != reference.info) {
        return Some(format!(
            "counts\n   own: {} {:?}\n   ref: {} {:?}",
            own.affected, own.info, reference.affected, reference.info
        ));
    }
    if own.warnings != reference.warnings {
        return Some(format!("warnings\n   own: {}\n   ref: {}", own.warnings, reference.warnings));
    }
    None
}

/// All scripts use the database `test` of one server.
static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Folders outside of any data directory, `$OUTSIDE`, for scripts that put tables there; both servers leave nothing in them.
fn with_folders(text: &str, outside: &std::path::Path) -> String {
    for folder in ["one", "two", "o'h"] {
        std::fs::create_dir(outside.join(folder)).expect("a folder");
    }
    std::os::unix::fs::symlink("one", outside.join("link")).expect("a link");
    text.replace("$OUTSIDE", &outside.display().to_string())
}

fn compare(name: &str, text: &str) {
    let Some(reference) = Reference::shared() else {
        eprintln!("MariaDB is not installed: nothing to compare with");
        return;
    };
    // files that statements read
    let text = text.replace("$DATA", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    let outside = tempfile::tempdir().expect("a folder");
    let text = with_folders(&text, outside.path());
    let statements = statements(&text);
    let expected = {
        let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        reference.script(&statements)
    };
    // what threads may share they do, however small the tables are
    let mut db = Database::with(&[("isambard_threads", "3")]);
    let left = || std::fs::read_dir(outside.path().join("one")).expect("a folder").count();
    assert_eq!(left(), 0, "{name}: MariaDB has left files");
    let mut wrong = Vec::new();
    for (sql, expected) in statements.iter().zip(&expected) {
        let own = db.ask_whole(sql);
        if let Some(d) = differs(&own, expected) {
            wrong.push(format!("{sql}\n  {d}"));
        }
    }
    assert!(!wrong.is_empty() || left() == 0, "{name}: files are left");
    assert!(
        wrong.is_empty(),
        "{name}: {} of {} statements differ:\n\n{}",
        wrong.len(),
        statements.len(),
        wrong.join("\n\n")
    );
}

macro_rules! scripts {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                compare(stringify!($name), include_str!(concat!("sql/", stringify!($name), ".sql")));
            }
        )*
    };
}

scripts! {
    accounts
    check_time
    folders
    sformat
    small_gaps
    xml_functions
    geometry_columns
    session_memory
    geometry_operands
    numbers_found_by_texts
    patterns_and_bytes
    left_out_tables
    default_values
    partitions
    partition_routing
    partition_pruning
    ranges_walked
    partitions_of_joins
    ranges_of_partitions
    partition_exchange
    merge_and_triggers
    merge_and_locks
    partition_file_names
    partitions_by_decimals
    partition_ends
    handlers_of_changed_memory
    partitions_of_odd_dates
    partition_branches
    rules_seen_in_tests
    rules_of_the_suite
    keys_not_used
    spatial
    spatial_keys
    spatial_relations
    alter_table
    bodies_and_names
    bulk_insert
    rows_taken_over
    insert_waiting_keys
    load_bulk
    derived_merged
    pushed_conditions
    group_order
    explain_constants
    heavy_queries
    subquery_cache
    natural_sort_key
    group_concat_distinct
    order_of_aggregates
    full_text_returning
    straight_joins
    events
    exists_first_row
    keyed_subqueries
    semijoins
    limits_of_joins
    collation_names
    compress
    correlated
    column_types
    auto_increment_ends
    change_derived
    check_constraints
    analyze_after_repair
    check_of_constants
    update_ignore_of_several
    computed_columns_of_joined_views
    create_drop
    databases
    decimal_variables
    definition_expressions
    definition_limits
    doubles_in_short_texts
    edges_of_numbers
    short_years
    engine_options
    explain
    explain_extended
    explain_json
    expression_defaults
    findings
    findings_again
    found_by_chance
    found_rows
    fulltext_bad_input
    fulltext_keys
    fulltext_match
    group_concat
    group_concat_nulls
    generated_columns
    generated_keys
    handler
    handlers_go_on
    headings
    ignored_and_new_rows
    index_gets_smaller
    invalid_dates
    temporal_columns
    negated_ranges
    order_of_equals
    pad_char
    index_hints
    indexes
    invalid_views
    json_broken
    json_columns
    json_functions
    json_matrix
    json_table
    json_table_types
    key_caches
    upkeep_of_others
    key_cache_counts
    key_ends
    keys_and_defaults
    casts_compared
    locks_and_transactions
    lock_tables_asks
    engines_of_alter
    index_merges
    ref_or_null
    loose_scans
    numbers_asked_for
    forced_groups
    case_operands
    prepared_lists
    only_nulls
    check_names
    long_values
    maintenance
    old_servers
    foreign_key_keys
    list_begins_anew
    load_beyond
    sequence_tables
    names
    of_the_test_suite
    budget
    shortcuts
    sorts_of_texts
    status_counters
    optimize_repair
    on_duplicate
    dynamic_columns
    odd_values
    prepared
    read_only
    recursive
    refusals
    replace_numbers
    settings_of_statements
    returning
    routines
    routine_grants
    routines_listed
    old_passwords
    des
    servers
    execute_default
    routine_types
    routine_rows
    routine_names
    aggregate_functions
    stored_functions
    memory
    merge_tables
    long_unique
    sequence
    sequences
    show
    strict_routines
    strictness
    temporary_tables
    triggers
    views
    triggers_and_lacking_values
    gone_trigger_columns
    views_of_joins
    is_null_of_zero_dates
    numbers_of_members
    columns_that_no_view_updates
    lacking_values_by_rows
    row_count
    row_count_in_triggers
    diagnostics_of_blocks
    inserts_into_joined_views
    told_before_targets
    values_that_fail
    keys_and_ranges_of_joins
    returning_before_triggers
    sorted_through_buffers
    rows_made_anew
    columns_out_of_range
    nulls_of_joined_updates
    less_than_zero
    nothing_to_insert
    zero_dates_of_results
    partitions_reorganized
    beginnings_of_key_names
    rows_of_the_table_itself
    conditions_that_warn
    numbers_as_dates
    windows_without_order
    check_option_and_numbers
    bits_of_doubles
    strict_rows_of_triggers
    zero_timestamps_in_order
    nulls_on_duplicate_keys
    views_without_lists
    lists_of_triggers
    refused_dates_in_casts
    zero_dates_in_times
    partition_names
    malformed_text
    defaults_through_views
    call_arguments
    hex_literals_printed
    casts_and_null
    aes
    union_types
    user_variables
    uuid_values
    what_the_server_lists
    xa
    key_caches_of_partitions
    columns_of_queries
    limit_zero
    zero_of_decimals
    handlers_of_return
    decimals_in_temporary_tables
    decimals_of_all_lengths
    signs_of_variables
    variables
    warning_list
    when_computed
    windows
}

/// Variables whose values SET refuses or warns of for what is not here: InnoDB's tables, Galera's cluster, replication,
/// pools of threads, system versioning.
const OF_OTHERS: &[&str] = &[
    "innodb_",
    "wsrep_",
    "system_versioning_asof",
    "gtid_slave_pos",
    "pseudo_slave_mode",
    "thread_pool_size",
];

/// Every variable of the table, set in both scopes to DEFAULT, its own value, NULL and what is none.
#[test]
fn what_set_takes() {
    let table = include_str!("../../eval/data/system-variables.tsv");
    let names = table.lines().skip(1).filter_map(|l| l.split('\t').next());
    let mut script = String::new();
    for name in names.filter(|n| !OF_OTHERS.iter().any(|other| n.starts_with(other))) {
        // Where files lie and who the server is differs between two servers.
        for scope in ["SESSION", "GLOBAL"] {
            for value in ["DEFAULT", &format!("@@{scope}.{name}"), "NULL", "'nonsense'", "1.5"] {
                // a log of its own name would be made
                if !(name.ends_with("_file") && value == "'nonsense'") {
                    script.push_str(&format!("SET {scope} {name} = {value};\n"));
                }
            }
            script.push_str(&format!("SET {scope} {name} = DEFAULT;\n"));
        }
    }
    compare("what_set_takes", &script);
}

/// The files of views are those that the reference writes, but for the time, and each server reads those of the other.
#[test]
fn files_of_views() {
    let Some(reference) = Reference::shared() else {
        eprintln!("MariaDB is not installed: nothing to compare with");
        return;
    };
    let all = statements(include_str!("sql/views.sql"));
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

/// Columns of every type as OLD and NEW: read, assigned from a text, a number and NULL, and from each other's rows.
#[test]
fn triggers_of_all_types() {
    let types = [
        "tinyint",
        "smallint unsigned",
        "mediumint",
        "int",
        "bigint unsigned",
        "decimal(10,2)",
        "float",
        "double",
        "bit(9)",
        "year",
        "date",
        "time",
        "time(3)",
        "datetime",
        "datetime(6)",
        "timestamp null",
        "char(5)",
        "varchar(20)",
        "varchar(20) character set latin1",
        "binary(4)",
        "varbinary(10)",
        "tinytext",
        "text",
        "blob",
        "enum('a','1','12')",
        "set('a','b','12')",
    ];
    let values = ["'12'", "12", "null", "'2020-02-03 04:05:06.789'", "'a'", "1.5", "'\u{e4}'"];
    let mut script = String::from("=> set timestamp=1600000000\n");
    for (n, ty) in types.iter().enumerate() {
        let shown = |row: &str| match *ty {
            "bit(9)" => format!("{row}.v+0"),
            _ => format!("hex({row}.v)"),
        };
        script.push_str(&format!(
            "=> create table m{n} (k int primary key, v {ty}, w {ty} not null)\n\
             => create trigger a{n} before insert on m{n} for each row set @o=concat_ws(',', 'i', {new}, hex(new.w)), new.w=ifnull(new.v, new.w)\n\
             => create trigger b{n} after insert on m{n} for each row set @p=concat_ws(',', 'ai', {new}, hex(new.w))\n\
             => create trigger c{n} before update on m{n} for each row set @o=concat_ws(',', 'u', {old}, {new}, hex(old.w)), new.v=old.w\n\
             => create trigger d{n} after delete on m{n} for each row set @o=concat_ws(',', 'd', {old}, hex(old.w))\n",
            new = shown("new"),
            old = shown("old"),
        ));
        for (k, v) in values.iter().enumerate() {
            for mode in ["''", "default"] {
                script.push_str(&format!(
                    "=> set sql_mode={mode}, @o='', @p=''\n=> replace into m{n} (k,v) values ({k}, {v})\n=> show warnings\n=> select @o, @p\n\
                     => update m{n} set v={v} where k={k}\n=> show warnings\n=> select @o\n"
                ));
            }
        }
        script.push_str(&format!(
            "=> select k, hex(v), hex(w) from m{n} order by k\n=> delete from m{n} where k=0\n=> select @o\n\
             => create or replace trigger c{n} before update on m{n} for each row set new.v=@v, new.w=@w\n"
        ));
        for v in values {
            script.push_str(&format!(
                "=> set @v={v}, @w='1'\n=> update m{n} set k=k+10\n=> select k, hex(v), hex(w) from m{n} order by k\n\
                 => set sql_mode=''\n=> update m{n} set k=k+10\n=> select k, hex(v), hex(w) from m{n} order by k\n=> set sql_mode=default\n"
            ));
        }
    }
    compare("triggers_of_all_types", &script);
}

/// Views whose columns have another width here: COMPAT.md, Views.
const OTHER_WIDTHS: &[&str] = &["describe v15"];

/// MATCH in every place of a statement, in every mode, over columns of every character set that takes full text.
#[test]
fn fulltext_in_all_character_sets() {
    compare("fulltext_in_all_character_sets", &common::fulltext::in_all_character_sets());
}

/// Columns of every type below a FULLTEXT key and in MATCH, and what of every type is looked for.
#[test]
fn fulltext_of_all_types() {
    compare("fulltext_of_all_types", &common::fulltext::of_all_types());
}

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
#[test]
fn views_of_all_expressions() {
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
    compare("views_of_all_expressions", &text);
}

/// Note 1003 of EXPLAIN EXTENDED: every form of expression, of every type, in every place of a SELECT.
#[test]
fn explain_extended_in_all_places() {
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
    compare("explain_extended_in_all_places", &text);
}

#[test]
fn targets_of_every_kind_refused() {
    compare("targets_of_every_kind_refused", &refused_targets::statements());
}

#[test]
fn values_that_fail_of_every_type() {
    compare("values_that_fail_of_every_type", &failing_values::statements());
}

/// Every type of a key's column, in every place and order, is read in every direction and with every operator: fixed and dynamic rows,
/// keys in trees and hashed ones.
#[test]
fn handler_of_every_type() {
    const FORMS: [&str; 3] = ["ENGINE=MyISAM", "ENGINE=MyISAM ROW_FORMAT=DYNAMIC", "ENGINE=MEMORY"];
    /// A type, the prefix of it in keys, values, and one that is not there or does not fit.
    const TYPES: &[(&str, &str, [&str; 3], &str)] = &[
        ("TINYINT", "", ["-3", "5", "100"], "4"),
        ("SMALLINT UNSIGNED", "", ["0", "7", "65535"], "70000"),
        ("MEDIUMINT", "", ["-8000000", "1", "2"], "'1x'"),
        ("INT", "", ["1", "20", "300"], "19.5"),
        ("BIGINT UNSIGNED", "", ["1", "2", "18446744073709551615"], "-1"),
        ("DECIMAL(6,2)", "", ["-1.5", "2.25", "1000"], "2.254"),
        ("FLOAT", "", ["-1.5", "0.25", "1e10"], "0.3"),
        ("DOUBLE", "", ["-1.5", "0.1", "1e100"], "0.1000001"),
        ("BIT(8)", "", ["65", "66", "90"], "70"),
        ("YEAR", "", ["1999", "2001", "2100"], "2000"),
        ("DATE", "", ["'0000-00-00'", "'2020-02-29'", "'9999-12-31'"], "'2020-02-29 10:00:00'"),
        ("TIME(3)", "", ["'-10:00:00'", "'00:00:01.5'", "'800:00:00'"], "'00:00:01.4999'"),
        ("DATETIME(2)", "", ["'2000-01-01'", "'2020-01-01 10:00:00.25'", "'2030-01-01'"], "'2020-01-01'"),
        ("TIMESTAMP NULL", "", ["'2000-01-01'", "'2020-01-01 10:00:00'", "'2030-01-01'"], "'2020-01-01'"),
        ("CHAR(5) CHARACTER SET latin1", "", ["''", "'abc'", "'zz'"], "'b'"),
        ("VARCHAR(12) COLLATE utf8mb4_unicode_ci", "", ["''", "'ABC '", "'zz'"], "'abd'"),
        ("VARCHAR(12) COLLATE utf8mb4_nopad_bin", "(4)", ["'a'", "'abcdef'", "'zz'"], "'abcdx'"),
        ("BINARY(4)", "", ["'aaaa'", "'abcc'", "'zzzz'"], "'abcde'"),
        ("VARBINARY(6)", "", ["''", "'abc'", "'zz'"], "'abc '"),
        ("TEXT CHARACTER SET utf8mb3", "(3)", ["''", "'abcd'", "'zz'"], "'abc'"),
        ("BLOB", "(3)", ["''", "'abcd'", "'zz'"], "'abc'"),
        ("ENUM('x','a','m')", "", ["'x'", "'a'", "'m'"], "'nope'"),
        ("SET('x','a','m')", "", ["''", "'a'", "'x,m'"], "'x,nope'"),
        ("INET6", "", ["'::1'", "'::a'", "'ff::'"], "'::5'"),
        (
            "UUID",
            "",
            [
                "'00000000-0000-0000-0000-000000000001'",
                "'123e4567-e89b-12d3-a456-426655440000'",
                "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
            ],
            "'123e4567-e89b-12d3-a456-426655440001'",
        ),
    ];
    let mut script = String::from("SET NAMES utf8mb4;\nSET sql_mode = '';\n");
    // a soak reads every type in every form of table, else each type has one
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    for (n, (ty, prefix, values, absent)) in TYPES.iter().enumerate() {
        // MEMORY has no keys over prefixes
        let forms = if prefix.is_empty() { &FORMS[..] } else { &FORMS[..2] };
        let forms = if soak { forms } else { &forms[n % forms.len()..][..1] };
        for rows in forms {
            read_in_every_way(&mut script, (ty, prefix), values, absent, rows);
        }
    }
    compare("handler_of_every_type", &script);
}

/// The statements for one type of column in one form of table.
fn read_in_every_way(
    script: &mut String,
    (ty, prefix): (&str, &str),
    [low, twice, high]: &[&str; 3],
    absent: &str,
    rows: &str,
) {
    let mut line = |text: String| {
        script.push_str(&text);
        script.push_str(";\n");
    };
    let memory = rows.contains("MEMORY");
    let tree = if memory { "USING BTREE " } else { "" };
    line(format!(
        "CREATE OR REPLACE TABLE t (k {ty}, n INT NOT NULL, KEY k {tree}(k{prefix}), KEY d {tree}(k{prefix} DESC), \
         KEY kn {tree}(k{prefix}, n), KEY nk {tree}(n, k{prefix}), KEY h (k{prefix})) {rows}"
    ));
    line(format!(
        "INSERT INTO t VALUES ({twice}, 1), ({low}, 2), ({twice}, 3), (NULL, 4), ({high}, 5), ({twice}, 6), (NULL, 7)"
    ));
    line("HANDLER t OPEN".to_string());
    // MEMORY has equal entries in the order of addresses, no keys in descending order, and loses the position where nothing is found
    let keys: &[&str] = if memory { &["kn"] } else { &["k", "d", "kn", "h"] };
    for key in keys {
        for step in [
            "FIRST",
            "NEXT",
            "NEXT LIMIT 2",
            "PREV",
            "LAST",
            "PREV LIMIT 3",
            "NEXT WHERE n > 4 LIMIT 2",
            "PREV",
        ] {
            line(format!("HANDLER t READ {key} {step}"));
        }
        for op in ["=", "<=", ">=", "<", ">"] {
            for value in [low, twice, high, absent, "NULL"] {
                line(format!("HANDLER t READ {key} {op} ({value})"));
                if !memory {
                    line(format!("HANDLER t READ {key} NEXT"));
                }
                line(format!("HANDLER t READ {key} {op} ({value}) WHERE n % 2 = 0 LIMIT 2"));
                if !memory {
                    line(format!("HANDLER t READ {key} PREV"));
                }
                line(format!("HANDLER t READ {key} {op} ({value}) LIMIT 1, 9"));
            }
        }
    }
    for value in [twice, absent, "NULL"] {
        line(format!("HANDLER t READ kn = ({value}, 3) LIMIT 9"));
        line(format!("HANDLER t READ nk >= (3, {value}) LIMIT 2"));
        line(format!("HANDLER t READ nk < (3, {value}) LIMIT 2"));
        line(format!("HANDLER t READ h = ({value}) LIMIT 9"));
    }
    line("HANDLER t READ FIRST WHERE k IS NULL LIMIT 9".to_string());
    line(format!("HANDLER t READ FIRST WHERE k >= {twice} LIMIT 9"));
    line("HANDLER t CLOSE".to_string());
}
