//! The library of damaged files: what `myisamchk -e` finds CHECK finds, what `myisamchk -r` and `-o` cure REPAIR cures, and keeps as
//! many rows. `ISAMBARD_SOAK=1` takes all damages, otherwise a sample
//! of `ISAMBARD_DAMAGES`; `ISAMBARD_DAMAGE=TEXT` takes those whose name has the text. The
//! report that is printed in the end is the table of `docs/repair.md`; `cargo xtask damages` prints it.

mod data_file;
mod header;
mod index_pages;
mod library;
mod report;
mod tools;

use isambard_tests::peers::{oracle_present, scratch};
use library::{Damage, Sound, sound_tables};
use report::{Outcome, Report};
use std::path::{Path, PathBuf};
use tools::{Verdict, isambard, myisamchk, rows_of};

/// Damaged tables that one process of ours has to look at.
const BATCH: usize = 100;

/// Damages of a sample, unless `ISAMBARD_DAMAGES` has another number.
const SAMPLE: usize = 160;

/// Copies of the damaged files, one for each tool that changes them.
const FOLDERS: [&str; 5] = ["check", "ours_r", "ours_o", "theirs_r", "theirs_o"];

/// A folder in memory where there is one: thousands of files are made durable by the repair of each.
fn folder(tag: &str) -> PathBuf {
    let disk = scratch(tag);
    let memory = Path::new("/dev/shm").join(disk.file_name().expect("name"));
    match std::fs::create_dir(&memory) {
        Ok(()) => {
            let _ = std::fs::remove_dir(&disk);
            memory
        }
        Err(_) => disk,
    }
}

struct Case<'a> {
    sound: &'a Sound,
    damage: Damage,
}

impl Case<'_> {
    fn name(&self) -> String {
        format!("{}: {}: {}", self.sound.name, self.damage.kind, self.damage.what)
    }
}

fn write(folder: &Path, name: &str, case: &Case<'_>) {
    let (index, data) = case.sound.with(&case.damage);
    for (extension, bytes) in [("frm", &case.sound.frm), ("MYI", &index), ("MYD", &data)] {
        std::fs::write(folder.join(format!("{name}.{extension}")), bytes).expect("write");
    }
}

/// What both made of the same damage.
fn repaired(ours: &Path, theirs: &Path, said: [Verdict; 2]) -> [Option<u64>; 2] {
    let judged = |base: &Path, said: Verdict| {
        let whole = said == Verdict::Fine && myisamchk(&["-e", "--read-only", "-s"], base).0 == Verdict::Fine;
        whole.then(|| rows_of(base))
    };
    [judged(ours, said[0]), judged(theirs, said[1])]
}

fn batch(dir: &Path, cases: &[Case<'_>], report: &mut Report) {
    for folder in FOLDERS {
        std::fs::create_dir_all(dir.join(folder)).expect("folder");
    }
    let names: Vec<String> = (0..cases.len()).map(|n| format!("d{n}")).collect();
    for (name, case) in names.iter().zip(cases) {
        FOLDERS.iter().for_each(|folder| write(&dir.join(folder), name, case));
    }
    let bases = |folder: &str| -> Vec<PathBuf> { names.iter().map(|n| dir.join(folder).join(n)).collect() };
    let tmpdir = format!("--tmpdir={}", dir.display());
    let checked = isambard(&["check", "-e", "--force", &tmpdir], &bases("check"), report);
    let recovered = isambard(&["repair", "--force"], &bases("ours_r"), report);
    let safely = isambard(&["repair", "-o", "--force"], &bases("ours_o"), report);
    for (n, case) in cases.iter().enumerate() {
        let base = |folder: &str| dir.join(folder).join(&names[n]);
        let (theirs, their_words) = myisamchk(&["-e", "--read-only", "-s"], &base("check"));
        let their_r = myisamchk(&["-r", "-f", "-s"], &base("theirs_r"));
        let their_o = myisamchk(&["-o", "-f", "-s"], &base("theirs_o"));
        report.add(Outcome {
            name: case.name(),
            kind: case.damage.kind,
            found: [checked[n].0, theirs],
            recovered: repaired(&base("ours_r"), &base("theirs_r"), [recovered[n].0, their_r.0]),
            safely: repaired(&base("ours_o"), &base("theirs_o"), [safely[n].0, their_o.0]),
            said: [checked[n].1.clone(), their_words, recovered[n].1.clone(), safely[n].1.clone()],
        });
    }
    // a tool that only looks leaves no trace
    for (name, case) in names.iter().zip(cases) {
        let (index, data) = case.sound.with(&case.damage);
        for (extension, bytes) in [("MYI", &index), ("MYD", &data)] {
            let now = std::fs::read(dir.join("check").join(format!("{name}.{extension}"))).expect("read");
            assert!(now == *bytes, "{}: CHECK changed the {extension}", case.name());
        }
    }
    let _ = std::fs::remove_dir_all(dir);
}

#[test]
fn every_damage_is_found_and_cured_as_by_myisamchk() {
    if !oracle_present() {
        return;
    }
    let dir = folder("damaged-files");
    let tables = sound_tables();
    let wanted = std::env::var("ISAMBARD_DAMAGE").ok();
    let mut cases: Vec<Case<'_>> = tables
        .iter()
        .flat_map(|sound| sound.damages().into_iter().map(move |damage| Case { sound, damage }))
        .filter(|case| wanted.as_ref().is_none_or(|text| case.name().contains(text.as_str())))
        .collect();
    let all = cases.len();
    if wanted.is_none() && std::env::var_os("ISAMBARD_SOAK").is_none() {
        let number = std::env::var("ISAMBARD_DAMAGES").ok().and_then(|n| n.parse().ok());
        let step = (all / number.unwrap_or(SAMPLE)).max(1);
        let mut n = 0;
        cases.retain(|_| {
            n += 1;
            n % step == 0
        });
    }
    println!("{} of {all} damages", cases.len());
    let mut report = Report::default();
    for (n, cases) in cases.chunks(BATCH).enumerate() {
        batch(&dir.join(format!("b{n}")), cases, &mut report);
    }
    println!("{}", report.table());
    report.judge();
    let _ = std::fs::remove_dir_all(&dir);
}

/// The tables themselves are sound for both.
#[test]
fn sound_tables_are_sound() {
    if !oracle_present() {
        return;
    }
    let dir = folder("sound-files");
    let tables = sound_tables();
    let mut bases = Vec::new();
    for sound in &tables {
        let nothing = Damage { kind: "none", what: String::new(), edits: Vec::new() };
        write(&dir, sound.name, &Case { sound, damage: nothing });
        bases.push(dir.join(sound.name));
    }
    let mut report = Report::default();
    for (n, found) in isambard(&["check", "-e"], &bases, &mut report).into_iter().enumerate() {
        assert_eq!(found.0, Verdict::Fine, "{}: {}", tables[n].name, found.1);
        assert_eq!(myisamchk(&["-e", "--read-only", "-s"], &bases[n]).0, Verdict::Fine, "{}", tables[n].name);
    }
    let before: Vec<u64> = bases.iter().map(|base| rows_of(base)).collect();
    for how in [&["repair"][..], &["repair", "-o"], &["repair", "-q"], &["repair", "--keep-backup"]] {
        for (n, said) in isambard(how, &bases, &mut report).into_iter().enumerate() {
            assert_eq!(said.0, Verdict::Fine, "{how:?} {}: {}", tables[n].name, said.1);
            assert_eq!(rows_of(&bases[n]), before[n], "{how:?} {}", tables[n].name);
            let (verdict, words) = myisamchk(&["-e", "--read-only", "-s"], &bases[n]);
            assert_eq!(verdict, Verdict::Fine, "{how:?} {}: {words}", tables[n].name);
        }
    }
    let kept = std::fs::read_dir(&dir).expect("folder").filter_map(Result::ok);
    let kept = kept.filter(|e| e.path().extension().is_some_and(|e| e == "BAK")).count();
    assert_eq!(kept, 2 * tables.len(), "old files that were kept");
    report.judge();
    let _ = std::fs::remove_dir_all(&dir);
}
