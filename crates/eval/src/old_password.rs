//! OLD_PASSWORD(): the hash of passwords of servers before 4.1, and the proof of a login with it. Drivers describe both.

/// Characters of a hash's text.
pub const LENGTH: usize = 16;

/// Bytes of a scramble that are used, and of an answer.
pub const SCRAMBLE: usize = 8;

/// Of the numbers that scrambles are made with, all are below.
const MOST: u32 = 0x3fff_ffff;

/// The two numbers of a password; blanks and tabs do not count.
#[must_use]
pub fn hash(password: &[u8]) -> [u32; 2] {
    let (mut a, mut b, mut sum) = (1_345_345_333u32, 0x1234_5671u32, 7u32);
    for c in password.iter().filter(|c| !matches!(c, b' ' | b'\t')).map(|c| u32::from(*c)) {
        a ^= (a & 63).wrapping_add(sum).wrapping_mul(c).wrapping_add(a << 8);
        b = b.wrapping_add((b << 8) ^ a);
        sum = sum.wrapping_add(c);
    }
    [a & 0x7fff_ffff, b & 0x7fff_ffff]
}

/// The text that is kept of a password; empty for the empty one.
#[must_use]
pub fn text(password: &[u8]) -> String {
    if password.is_empty() {
        return String::new();
    }
    let [a, b] = hash(password);
    format!("{a:08x}{b:08x}")
}

/// Reads a text that is kept.
#[must_use]
pub fn from_text(text: &str) -> Option<[u32; 2]> {
    if text.len() != LENGTH || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let half = |digits: &str| u32::from_str_radix(digits, 16).ok();
    Some([half(&text[..8])?, half(&text[8..])?])
}

/// What a client answers to a scramble.
#[must_use]
pub fn answer(hash: [u32; 2], scramble: [u8; SCRAMBLE]) -> [u8; SCRAMBLE] {
    let message = self::hash(&scramble);
    let most = u64::from(MOST);
    let mut one = u64::from(hash[0] ^ message[0]) % most;
    let mut two = u64::from(hash[1] ^ message[1]) % most;
    let mut next = || {
        one = (one * 3 + two) % most;
        two = (one + two + 33) % most;
        (one as f64 / most as f64 * 31.0) as u8
    };
    let mut out = [0; SCRAMBLE];
    for b in &mut out {
        *b = next() + 64;
    }
    let extra = next();
    out.map(|b| b ^ extra)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_mariadb() {
        assert_eq!(text(b"test"), "378b243e220ca493");
        assert_eq!(text(b" t e\tst"), "378b243e220ca493");
        assert_eq!(text(b"idkfa"), "5c078dc54ca0fcca");
        assert_eq!(text(b""), "");
        assert_eq!(from_text("378B243e220ca493"), Some(hash(b"test")));
        assert_eq!(from_text("abcdefghijklmnop"), None);
    }

    #[test]
    fn the_answer_is_that_of_a_client() {
        // A login of the mysql client, seen on its way to MariaDB 10.11.
        assert_eq!(&answer(hash(b"test"), *b"c~q>}}yk"), b"LSEUGT_O");
        assert_eq!(&answer(hash(b"wrong"), *b"GBT_`EwK"), b"SNW\\MY]F");
    }
}
