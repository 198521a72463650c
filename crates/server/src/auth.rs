//! `mysql_native_password`: the client shows that it knows SHA1(password) without sending it.
//!
//! The server keeps SHA1(SHA1(password)). The client answers a scramble `s` of 20 random bytes with
//! SHA1(password) XOR SHA1(s + SHA1(SHA1(password))), or with nothing when it has no password.

use sha1::{Digest, Sha1};

/// The name of the plugin that clients begin with.
pub const NATIVE_PASSWORD: &str = "mysql_native_password";

/// Length of scramble, response and stored hash, in bytes.
pub const HASH: usize = 20;

/// Random bytes for `mysql_native_password`.
pub type Scramble = [u8; HASH];

/// Random bytes.
///
/// # Errors
/// When the kernel gives none.
pub fn random<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    let mut filled = 0;
    while filled < N {
        filled += rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty())?;
    }
    Ok(bytes)
}

/// Random bytes sent to the client: 1 to 127 without `$`, because clients handle them as C strings.
///
/// # Errors
/// When the kernel gives no random bytes.
pub fn scramble() -> std::io::Result<Scramble> {
    let mut scramble = [0; HASH];
    let mut filled = 0;
    while filled < HASH {
        let mut random = [0; 2 * HASH];
        let got = rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?;
        for byte in random[..got].iter().map(|b| b & 0x7f).filter(|&b| b != 0 && b != b'$') {
            if filled < HASH {
                scramble[filled] = byte;
                filled += 1;
            }
        }
    }
    Ok(scramble)
}

/// What the server stores for a password.
#[must_use]
pub fn stored_hash(password: &[u8]) -> [u8; HASH] {
    Sha1::digest(Sha1::digest(password)).into()
}

/// What a client answers.
#[must_use]
pub fn response(scramble: &[u8; HASH], password: &[u8]) -> [u8; HASH] {
    let once: [u8; HASH] = Sha1::digest(password).into();
    xor(once, mask(scramble, &stored_hash(password)))
}

/// Whether `response` proves knowledge of the password behind `stored`.
#[must_use]
pub fn verify(scramble: &[u8; HASH], response: &[u8], stored: &[u8; HASH]) -> bool {
    let Ok(response) = <[u8; HASH]>::try_from(response) else {
        return false;
    };
    let once = xor(response, mask(scramble, stored));
    let twice: [u8; HASH] = Sha1::digest(once).into();
    twice.iter().zip(stored).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

fn mask(scramble: &[u8; HASH], stored: &[u8; HASH]) -> [u8; HASH] {
    Sha1::new().chain_update(scramble).chain_update(stored).finalize().into()
}

fn xor(mut a: [u8; HASH], b: [u8; HASH]) -> [u8; HASH] {
    a.iter_mut().zip(b).for_each(|(x, y)| *x ^= y);
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_password_verifies() {
        let scramble = scramble().expect("random bytes");
        assert!(scramble.iter().all(|&b| (1..128).contains(&b) && b != b'$'));
        let stored = stored_hash(b"secret");
        assert!(verify(&scramble, &response(&scramble, b"secret"), &stored));
        assert!(!verify(&scramble, &response(&scramble, b"Secret"), &stored));
        assert!(!verify(&scramble, b"", &stored));
        assert!(!verify(&scramble, &[0; 21], &stored));
    }

    #[test]
    fn stored_hash_is_that_of_password() {
        // SELECT PASSWORD('p') in MariaDB 10.11.
        let text: String = stored_hash(b"p").iter().map(|b| format!("{b:02X}")).collect();
        assert_eq!(text, "7B9EBEED26AA52ED10C0F549FA863F13C39E0209");
    }
}
