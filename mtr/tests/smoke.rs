//! Some of MariaDB's own tests pass whole.

use std::process::Command;

#[test]
fn tests_of_mariadb_pass() {
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_mtr"));
    // beside the runner, as the whole workspace is built
    let isambard =
        std::env::var_os("ISAMBARD_BIN").map_or_else(|| own.with_file_name("isambard"), Into::into);
    if !isambard.exists() {
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "isambard", "--bin", "isambard", "--profile", profile])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status();
        assert!(built.is_ok_and(|s| s.success()), "the isambard binary does not build");
    }
    let done = Command::new(own).args(["--smoke", "--jobs", "2"]).env("ISAMBARD_BIN", isambard).output();
    let done = done.expect("run mtr");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    println!("{}", said(&done.stdout));
    assert!(done.status.success(), "{}{}", said(&done.stdout), said(&done.stderr));
}
