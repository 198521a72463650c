//! TLS upon a socket.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use rustls::{CipherSuite, ProtocolVersion, ServerConfig, ServerConnection};
use sql::status::encryption::{ClientCertificate, Encryption};

use super::Socket;

/// Plain bytes encrypted and sent at a time.
const PART: usize = 64 * 1024;

/// The state of an encrypted connection. The connection's own thread uses it; others only shut the socket down, which needs no lock.
pub struct TlsSession(Mutex<ServerConnection>);

impl fmt::Debug for TlsSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TlsSession").finish()
    }
}

/// A socket as `rustls` takes it.
struct Through<'s>(&'s Socket);

impl Read for Through<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.recv(buffer)
    }
}

impl Write for Through<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TlsSession {
    /// The server's side of a handshake.
    pub(super) fn accept(
        socket: &Socket,
        config: Arc<ServerConfig>,
        mut early: &[u8],
        deadline: Instant,
    ) -> io::Result<(Self, Encryption)> {
        let mut connection = ServerConnection::new(config).map_err(io::Error::other)?;
        while connection.is_handshaking() {
            while connection.wants_write() {
                connection.write_tls(&mut Through(socket))?;
            }
            if !connection.is_handshaking() {
                break;
            }
            if early.is_empty() {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                socket.set_read_timeout(Some(left))?;
                if connection.read_tls(&mut Through(socket))? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            } else {
                connection.read_tls(&mut early)?;
            }
            process(&mut connection, socket)?;
        }
        // What came with the end of the handshake.
        while !early.is_empty() {
            connection.read_tls(&mut early)?;
            process(&mut connection, socket)?;
        }
        while connection.wants_write() {
            connection.write_tls(&mut Through(socket))?;
        }
        let encryption = describe(&connection)?;
        Ok((Self(Mutex::new(connection)), encryption))
    }

    pub(super) fn recv(&self, socket: &Socket, buffer: &mut [u8]) -> io::Result<usize> {
        let mut connection = self.0.lock();
        match connection.reader().read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
            // The client went without a good-bye, as many do.
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(0),
            other => return other,
        }
        connection.read_tls(&mut Through(socket))?;
        process(&mut connection, socket)?;
        match connection.reader().read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Err(io::ErrorKind::Interrupted.into()),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
            other => other,
        }
    }

    pub(super) fn send(&self, socket: &Socket, bytes: &[u8]) -> io::Result<()> {
        let mut connection = self.0.lock();
        for part in bytes.chunks(PART) {
            connection.writer().write_all(part)?;
            while connection.wants_write() {
                connection.write_tls(&mut Through(socket))?;
            }
        }
        Ok(())
    }

    /// Tells the client of the end, when it still takes it.
    pub(super) fn close(&self, socket: &Socket) {
        if let Some(mut connection) = self.0.try_lock() {
            connection.send_close_notify();
            let _ = connection.write_tls(&mut Through(socket));
        }
    }
}

/// Works on what was received; tells the client what is wrong with it.
fn process(connection: &mut ServerConnection, socket: &Socket) -> io::Result<()> {
    let result = connection.process_new_packets();
    while connection.wants_write() {
        connection.write_tls(&mut Through(socket))?;
    }
    result.map(drop).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

fn describe(connection: &ServerConnection) -> io::Result<Encryption> {
    let version = match connection.protocol_version() {
        Some(ProtocolVersion::TLSv1_2) => "TLSv1.2",
        _ => "TLSv1.3",
    };
    let suite = connection.negotiated_cipher_suite().map(|s| s.suite());
    let certificate = match connection.peer_certificates().and_then(|chain| chain.first()) {
        Some(der) => Some(names(der)?),
        None => None,
    };
    let cipher = suite.map(cipher_name).unwrap_or_default();
    Ok(Encryption { version: version.into(), cipher, certificate })
}

/// OpenSSL's name of a cipher suite, which accounts and SHOW STATUS use.
pub(crate) fn cipher_name(suite: CipherSuite) -> String {
    let name = suite.as_str().unwrap_or_default();
    match name.strip_prefix("TLS13_") {
        Some(rest) => format!("TLS_{rest}"),
        None => {
            name.trim_start_matches("TLS_")
                .trim_end_matches("_SHA256")
                .replace("CHACHA20_POLY1305", "CHACHA20-POLY1305")
                .replace("WITH_", "")
                .replace("AES_", "AES")
                .replace('_', "-")
                + if name.ends_with("GCM_SHA256") { "-SHA256" } else { "" }
        }
    }
}

/// Subject and issuer in one line each.
fn names(der: &[u8]) -> io::Result<ClientCertificate> {
    let (_, certificate) = x509_parser::parse_x509_certificate(der)
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?;
    Ok(ClientCertificate { subject: one_line(certificate.subject()), issuer: one_line(certificate.issuer()) })
}

/// A name as `/C=DE/O=Org/CN=me`: OpenSSL's form, which accounts use. `/` and `+` are escaped, as are bytes that are not printable.
fn one_line(name: &x509_parser::x509::X509Name<'_>) -> String {
    let mut line = String::new();
    for attribute in name.iter_attributes() {
        let oid = attribute.attr_type();
        let short = match oid.to_id_string().as_str() {
            "2.5.4.3" => "CN".to_owned(),
            "2.5.4.4" => "SN".to_owned(),
            "2.5.4.5" => "serialNumber".to_owned(),
            "2.5.4.6" => "C".to_owned(),
            "2.5.4.7" => "L".to_owned(),
            "2.5.4.8" => "ST".to_owned(),
            "2.5.4.9" => "street".to_owned(),
            "2.5.4.10" => "O".to_owned(),
            "2.5.4.11" => "OU".to_owned(),
            "2.5.4.12" => "title".to_owned(),
            "2.5.4.42" => "GN".to_owned(),
            "1.2.840.113549.1.9.1" => "emailAddress".to_owned(),
            "0.9.2342.19200300.100.1.1" => "UID".to_owned(),
            "0.9.2342.19200300.100.1.25" => "DC".to_owned(),
            other => other.to_owned(),
        };
        line.push('/');
        line.push_str(&short);
        line.push('=');
        for &byte in attribute.attr_value().data {
            match byte {
                b'/' | b'+' => line.extend(['\\', char::from(byte)]),
                b' '..=b'~' => line.push(char::from(byte)),
                _ => line.push_str(&format!("\\x{byte:02X}")),
            }
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_have_the_names_of_openssl() {
        for (suite, name) in [
            (CipherSuite::TLS13_AES_256_GCM_SHA384, "TLS_AES_256_GCM_SHA384"),
            (CipherSuite::TLS13_CHACHA20_POLY1305_SHA256, "TLS_CHACHA20_POLY1305_SHA256"),
            (CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, "ECDHE-ECDSA-AES128-GCM-SHA256"),
            (CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, "ECDHE-RSA-AES256-GCM-SHA384"),
            (CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, "ECDHE-RSA-CHACHA20-POLY1305"),
        ] {
            assert_eq!(cipher_name(suite), name);
        }
    }
}
