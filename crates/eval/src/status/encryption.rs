//! What the TLS of a connection and of the server looks like, and what SHOW STATUS (`Ssl_*`) tells of it.

use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::error::{self, SqlError, SqlResult};

/// The encryption of a connection. Names are those of OpenSSL, which accounts and clients know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encryption {
    /// `TLSv1.2` or `TLSv1.3`.
    pub version: String,
    /// The cipher suite.
    pub cipher: String,
    /// The client's certificate, which is verified.
    pub certificate: Option<ClientCertificate>,
}

/// Who a client's certificate names, in one line each: `/C=../CN=..`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientCertificate {
    /// Who has it.
    pub subject: String,
    /// Who signed it.
    pub issuer: String,
}

/// Reads the certificates anew (FLUSH SSL); the error is what is wrong with them.
pub type Reload = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// The server's side of TLS, as far as statements see it.
#[derive(Default)]
pub struct ServerEncryption {
    /// Handshakes begun.
    pub accepts: AtomicU64,
    /// Handshakes that ended well.
    pub finished: AtomicU64,
    facts: Mutex<Facts>,
}

#[derive(Default)]
struct Facts {
    valid: Option<(String, String)>,
    ciphers: String,
    asks_for_certificates: bool,
    reload: Option<Reload>,
}

impl ServerEncryption {
    /// Notes what the server offers: from when to when its certificate is valid, and the cipher suites by OpenSSL's names.
    pub fn offer(&self, valid: (String, String), ciphers: String, asks_for_certificates: bool) {
        let mut facts = self.facts.lock();
        facts.valid = Some(valid);
        facts.ciphers = ciphers;
        facts.asks_for_certificates = asks_for_certificates;
    }

    /// What FLUSH SSL calls.
    pub fn on_reload(&self, reload: Reload) {
        self.facts.lock().reload = Some(reload);
    }

    /// FLUSH SSL. The counters begin anew, as in MariaDB.
    ///
    /// # Errors
    /// 1105 with what is wrong with the certificates; those before stay in use.
    pub fn reload(&self) -> SqlResult<()> {
        let reload = self.facts.lock().reload.take();
        let Some(reload) = reload else { return Ok(()) };
        let result = reload();
        self.facts.lock().reload.get_or_insert(reload);
        result.map_err(|why| {
            SqlError::with_message(error::ER_UNKNOWN_ERROR, format!("Failed to refresh SSL, error: {why}"))
        })?;
        self.accepts.store(0, Ordering::Relaxed);
        self.finished.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// The value of a status variable `Ssl_...`, for a connection with this encryption; `None` when it is one of the others, which are 0 or
    /// empty.
    pub fn status(&self, name: &str, own: Option<&Encryption>) -> Option<String> {
        let facts = self.facts.lock();
        let (from, to) = facts.valid.as_ref()?;
        Some(match name {
            "Ssl_accepts" => self.accepts.load(Ordering::Relaxed).to_string(),
            "Ssl_finished_accepts" => self.finished.load(Ordering::Relaxed).to_string(),
            "Ssl_server_not_before" => from.clone(),
            "Ssl_server_not_after" => to.clone(),
            "Ssl_session_cache_mode" => "SERVER".into(),
            // SSL_VERIFY_PEER and SSL_VERIFY_CLIENT_ONCE.
            "Ssl_ctx_verify_mode" if facts.asks_for_certificates => "5".into(),
            "Ssl_verify_mode" if own.is_some() && facts.asks_for_certificates => "5".into(),
            "Ssl_cipher" => own?.cipher.clone(),
            "Ssl_version" => own?.version.clone(),
            "Ssl_cipher_list" if own.is_some() => facts.ciphers.clone(),
            _ => return None,
        })
    }
}
