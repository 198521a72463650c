//! The hash of `mysql_native_password` and the check of a login with it.

use sha1::{Digest, Sha1};

/// `SHA1(SHA1(password))`: what the server keeps of a password.
pub type Stored = [u8; 20];

/// Characters of a hash's text.
pub const LENGTH: usize = 41;

/// What is kept of a password; `None` for the empty password.
#[must_use]
pub fn stored(password: &[u8]) -> Option<Stored> {
    if password.is_empty() {
        return None;
    }
    Some(Sha1::digest(Sha1::digest(password)).into())
}

/// The text of a stored hash: `*` and 40 hex digits; empty for no password.
#[must_use]
pub fn to_text(stored: Option<&Stored>) -> String {
    use std::fmt::Write as _;
    let Some(bytes) = stored else { return String::new() };
    let mut out = String::with_capacity(41);
    out.push('*');
    for b in bytes {
        let _ = write!(out, "{b:02X}");
    }
    out
}

/// Reads the text of a hash. `Some(None)` is the empty password, `None` no such text.
#[must_use]
pub fn from_text(text: &str) -> Option<Option<Stored>> {
    if text.is_empty() {
        return Some(None);
    }
    let hex = text.strip_prefix('*')?;
    if hex.len() != 40 || !hex.is_ascii() {
        return None;
    }
    let mut out = [0; 20];
    for (byte, digits) in out.iter_mut().zip(hex.as_bytes().chunks(2)) {
        let text = std::str::from_utf8(digits).ok()?;
        *byte = u8::from_str_radix(text, 16).ok()?;
    }
    Some(Some(out))
}

/// Whether `answer` proves the password: `SHA1(password) XOR SHA1(scramble + stored)`.
#[must_use]
pub fn check(stored: Option<&Stored>, scramble: &[u8; 20], answer: &[u8]) -> bool {
    let Some(stored) = stored else { return answer.is_empty() };
    let Ok(answer) = <[u8; 20]>::try_from(answer) else { return false };
    let mut hasher = Sha1::new();
    hasher.update(scramble);
    hasher.update(stored);
    let mask: [u8; 20] = hasher.finalize().into();
    let mut once = [0; 20];
    for (i, b) in once.iter_mut().enumerate() {
        *b = answer[i] ^ mask[i];
    }
    let twice: [u8; 20] = Sha1::digest(once).into();
    same(&twice, stored)
}

/// Whether all bytes are the same. No early exit: the time must not tell how much was right.
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |d, (a, b)| d | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_and_check() {
        let s = stored(b"x").expect("not empty");
        assert_eq!(to_text(Some(&s)), "*B69027D44F6E5EDC07F1AEAD1477967B16F28227");
        assert_eq!(from_text(&to_text(Some(&s))), Some(Some(s)));
        assert_eq!(from_text("nonsense"), None);
        let scramble = *b"abcdefghijklmnopqrst";
        let once: [u8; 20] = Sha1::digest(b"x").into();
        let mask: [u8; 20] = Sha1::digest([&scramble[..], &s[..]].concat()).into();
        let mut answer: Vec<u8> = once.iter().zip(mask).map(|(a, b)| a ^ b).collect();
        assert!(check(Some(&s), &scramble, &answer));
        answer[3] ^= 1;
        assert!(!check(Some(&s), &scramble, &answer));
        assert!(!check(Some(&s), &scramble, b""));
        assert!(check(None, &scramble, b""));
        assert!(!check(None, &scramble, &answer));
    }
}
