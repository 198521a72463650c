//! DES, and what stands on it: DES_ENCRYPT, DES_DECRYPT and the traditional hash of ENCRYPT.

use super::volatile;
use super::{Call, Definition, Resolve, Stops, pure};
use crate::error::{self, ER_WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, SqlResult};
use crate::types::{Derivation, FieldType, ValueRef};
use md5::{Digest, Md5};

pub(super) const LIST: &[Definition] = &[
    pure("des_encrypt", 1, 2, des_encrypt_type, des_encrypt).stopping(Stops::Each),
    // The key of a number is for those who may everything.
    super::statement("des_decrypt", 1, 2, des_decrypt_type, des_decrypt),
    // Without a second argument the clock gives the salt.
    volatile("encrypt", 1, 2, encrypt_type, encrypt),
];

/// Bytes of a block.
const BLOCK: usize = 8;

/// The first byte of what DES_ENCRYPT gives: this bit and the number of the key.
const MARK: u8 = 0x80;

/// Number of the key that is made of a text.
const TEXT_KEY: u8 = 127;

/// Keys that have a number.
const NUMBERED_KEYS: i64 = 10;

/// Longer than what is encrypted: mark and padding.
const OVERHEAD: u64 = 9;

/// Bytes between two looks at whether the statement was killed.
const PART: usize = 1 << 16;

// The tables of FIPS 46-3: which bit, counted from 1 at the left, comes next.
const INITIAL: [u8; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48,
    40, 32, 24, 16, 8, 57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, 61, 53, 45, 37, 29, 21,
    13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
];
const FINAL: [u8; 64] = [
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31, 38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45,
    13, 53, 21, 61, 29, 36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27, 34, 2, 42, 10, 50, 18,
    58, 26, 33, 1, 41, 9, 49, 17, 57, 25,
];
const EXPANSION: [u8; 48] = [
    32, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 8, 9, 10, 11, 12, 13, 12, 13, 14, 15, 16, 17, 16, 17, 18, 19, 20,
    21, 20, 21, 22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1,
];
const PERMUTATION: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6,
    22, 11, 4, 25,
];
const CHOICE_1: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44,
    36, 63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20,
    12, 4,
];
const CHOICE_2: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37,
    47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
const SHIFTS: [u32; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];

/// The eight boxes, row by row.
const BOXES: [[u8; 64]; 8] = [
    [
        14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7, 0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5,
        3, 8, 4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0, 15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14,
        10, 0, 6, 13,
    ],
    [
        15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10, 3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9,
        11, 5, 0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15, 13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12,
        0, 5, 14, 9,
    ],
    [
        10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8, 13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11,
        15, 1, 13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7, 1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3,
        11, 5, 2, 12,
    ],
    [
        7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15, 13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10,
        14, 9, 10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4, 3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11,
        12, 7, 2, 14,
    ],
    [
        2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9, 14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9,
        8, 6, 4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14, 11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9,
        10, 4, 5, 3,
    ],
    [
        12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11, 10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11,
        3, 8, 9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6, 4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7,
        6, 0, 8, 13,
    ],
    [
        4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1, 13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15,
        8, 6, 1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2, 6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15,
        14, 2, 3, 12,
    ],
    [
        13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7, 1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14,
        9, 2, 7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8, 2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0,
        3, 5, 6, 11,
    ],
];

/// The bits of a number of `width` bits in the order of a table.
fn permuted(v: u64, width: u32, table: &[u8]) -> u64 {
    table.iter().fold(0, |out, &bit| out << 1 | (v >> (width - u32::from(bit)) & 1))
}

/// A key, spread over the sixteen rounds.
struct Key([u64; 16]);

impl Key {
    fn new(key: u64) -> Key {
        const HALF: u64 = (1 << 28) - 1;
        let turned = |v: u64, by: u32| (v << by | v >> (28 - by)) & HALF;
        let chosen = permuted(key, 64, &CHOICE_1);
        let (mut left, mut right) = (chosen >> 28, chosen & HALF);
        Key(SHIFTS.map(|by| {
            (left, right) = (turned(left, by), turned(right, by));
            permuted(left << 28 | right, 56, &CHOICE_2)
        }))
    }

    /// One block. `salt` has a bit for each pair of bits that change places between the halves of what the
    /// expansion gives, as crypt(3) has it; 0 is DES itself.
    fn apply(&self, block: u64, decrypt: bool, salt: u64) -> u64 {
        let start = permuted(block, 64, &INITIAL);
        let (mut left, mut right) = (start >> 32, start & 0xffff_ffff);
        for round in 0..16 {
            let mut wide = permuted(right, 32, &EXPANSION);
            let exchanged = (wide >> 24 ^ wide) & salt;
            wide ^= exchanged << 24 | exchanged;
            wide ^= self.0[if decrypt { 15 - round } else { round }];
            let narrow = BOXES.iter().enumerate().fold(0u64, |out, (i, table)| {
                let six = (wide >> (42 - 6 * i)) as usize & 63;
                // outer bits: the row, inner bits: the column
                let at = (six >> 4 & 2 | six & 1) << 4 | six >> 1 & 15;
                out << 4 | u64::from(table[at])
            });
            (left, right) = (right, left ^ permuted(narrow, 32, &PERMUTATION));
        }
        permuted(right << 32 | left, 64, &FINAL)
    }
}

/// Three keys, one after the other, in blocks that depend on those before.
struct TripleDes([Key; 3]);

impl TripleDes {
    /// Of a text; `None`: of a number. There is no file with keys, so that those are made of nothing.
    fn new(text: Option<&[u8]>) -> TripleDes {
        let mut bytes = [0; 24];
        if let Some(text) = text {
            let first = Md5::digest(text);
            let second = Md5::new().chain_update(first).chain_update(text).finalize();
            bytes[..16].copy_from_slice(&first);
            bytes[16..].copy_from_slice(&second[..8]);
        }
        let key = |i: usize| Key::new(number(&bytes[i * BLOCK..]));
        TripleDes([key(0), key(1), key(2)])
    }

    fn encrypt(&self, data: &mut [u8], c: &Call<'_, '_>) -> SqlResult<()> {
        let mut before = 0;
        for part in data.chunks_mut(PART) {
            c.ctx.check_killed()?;
            for block in part.chunks_exact_mut(BLOCK) {
                let [a, b, c] = &self.0;
                let v = a.apply(number(block) ^ before, false, 0);
                before = c.apply(b.apply(v, true, 0), false, 0);
                block.copy_from_slice(&before.to_be_bytes());
            }
        }
        Ok(())
    }

    fn decrypt(&self, data: &mut [u8], c: &Call<'_, '_>) -> SqlResult<()> {
        let mut before = 0;
        for part in data.chunks_mut(PART) {
            c.ctx.check_killed()?;
            for block in part.chunks_exact_mut(BLOCK) {
                let [a, b, c] = &self.0;
                let shown = number(block);
                let v = b.apply(c.apply(shown, true, 0), false, 0);
                block.copy_from_slice(&(a.apply(v, true, 0) ^ before).to_be_bytes());
                before = shown;
            }
        }
        Ok(())
    }
}

/// The number that the first eight bytes are.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(BLOCK).fold(0, |v, b| v << 8 | u64::from(*b))
}

fn deprecated(r: &mut Resolve<'_>, name: &str) {
    let text = error::message(ER_WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, &[&name]);
    r.ctx.warnings.push_text(crate::warning::Level::Note, error::ER_WARN_DEPRECATED_SYNTAX, text);
}

fn des_encrypt_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    deprecated(r, "des_encrypt");
    let bytes = r.args.first().map_or(0, |a| u64::from(a.ty.length)) + OVERHEAD;
    r.text(0)?;
    // A number is that of a key.
    match r.args.get(1) {
        Some(key) if key.ty.is_number() => r.int(1)?,
        _ => r.text(1)?,
    }
    Ok(FieldType::string(bytes, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn des_decrypt_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    deprecated(r, "des_decrypt");
    r.text(0)?;
    r.text(1)?;
    let bytes = u64::from(r.args[0].ty.length).saturating_sub(OVERHEAD);
    Ok(FieldType::string(bytes, charset::binary(), Derivation::Coercible).with_nullable(true))
}

/// NULL, with the warning of a key that there is none.
fn wrong(c: &mut Call<'_, '_>, name: &str) -> SqlResult<()> {
    let e = error::message(error::codes::ER_WRONG_PARAMETERS_TO_PROCEDURE, &[&name]);
    c.ctx.warnings.push_text(
        crate::warning::Level::Warning,
        error::codes::ER_WRONG_PARAMETERS_TO_PROCEDURE,
        e,
    );
    c.null()
}

/// The key that the second argument says, and its number.
fn key_of<'a>(c: &Call<'a, '_>) -> Option<(Option<&'a [u8]>, u8)> {
    if c.len() < 2 {
        return Some((None, 0));
    }
    if let ValueRef::Bytes(text) = c.value(1) {
        return Some((Some(text), TEXT_KEY));
    }
    c.int(1).filter(|n| (0..NUMBERED_KEYS).contains(n)).map(|n| (None, n as u8))
}

fn des_encrypt(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = c.bytes(0) else { return c.null() };
    if text.is_empty() {
        return c.put_bytes(b"");
    }
    let Some((key, n)) = key_of(c) else { return wrong(c, "des_encrypt") };
    // There is always a padding, of asterisks and its length.
    let padding = BLOCK - text.len() % BLOCK;
    if c.exceeds(text.len() + padding + 1) {
        return c.too_long();
    }
    let mut out = Vec::with_capacity(text.len() + padding + 1);
    out.push(MARK | n);
    out.extend_from_slice(text);
    out.resize(text.len() + padding, b'*');
    out.push(padding as u8);
    TripleDes::new(key).encrypt(&mut out[1..], c)?;
    c.put_bytes(&out)
}

fn des_decrypt(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(data) = c.bytes(0) else { return c.null() };
    let Some((&mark, blocks)) = data
        .split_first()
        .filter(|(mark, blocks)| **mark & MARK != 0 && !blocks.is_empty() && blocks.len() % BLOCK == 0)
    else {
        // Nothing that was encrypted.
        return c.put_bytes(data);
    };
    let key = if c.len() < 2 {
        if i64::from(mark & !MARK) >= NUMBERED_KEYS || !c.ctx.may_use_keys {
            return wrong(c, "des_decrypt");
        }
        None
    } else {
        match c.bytes(1) {
            Some(text) => Some(text),
            None => return wrong(c, "des_decrypt"),
        }
    };
    let mut out = blocks.to_vec();
    TripleDes::new(key).decrypt(&mut out, c)?;
    match out.last().map(|&n| usize::from(n)) {
        Some(padding) if padding <= BLOCK => {
            out.truncate(out.len() - padding);
            c.put_bytes(&out)
        }
        // Another key.
        _ => c.null(),
    }
}

/// Digits of salts and hashes of crypt(3).
const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What crypt(3) gives for a salt that it does not know.
const UNKNOWN_SALT: &[u8] = b"*0";

/// The traditional hash of a password: zeros encrypted 25 times, with the first eight characters as key. `None`: no such salt.
fn crypt(password: &[u8], salt: [u8; 2]) -> Option<[u8; 13]> {
    let mut swaps = 0u64;
    for (i, s) in salt.iter().enumerate() {
        let six = DIGITS.iter().position(|d| d == s)?;
        for bit in 0..6 {
            swaps |= (six as u64 >> bit & 1) << (23 - (6 * i + bit));
        }
    }
    let mut key = [0; BLOCK];
    let ends = password.iter().position(|b| *b == 0).unwrap_or(password.len());
    for (k, b) in key.iter_mut().zip(&password[..ends]) {
        *k = b << 1;
    }
    let key = Key::new(number(&key));
    let block = (0..25).fold(0, |block, _| key.apply(block, false, swaps));
    let mut out = [0; 13];
    out[..2].copy_from_slice(&salt);
    for (i, digit) in out[2..].iter_mut().enumerate() {
        *digit = DIGITS[((u128::from(block) << 2) >> (60 - 6 * i)) as usize & 63];
    }
    Some(out)
}

fn encrypt_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.text(1)?;
    Ok(FieldType::string(13, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn encrypt(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(password) = c.bytes(0) else { return c.null() };
    if password.is_empty() {
        return c.put_bytes(b"");
    }
    let salt = if c.len() == 2 {
        match c.bytes(1) {
            Some([a, b, ..]) => [*a, *b],
            _ => return c.null(),
        }
    } else {
        let time = schema::clock::now();
        let at = time.as_secs() as usize ^ time.subsec_micros() as usize;
        [DIGITS[at & 63], DIGITS[at >> 6 & 63]]
    };
    match crypt(password, salt) {
        Some(hash) => c.put_bytes(&hash),
        None => c.put_bytes(UNKNOWN_SALT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_as_the_standard_has_it() {
        // The well-known example of a block and its key.
        let key = Key::new(0x1334_5779_9BBC_DFF1);
        let block = key.apply(0x0123_4567_89AB_CDEF, false, 0);
        assert_eq!(block, 0x85E8_1354_0F0A_B405);
        assert_eq!(key.apply(block, true, 0), 0x0123_4567_89AB_CDEF);
    }

    #[test]
    fn hashes_of_crypt() {
        // glibc's, which MariaDB calls.
        assert_eq!(crypt(b"test", *b"aa").as_ref(), Some(b"aaqPiZY5xR5l."));
        assert_eq!(crypt(b"testtest123", *b"zz").as_ref(), Some(b"zzvJs9ir5keKY"));
        assert_eq!(crypt(b"a\0b", *b"zz").as_ref(), Some(b"zzJZ5PtvFqi9o"));
        assert_eq!(crypt(b"test", *b"a:"), None);
    }
}
