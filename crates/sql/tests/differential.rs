//! The same statements here and on MariaDB: rows, counts, info texts, warnings and errors must be
//! the same. Scripts are in `tests/sql`, one statement a line; `$DATA` is the folder `tests/data`.

mod common;
mod definition_files;
mod matrices;

use common::reference::Reference;
use common::{Answer, Database};
use matrices::{expressions, failing_values, handlers, refused_targets, triggers};

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
    answers_converted_once
    columns_of_other_types
    defaults_cut
    refused_by_type
    small_rules
    widths_of_functions
    check_time
    folders
    sformat
    small_gaps
    xml_functions
    oracle_functions
    disabled_spatial_keys
    outer_aggregates
    lists_of_named_columns
    distinct_scales
    widths_of_parts
    dates_with_a_rest
    upserts_without_defaults
    all_rows_tie
    targets_read_by_deletes
    sets_in_strict_changes
    quotients_as_texts
    converted_json
    digits_of_variables
    upkeep_of_locked_partitions
    doubles_beside_decimals
    counted_rows
    bytes_beside_computed
    prepared_names
    names_of_joined_columns
    patterns_of_rows
    dates_with_parts_missing
    computed_constants
    locales
    texts_as_numbers
    locked_sequences
    parameters_of_limit
    partitions_of_outer_joins
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
    partition_mistakes
    partition_numbers
    moves_into_nowhere
    kept_zero_dates
    texts_of_parameters
    days_and_hours
    names_of_odd_days
    updates_of_nothing
    variables_called_as_forms
    handlers_of_changed_memory
    partitions_of_odd_dates
    partition_branches
    rules_seen_in_tests
    rules_of_the_suite
    keys_not_used
    spatial
    spatial_documents
    spatial_keys
    spatial_overlays
    spatial_relations
    spatial_shapes
    alter_table
    bodies_and_names
    bulk_insert
    rows_taken_over
    insert_waiting_keys
    late_columns
    create_select_alike
    concat_orders
    columns_out_of_keys
    values_of_subqueries
    load_bulk
    outfile_charsets
    small_differences
    last_lines_of_files
    first_row_of_several
    derived_merged
    pushed_conditions
    group_order
    explain_constants
    heavy_queries
    look_ups_together
    short_decimals
    groups_by_short_values
    several_tables_as_one
    subquery_cache
    natural_sort_key
    invisible_columns_of_joins
    targets_of_delete
    nulls_beside_unsigned
    texts_cut_by_alter
    fetch_with_ties
    weight_of_function_results
    case_collations
    doubles_at_the_end_of_bigint
    bad_text_past_the_end
    functions_of_views
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
    seconds_added_to_texts
    bits_of_windows
    strict_into_variables
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
    nulls_and_zeros_in_files
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
    windows_over_groups
    check_option_subqueries
    aggregates_of_made_texts
    targets_that_are_views
    moments_by_text_and_double
    strict_casts_cut
    overflow_of_functions
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
    trigger_writes
    many_changes
    hex_through_choices
    aggregates_of_queries_around
    rows_by_place
    functions_find_changes
    rows_in_the_way
    ends_of_subqueries
    strict_create_select
    arguments_behind_null
    digits_of_averages
    digits_of_fixed_doubles
    lists_of_rollup
    numbers_beyond_decimal_keys
    variables_in_documents
    sums_of_times
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

#[test]
fn targets_of_every_kind_refused() {
    compare("targets_of_every_kind_refused", &refused_targets::statements());
}

#[test]
fn values_that_fail_of_every_type() {
    compare("values_that_fail_of_every_type", &failing_values::statements());
}

#[test]
fn triggers_of_all_types() {
    compare("triggers_of_all_types", &triggers::statements());
}

#[test]
fn views_of_all_expressions() {
    compare("views_of_all_expressions", &expressions::in_views());
}

#[test]
fn explain_extended_in_all_places() {
    compare("explain_extended_in_all_places", &expressions::in_explain());
}

#[test]
fn handler_of_every_type() {
    compare("handler_of_every_type", &handlers::statements());
}
