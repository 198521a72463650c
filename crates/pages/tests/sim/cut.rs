//! Cuts of a workload, of its recovery, and the shortest workload that still fails.

use super::*;

/// Where and how a workload is cut.
#[allow(dead_code, reason = "printed")]
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub at: u64,
    pub mode: CrashMode,
    pub draw: u64,
}

/// How often the number of operations was cut.
pub const DRAWS: [(CrashMode, u64); 3] =
    [(CrashMode::Kill, 0), (CrashMode::PowerCut, 1), (CrashMode::PowerCut, 2)];

/// Runs a workload to its end: the number of its writes and syncs.
pub fn operations(seed: u64, steps: &[Step], fault: Option<InjectedFault>) -> Result<u64, String> {
    let storage = fresh_storage();
    let before = storage.operations();
    quietly(|| run(&storage, steps, settings(seed, fault), &mut History::default()))?;
    Ok(storage.operations() - before)
}

/// Cuts a workload before one of its operations, checks what recovery makes of it, and cuts a recovery, too.
pub fn cut(
    seed: u64,
    steps: &[Step],
    at: u64,
    fault: Option<InjectedFault>,
    draws: &[(CrashMode, u64)],
) -> Result<u64, (Cut, String)> {
    let storage = fresh_storage();
    storage.crash_at(storage.operations() + at);
    let mut history = History::default();
    let ended = quietly(|| run(&storage, steps, settings(seed, fault), &mut history));
    let first = Cut { at, mode: CrashMode::Kill, draw: 0 };
    match ended {
        Err(e) if !storage.crashed() => return Err((first, e)),
        _ if !storage.crashed() => return Ok(0),
        _ => {}
    }
    let mut points = 0;
    for &(mode, draw) in draws {
        let here = Cut { at, mode, draw };
        let failed = |e: String| (here, e);
        let choice = seed.wrapping_mul(1_000_003).wrapping_add(at * 16 + draw);
        let crash = |storage: &MemoryStorage, mode, choice| {
            storage.after_crash(mode, choice).map(Arc::new).map_err(|e| failed(e.to_string()))
        };
        let after = crash(&storage, mode, choice)?;
        // A copy that does not share its bytes with the one that is going to be changed.
        let again = crash(&after, CrashMode::Kill, 0)?;
        let settings = settings(seed, fault);
        let begun = after.operations();
        quietly(|| {
            let opened = Store::open(after.clone(), Path::new(DIR), settings.clone());
            drop(opened.map_err(|e| e.to_string())?);
            Ok(())
        })
        .map_err(failed)?;
        let recovery = after.operations() - begun;
        quietly(|| verify(&after, &history, mode, &settings)).map_err(failed)?;
        points += 1;
        let mut dice = Dice::new(choice);
        again.crash_at(again.operations() + dice.below(recovery));
        let _ = quietly(|| {
            Store::open(again.clone(), Path::new(DIR), settings.clone()).map(drop).map_err(|e| e.to_string())
        });
        let again = crash(&again, mode, choice)?;
        quietly(|| verify(&again, &history, mode, &settings))
            .map_err(|e| failed(format!("after a second crash during recovery: {e}")))?;
        points += 1;
    }
    Ok(points)
}

/// A panic becomes an error, without its message on the terminal.
pub fn quietly<T>(f: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    caught.unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<String>().cloned();
        let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

/// The first failure of a workload, looking at every operation from `from` on in steps of `stride`.
pub fn first_failure(
    seed: u64,
    steps: &[Step],
    (from, stride): (u64, u64),
    fault: Option<InjectedFault>,
) -> (u64, Option<(Cut, String)>) {
    let count = match operations(seed, steps, fault) {
        Ok(count) => count,
        Err(e) => return (0, Some((Cut { at: u64::MAX, mode: CrashMode::Kill, draw: 0 }, e))),
    };
    let mut points = 0;
    for at in (from..count).step_by(stride as usize) {
        match cut(seed, steps, at, fault, &DRAWS) {
            Ok(more) => points += more,
            Err(failure) => return (points, Some(failure)),
        }
    }
    (points, None)
}

/// Leaves out steps as long as the workload still fails.
pub fn shrink(seed: u64, steps: &[Step], fault: Option<InjectedFault>) -> (Vec<Step>, Option<(Cut, String)>) {
    let mut steps = steps.to_vec();
    let mut failure = first_failure(seed, &steps, (0, 1), fault).1;
    let mut width = steps.len() / 2;
    while width > 0 {
        let mut from = 0;
        while from < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(from..(from + width).min(steps.len()));
            match first_failure(seed, &fewer, (0, 1), fault).1 {
                Some(found) => (steps, failure) = (fewer, Some(found)),
                None => from += width,
            }
        }
        width /= 2;
    }
    (steps, failure)
}
