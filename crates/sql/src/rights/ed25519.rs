//! The plugin `ed25519`: the server keeps a public key, the client signs a scramble.
//!
//! The secret key is SHA-512 of the password, used as other implementations use SHA-512 of a seed: what is kept and what is signed are
//! those of the ordinary scheme. The key's text is base64 without padding, 43 characters.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ed25519_dalek::hazmat::ExpandedSecretKey;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha512};

/// The plugin's name in accounts.
pub const PLUGIN: &str = "ed25519";

/// What clients call theirs.
pub const CLIENT_PLUGIN: &str = "client_ed25519";

/// Characters of a key's text.
pub const LENGTH: usize = 43;

/// The text that is kept of a password.
#[must_use]
pub fn stored(password: &[u8]) -> String {
    let hash: [u8; 64] = Sha512::digest(password).into();
    let key = VerifyingKey::from(&ExpandedSecretKey::from_bytes(&hash));
    STANDARD_NO_PAD.encode(key.as_bytes())
}

/// Whether a text is as long as that of a key: what MariaDB asks of it.
#[must_use]
pub fn is_stored(text: &[u8]) -> bool {
    text.len() == LENGTH
}

/// Whether `signature` proves the password behind `stored`.
#[must_use]
pub fn check(stored: &str, scramble: &[u8], signature: &[u8]) -> bool {
    let key = STANDARD_NO_PAD.decode(stored).ok().and_then(|bytes| VerifyingKey::try_from(&bytes[..]).ok());
    match (key, Signature::from_slice(signature)) {
        (Some(key), Ok(signature)) => key.verify_strict(scramble, &signature).is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::hazmat::raw_sign;

    #[test]
    fn keys_are_those_of_mariadb() {
        // CREATE USER ... IDENTIFIED VIA ed25519 USING PASSWORD('secret'); SHOW CREATE USER.
        assert_eq!(stored(b"secret"), "ZIgUREUg5PVgQ6LskhXmO+eZLS0nC8be6HPjYWR4YJY");
    }

    #[test]
    fn only_the_password_signs() {
        let scramble = [7; 32];
        let sign = |password: &[u8]| {
            let hash: [u8; 64] = Sha512::digest(password).into();
            let secret = ExpandedSecretKey::from_bytes(&hash);
            let key = VerifyingKey::from(&secret);
            raw_sign::<Sha512>(&secret, &scramble, &key).to_bytes()
        };
        let kept = stored(b"p");
        assert!(is_stored(kept.as_bytes()));
        assert!(check(&kept, &scramble, &sign(b"p")));
        assert!(!check(&kept, &scramble, &sign(b"q")));
        assert!(!check(&kept, &[8; 32], &sign(b"p")));
        assert!(
            !check(&kept, &scramble, b"")
                && !check("", &scramble, &sign(b""))
                && !check("%", &scramble, &[0; 64])
        );
    }
}
