//! Greeting, login request, auth switch.

use crate::auth::{HASH, NATIVE_PASSWORD, Scramble};
use crate::protocol::{capability, extended};
use crate::wire::{Fields, Malformed, put_lenenc};

/// The first packet of a connection, sent by the server.
#[derive(Debug, Clone)]
pub struct Greeting<'a> {
    /// As `VERSION()` gives it; sent with the prefix `5.5.5-`, as MariaDB 10 does, so that clients take its dialect.
    pub version: &'a str,
    /// CONNECTION_ID().
    pub connection_id: u32,
    /// For the password.
    pub scramble: Scramble,
    /// What the server can, see [`capability`].
    pub capabilities: u32,
    /// The server's default collation; its low byte is sent.
    pub collation: u16,
    /// Status flags.
    pub status: u16,
}

impl Greeting<'_> {
    /// Appends the payload.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let capabilities = self.capabilities.to_le_bytes();
        out.push(10);
        out.extend_from_slice(b"5.5.5-");
        out.extend_from_slice(self.version.as_bytes());
        out.push(0);
        out.extend_from_slice(&self.connection_id.to_le_bytes());
        out.extend_from_slice(&self.scramble[..8]);
        out.push(0);
        out.extend_from_slice(&capabilities[..2]);
        out.push(self.collation as u8);
        out.extend_from_slice(&self.status.to_le_bytes());
        out.extend_from_slice(&capabilities[2..]);
        out.push(HASH as u8 + 1);
        out.extend_from_slice(&[0; 6]);
        out.extend_from_slice(&extended::OFFERED.to_le_bytes());
        out.extend_from_slice(&self.scramble[8..]);
        out.push(0);
        out.extend_from_slice(NATIVE_PASSWORD.as_bytes());
        out.push(0);
    }
}

/// The client's answer to the greeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginRequest<'a> {
    /// Capabilities both sides have.
    pub capabilities: u32,
    /// MariaDB's extended capabilities both sides have.
    pub extended: u32,
    /// The largest packet the client takes; 0 = not said.
    pub max_packet: u32,
    /// Collation id: sets character_set_client, _connection and _results.
    pub collation: u16,
    /// User name, in the client's character set.
    pub user: &'a [u8],
    /// Answer to the scramble.
    pub auth: &'a [u8],
    /// Default database, in the client's character set; empty = none.
    pub database: &'a [u8],
    /// Authentication plugin the answer was made for; empty = not said.
    pub plugin: &'a [u8],
    /// Connection attributes, still encoded.
    pub attributes: &'a [u8],
}

impl<'a> LoginRequest<'a> {
    /// Parses the payload. A request that ends early, but behind the fixed part, is taken as far as it goes, as MariaDB does.
    ///
    /// # Errors
    /// [`Malformed`] when it is not a request of protocol 4.1, or a length points outside it: answer 1043 and close.
    pub fn parse(payload: &'a [u8]) -> Result<Self, Malformed> {
        let mut fields = Fields::new(payload);
        let requested = fields.u32()?;
        if requested & capability::PROTOCOL_41 == 0 {
            return Err(Malformed);
        }
        let capabilities = requested & capability::OFFERED;
        let max_packet = fields.u32()?;
        let collation = u16::from(fields.u8()?);
        fields.bytes(19)?;
        let extended = fields.u32()?;
        // MySQL clients leave these bytes zero; one that sets LONG_PASSWORD has given them no meaning.
        let extended =
            if requested & capability::LONG_PASSWORD == 0 { extended & extended::OFFERED } else { 0 };
        let user = fields.nul_bytes()?;
        let auth = if fields.is_empty() {
            &[]
        } else if capabilities & capability::PLUGIN_AUTH_LENENC != 0 {
            fields.lenenc_bytes()?
        } else if capabilities & capability::SECURE_CONNECTION != 0 {
            let length = fields.u8()?;
            fields.bytes(usize::from(length))?
        } else {
            fields.nul_bytes_or_rest()
        };
        let database =
            if capabilities & capability::CONNECT_WITH_DB != 0 { fields.nul_bytes_or_rest() } else { &[] };
        let plugin =
            if capabilities & capability::PLUGIN_AUTH != 0 { fields.nul_bytes_or_rest() } else { &[] };
        let attributes = if capabilities & capability::CONNECT_ATTRS != 0 && !fields.is_empty() {
            fields.lenenc_bytes()?
        } else {
            &[]
        };
        Ok(Self { capabilities, extended, max_packet, collation, user, auth, database, plugin, attributes })
    }

    /// Appends the payload a client would send; for tests and tools.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.capabilities.to_le_bytes());
        out.extend_from_slice(&self.max_packet.to_le_bytes());
        out.push(self.collation as u8);
        out.extend_from_slice(&[0; 19]);
        out.extend_from_slice(&self.extended.to_le_bytes());
        out.extend_from_slice(self.user);
        out.push(0);
        if self.capabilities & capability::PLUGIN_AUTH_LENENC != 0 {
            put_lenenc(out, self.auth.len() as u64);
        } else {
            out.push(self.auth.len() as u8);
        }
        out.extend_from_slice(self.auth);
        if self.capabilities & capability::CONNECT_WITH_DB != 0 {
            out.extend_from_slice(self.database);
            out.push(0);
        }
        if self.capabilities & capability::PLUGIN_AUTH != 0 {
            out.extend_from_slice(self.plugin);
            out.push(0);
        }
        if self.capabilities & capability::CONNECT_ATTRS != 0 {
            put_lenenc(out, self.attributes.len() as u64);
            out.extend_from_slice(self.attributes);
        }
    }
}

/// COM_CHANGE_USER without its command byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeUser<'a> {
    /// User name.
    pub user: &'a [u8],
    /// Answer to the scramble of the greeting.
    pub auth: &'a [u8],
    /// New default database; empty = none.
    pub database: &'a [u8],
    /// Collation id, when the client sent one.
    pub collation: Option<u16>,
    /// Authentication plugin; empty = not said.
    pub plugin: &'a [u8],
}

impl<'a> ChangeUser<'a> {
    /// Parses the payload behind the command byte.
    ///
    /// # Errors
    /// [`Malformed`]: answer 1047, as MariaDB does.
    pub fn parse(payload: &'a [u8], capabilities: u32) -> Result<Self, Malformed> {
        let mut fields = Fields::new(payload);
        let user = fields.nul_bytes()?;
        let auth = if capabilities & capability::SECURE_CONNECTION != 0 {
            let length = fields.u8()?;
            fields.bytes(usize::from(length))?
        } else {
            fields.nul_bytes()?
        };
        let database = fields.nul_bytes_or_rest();
        let collation = fields.u16().ok();
        let plugin =
            if capabilities & capability::PLUGIN_AUTH != 0 { fields.nul_bytes_or_rest() } else { &[] };
        Ok(Self { user, auth, database, collation, plugin })
    }
}

/// Bytes of a request for TLS, which is the fixed part of a login request.
const SSL_REQUEST: usize = 32;

/// Whether a login request is one for TLS: the real one follows when it is there.
#[must_use]
pub fn is_ssl_request(payload: &[u8]) -> bool {
    payload.len() == SSL_REQUEST && payload[1] & (capability::SSL >> 8) as u8 != 0
}

/// Appends the payload that asks the client to answer with another plugin. `terminated`: a zero ends the scramble, as
/// `mysql_native_password` has it.
pub fn put_auth_switch(out: &mut Vec<u8>, plugin: &str, scramble: &[u8], terminated: bool) {
    out.push(0xfe);
    out.extend_from_slice(plugin.as_bytes());
    out.push(0);
    out.extend_from_slice(scramble);
    if terminated {
        out.push(0);
    }
}

/// A greeting as a client reads it; for tests and tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedGreeting {
    /// The version string as sent.
    pub version: String,
    /// CONNECTION_ID().
    pub connection_id: u32,
    /// For the password.
    pub scramble: [u8; HASH],
    /// The server's capabilities.
    pub capabilities: u32,
    /// Its extended capabilities.
    pub extended: u32,
}

impl ReceivedGreeting {
    /// Parses a greeting.
    ///
    /// # Errors
    /// [`Malformed`] when it is none of protocol 10.
    pub fn parse(payload: &[u8]) -> Result<Self, Malformed> {
        let mut fields = Fields::new(payload);
        if fields.u8()? != 10 {
            return Err(Malformed);
        }
        let version = String::from_utf8_lossy(fields.nul_bytes()?).into_owned();
        let connection_id = fields.u32()?;
        let mut scramble = [0; HASH];
        scramble[..8].copy_from_slice(fields.bytes(8)?);
        fields.u8()?;
        let low = fields.u16()?;
        fields.bytes(3)?;
        let high = fields.u16()?;
        fields.bytes(7)?;
        let extended = fields.u32()?;
        scramble[8..].copy_from_slice(fields.bytes(12)?);
        Ok(Self {
            version,
            connection_id,
            scramble,
            capabilities: u32::from(low) | u32::from(high) << 16,
            extended,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greeting_has_the_observed_layout() {
        let mut out = Vec::new();
        let greeting = Greeting {
            version: "10.11.19-MariaDB-0+deb12u1",
            connection_id: 5,
            scramble: *b"!<KFZtZE*AJ-DL4\\TnP%",
            capabilities: capability::OFFERED,
            collation: 8,
            status: 2,
        };
        greeting.encode(&mut out);
        // As MariaDB 10.11.19 sends it, but for the capabilities.
        let mut observed = b"\x0a5.5.5-10.11.19-MariaDB-0+deb12u1\0\x05\0\0\0!<KFZtZE\0".to_vec();
        observed.extend_from_slice(
            b"\xfe\xf7\x08\x02\0\xff\x81\x15\0\0\0\0\0\0\x1c\0\0\0*AJ-DL4\\TnP%\0mysql_native_password\0",
        );
        assert_eq!(out, observed);
        let read = ReceivedGreeting::parse(&out).expect("greeting");
        assert_eq!((read.scramble, read.capabilities), (greeting.scramble, capability::OFFERED));
    }

    #[test]
    fn sysbench_login_parses() {
        let mut packet =
            b"\x8c\xa2\xbf\0\0\0\x10\0\x2d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x1d\0\0\0root\0\0sbtest\0"
                .to_vec();
        packet.extend_from_slice(b"mysql_native_password\0\x0a\x03_os\x05Linux");
        let login = LoginRequest::parse(&packet).expect("login");
        assert_eq!((login.user, login.database, login.auth), (&b"root"[..], &b"sbtest"[..], &b""[..]));
        assert_eq!(login.plugin, NATIVE_PASSWORD.as_bytes());
        assert_eq!((login.collation, login.max_packet, login.extended), (45, 1 << 20, 0x1c));
        assert_eq!(login.attributes, b"\x03_os\x05Linux");
    }

    proptest::proptest! {
        #[test]
        fn any_login_is_parsed_or_refused(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..120), caps: u32) {
            let _ = LoginRequest::parse(&bytes);
            let _ = ChangeUser::parse(&bytes, caps);
            let _ = ReceivedGreeting::parse(&bytes);
            let mut framed = (caps | capability::PROTOCOL_41).to_le_bytes().to_vec();
            framed.extend_from_slice(&[0; 28]);
            framed.extend_from_slice(&bytes);
            let _ = LoginRequest::parse(&framed);
        }

        #[test]
        fn logins_come_back(user in "[a-z]{0,20}", database in "[a-z]{1,20}", auth in proptest::collection::vec(proptest::num::u8::ANY, 0..250)) {
            let login = LoginRequest {
                capabilities: capability::OFFERED, extended: extended::OFFERED, max_packet: 7, collation: 33,
                user: user.as_bytes(), auth: &auth, database: database.as_bytes(), plugin: b"x", attributes: b"\x01a\x01b",
            };
            let mut out = Vec::new();
            login.encode(&mut out);
            proptest::prop_assert_eq!(LoginRequest::parse(&out), Ok(login));
        }
    }
}
