use super::*;
use std::os::unix::fs::{PermissionsExt, symlink};

struct Places {
    _dir: tempfile::TempDir,
    root: PathBuf,
    files: FileAccess,
    limited: FileAccess,
}

/// `data/{d1,d2}`, `out` with links into the data directory, `only` for `secure_file_priv` with a link out of it, and a database
/// that was put elsewhere.
fn places() -> Places {
    let dir = tempfile::tempdir().expect("folder");
    let root = dir.path().canonicalize().expect("root");
    for folder in ["data/d1", "data/d2", "out", "only", "only2", "far"] {
        std::fs::create_dir_all(root.join(folder)).expect("folder");
    }
    for file in ["data/journal", "data/d1/a", "data/d2/a", "out/a", "only/a", "far/a", "only2/a"] {
        std::fs::write(root.join(file), file).expect("file");
        std::fs::set_permissions(root.join(file), std::fs::Permissions::from_mode(0o644)).expect("mode");
    }
    symlink(root.join("data"), root.join("out/data")).expect("link");
    symlink(root.join("data/d2/a"), root.join("out/file")).expect("link");
    symlink(root.join("out"), root.join("only/out")).expect("link");
    symlink(root.join("out/a"), root.join("only/file")).expect("link");
    symlink(root.join("far"), root.join("data/d3")).expect("link");
    let secure = format!("{}/", root.join("only").display());
    let files = FileAccess::new(&root.join("data"), "").expect("no limit");
    let limited = FileAccess::new(&root.join("data"), &secure).expect("a limit");
    Places { _dir: dir, root, files, limited }
}

impl Places {
    fn db(&self) -> PathBuf {
        self.root.join("data/d1")
    }

    fn open(&self, files: &FileAccess, name: &str) -> Result<String, u16> {
        let name = name.replace("ROOT", self.root.to_str().expect("UTF-8"));
        let kill = Arc::new(AtomicU32::new(0));
        let mut text = String::new();
        let mut file = files.open(&name, Some(&self.db()), &kill).map_err(|e| e.code)?;
        file.read_to_string(&mut text).expect("text");
        Ok(text)
    }

    fn create(&self, files: &FileAccess, name: &str) -> Result<(), u16> {
        let name = name.replace("ROOT", self.root.to_str().expect("UTF-8"));
        files.create(&name, Some(&self.db())).map(|_| ()).map_err(|e| e.code)
    }

    fn load(&self, files: &FileAccess, name: &str) -> Option<String> {
        let name = name.replace("ROOT", self.root.to_str().expect("UTF-8"));
        match files.load(name.as_bytes(), Some(&self.db()), 1 << 20) {
            Loaded::Bytes(b) => Some(String::from_utf8(b).expect("UTF-8")),
            Loaded::Nothing => None,
            Loaded::TooLong => panic!("{name} is short"),
        }
    }
}

const NOT_SECURE: u16 = error::ER_OPTION_PREVENTS_STATEMENT;
const UNREADABLE: u16 = error::ER_TEXTFILE_NOT_READABLE;

#[test]
fn nothing_of_the_data_directory_is_read_but_the_own_folder() {
    let p = places();
    let f = &p.files;
    for name in ["a", "ROOT/data/d1/a", "ROOT/out/data/d1/a", "./d1/a", "../data/d1/a", "a\0b"] {
        assert_eq!(p.open(f, name), Ok("data/d1/a".into()), "{name}");
    }
    assert_eq!(p.open(f, "ROOT/out/a"), Ok("out/a".into()));
    for name in [
        "ROOT/data/d2/a",
        "../data/d2/a",
        "./d2/a",
        "./journal",
        "ROOT/data/journal",
        "ROOT/out/data/d2/a",
        "ROOT/out/file",
        "ROOT/far/a",
        "./d3/a",
        "",
        "ROOT/out",
        "/dev/null",
    ] {
        assert_eq!(p.open(f, name), Err(UNREADABLE), "{name}");
    }
    assert_eq!(p.open(f, "nothing"), Err(EE_STAT));
    assert_eq!(p.open(f, "ROOT/out/nothing"), Err(EE_STAT));
    // not even whether there is a file
    assert_eq!(p.open(f, "ROOT/data/d2/nothing"), Err(UNREADABLE));
    assert_eq!(p.open(f, "ROOT/nowhere/nothing"), Err(NOT_SECURE));
    // LOAD_FILE() counts from the data directory
    assert_eq!(p.load(f, "d1/a"), Some("data/d1/a".into()));
    assert_eq!(p.load(f, "ROOT/out/a"), Some("out/a".into()));
    for name in
        ["a", "d2/a", "journal", "ROOT/out/file", "ROOT/far/a", "", "ROOT/out", "/dev/zero", "ROOT/nothing"]
    {
        assert_eq!(p.load(f, name), None, "{name}");
    }
    std::fs::set_permissions(p.root.join("out/a"), std::fs::Permissions::from_mode(0o640)).expect("mode");
    assert_eq!(p.load(f, "ROOT/out/a"), None, "not everybody may read it");
    assert!(matches!(f.load(b"d1/a", Some(&p.db()), 9), Loaded::TooLong));
}

#[test]
fn nothing_of_the_data_directory_is_written_but_the_own_folder() {
    let p = places();
    let f = &p.files;
    for name in ["n1", "ROOT/data/d1/n2", "ROOT/out/data/d1/n3", "ROOT/out/n4"] {
        assert_eq!(p.create(f, name), Ok(()), "{name}");
        assert_eq!(p.create(f, name), Err(error::ER_FILE_EXISTS_ERROR), "{name}");
    }
    let mode = std::fs::metadata(p.root.join("out/n4")).expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    for name in [
        "./n",
        "ROOT/data/n",
        "ROOT/data/d2/n",
        "../data/d2/n",
        "ROOT/out/data/d2/n",
        "ROOT/out/data/n",
        "ROOT/far/n",
    ] {
        assert_eq!(p.create(f, name), Err(EE_CANTCREATEFILE), "{name}");
    }
    assert_eq!(p.create(f, "ROOT/nowhere/n"), Err(NOT_SECURE));
    assert!(f.check_backup(&p.root.join("out/b")).is_ok());
    assert!(f.check_backup(&p.root.join("out/data/b")).is_err());
    assert!(f.check_backup(&p.root.join("far/b")).is_err());
}

#[test]
fn secure_file_priv_is_kept_through_links() {
    let p = places();
    let f = &p.limited;
    assert_eq!(p.open(f, "ROOT/only/a"), Ok("only/a".into()));
    assert_eq!(p.open(f, "ROOT/only/nothing"), Err(EE_STAT));
    for name in [
        "ROOT/out/a",
        "ROOT/only2/a",
        "ROOT/only/../out/a",
        "ROOT/only/out/a",
        "ROOT/only/file",
        "ROOT/out/nothing",
        "a",
        "/etc/passwd",
    ] {
        assert_eq!(p.open(f, name), Err(NOT_SECURE), "{name}");
        assert_eq!(p.load(f, name), None, "{name}");
    }
    assert_eq!(p.load(f, "ROOT/only/a"), Some("only/a".into()));
    for name in ["ROOT/out/n", "ROOT/only2/n", "ROOT/only/../out/n", "ROOT/only/out/n", "n", "/etc/n"] {
        assert_eq!(p.create(f, name), Err(NOT_SECURE), "{name}");
    }
    assert_eq!(p.create(f, "ROOT/only/../only/n"), Ok(()));
    assert!(f.check_backup(&p.root.join("only/b")).is_ok());
    assert_eq!(f.check_backup(&p.root.join("out/b")).map_err(|e| e.code), Err(NOT_SECURE));
    let nowhere = FileAccess::new(&p.root, "/no/such/folder").expect_err("no such folder");
    assert!(nowhere.message.contains("secure_file_priv"), "{}", nowhere.message);
}

#[test]
fn reading_a_named_pipe_ends_with_a_kill() {
    let p = places();
    let pipe = p.root.join("out/pipe");
    rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o644), 0)
        .expect("a pipe");
    assert_eq!(p.load(&p.files, "ROOT/out/pipe"), None);
    let kill = Arc::new(AtomicU32::new(0));
    let name = pipe.to_str().expect("UTF-8");
    let mut file = p.files.open(name, None, &kill).expect("a pipe is taken");
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            use std::io::Write;
            let mut f = std::fs::OpenOptions::new().write(true).open(pipe).expect("the other end");
            f.write_all(b"rows").expect("written");
        }
    });
    let mut text = String::new();
    file.read_to_string(&mut text).expect("rows");
    assert_eq!(text, "rows");
    writer.join().expect("no panic");
    // nobody writes any more, and nobody did to this one
    let mut file = p.files.open(name, None, &kill).expect("a pipe is taken");
    kill.store(1, Ordering::Relaxed);
    assert!(file.read(&mut [0; 8]).is_err());
}
