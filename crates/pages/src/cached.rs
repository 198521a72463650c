//! How much of a file lies in the system's page cache.
//!
//! Linux 6.5 and later say it themselves (cachestat(2)); before, a mapping is asked page by page (mincore(2)).
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr;

/// What the system keeps of a file in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cached {
    /// Bytes in the page cache, in whole pages.
    pub bytes: u64,
    /// Those of them that are not on the disk yet; older systems do not say.
    pub dirty: Option<u64>,
}

/// Bytes that are mapped at once to be asked for: a byte of memory for each of their pages.
const WINDOW: u64 = 1 << 30;

/// What the system has of a file.
///
/// # Errors
/// Those of the system.
pub fn cached(file: &File) -> io::Result<Cached> {
    match by_cachestat(file)? {
        Some(cached) => Ok(cached),
        None => by_mincore(file),
    }
}

/// `None` where the system knows no cachestat, or not for this file.
fn by_cachestat(file: &File) -> io::Result<Option<Cached>> {
    // The number is that of all architectures whose tables were made one; the crate has no name for it.
    const CACHESTAT: libc::c_long = 451;
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")) {
        return Ok(None);
    }
    #[repr(C)]
    struct Range {
        offset: u64,
        len: u64,
    }
    #[repr(C)]
    #[derive(Default)]
    struct Pages {
        cached: u64,
        dirty: u64,
        writing: u64,
        evicted: u64,
        recently_evicted: u64,
    }
    // no length: to the end of the file
    let range = Range { offset: 0, len: 0 };
    let mut pages = Pages::default();
    // SAFETY: the structures are those of the call (five and two words of 64 bits) and live until it returns; the descriptor is open.
    let done = unsafe {
        libc::syscall(CACHESTAT, file.as_raw_fd(), ptr::from_ref(&range), ptr::from_mut(&mut pages), 0u32)
    };
    if done == 0 {
        let page = rustix::param::page_size() as u64;
        return Ok(Some(Cached {
            bytes: pages.cached * page,
            dirty: Some((pages.dirty + pages.writing) * page),
        }));
    }
    let e = io::Error::last_os_error();
    match e.raw_os_error() {
        // also where a filter of system calls does not know it
        Some(libc::ENOSYS | libc::EPERM | libc::EOPNOTSUPP) => Ok(None),
        _ => Err(e),
    }
}

fn by_mincore(file: &File) -> io::Result<Cached> {
    let (len, page) = (file.metadata()?.len(), rustix::param::page_size() as u64);
    let mut bytes = 0;
    let mut present = Vec::new();
    for from in (0..len).step_by(WINDOW as usize) {
        let window = (len - from).min(WINDOW) as usize;
        // SAFETY: a new mapping at an address that the system chooses; nothing reads through it.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                window,
                libc::PROT_READ,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                from as libc::off_t,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        present.clear();
        present.resize(window.div_ceil(page as usize), 0u8);
        // SAFETY: the mapping is `window` bytes long, and the list has a byte for each of its pages.
        let asked = unsafe { libc::mincore(base, window, present.as_mut_ptr()) };
        let error = io::Error::last_os_error();
        // SAFETY: the mapping made above, which nobody else knows.
        unsafe { libc::munmap(base, window) };
        if asked != 0 {
            return Err(error);
        }
        bytes += present.iter().filter(|p| **p & 1 == 1).count() as u64 * page;
    }
    Ok(Cached { bytes, dirty: None })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn what_was_written_is_in_the_cache_until_it_is_given_up() {
        let path = std::env::temp_dir().join(format!("isambard-cached-{}", std::process::id()));
        let mut file =
            File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(cached(&file).unwrap().bytes, 0);
        assert_eq!(by_mincore(&file).unwrap().bytes, 0);
        let page = rustix::param::page_size();
        file.write_all(&vec![1; 64 * page - 5]).unwrap();
        let all = 64 * page as u64;
        assert_eq!(cached(&file).unwrap().bytes, all);
        assert_eq!(by_mincore(&file).unwrap(), Cached { bytes: all, dirty: None });
        file.sync_all().unwrap();
        let clean = cached(&file).unwrap();
        assert_eq!(clean.dirty.unwrap_or(0), 0);
        // a file system in memory keeps all
        rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
        let (new, old) = (cached(&file).unwrap().bytes, by_mincore(&file).unwrap().bytes);
        assert!([0, all].contains(&new), "{new}");
        assert_eq!(new, old);
    }
}
