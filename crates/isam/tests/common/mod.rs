//! What the tests against MariaDB share.
#![allow(dead_code)]

pub mod defs;
#[path = "../../../schema/tests/common/mariadb.rs"]
pub mod mariadb;
pub mod tables;
pub mod values;

/// A small generator of pseudo-random numbers (xorshift), so that runs can be repeated.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n.max(1)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}
