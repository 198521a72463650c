//! The server's certificate: the one that is named, else one of its own, made at the first start.
//!
//! Its own lies in the data directory: `server-cert.pem` and `server-key.pem`, and `ca.pem`, which signed it, for clients that verify. The
//! key of `ca.pem` is thrown away at once: nobody can sign another one with it.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::RwLock;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose,
};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion, version};
use sql::Engine;

use crate::stream::tls::cipher_name;

/// How long a certificate of our own is valid: ten years.
const VALID: Duration = Duration::from_secs(3652 * 86_400);

/// Clocks that go slow by less than this accept a new one.
const TOLERANCE: Duration = Duration::from_secs(86_400);

/// What TLS is made of, as the variables name it.
#[derive(Debug, Clone)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
    /// Who signs clients' certificates; none: they are not asked for.
    authorities: Option<PathBuf>,
    authorities_folder: Option<PathBuf>,
    revoked: Option<PathBuf>,
    ciphers: String,
    versions: String,
}

/// TLS as it is configured now.
pub(crate) struct Certificates {
    files: Files,
    current: RwLock<Arc<ServerConfig>>,
}

impl Certificates {
    /// Reads the certificates that the variables name, or those in the data directory, which are made when there are none.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn open(engine: &Arc<Engine>) -> Result<Arc<Self>, String> {
        let files = files(engine)?;
        let (config, offer) = load(&files)?;
        let certificates = Arc::new(Self { files, current: RwLock::new(config) });
        offer.tell(engine, &certificates.files);
        let (own, told) = (Arc::clone(&certificates), Arc::downgrade(engine));
        engine.encryption.on_reload(Box::new(move || {
            let (config, offer) = load(&own.files)?;
            *own.current.write() = config;
            if let Some(engine) = told.upgrade() {
                offer.tell(&engine, &own.files);
            }
            Ok(())
        }));
        Ok(certificates)
    }

    /// What a handshake that begins now is made with.
    pub fn current(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.current.read())
    }
}

/// What SHOW STATUS and the variables tell.
struct Offer {
    valid: (String, String),
    ciphers: String,
    asks_for_certificates: bool,
}

impl Offer {
    fn tell(self, engine: &Engine, files: &Files) {
        let text = |path: &Path| path.display().to_string();
        engine.tell_encryption(&[
            ("have_ssl", "YES"),
            ("ssl_cert", &text(&files.certificate)),
            ("ssl_key", &text(&files.key)),
        ]);
        engine.encryption.offer(self.valid, self.ciphers, self.asks_for_certificates);
    }
}

fn files(engine: &Engine) -> Result<Files, String> {
    let named = |name| Some(engine.variable_text(name)).filter(|t| !t.is_empty()).map(PathBuf::from);
    let (certificate, key) = match (named("ssl_cert"), named("ssl_key")) {
        (Some(certificate), Some(key)) => (certificate, key),
        (None, None) => own(engine)?,
        _ => return Err("ssl_cert and ssl_key belong together".into()),
    };
    Ok(Files {
        certificate,
        key,
        authorities: named("ssl_ca"),
        authorities_folder: named("ssl_capath"),
        revoked: named("ssl_crl"),
        ciphers: engine.variable_text("ssl_cipher"),
        versions: engine.variable_text("tls_version"),
    })
}

/// The server's own certificate, made when there is none.
fn own(engine: &Engine) -> Result<(PathBuf, PathBuf), String> {
    let file = |name| engine.datadir().join(name);
    let (certificate, key) = (file("server-cert.pem"), file("server-key.pem"));
    if !certificate.exists() || !key.exists() {
        let made = make(&engine.variable_text("hostname")).map_err(|e| e.to_string())?;
        for (path, text, mode) in [
            (&file("ca.pem"), &made.authority, 0o644),
            (&key, &made.key, 0o600),
            (&certificate, &made.certificate, 0o644),
        ] {
            put(path, text, mode).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        tracing::info!("made a certificate for TLS: {}", certificate.display());
    }
    Ok((certificate, key))
}

/// A new file, whole or not there.
fn put(path: &Path, text: &str, mode: u32) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let _ = fs::remove_file(&beside);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

struct Made {
    authority: String,
    certificate: String,
    key: String,
}

fn make(hostname: &str) -> Result<Made, rcgen::Error> {
    let now = SystemTime::UNIX_EPOCH + schema::clock::now();
    let params = |names: Vec<String>, title: &str| {
        let mut params = CertificateParams::new(names)?;
        params.not_before = (now - TOLERANCE).into();
        params.not_after = (now + VALID).into();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, title);
        Ok::<_, rcgen::Error>(params)
    };
    let mut authority = params(Vec::new(), "Isambard: authority of one server")?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let authority_key = KeyPair::generate()?;
    let authority_certificate = authority.self_signed(&authority_key)?;
    let issuer = Issuer::new(authority, authority_key);

    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    if !hostname.is_empty() && hostname != "localhost" {
        names.push(hostname.to_owned());
    }
    let mut server = params(names, "localhost")?;
    server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    server.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    let certificate = server.signed_by(&key, &issuer)?;
    Ok(Made {
        authority: authority_certificate.pem(),
        certificate: certificate.pem(),
        key: key.serialize_pem(),
    })
}

fn load(files: &Files) -> Result<(Arc<ServerConfig>, Offer), String> {
    let chain = certificates_of(&files.certificate)?;
    let Some(first) = chain.first() else {
        return Err(format!("no certificate in {}", files.certificate.display()));
    };
    let valid = validity(first)?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|e| format!("no private key in {}: {e}", files.key.display()))?;
    let provider = Arc::new(provider(&files.ciphers)?);
    let names: Vec<String> = provider.cipher_suites.iter().map(|s| cipher_name(s.suite())).collect();
    let verifier = verifier(files, &provider)?;
    let asks_for_certificates = files.authorities.is_some() || files.authorities_folder.is_some();
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&versions(&files.versions)?)
        .map_err(|e| e.to_string())?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)
        .map_err(|e| e.to_string())?;
    Ok((Arc::new(config), Offer { valid, ciphers: names.join(":"), asks_for_certificates }))
}

fn certificates_of(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let wrong = |e: rustls::pki_types::pem::Error| format!("{}: {e}", path.display());
    CertificateDer::pem_file_iter(path).map_err(wrong)?.collect::<Result<_, _>>().map_err(wrong)
}

/// `tls_version`; what is older than 1.2 is not there, so that naming it beside others changes nothing.
fn versions(list: &str) -> Result<Vec<&'static SupportedProtocolVersion>, String> {
    let named = |v: &str| list.split(',').any(|one| one.trim() == v);
    let all = [("TLSv1.3", &version::TLS13), ("TLSv1.2", &version::TLS12)];
    let versions: Vec<_> = all.into_iter().filter(|(name, _)| named(name)).map(|(_, v)| v).collect();
    if versions.is_empty() { Err(format!("tls_version: {list} is not supported")) } else { Ok(versions) }
}

/// `ssl_cipher`, names of OpenSSL with colons between them: which suites of TLS 1.2 there are. Those of 1.3 stay.
fn provider(list: &str) -> Result<CryptoProvider, String> {
    let mut provider = ring::default_provider();
    if list.is_empty() {
        return Ok(provider);
    }
    let named = |name: &str| list.split(':').any(|one| one == name);
    let before = provider.cipher_suites.len();
    let is_new = |name: &str| name.starts_with("TLS_");
    let new = provider.cipher_suites.iter().filter(|s| is_new(&cipher_name(s.suite()))).count();
    provider.cipher_suites.retain(|suite| {
        let name = cipher_name(suite.suite());
        is_new(&name) || named(&name)
    });
    if provider.cipher_suites.len() == new && before > new {
        return Err(format!("ssl_cipher: none of {list} is there"));
    }
    Ok(provider)
}

/// Clients may have a certificate, and it has to be one of the named authorities then.
fn verifier(files: &Files, provider: &Arc<CryptoProvider>) -> Result<Arc<dyn ClientCertVerifier>, String> {
    let mut paths: Vec<PathBuf> = files.authorities.iter().cloned().collect();
    if let Some(folder) = &files.authorities_folder {
        let wrong = |e: std::io::Error| format!("ssl_capath {}: {e}", folder.display());
        for entry in fs::read_dir(folder).map_err(wrong)? {
            paths.push(entry.map_err(wrong)?.path());
        }
        paths.retain(|path| path.is_file());
    }
    if paths.is_empty() {
        return Ok(WebPkiClientVerifier::no_client_auth());
    }
    let mut roots = RootCertStore::empty();
    for path in &paths {
        for certificate in certificates_of(path)? {
            roots.add(certificate).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    let mut builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .allow_unauthenticated();
    if let Some(path) = &files.revoked {
        let wrong = |e: rustls::pki_types::pem::Error| format!("ssl_crl {}: {e}", path.display());
        let lists: Result<Vec<_>, _> =
            CertificateRevocationListDer::pem_file_iter(path).map_err(wrong)?.collect();
        builder = builder.with_crls(lists.map_err(wrong)?);
    }
    builder.build().map(|v| v as Arc<dyn ClientCertVerifier>).map_err(|e| format!("ssl_ca: {e}"))
}

/// From when to when a certificate is valid, as SHOW STATUS tells it: `Nov  6 18:02:22 2026 GMT`.
fn validity(der: &CertificateDer<'_>) -> Result<(String, String), String> {
    let (_, certificate) = x509_parser::parse_x509_certificate(der).map_err(|e| e.to_string())?;
    let text = |time: x509_parser::time::ASN1Time| {
        let t = time.to_datetime();
        let month = t.month().to_string();
        format!(
            "{} {:2} {:02}:{:02}:{:02} {} GMT",
            month.get(..3).unwrap_or_default(),
            t.day(),
            t.hour(),
            t.minute(),
            t.second(),
            t.year()
        )
    };
    let validity = certificate.validity();
    Ok((text(validity.not_before), text(validity.not_after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_can_be_loaded() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = make("example").expect("certificates");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            put(&path, text, 0o600).expect("a file");
            path
        };
        let files = Files {
            certificate: file("c", &made.certificate),
            key: file("k", &made.key),
            authorities: Some(file("a", &made.authority)),
            authorities_folder: None,
            revoked: None,
            ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256".into(),
            versions: "TLSv1.2,TLSv1.3".into(),
        };
        let (_, offer) = load(&files).expect("TLS");
        assert!(offer.asks_for_certificates && offer.valid.1.ends_with(" GMT"));
        assert_eq!(offer.ciphers.matches("ECDHE").count(), 1);
        for wrong in [
            Files { ciphers: "HIGH".into(), ..files.clone() },
            Files { versions: "TLSv1.0".into(), ..files.clone() },
            Files { key: files.certificate.clone(), ..files.clone() },
            Files { certificate: files.key.clone(), ..files.clone() },
            Files { certificate: files.authorities.clone().expect("a file"), ..files.clone() },
            Files { authorities: Some("/nowhere".into()), ..files.clone() },
        ] {
            assert!(load(&wrong).is_err(), "{wrong:?}");
        }
    }
}
