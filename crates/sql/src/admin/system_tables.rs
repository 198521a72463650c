//! The tables of the database `mysql` that MariaDB has beside those of accounts, and its procedures: programs ask for them, and dumps hold
//! them. Nothing here reads them but statements; they are made when a table of that name is missing.
//!
//! Left out is `innodb_index_stats`, whose key is longer than MyISAM's.

use std::sync::Arc;

use super::bootstrap::{own_session, run};
use crate::engine::Engine;
use crate::error::SqlResult;

/// Stands for the character set of names that are compared byte by byte.
const BIN: &str = "CHARACTER SET utf8mb3 COLLATE utf8mb3_bin";

/// Stands for the parts of `sql_mode`.
const MODES: &str = "set('REAL_AS_FLOAT','PIPES_AS_CONCAT','ANSI_QUOTES','IGNORE_SPACE','IGNORE_BAD_TABLE_OPTIONS',\
    'ONLY_FULL_GROUP_BY','NO_UNSIGNED_SUBTRACTION','NO_DIR_IN_CREATE','POSTGRESQL','ORACLE','MSSQL',\
    'DB2','MAXDB','NO_KEY_OPTIONS','NO_TABLE_OPTIONS','NO_FIELD_OPTIONS','MYSQL323','MYSQL40',\
    'ANSI','NO_AUTO_VALUE_ON_ZERO','NO_BACKSLASH_ESCAPES','STRICT_TRANS_TABLES','STRICT_ALL_TABLES',\
    'NO_ZERO_IN_DATE','NO_ZERO_DATE','INVALID_DATES','ERROR_FOR_DIVISION_BY_ZERO','TRADITIONAL',\
    'NO_AUTO_CREATE_USER','HIGH_NOT_PRECEDENCE','NO_ENGINE_SUBSTITUTION','PAD_CHAR_TO_FULL_LENGTH',\
    'EMPTY_STRING_IS_NULL','SIMULTANEOUS_ASSIGNMENT','TIME_ROUND_FRACTIONAL')";

/// A table: name, columns and keys, character set, comment.
type Table = (&'static str, &'static str, &'static str, &'static str);

const TABLES: &[Table] = &[
    (
        "general_log",
        "event_time timestamp(6) NOT NULL DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6), \
         user_host mediumtext NOT NULL, thread_id bigint(21) unsigned NOT NULL, \
         server_id int(10) unsigned NOT NULL, command_type varchar(64) NOT NULL, \
         argument mediumtext NOT NULL",
        "utf8mb3_general_ci",
        "General log",
    ),
    (
        "slow_log",
        "start_time timestamp(6) NOT NULL DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6), \
         user_host mediumtext NOT NULL, query_time time(6) NOT NULL, lock_time time(6) NOT NULL, \
         rows_sent bigint(20) unsigned NOT NULL, rows_examined bigint(20) unsigned NOT NULL, \
         db varchar(512) NOT NULL, last_insert_id int(11) NOT NULL, insert_id int(11) NOT NULL, \
         server_id int(10) unsigned NOT NULL, sql_text mediumtext NOT NULL, \
         thread_id bigint(21) unsigned NOT NULL, rows_affected bigint(20) unsigned NOT NULL",
        "utf8mb3_general_ci",
        "Slow log",
    ),
    (
        "event",
        "db char(64) {bin} NOT NULL DEFAULT '', name char(64) NOT NULL DEFAULT '', body longblob NOT NULL, \
         definer varchar(384) {bin} NOT NULL DEFAULT '', execute_at datetime DEFAULT NULL, \
         interval_value int(11) DEFAULT NULL, \
         interval_field enum('YEAR','QUARTER','MONTH','DAY','HOUR','MINUTE','WEEK','SECOND','MICROSECOND','YEAR_MONTH','DAY_HOUR','DAY_MINUTE','DAY_SECOND','HOUR_MINUTE','HOUR_SECOND','MINUTE_SECOND','DAY_MICROSECOND','HOUR_MICROSECOND','MINUTE_MICROSECOND','SECOND_MICROSECOND') DEFAULT NULL, \
         created timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(), \
         modified timestamp NOT NULL DEFAULT '0000-00-00 00:00:00', last_executed datetime DEFAULT NULL, \
         starts datetime DEFAULT NULL, ends datetime DEFAULT NULL, \
         status enum('ENABLED','DISABLED','SLAVESIDE_DISABLED') NOT NULL DEFAULT 'ENABLED', \
         on_completion enum('DROP','PRESERVE') NOT NULL DEFAULT 'DROP', \
         sql_mode {modes} NOT NULL DEFAULT '', comment char(64) {bin} NOT NULL DEFAULT '', \
         originator int(10) unsigned NOT NULL, \
         time_zone char(64) CHARACTER SET latin1 COLLATE latin1_swedish_ci NOT NULL DEFAULT 'SYSTEM', \
         character_set_client char(32) {bin} DEFAULT NULL, \
         collation_connection char(64) {bin} DEFAULT NULL, \
         db_collation char(64) {bin} DEFAULT NULL, body_utf8 longblob DEFAULT NULL, PRIMARY KEY (db,name)",
        "utf8mb3_general_ci",
        "Events",
    ),
    (
        "func",
        "name char(64) NOT NULL DEFAULT '', ret tinyint(1) NOT NULL DEFAULT 0, \
         dl char(128) NOT NULL DEFAULT '', \
         type enum('function','aggregate') CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci NOT NULL, \
         PRIMARY KEY (name)",
        "utf8mb3_bin",
        "User defined functions",
    ),
    (
        "plugin",
        "name varchar(64) NOT NULL DEFAULT '', dl varchar(128) NOT NULL DEFAULT '', PRIMARY KEY (name)",
        "utf8mb3_general_ci",
        "MySQL plugins",
    ),
    (
        "proc",
        "db char(64) {bin} NOT NULL DEFAULT '', name char(64) NOT NULL DEFAULT '', \
         type enum('FUNCTION','PROCEDURE','PACKAGE','PACKAGE BODY') NOT NULL, \
         specific_name char(64) NOT NULL DEFAULT '', language enum('SQL') NOT NULL DEFAULT 'SQL', \
         sql_data_access enum('CONTAINS_SQL','NO_SQL','READS_SQL_DATA','MODIFIES_SQL_DATA') NOT NULL DEFAULT 'CONTAINS_SQL', \
         is_deterministic enum('YES','NO') NOT NULL DEFAULT 'NO', \
         security_type enum('INVOKER','DEFINER') NOT NULL DEFAULT 'DEFINER', param_list blob NOT NULL, \
         returns longblob NOT NULL, body longblob NOT NULL, \
         definer varchar(384) {bin} NOT NULL DEFAULT '', \
         created timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(), \
         modified timestamp NOT NULL DEFAULT '0000-00-00 00:00:00', sql_mode {modes} NOT NULL DEFAULT '', \
         comment text {bin} NOT NULL, character_set_client char(32) {bin} DEFAULT NULL, \
         collation_connection char(64) {bin} DEFAULT NULL, \
         db_collation char(64) {bin} DEFAULT NULL, body_utf8 longblob DEFAULT NULL, \
         aggregate enum('NONE','GROUP') NOT NULL DEFAULT 'NONE', PRIMARY KEY (db,name,type)",
        "utf8mb3_general_ci",
        "Stored Procedures",
    ),
    (
        "servers",
        "Server_name char(64) NOT NULL DEFAULT '', Host varchar(2048) NOT NULL DEFAULT '', \
         Db char(64) NOT NULL DEFAULT '', Username char(128) NOT NULL DEFAULT '', \
         Password char(64) NOT NULL DEFAULT '', Port int(4) NOT NULL DEFAULT 0, \
         Socket char(108) NOT NULL DEFAULT '', Wrapper char(64) NOT NULL DEFAULT '', \
         Owner varchar(512) NOT NULL DEFAULT '', PRIMARY KEY (Server_name)",
        "utf8mb3_general_ci",
        "MySQL Foreign Servers table",
    ),
    (
        "time_zone",
        "Time_zone_id int(10) unsigned NOT NULL AUTO_INCREMENT, \
         Use_leap_seconds enum('Y','N') NOT NULL DEFAULT 'N', PRIMARY KEY (Time_zone_id)",
        "utf8mb3_general_ci",
        "Time zones",
    ),
    (
        "time_zone_name",
        "Name char(64) NOT NULL, Time_zone_id int(10) unsigned NOT NULL, PRIMARY KEY (Name)",
        "utf8mb3_general_ci",
        "Time zone names",
    ),
    (
        "time_zone_leap_second",
        "Transition_time bigint(20) NOT NULL, Correction int(11) NOT NULL, PRIMARY KEY (Transition_time)",
        "utf8mb3_general_ci",
        "Leap seconds information for time zones",
    ),
    (
        "time_zone_transition",
        "Time_zone_id int(10) unsigned NOT NULL, Transition_time bigint(20) NOT NULL, \
         Transition_type_id int(10) unsigned NOT NULL, PRIMARY KEY (Time_zone_id,Transition_time)",
        "utf8mb3_general_ci",
        "Time zone transitions",
    ),
    (
        "time_zone_transition_type",
        "Time_zone_id int(10) unsigned NOT NULL, Transition_type_id int(10) unsigned NOT NULL, \
         `Offset` int(11) NOT NULL DEFAULT 0, Is_DST tinyint(3) unsigned NOT NULL DEFAULT 0, \
         Abbreviation char(8) NOT NULL DEFAULT '', PRIMARY KEY (Time_zone_id,Transition_type_id)",
        "utf8mb3_general_ci",
        "Time zone transition types",
    ),
    (
        "help_category",
        "help_category_id smallint(5) unsigned NOT NULL, name char(64) NOT NULL, \
         parent_category_id smallint(5) unsigned DEFAULT NULL, url text NOT NULL, \
         PRIMARY KEY (help_category_id), UNIQUE KEY name (name)",
        "utf8mb3_general_ci",
        "help categories",
    ),
    (
        "help_keyword",
        "help_keyword_id int(10) unsigned NOT NULL, name char(64) NOT NULL, PRIMARY KEY (help_keyword_id), \
         UNIQUE KEY name (name)",
        "utf8mb3_general_ci",
        "help keywords",
    ),
    (
        "help_relation",
        "help_topic_id int(10) unsigned NOT NULL, help_keyword_id int(10) unsigned NOT NULL, \
         PRIMARY KEY (help_keyword_id,help_topic_id), KEY help_topic_id (help_topic_id)",
        "utf8mb3_general_ci",
        "keyword-topic relation",
    ),
    (
        "help_topic",
        "help_topic_id int(10) unsigned NOT NULL, name char(64) NOT NULL, \
         help_category_id smallint(5) unsigned NOT NULL, description text NOT NULL, example text NOT NULL, \
         url text NOT NULL, PRIMARY KEY (help_topic_id), UNIQUE KEY name (name)",
        "utf8mb3_general_ci",
        "help topics",
    ),
    (
        "innodb_table_stats",
        "database_name varchar(64) NOT NULL, table_name varchar(199) NOT NULL, \
         last_update timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(), \
         n_rows bigint(20) unsigned NOT NULL, clustered_index_size bigint(20) unsigned NOT NULL, \
         sum_of_other_index_sizes bigint(20) unsigned NOT NULL, PRIMARY KEY (database_name,table_name)",
        "utf8mb3_bin",
        "",
    ),
    (
        "gtid_slave_pos",
        "domain_id int(10) unsigned NOT NULL, sub_id bigint(20) unsigned NOT NULL, \
         server_id int(10) unsigned NOT NULL, seq_no bigint(20) unsigned NOT NULL, \
         PRIMARY KEY (domain_id,sub_id)",
        "latin1_swedish_ci",
        "Replication slave GTID position",
    ),
    (
        "transaction_registry",
        "transaction_id bigint(20) unsigned NOT NULL, commit_id bigint(20) unsigned NOT NULL, \
         begin_timestamp timestamp(6) NOT NULL DEFAULT '0000-00-00 00:00:00.000000', \
         commit_timestamp timestamp(6) NOT NULL DEFAULT '0000-00-00 00:00:00.000000', \
         isolation_level enum('READ-UNCOMMITTED','READ-COMMITTED','REPEATABLE-READ','SERIALIZABLE') NOT NULL, \
         PRIMARY KEY (transaction_id), UNIQUE KEY commit_id (commit_id), \
         KEY begin_timestamp (begin_timestamp), KEY commit_timestamp (commit_timestamp,transaction_id)",
        "utf8mb3_bin",
        "",
    ),
    (
        "column_stats",
        "db_name varchar(64) NOT NULL, table_name varchar(64) NOT NULL, column_name varchar(64) NOT NULL, \
         min_value varbinary(255) DEFAULT NULL, max_value varbinary(255) DEFAULT NULL, \
         nulls_ratio decimal(12,4) DEFAULT NULL, avg_length decimal(12,4) DEFAULT NULL, \
         avg_frequency decimal(12,4) DEFAULT NULL, hist_size tinyint(3) unsigned DEFAULT NULL, \
         hist_type enum('SINGLE_PREC_HB','DOUBLE_PREC_HB','JSON_HB') DEFAULT NULL, \
         histogram longblob DEFAULT NULL, PRIMARY KEY (db_name,table_name,column_name)",
        "utf8mb3_bin",
        "Statistics on Columns",
    ),
    (
        "table_stats",
        "db_name varchar(64) NOT NULL, table_name varchar(64) NOT NULL, \
         cardinality bigint(21) unsigned DEFAULT NULL, PRIMARY KEY (db_name,table_name)",
        "utf8mb3_bin",
        "Statistics on Tables",
    ),
    (
        "index_stats",
        "db_name varchar(64) NOT NULL, table_name varchar(64) NOT NULL, index_name varchar(64) NOT NULL, \
         prefix_arity int(11) unsigned NOT NULL, avg_frequency decimal(12,4) DEFAULT NULL, \
         PRIMARY KEY (db_name,table_name,index_name,prefix_arity)",
        "utf8mb3_bin",
        "Statistics on Indexes",
    ),
];

/// Makes what is missing. What cannot be made is told in the log: the server can do without.
///
/// # Errors
/// When no session can be had.
pub(crate) fn start(engine: &Arc<Engine>) -> SqlResult<()> {
    let missing: Vec<&Table> =
        TABLES.iter().filter(|(name, ..)| !engine.catalog.table_exists("mysql", name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut session = own_session(engine)?;
    // names of tables and columns are the same whatever the settings of the server are
    run(&mut session, "SET sql_mode = ''")?;
    run(&mut session, "SET NAMES utf8mb3")?;
    for table in missing {
        let mut made = run(&mut session, &statement(table)).map(drop);
        if table.0 == "proc" && made.is_ok() {
            // whoever drops them later will not find them made again
            made = PROCEDURES.iter().try_for_each(|text| run(&mut session, text).map(drop));
        }
        if let Err(e) = made {
            tracing::warn!("mysql.{} cannot be made: {e}", table.0);
        }
    }
    Ok(())
}

/// What a new `mysql.proc` holds: columns for geometries of a reference system, added and dropped by programs that know OpenGIS.
const PROCEDURES: [&str; 2] = [
    "CREATE DEFINER='mariadb.sys'@'localhost' PROCEDURE mysql.AddGeometryColumn(catalog varchar(64), \
     t_schema varchar(64), t_name varchar(64), geometry_column varchar(64), t_srid int) SQL SECURITY INVOKER \
     EXECUTE IMMEDIATE CONCAT('ALTER TABLE ', t_schema, '.', t_name, ' ADD ', geometry_column, \
     ' GEOMETRY REF_SYSTEM_ID=', t_srid)",
    "CREATE DEFINER='mariadb.sys'@'localhost' PROCEDURE mysql.DropGeometryColumn(catalog varchar(64), \
     t_schema varchar(64), t_name varchar(64), geometry_column varchar(64)) SQL SECURITY INVOKER \
     EXECUTE IMMEDIATE CONCAT('ALTER TABLE ', t_schema, '.', t_name, ' DROP ', geometry_column)",
];

/// Makes a table with the columns of `like` under another name.
///
/// # Errors
/// Those of making it.
pub(crate) fn create_as(
    session: &mut crate::session::Session,
    like: &str,
    name: &'static str,
) -> SqlResult<()> {
    let Some(&(_, body, collation, comment)) = TABLES.iter().find(|t| t.0 == like) else { return Ok(()) };
    run(session, &statement(&(name, body, collation, comment))).map(drop)
}

fn statement(&(name, body, collation, comment): &Table) -> String {
    let body = body.replace("{bin}", BIN).replace("{modes}", MODES);
    let comment = if comment.is_empty() { String::new() } else { format!(" COMMENT='{comment}'") };
    format!("CREATE TABLE IF NOT EXISTS mysql.{name} ({body}) ENGINE=MyISAM COLLATE={collation}{comment}")
}
