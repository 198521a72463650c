//! The tests: where they lie, which of them make sense here, and the copy they run from.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Debian's package puts them.
const INSTALLED: &str = "/usr/share/mysql/mysql-test";

/// A file of this name says that the copy is whole; it has another name when what is copied changes.
const COMPLETE: &str = "complete-3";

/// Names of suites and their folders.
const SUITES: &[(&str, &str)] = &[
    ("main", "main"),
    ("heap", "suite/heap"),
    ("handler", "suite/handler"),
    ("csv", "suite/csv"),
    ("json", "suite/json/t"),
    ("vcol", "suite/vcol/t"),
    ("gcol", "suite/gcol/t"),
    ("engines_funcs", "suite/engines/funcs/t"),
    ("se_myisam", "suite/se_myisam"),
    ("se_myisam_parts", "suite/se_myisam/parts"),
    ("se_memory", "suite/se_memory"),
];

/// The suite storage_engine, which is about any engine: the folders of its copies, and the engine of each.
const ENGINES: &[(&str, &str)] = &[("se_myisam", "MyISAM"), ("se_memory", "MEMORY")];

/// What a plain server that runs alone cannot give.
const OUT_OF_REACH: &[&str] = &[
    "restart_mysqld.inc",
    "kill_mysqld.inc",
    "shutdown_mysqld.inc",
    "start_mysqld.inc",
    "kill_and_restart",
    "shutdown_server",
    "force_restart",
    "wait_until_disconnected",
    "master-slave.inc",
    "have_log_bin",
    "have_binlog",
    "have_debug",
    "have_innodb.inc",
    "have_perfschema",
    "have_rocksdb",
    "have_mariabackup",
    "have_wsrep",
    "have_example_plugin",
    "have_plugin_auth",
    "have_file_key",
    "have_archive",
    "have_blackhole",
    "have_udf",
    "have_gzip",
    "have_dbi",
    "mysql_upgrade_preparation",
];

/// Checks that skip a whole test when a feature is missing: the rest of it is worth a try.
const UNCHECKED: &[&str] = &[
    "sequence",
    "partition",
    "aria",
    "maria",
    "csv",
    "query_cache",
    "stat_tables",
    "geometry",
    "profiling",
    "ucs2",
    "utf16",
    "utf32",
    "utf8",
    "utf8mb4",
    "des",
    "crypt",
    "ssl_crypto_functs",
    "compress",
    "symlink",
];

/// A test and what MariaDB recorded for it.
#[derive(Clone, Debug)]
pub struct Test {
    /// `suite.test`.
    pub name: String,
    /// The file with its commands.
    pub script: PathBuf,
    /// The file with the answers expected.
    pub result: PathBuf,
}

impl Test {
    /// Whether it is one of the suite storage_engine: what its package expects is of no engine, so MariaDB's own answers count.
    pub fn is_of_any_engine(&self) -> bool {
        self.name.starts_with("se_")
    }

    /// What the server is told before it, as the suite's `my.cnf` has it.
    pub fn settings(&self) -> Option<&'static str> {
        self.is_of_any_engine()
            .then_some("set global sql_mode = 'NO_ENGINE_SUBSTITUTION', global time_zone = '+00:00'")
    }
}

/// Whether the tests and the program that runs them are installed.
pub fn installed() -> bool {
    Path::new(INSTALLED).join("include").is_dir() && Path::new("/usr/bin/mysqltest").exists()
}

/// Copies the tests to `to`, without the calls that only a server log needs and with the checks blanked.
pub fn copy(to: &Path) -> io::Result<()> {
    if to.join(COMPLETE).exists() {
        return Ok(());
    }
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to.join("suite"))?;
    let from = Path::new(INSTALLED);
    for folder in ["include", "main", "std_data", "suite/engines", "suite/innodb/include"] {
        copy_folder(&from.join(folder), &to.join(folder))?;
    }
    for suite in ["heap", "handler", "csv", "json", "vcol", "gcol"] {
        copy_folder(&from.join("suite").join(suite), &to.join("suite").join(suite))?;
    }
    for (folder, engine) in ENGINES {
        let copy = to.join("suite").join(folder);
        copy_folder(&from.join("suite/storage_engine"), &copy)?;
        let template = copy.join("define_engine.inc");
        let text = fs::read_to_string(&template)?;
        fs::write(&template, format!("let $ENGINE = {engine};\n{text}"))?;
    }
    for check in UNCHECKED {
        let file = to.join(format!("include/have_{check}.inc"));
        if file.exists() {
            fs::write(&file, "# not checked\n")?;
        }
    }
    fs::write(to.join(COMPLETE), "")
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_folder(&source, &target)?;
            continue;
        }
        if source.file_name().is_some_and(|name| name == "wait_condition.inc") {
            fs::write(&target, impatient(&fs::read_to_string(&source)?))?;
            continue;
        }
        let script = source.extension().is_some_and(|e| e == "test" || e == "inc" || e == "result");
        let text = if script { fs::read(&source)? } else { Vec::new() };
        if script && find(&text.to_ascii_lowercase(), b"mtr.add_suppression").is_some() {
            fs::write(&target, without_suppressions(&text))?;
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

/// Conditions that have not come after five seconds (in the package's script: 30) do not come: the rest of the test is worth a try.
fn impatient(script: &str) -> String {
    script.replace("let $wait_counter= 300;", "let $wait_counter= 50;")
}

/// Without `call mtr.add_suppression(...)`, which may go over several lines.
fn without_suppressions(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive(|b| *b == b'\n') {
        let lower = line.to_ascii_lowercase();
        let begins = lower.trim_ascii_start().strip_prefix(b"--").unwrap_or(&lower).trim_ascii_start();
        if inside || begins.starts_with(b"call mtr.add_suppression") {
            let end = line.trim_ascii_end();
            inside = !(end.ends_with(b";") || end.ends_with(b")"));
        } else {
            out.extend_from_slice(line);
        }
    }
    out
}

/// The tests of the copy by their names.
pub fn tests(copy: &Path) -> io::Result<BTreeMap<String, Test>> {
    let mut found = BTreeMap::new();
    for (suite, folder) in SUITES {
        let scripts = copy.join(folder);
        let results = if folder.ends_with("/t") { scripts.with_file_name("r") } else { scripts.clone() };
        let Ok(entries) = fs::read_dir(&scripts) else { continue };
        for entry in entries {
            let script = entry?.path();
            let Some(stem) = script.file_stem().and_then(|s| s.to_str()) else { continue };
            let result = results.join(format!("{stem}.result"));
            if script.extension().is_some_and(|e| e == "test") && result.exists() {
                let name = format!("{suite}.{stem}");
                found.insert(name.clone(), Test { name, script: script.clone(), result });
            }
        }
    }
    Ok(found)
}

/// Whether a test asks for nothing that is out of reach.
pub fn within_reach(test: &Test) -> bool {
    let Ok(text) = fs::read(&test.script) else { return false };
    let lines = text.split(|b| *b == b'\n').filter(|l| !l.starts_with(b"#"));
    !lines
        .map(<[u8]>::to_ascii_lowercase)
        .any(|l| OUT_OF_REACH.iter().any(|w| find(&l, w.as_bytes()).is_some()))
}

/// The first place of `what` in `text`.
pub fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len().max(1)).position(|w| w == what)
}

/// Builds the hook that cuts records into statements.
pub fn build_hook(to: &Path) -> Result<(), String> {
    let source = to.with_extension("c");
    std::fs::write(&source, include_str!("hook.c")).map_err(|e| e.to_string())?;
    let done =
        Command::new("cc").args(["-O1", "-shared", "-fPIC", "-o"]).arg(to).arg(source).arg("-ldl").status();
    match done {
        Ok(status) if status.success() => Ok(()),
        other => Err(format!("the hook does not compile: {other:?}")),
    }
}
