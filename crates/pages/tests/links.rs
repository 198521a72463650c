//! Files of tables in folders outside of the data directory, with links to them: on a simulated and on a real file system.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::*;
use pages::storage::{CrashMode, MemoryStorage, OpenMode, RealStorage, Storage};
use pages::{ErrorKind, FilePlan, Store};

const OUTSIDE: &str = "/e";

fn open(storage: &Arc<MemoryStorage>) -> Arc<Store> {
    Store::open(storage.clone(), Path::new(DIR), options()).unwrap().0
}

fn fresh() -> (Arc<MemoryStorage>, Arc<Store>) {
    let storage = Arc::new(MemoryStorage::simulated());
    for dir in [DIR, OUTSIDE, "/f"] {
        storage.create_dir(Path::new(dir)).unwrap();
    }
    storage.sync_dir(Path::new("/")).unwrap();
    let store = open(&storage);
    (storage, store)
}

/// A table whose data file lies elsewhere.
fn linked(name: &str, folder: &Path) -> FilePlan {
    let mut index = fresh_state();
    index.resize(1024, 0);
    FilePlan::new().create_in(None, format!("{name}.MYI"), index).create_in(
        Some(folder),
        format!("{name}.MYD"),
        b"rows".to_vec(),
    )
}

fn names(storage: &dyn Storage, dir: &str) -> Vec<String> {
    let files = storage.list(Path::new(dir)).unwrap().into_iter();
    let mut names: Vec<String> =
        files.map(|(path, _)| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with("isambard."));
    names.sort();
    names
}

fn target(storage: &dyn Storage, name: &str) -> Option<PathBuf> {
    storage.read_link(&Path::new(DIR).join(name)).unwrap()
}

#[test]
fn a_file_goes_with_its_name() {
    let (storage, store) = fresh();
    let out = Path::new(OUTSIDE);
    store.apply(linked("t", out)).unwrap();
    assert_eq!(names(&*storage, OUTSIDE), ["t.MYD"]);
    assert_eq!(target(&*storage, "t.MYD"), Some(out.join("t.MYD")));
    // rename
    let moved = |from: &str, to: &str| {
        let file = |name: &str, e: &str| format!("{name}.{e}");
        FilePlan::new().rename(file(from, "MYI"), file(to, "MYI")).rename(file(from, "MYD"), file(to, "MYD"))
    };
    store.apply(moved("t", "u")).unwrap();
    assert_eq!(names(&*storage, OUTSIDE), ["u.MYD"]);
    assert_eq!(target(&*storage, "u.MYD"), Some(out.join("u.MYD")));
    assert_eq!(names(&*storage, DIR), ["u.MYD", "u.MYI"]);
    // names are exchanged
    store.apply(linked("t", Path::new("/f"))).unwrap();
    let plan = FilePlan::new().rename("t.MYD", "x.MYD").rename("u.MYD", "t.MYD").rename("x.MYD", "u.MYD");
    store.apply(plan).unwrap();
    assert_eq!(target(&*storage, "t.MYD"), Some(out.join("t.MYD")));
    assert_eq!(target(&*storage, "u.MYD"), Some(Path::new("/f/u.MYD").into()));
    // what replaces a link replaces its file
    store.apply(linked("v", out)).unwrap();
    store.apply(moved("v", "u")).unwrap();
    assert_eq!(
        (names(&*storage, OUTSIDE), names(&*storage, "/f")),
        (vec!["t.MYD".into(), "u.MYD".into()], vec![])
    );
    store.apply(FilePlan::new().refill("u.MYD", b"more".to_vec())).unwrap();
    assert_eq!(storage.bytes(&out.join("u.MYD")).unwrap(), b"more");
    store.apply(FilePlan::new().remove("t.MYD").remove("t.MYI").remove("u.MYD").remove("u.MYI")).unwrap();
    assert_eq!((names(&*storage, OUTSIDE), names(&*storage, DIR)), (vec![], vec![]));
}

#[test]
fn files_of_others_stay() {
    let (storage, store) = fresh();
    let foreign = Path::new(OUTSIDE).join("t.MYD");
    storage.open(&foreign, OpenMode::CreateNew).unwrap().write_all_at(b"theirs", 0).unwrap();
    let taken = |result: pages::Result<()>| match result.unwrap_err().kind() {
        ErrorKind::Io { path, op: "create", source } => {
            assert_eq!((path, source.raw_os_error()), (&foreign, Some(17)));
        }
        other => panic!("{other}"),
    };
    taken(store.apply(linked("t", Path::new(OUTSIDE))));
    assert!(names(&*storage, DIR).is_empty(), "nothing is left of it");
    store.apply(linked("u", Path::new(OUTSIDE))).unwrap();
    taken(store.apply(FilePlan::new().rename("u.MYI", "t.MYI").rename("u.MYD", "t.MYD")));
    assert_eq!(names(&*storage, DIR), ["u.MYD", "u.MYI"]);
    assert_eq!(names(&*storage, OUTSIDE), ["t.MYD", "u.MYD"]);
    assert_eq!(storage.bytes(&foreign).unwrap(), b"theirs");
    // a folder that is not there
    let error = store.apply(linked("w", Path::new("/none"))).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Io { path, .. } if path == Path::new("/none/w.MYD")),
        "{error}"
    );
    // one in the data directory
    assert!(store.apply(linked("w", Path::new(DIR))).unwrap_err().is_link_refused());
}

#[test]
fn a_link_into_the_data_directory_is_not_followed() {
    let (storage, store) = fresh();
    store.apply(files("t")).unwrap();
    store.apply(files("u")).unwrap();
    storage.remove(Path::new("/d/u.MYD")).unwrap();
    storage.link(Path::new("/d/t.MYD"), Path::new("/d/u.MYD")).unwrap();
    let of_u = spec(&*storage, Path::new(DIR), "u", pages::DataPaging::Bytes4K).unwrap();
    assert!(store.attach(of_u).unwrap_err().is_link_refused());
    store.apply(FilePlan::new().rename("u.MYD", "v.MYD")).unwrap();
    store.apply(FilePlan::new().remove("v.MYD")).unwrap();
    assert_eq!(names(&*storage, DIR), ["t.MYD", "t.MYI", "u.MYI"]);
}

/// Written to, cut off at each operation, and begun again: all or nothing, and nothing beside it.
#[test]
fn a_crash_leaves_all_or_nothing_elsewhere() {
    let mut points = [0, 0];
    for mode in [CrashMode::Kill, CrashMode::PowerCut] {
        for at in 0.. {
            let (storage, store) = fresh();
            let begin = storage.operations();
            store.apply(linked("t", Path::new(OUTSIDE))).unwrap();
            let middle = storage.operations();
            storage.crash_at(begin + at);
            let moved = FilePlan::new().rename("t.MYI", "u.MYI").rename("t.MYD", "u.MYD");
            if begin + at < middle {
                // once more, as the operations before it come again
                let (storage, store) = fresh();
                storage.crash_at(begin + at);
                assert!(store.apply(linked("t", Path::new(OUTSIDE))).is_err() || storage.crashed());
                drop(store);
                let made = outcome(&storage, mode, at);
                assert!(made.is_empty() || made == ["t.MYD"], "{made:?}");
                points[made.len()] += 1;
                continue;
            }
            let _ = store.apply(moved);
            let crashed = storage.crashed();
            drop(store);
            let found = outcome(&storage, mode, at);
            assert!(found == ["t.MYD"] || found == ["u.MYD"], "{found:?}");
            if !crashed {
                break;
            }
        }
    }
    assert!(points.iter().all(|n| *n > 3), "{points:?}");
}

/// The files elsewhere after a restart; each has its link, and each link its file.
fn outcome(storage: &Arc<MemoryStorage>, mode: CrashMode, seed: u64) -> Vec<String> {
    let after = Arc::new(storage.after_crash(mode, seed).unwrap());
    let store = open(&after);
    let found = names(&*after, OUTSIDE);
    let mut expected = Vec::new();
    for name in &found {
        assert_eq!(target(&*after, name), Some(Path::new(OUTSIDE).join(name)), "{name}");
        expected.extend([name.clone(), name.replace("MYD", "MYI")]);
    }
    assert_eq!(names(&*after, DIR), expected);
    drop(store);
    found
}

#[test]
fn real_links() {
    let dir = std::env::temp_dir().join(format!("isambard-links-{}", std::process::id()));
    let (datadir, outside, other) = (dir.join("data"), dir.join("out"), dir.join("other"));
    for dir in [&datadir, &outside, &other] {
        std::fs::create_dir_all(dir).unwrap();
    }
    std::os::unix::fs::symlink("out", dir.join("second")).unwrap();
    let (store, _) = Store::open(Arc::new(RealStorage), &datadir, options()).unwrap();
    store.apply(linked("t", &dir.join("second"))).unwrap();
    let read = |name: &str| std::fs::read(outside.join(name)).unwrap();
    assert_eq!(read("t.MYD"), b"rows");
    assert_eq!(std::fs::read_link(datadir.join("t.MYD")).unwrap(), dir.join("second/t.MYD"));
    store.apply(FilePlan::new().rename("t.MYD", "u.MYD").rename("t.MYI", "u.MYI")).unwrap();
    // the folder keeps the name that it was given
    assert_eq!(std::fs::read_link(datadir.join("u.MYD")).unwrap(), dir.join("second/u.MYD"));
    assert_eq!(read("u.MYD"), b"rows");
    let table = attach(&store, "u");
    let mut writer = lock(&table);
    put_data(&mut writer, 0, b"changed").unwrap();
    writer.commit().unwrap();
    drop(writer);
    store.checkpoint_clean().unwrap();
    assert_eq!(read("u.MYD"), b"changed");
    store.detach(&table).unwrap();
    // a link that somebody has turned to the data directory since
    std::fs::remove_file(dir.join("second")).unwrap();
    std::os::unix::fs::symlink("data", dir.join("second")).unwrap();
    store.apply(files("v")).unwrap();
    std::fs::rename(datadir.join("v.MYD"), datadir.join("w.MYD")).unwrap();
    std::os::unix::fs::symlink(dir.join("second/w.MYD"), datadir.join("v.MYD")).unwrap();
    let of_v = spec(&RealStorage, &datadir, "v", pages::DataPaging::Bytes4K).unwrap();
    assert!(store.attach(of_v).unwrap_err().is_link_refused());
    store.apply(FilePlan::new().remove("v.MYD").remove("v.MYI")).unwrap();
    assert!(datadir.join("w.MYD").exists(), "only the link has gone");
    drop(store);
    std::fs::remove_dir_all(dir).unwrap();
}
