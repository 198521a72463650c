//! AES_ENCRYPT and AES_DECRYPT: AES with 128 bits, block by block (ECB), as MariaDB 10.11 has it.

use aes::Aes128;
use aes::cipher::{Block, BlockDecrypt, BlockEncrypt, KeyInit};

use super::{Call, Definition, Resolve, pure};
use crate::error::SqlResult;
use crate::types::{Derivation, FieldType};

pub(super) const LIST: &[Definition] =
    &[pure("aes_encrypt", 2, 2, encrypt_type, encrypt), pure("aes_decrypt", 2, 2, decrypt_type, decrypt)];

/// Bytes of a block, and of a key.
const BLOCK: usize = 16;

/// Blocks between two looks at whether the statement was killed.
const PART: usize = 4096;

fn encrypt_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    // there is always a padding
    let bytes = (argument_bytes(r) / BLOCK as u64 + 1) * BLOCK as u64;
    r.text(0)?;
    r.text(1)?;
    Ok(FieldType::string(bytes, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn decrypt_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let bytes = argument_bytes(r);
    r.text(0)?;
    r.text(1)?;
    Ok(FieldType::string(bytes, charset::binary(), Derivation::Coercible).with_nullable(true))
}

/// The bytes of the first argument: a number has one for each digit.
fn argument_bytes(r: &Resolve<'_>) -> u64 {
    r.args.first().map_or(0, |a| u64::from(if a.ty.is_string() { a.ty.length } else { a.ty.char_length() }))
}

/// The cipher of a key of any length: its bytes are folded into those of a block.
fn cipher(key: &[u8]) -> Aes128 {
    let mut folded = [0; BLOCK];
    for (n, b) in key.iter().enumerate() {
        folded[n % BLOCK] ^= b;
    }
    Aes128::new(&folded.into())
}

fn encrypt(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(text), Some(key)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    // as many bytes as are missing, each of which tells how many (PKCS 7)
    let padding = BLOCK - text.len() % BLOCK;
    if c.exceeds(text.len() + padding) {
        return c.too_long();
    }
    let cipher = cipher(key);
    let mut out = Vec::with_capacity(text.len() + padding);
    out.extend_from_slice(text);
    out.resize(text.len() + padding, padding as u8);
    for part in out.chunks_mut(PART * BLOCK) {
        c.ctx.check_killed()?;
        for block in part.chunks_exact_mut(BLOCK) {
            cipher.encrypt_block(Block::<Aes128>::from_mut_slice(block));
        }
    }
    c.put_bytes(&out)
}

/// NULL for what was not encrypted with this key.
fn decrypt(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Some(data), Some(key)) = (c.bytes(0), c.bytes(1)) else { return c.null() };
    if data.is_empty() || data.len() % BLOCK != 0 {
        return c.null();
    }
    let cipher = cipher(key);
    let mut out = data.to_vec();
    for part in out.chunks_mut(PART * BLOCK) {
        c.ctx.check_killed()?;
        for block in part.chunks_exact_mut(BLOCK) {
            cipher.decrypt_block(Block::<Aes128>::from_mut_slice(block));
        }
    }
    let padding = usize::from(out[out.len() - 1]);
    if padding == 0
        || padding > BLOCK
        || out[out.len() - padding..].iter().any(|b| usize::from(*b) != padding)
    {
        return c.null();
    }
    out.truncate(out.len() - padding);
    c.put_bytes(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Appendix B of FIPS 197.
    #[test]
    fn the_standard_example() {
        let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3cu128.to_be_bytes();
        let mut block = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734u128.to_be_bytes();
        cipher(&key).encrypt_block(Block::<Aes128>::from_mut_slice(&mut block));
        assert_eq!(u128::from_be_bytes(block), 0x3925_841d_02dc_09fb_dc11_8597_196a_0b32);
        // a key of two halves that are alike is one of zeros
        assert_eq!(
            {
                let mut b = [7; BLOCK];
                cipher(&[key, key].concat()).encrypt_block(Block::<Aes128>::from_mut_slice(&mut b));
                b
            },
            {
                let mut b = [7; BLOCK];
                cipher(b"").encrypt_block(Block::<Aes128>::from_mut_slice(&mut b));
                b
            }
        );
    }
}
