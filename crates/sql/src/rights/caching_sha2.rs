//! The plugin `caching_sha2_password`, which clients of MySQL 8 and later begin with.
//!
//! The server keeps a slow hash of the password: SHA-crypt with SHA-256, 5,000 rounds and a salt of 20 characters, as
//! `$A$005$`, the salt and 43 characters of hash. A client that proves its password the first time shows it to the server, over
//! a connection that nobody listens to; the server then keeps `SHA256(SHA256(password))` in memory ([`Known`]), and from that time on
//! an answer to a scramble will do.

use foldhash::HashMap;
use parking_lot::RwLock;
use sha2::{Digest, Sha256};

use super::password::same;

/// The plugin's name, here and at clients.
pub const PLUGIN: &str = "caching_sha2_password";

/// Characters of what is kept.
pub const LENGTH: usize = PREFIX.len() + SALT + HASH;

/// The longest password, in bytes: the slow hash takes time and memory with its square.
const LONGEST: usize = 256;

/// The algorithm, and thousands of rounds in hexadecimal digits.
const PREFIX: &str = "$A$005$";
const ROUNDS: usize = 5000;
const SALT: usize = 20;
const HASH: usize = 43;

/// Digits of SHA-crypt, the least first.
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Passwords that are known in memory, at most.
const MOST: usize = 10_000;

/// What is kept of a password.
///
/// # Errors
/// When the kernel gives no random bytes.
pub fn stored(password: &[u8]) -> std::io::Result<String> {
    let mut salt = [0; SALT];
    let mut filled = 0;
    while filled < SALT {
        filled += rustix::rand::getrandom(&mut salt[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    let salt = salt.map(|b| DIGITS[usize::from(b & 63)]);
    Ok([PREFIX, &String::from_utf8_lossy(&salt), &crypt(password, &salt)].concat())
}

/// Whether a text is one that is kept of a password.
#[must_use]
pub fn is_stored(text: &[u8]) -> bool {
    text.len() == LENGTH && text.starts_with(PREFIX.as_bytes()) && text.is_ascii()
}

/// Whether this is the password behind `stored`.
#[must_use]
pub fn check(stored: &str, password: &[u8]) -> bool {
    if !is_stored(stored.as_bytes()) || password.len() > LONGEST {
        return false;
    }
    let (salt, hash) = stored.as_bytes()[PREFIX.len()..].split_at(SALT);
    same(crypt(password, salt).as_bytes(), hash)
}

/// Passwords that were shown once, by what accounts keep of them.
#[derive(Default)]
pub struct Known(RwLock<HashMap<Box<str>, [u8; 32]>>);

impl Known {
    /// Whether an answer to a scramble proves a password that is known: SHA256(password) XOR SHA256(known + scramble).
    #[must_use]
    pub fn proves(&self, stored: &str, scramble: &[u8], answer: &[u8]) -> bool {
        let (Some(known), Ok(answer)) = (self.0.read().get(stored).copied(), <[u8; 32]>::try_from(answer))
        else {
            return false;
        };
        let mask: [u8; 32] = Sha256::new().chain_update(known).chain_update(scramble).finalize().into();
        let once: Vec<u8> = answer.iter().zip(mask).map(|(a, m)| a ^ m).collect();
        same(&Sha256::digest(once), &known)
    }

    /// Keeps a password that was right.
    pub fn keep(&self, stored: &str, password: &[u8]) {
        let mut known = self.0.write();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(stored.into(), Sha256::digest(Sha256::digest(password)).into());
    }
}

/// Repeats bytes up to a length.
fn repeated(bytes: &[u8], length: usize) -> Vec<u8> {
    bytes.iter().copied().cycle().take(length).collect()
}

/// SHA-crypt with SHA-256. Crates of it stop at 16 characters of salt.
fn crypt(password: &[u8], salt: &[u8]) -> String {
    let inner = Sha256::new().chain_update(password).chain_update(salt).chain_update(password).finalize();
    let mut first = Sha256::new().chain_update(password).chain_update(salt);
    first.update(repeated(&inner, password.len()));
    let mut bits = password.len();
    while bits > 0 {
        first.update(if bits & 1 == 1 { &inner[..] } else { password });
        bits >>= 1;
    }
    let mut hash = first.finalize();
    let many = Sha256::digest(repeated(password, password.len() * password.len()));
    let password = repeated(&many, password.len());
    let many = Sha256::digest(repeated(salt, salt.len() * (16 + usize::from(hash[0]))));
    let salt = repeated(&many, salt.len());
    for round in 0..ROUNDS {
        let mut next = Sha256::new();
        let (a, b) = if round & 1 == 1 { (&password[..], &hash[..]) } else { (&hash[..], &password[..]) };
        next.update(a);
        if round % 3 != 0 {
            next.update(&salt);
        }
        if round % 7 != 0 {
            next.update(&password);
        }
        next.update(b);
        hash = next.finalize();
    }
    text_of(&hash)
}

/// The digits of a hash, three bytes at a time in the order that the algorithm has.
fn text_of(hash: &[u8]) -> String {
    let mut text = String::with_capacity(HASH);
    let mut put = |bytes: [u8; 3], digits: usize| {
        let mut word = bytes.iter().fold(0_u32, |word, b| word << 8 | u32::from(*b));
        for _ in 0..digits {
            text.push(char::from(DIGITS[(word & 63) as usize]));
            word >>= 6;
        }
    };
    let (mut a, mut b, mut c) = (0, 10, 20);
    for _ in 0..10 {
        put([hash[a], hash[b], hash[c]], 4);
        (a, b, c) = (next(c), next(a), next(b));
    }
    put([0, hash[31], hash[30]], 3);
    text
}

/// The next of thirty places.
fn next(place: usize) -> usize {
    (place + 1) % 30
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_mysql() {
        // The example of hashcat's mode 7401: what MySQL keeps of "hashcat".
        let salt = [
            0xF9, 0xCC, 0x98, 0xCE, 0x08, 0x89, 0x29, 0x24, 0xF5, 0x0A, 0x21, 0x3B, 0x6B, 0xC5, 0x71, 0xA2,
            0xC1, 0x17, 0x78, 0xC5,
        ];
        assert_eq!(crypt(b"hashcat", &salt), "bTy95Y99eAME1dwEkHOA1ndHGBWz.1bxSSRkuTXFGV/");
        let kept = stored(b"secret").expect("random bytes");
        assert!(is_stored(kept.as_bytes()) && check(&kept, b"secret"), "{kept}");
        assert!(!check(&kept, b"Secret") && !check(&kept, b"") && !check("", b""));
        assert!(!check(&kept, &[b'x'; LONGEST + 1]));
    }

    #[test]
    fn a_known_password_is_proven_by_an_answer() {
        let known = Known::default();
        let scramble = b"abcdefghijklmnopqrst";
        let once: [u8; 32] = Sha256::digest(b"secret").into();
        let twice = Sha256::digest(once);
        let mask = Sha256::new().chain_update(twice).chain_update(scramble).finalize();
        let answer: Vec<u8> = once.iter().zip(mask).map(|(a, m)| a ^ m).collect();
        assert!(!known.proves("kept", scramble, &answer), "not shown yet");
        known.keep("kept", b"secret");
        assert!(known.proves("kept", scramble, &answer));
        assert!(!known.proves("other", scramble, &answer) && !known.proves("kept", b"x", &answer));
        assert!(!known.proves("kept", scramble, &answer[1..]) && !known.proves("kept", scramble, b""));
    }
}
