//! The counters of `SHOW STATUS`: each connection counts for itself, in memory that no other
//! connection writes; SHOW STATUS adds them up.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($name:ident = $text:literal,)*) => {
        /// A counter of `SHOW STATUS`, named as there.
        #[allow(missing_docs, non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub enum Counter { $($name,)* }

        /// The names by place.
        const NAMES: &[&str] = &[$($text,)*];
        const COUNT: usize = NAMES.len();
        const ALL: &[Counter] = &[$(Counter::$name,)*];
    };
}

counters! {
    AbortedClients = "Aborted_clients",
    AbortedConnects = "Aborted_connects",
    ConnectionErrorsMaxConnections = "Connection_errors_max_connections",
    AccessDeniedErrors = "Access_denied_errors",
    BytesReceived = "Bytes_received",
    BytesSent = "Bytes_sent",
    CreatedTmpDiskTables = "Created_tmp_disk_tables",
    CreatedTmpFiles = "Created_tmp_files",
    CreatedTmpTables = "Created_tmp_tables",
    DeleteScan = "Delete_scan",
    EmptyQueries = "Empty_queries",
    ExecutedEvents = "Executed_events",
    FeatureWindowFunctions = "Feature_window_functions",
    HandlerCommit = "Handler_commit",
    HandlerDelete = "Handler_delete",
    HandlerDiscover = "Handler_discover",
    HandlerExternalLock = "Handler_external_lock",
    HandlerIcpAttempts = "Handler_icp_attempts",
    HandlerIcpMatch = "Handler_icp_match",
    HandlerReadFirst = "Handler_read_first",
    HandlerReadKey = "Handler_read_key",
    HandlerReadLast = "Handler_read_last",
    HandlerReadNext = "Handler_read_next",
    HandlerReadPrev = "Handler_read_prev",
    HandlerReadRetry = "Handler_read_retry",
    HandlerReadRnd = "Handler_read_rnd",
    HandlerReadRndDeleted = "Handler_read_rnd_deleted",
    HandlerReadRndNext = "Handler_read_rnd_next",
    HandlerRollback = "Handler_rollback",
    HandlerSavepoint = "Handler_savepoint",
    HandlerSavepointRollback = "Handler_savepoint_rollback",
    HandlerTmpDelete = "Handler_tmp_delete",
    HandlerTmpUpdate = "Handler_tmp_update",
    HandlerTmpWrite = "Handler_tmp_write",
    HandlerUpdate = "Handler_update",
    HandlerWrite = "Handler_write",
    MaxStatementTimeExceeded = "Max_statement_time_exceeded",
    OpenedTables = "Opened_tables",
    OpenedTableDefinitions = "Opened_table_definitions",
    Queries = "Queries",
    Questions = "Questions",
    RowsRead = "Rows_read",
    RowsSent = "Rows_sent",
    RowsTmpRead = "Rows_tmp_read",
    SelectFullJoin = "Select_full_join",
    SelectFullRangeJoin = "Select_full_range_join",
    SelectRange = "Select_range",
    SelectRangeCheck = "Select_range_check",
    SelectScan = "Select_scan",
    SlowQueries = "Slow_queries",
    SortMergePasses = "Sort_merge_passes",
    SortPriorityQueueSorts = "Sort_priority_queue_sorts",
    SortRange = "Sort_range",
    SortRows = "Sort_rows",
    SortScan = "Sort_scan",
    SubqueryCacheHit = "Subquery_cache_hit",
    SubqueryCacheMiss = "Subquery_cache_miss",
    ThreadsBegun = "Isambard_threads_begun",
    TableLocksImmediate = "Table_locks_immediate",
    TableLocksWaited = "Table_locks_waited",
    TableOpenCacheHits = "Table_open_cache_hits",
    TableOpenCacheMisses = "Table_open_cache_misses",
    UpdateScan = "Update_scan",
    ComAdminCommands = "Com_admin_commands",
    ComAlterDb = "Com_alter_db",
    ComAlterDbUpgrade = "Com_alter_db_upgrade",
    ComAlterEvent = "Com_alter_event",
    ComAlterFunction = "Com_alter_function",
    ComAlterProcedure = "Com_alter_procedure",
    ComAlterServer = "Com_alter_server",
    ComAlterSequence = "Com_alter_sequence",
    ComAlterTable = "Com_alter_table",
    ComAlterUser = "Com_alter_user",
    ComAnalyze = "Com_analyze",
    ComAssignToKeycache = "Com_assign_to_keycache",
    ComBackup = "Com_backup",
    ComBackupLock = "Com_backup_lock",
    ComBegin = "Com_begin",
    ComBinlog = "Com_binlog",
    ComCallProcedure = "Com_call_procedure",
    ComChangeDb = "Com_change_db",
    ComChangeMaster = "Com_change_master",
    ComCheck = "Com_check",
    ComChecksum = "Com_checksum",
    ComCommit = "Com_commit",
    ComCompoundSql = "Com_compound_sql",
    ComCreateDb = "Com_create_db",
    ComCreateEvent = "Com_create_event",
    ComCreateFunction = "Com_create_function",
    ComCreateIndex = "Com_create_index",
    ComCreatePackage = "Com_create_package",
    ComCreatePackageBody = "Com_create_package_body",
    ComCreateProcedure = "Com_create_procedure",
    ComCreateRole = "Com_create_role",
    ComCreateSequence = "Com_create_sequence",
    ComCreateServer = "Com_create_server",
    ComCreateTable = "Com_create_table",
    ComCreateTemporaryTable = "Com_create_temporary_table",
    ComCreateTrigger = "Com_create_trigger",
    ComCreateUdf = "Com_create_udf",
    ComCreateUser = "Com_create_user",
    ComCreateView = "Com_create_view",
    ComDeallocSql = "Com_dealloc_sql",
    ComDelete = "Com_delete",
    ComDeleteMulti = "Com_delete_multi",
    ComDo = "Com_do",
    ComDropDb = "Com_drop_db",
    ComDropEvent = "Com_drop_event",
    ComDropFunction = "Com_drop_function",
    ComDropIndex = "Com_drop_index",
    ComDropProcedure = "Com_drop_procedure",
    ComDropPackage = "Com_drop_package",
    ComDropPackageBody = "Com_drop_package_body",
    ComDropRole = "Com_drop_role",
    ComDropServer = "Com_drop_server",
    ComDropSequence = "Com_drop_sequence",
    ComDropTable = "Com_drop_table",
    ComDropTemporaryTable = "Com_drop_temporary_table",
    ComDropTrigger = "Com_drop_trigger",
    ComDropUser = "Com_drop_user",
    ComDropView = "Com_drop_view",
    ComEmptyQuery = "Com_empty_query",
    ComExecuteImmediate = "Com_execute_immediate",
    ComExecuteSql = "Com_execute_sql",
    ComFlush = "Com_flush",
    ComGetDiagnostics = "Com_get_diagnostics",
    ComGrant = "Com_grant",
    ComGrantRole = "Com_grant_role",
    ComHaClose = "Com_ha_close",
    ComHaOpen = "Com_ha_open",
    ComHaRead = "Com_ha_read",
    ComHelp = "Com_help",
    ComInsert = "Com_insert",
    ComInsertSelect = "Com_insert_select",
    ComInstallPlugin = "Com_install_plugin",
    ComKill = "Com_kill",
    ComLoad = "Com_load",
    ComLockTables = "Com_lock_tables",
    ComOptimize = "Com_optimize",
    ComPreloadKeys = "Com_preload_keys",
    ComPrepareSql = "Com_prepare_sql",
    ComPurge = "Com_purge",
    ComPurgeBeforeDate = "Com_purge_before_date",
    ComReleaseSavepoint = "Com_release_savepoint",
    ComRenameTable = "Com_rename_table",
    ComRenameUser = "Com_rename_user",
    ComRepair = "Com_repair",
    ComReplace = "Com_replace",
    ComReplaceSelect = "Com_replace_select",
    ComReset = "Com_reset",
    ComResignal = "Com_resignal",
    ComRevoke = "Com_revoke",
    ComRevokeAll = "Com_revoke_all",
    ComRevokeRole = "Com_revoke_role",
    ComRollback = "Com_rollback",
    ComRollbackToSavepoint = "Com_rollback_to_savepoint",
    ComSavepoint = "Com_savepoint",
    ComSelect = "Com_select",
    ComSetOption = "Com_set_option",
    ComShowAuthors = "Com_show_authors",
    ComShowBinlogEvents = "Com_show_binlog_events",
    ComShowBinlogs = "Com_show_binlogs",
    ComShowCharsets = "Com_show_charsets",
    ComShowCollations = "Com_show_collations",
    ComShowContributors = "Com_show_contributors",
    ComShowCreateDb = "Com_show_create_db",
    ComShowCreateEvent = "Com_show_create_event",
    ComShowCreateFunc = "Com_show_create_func",
    ComShowCreatePackage = "Com_show_create_package",
    ComShowCreatePackageBody = "Com_show_create_package_body",
    ComShowCreateProc = "Com_show_create_proc",
    ComShowCreateTable = "Com_show_create_table",
    ComShowCreateTrigger = "Com_show_create_trigger",
    ComShowCreateUser = "Com_show_create_user",
    ComShowDatabases = "Com_show_databases",
    ComShowEngineLogs = "Com_show_engine_logs",
    ComShowEngineMutex = "Com_show_engine_mutex",
    ComShowEngineStatus = "Com_show_engine_status",
    ComShowErrors = "Com_show_errors",
    ComShowEvents = "Com_show_events",
    ComShowExplain = "Com_show_explain",
    ComShowAnalyze = "Com_show_analyze",
    ComShowFields = "Com_show_fields",
    ComShowFunctionStatus = "Com_show_function_status",
    ComShowGeneric = "Com_show_generic",
    ComShowGrants = "Com_show_grants",
    ComShowKeys = "Com_show_keys",
    ComShowBinlogStatus = "Com_show_binlog_status",
    ComShowOpenTables = "Com_show_open_tables",
    ComShowPackageStatus = "Com_show_package_status",
    ComShowPackageBodyStatus = "Com_show_package_body_status",
    ComShowPlugins = "Com_show_plugins",
    ComShowPrivileges = "Com_show_privileges",
    ComShowProcedureStatus = "Com_show_procedure_status",
    ComShowProcesslist = "Com_show_processlist",
    ComShowProfile = "Com_show_profile",
    ComShowProfiles = "Com_show_profiles",
    ComShowRelaylogEvents = "Com_show_relaylog_events",
    ComShowSlaveHosts = "Com_show_slave_hosts",
    ComShowSlaveStatus = "Com_show_slave_status",
    ComShowStatus = "Com_show_status",
    ComShowStorageEngines = "Com_show_storage_engines",
    ComShowTableStatus = "Com_show_table_status",
    ComShowTables = "Com_show_tables",
    ComShowTriggers = "Com_show_triggers",
    ComShowVariables = "Com_show_variables",
    ComShowWarnings = "Com_show_warnings",
    ComShutdown = "Com_shutdown",
    ComSignal = "Com_signal",
    ComStartAllSlaves = "Com_start_all_slaves",
    ComStartSlave = "Com_start_slave",
    ComStmtClose = "Com_stmt_close",
    ComStmtExecute = "Com_stmt_execute",
    ComStmtFetch = "Com_stmt_fetch",
    ComStmtPrepare = "Com_stmt_prepare",
    ComStmtReprepare = "Com_stmt_reprepare",
    ComStmtReset = "Com_stmt_reset",
    ComStmtSendLongData = "Com_stmt_send_long_data",
    ComStopAllSlaves = "Com_stop_all_slaves",
    ComStopSlave = "Com_stop_slave",
    ComTruncate = "Com_truncate",
    ComUninstallPlugin = "Com_uninstall_plugin",
    ComUnlockTables = "Com_unlock_tables",
    ComUpdate = "Com_update",
    ComUpdateMulti = "Com_update_multi",
    ComXaCommit = "Com_xa_commit",
    ComXaEnd = "Com_xa_end",
    ComXaPrepare = "Com_xa_prepare",
    ComXaRecover = "Com_xa_recover",
    ComXaRollback = "Com_xa_rollback",
    ComXaStart = "Com_xa_start",
}

impl Counter {
    /// The name in `SHOW STATUS`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Finds a counter by its exact name.
    #[must_use]
    pub fn find(name: &str) -> Option<Counter> {
        NAMES.iter().position(|n| *n == name).map(|i| ALL[i])
    }
}

/// One connection's counters. Only the connection itself adds; others may read.
pub struct Counters {
    cells: Box<[AtomicU64]>,
}

impl Default for Counters {
    fn default() -> Self {
        Counters::new()
    }
}

impl Counters {
    /// Bytes that they take.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of_val(&*self.cells)
    }

    /// All zero.
    #[must_use]
    pub fn new() -> Counters {
        Counters { cells: (0..COUNT).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Adds `n`. Only the owning connection may call this: it is a plain load and store.
    #[inline]
    pub fn add(&self, counter: Counter, n: u64) {
        let cell = &self.cells[counter as usize];
        cell.store(cell.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }

    /// Adds one.
    #[inline]
    pub fn inc(&self, counter: Counter) {
        self.add(counter, 1);
    }

    /// The value of one counter.
    #[must_use]
    pub fn get(&self, counter: Counter) -> u64 {
        self.cells[counter as usize].load(Ordering::Relaxed)
    }

    /// Adds all of these counters to `sums`.
    pub fn add_to(&self, sums: &mut Sums) {
        for (sum, cell) in sums.cells.iter_mut().zip(self.cells.iter()) {
            *sum = sum.wrapping_add(cell.load(Ordering::Relaxed));
        }
    }

    /// Sets all to zero (FLUSH STATUS by the owner).
    pub fn reset(&self) {
        for cell in self.cells.iter() {
            cell.store(0, Ordering::Relaxed);
        }
    }
}

/// Sums of counters over connections.
#[derive(Clone)]
pub struct Sums {
    cells: Box<[u64]>,
}

impl Default for Sums {
    fn default() -> Self {
        Sums { cells: vec![0; COUNT].into_boxed_slice() }
    }
}

impl Sums {
    /// The sum of one counter.
    #[must_use]
    pub fn get(&self, counter: Counter) -> u64 {
        self.cells[counter as usize]
    }

    /// Adds another set of sums.
    pub fn merge(&mut self, other: &Sums) {
        for (a, b) in self.cells.iter_mut().zip(other.cells.iter()) {
            *a = a.wrapping_add(*b);
        }
    }

    /// Takes another set of sums away (what was counted before FLUSH STATUS).
    pub fn subtract(&mut self, other: &Sums) {
        for (a, b) in self.cells.iter_mut().zip(other.cells.iter()) {
            *a = a.wrapping_sub(*b);
        }
    }

    /// Adds to one counter.
    pub fn add(&mut self, counter: Counter, n: u64) {
        self.cells[counter as usize] = self.cells[counter as usize].wrapping_add(n);
    }
}
