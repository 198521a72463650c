//! `cargo xtask test` and `cargo xtask soak`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::{cargo, programs, root, run};

/// Programs the tests compare with, and the packages of Debian and Ubuntu that hold them.
const TOOLS: &[(&str, &str)] = &[
    ("mariadbd", "mariadb-server"),
    ("myisamchk", "mariadb-server"),
    ("mariadb", "mariadb-client"),
    ("mysqltest", "mariadb-test"),
    ("sysbench", "sysbench"),
];

/// Files that tests read, and the packages that hold them: documents for full-text search.
const DOCUMENTS: &[(&str, &str)] = &[
    ("/usr/share/dictd/gcide.index", "dict-gcide"),
    ("/usr/share/dictd/foldoc.index", "dict-foldoc"),
    ("/usr/share/dictd/wn.index", "dict-wn"),
];

/// MariaDB's engine of tables that lie on other servers, and its package.
const SPIDER: &[(&str, &str)] = &[("/usr/lib/mysql/plugin/ha_spider.so", "mariadb-plugin-spider")];

/// The browser in which the page of `bench reports` is looked at, and its package.
const BROWSER: &[(&str, &str)] = &[("chromium", "chromium")];

/// Installs the tools and documents that are missing, where apt is there to do it; else says which tests will be skipped.
pub fn install_missing() -> Result<(), String> {
    let missing = |all: &'static [(&'static str, &'static str)], there: fn(&str) -> bool| {
        all.iter().filter(|(name, _)| !there(name)).map(|(_, package)| *package).collect::<Vec<&str>>()
    };
    let tools = missing(TOOLS, installed);
    let documents = missing(DOCUMENTS, |file| Path::new(file).is_file());
    let spider = missing(SPIDER, |file| Path::new(file).is_file());
    let browser = missing(BROWSER, installed);
    let all = [&tools[..], &documents, &spider, &browser].concat().join(", ");
    if all.is_empty() {
        return Ok(());
    }
    if !installed("apt-get") {
        eprintln!("xtask: {all} missing; tests that need them are skipped");
        return Ok(());
    }
    println!("installing {all}");
    let apt = |arguments: &[&str]| {
        let root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.starts_with(b"0\n"));
        let mut command = if root { Command::new("apt-get") } else { Command::new("sudo") };
        if !root {
            command.arg("apt-get");
        }
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        run(&mut command)
    };
    let install = |packages: &[&str]| {
        let install = ["install", "-y", "-qq", "--no-install-recommends"];
        if packages.is_empty() { Ok(()) } else { apt(&[&install[..], packages].concat()) }
    };
    let updated = apt(&["update", "-qq"]);
    if !tools.is_empty() {
        updated?;
        install(&tools)?;
        stop_debians_server();
    }
    // Not every distribution has them, and one test alone reads each.
    for packages in [&documents, &spider, &browser] {
        if let Err(why) = install(packages) {
            eprintln!("xtask: {} missing ({why}); the test that reads them is skipped", packages.join(", "));
        }
    }
    Ok(())
}

/// Debian starts a server at once; the tests start their own.
fn stop_debians_server() {
    if installed("systemctl") {
        // There may be no systemd running, as in a container.
        let _ = Command::new("systemctl").args(["disable", "--now", "mariadb"]).output();
    }
}

pub fn installed(program: &str) -> bool {
    let path = env::var("PATH").unwrap_or_default();
    path.split(':').chain(["/usr/sbin", "/sbin"]).any(|folder| Path::new(folder).join(program).is_file())
}

/// Runs steps one after another, all of them, and prints how each ended.
pub fn steps(steps: Vec<(String, Command)>) -> Result<(), String> {
    let mut summary = Vec::new();
    let mut failed = false;
    for (name, mut command) in steps {
        println!("== {name}");
        let begun = Instant::now();
        let result = run(&mut command);
        let word = if result.is_ok() { "ok" } else { "FAILED" };
        failed |= result.is_err();
        summary.push(format!("{word:<7} {name:<36} {:6.1} s", begun.elapsed().as_secs_f64()));
    }
    println!("\n{}", summary.join("\n"));
    if failed { Err("some steps failed".into()) } else { Ok(()) }
}

/// What has to pass before a change lands.
pub fn test() -> Result<(), String> {
    install_missing()?;
    let all = vec![
        ("format", cargo(&["fmt", "--all", "--check"])),
        ("clippy", cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])),
    ];
    let steps: Vec<_> = all.into_iter().map(|(name, command)| (name.to_owned(), command)).collect();
    let before = self::steps(steps);
    println!("== tests");
    let begun = Instant::now();
    let tests = programs::run();
    let word = if tests.is_ok() { "ok" } else { "FAILED" };
    println!("{word:<7} {:<36} {:6.1} s", "tests", begun.elapsed().as_secs_f64());
    before.and(tests)
}

/// The same tests with many more iterations, in release, servers killed under load, and the fuzz targets.
pub fn soak(rounds: u32, seconds: u32) -> Result<(), String> {
    install_missing()?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let soaked = |kills: u32, arguments: &[&str]| {
        let mut command = cargo(arguments);
        command.env("ISAMBARD_SOAK", "1").env("ISAMBARD_KILLS", kills.to_string());
        // Each of some fifty test programs would be linked for minutes otherwise.
        command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        command.env("CARGO_TARGET_DIR", target.join("soak"));
        command
    };
    // Its own folder of results: everything is built with other flags.
    let protocols = |which: &str, flags: &str| {
        let mut command = soaked(0, &["test", "--release", "--package", "isambard-pages", "--lib", which]);
        command.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", target.join("loom"));
        command
    };
    let kill = &[
        &["test", "--package", "isambard-tests", "--release", "--test", "kill", "--test", "kill_ddl"][..],
        &["--", "--nocapture"][..],
    ]
    .concat();
    // Only a nightly toolchain has these, with the components `miri` and `rust-src`.
    let nightly = |flags: &str, folder: &str, arguments: &[&str]| {
        let mut command = Command::new("cargo");
        command.current_dir(root()).args(arguments).env("RUSTFLAGS", flags);
        command.env("CARGO_TARGET_DIR", target.join(folder)).env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("MIRIFLAGS", "-Zmiri-disable-isolation");
        command
    };
    let modules = ["version::", "registry::", "work::"];
    let miri =
        [&["+nightly", "miri", "test", "--package", "isambard-pages", "--lib", "--"][..], &modules].concat();
    // The sanitizer's own memory is what the test of memory would see.
    let races = "+nightly test -Zbuild-std --target x86_64-unknown-linux-gnu --package pages --test stress \
                 -- --skip a_long_reader_costs_bounded_memory";
    let races: Vec<&str> = races.split_whitespace().collect();
    let has_nightly = |component: &str| {
        let list = Command::new("rustup").args(["component", "list", "--toolchain", "nightly"]).output();
        list.is_ok_and(|list| {
            let text = String::from_utf8_lossy(&list.stdout).into_owned();
            text.lines().any(|line| line.starts_with(component) && line.ends_with("(installed)"))
        })
    };
    let mut all = vec![
        ("protocols (loom)".to_owned(), protocols("models", "--cfg loom")),
        ("protocols (shuttle)".to_owned(), protocols("scenarios", "--cfg loom --cfg shuttle")),
        ("build".to_owned(), soaked(0, &["build", "--workspace", "--bins", "--release", "--quiet"])),
        ("tests".to_owned(), soaked(3, &["test", "--workspace", "--release", "--no-fail-fast"])),
        (format!("kill -9 under load, {rounds} rounds"), soaked(rounds, kill)),
    ];
    for (name, component, command) in [
        ("Miri", "miri", nightly("", "miri", &miri)),
        ("ThreadSanitizer", "rust-src", nightly("-Zsanitizer=thread", "tsan", &races)),
    ] {
        if has_nightly(component) {
            all.push((name.to_owned(), command));
        } else {
            eprintln!(
                "xtask: {name} is left out: it needs a nightly toolchain with the component {component}"
            );
        }
    }
    match crate::fuzz::missing() {
        None => all.extend(crate::fuzz::steps(seconds, &[])?),
        Some(why) => eprintln!("xtask: the fuzz targets are left out: {why}"),
    }
    steps(all)
}
