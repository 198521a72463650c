//! Hints to the processor: memory that is needed soon is fetched while other work goes on.
#![allow(unsafe_code)]

/// Bytes that come together from memory.
const LINE: usize = 64;

/// Asks for the line at `at`. Nothing is read: any address will do.
#[inline]
pub(crate) fn line<T>(at: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint, which never faults and changes nothing that a program sees.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = at;
}

/// Asks for the lines of so many bytes.
#[inline]
pub(crate) fn bytes(at: *const u8, len: usize) {
    for offset in (0..len).step_by(LINE) {
        line(at.wrapping_add(offset));
    }
}
