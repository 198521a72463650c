//! Files in memory.
#![allow(missing_docs)]
pub struct MemoryStorage;
pub enum CrashMode {
    Kill,
}
