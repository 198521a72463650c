//! Views: `.frm` files in text form.

use super::FrmError;

/// First line of a view's file.
pub(super) const SIGNATURE: &[u8] = b"TYPE=VIEW\n";

/// A view as its file has it. Texts are unescaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewDef {
    /// The SELECT in canonical form, in the character set of the client that created it.
    pub query: Vec<u8>,
    /// MD5 of `query`, 32 hex digits.
    pub md5: String,
    /// May be updated.
    pub updatable: bool,
    /// 0 UNDEFINED, 1 MERGE, 2 TEMPTABLE.
    pub algorithm: u8,
    /// User of the definer.
    pub definer_user: String,
    /// Host of the definer.
    pub definer_host: String,
    /// SQL SECURITY: 0 INVOKER, 1 DEFINER, 2 default.
    pub security: u8,
    /// WITH CHECK OPTION: 0 none, 1 LOCAL, 2 CASCADED.
    pub check_option: u8,
    /// Time of creation: microseconds since the epoch with 19 digits, or a date and time (old files).
    pub timestamp: String,
    /// Format version.
    pub create_version: u8,
    /// The SELECT as typed, in the character set of the client that created it.
    pub source: Vec<u8>,
    /// character_set_client at creation.
    pub client_charset: String,
    /// collation_connection at creation.
    pub connection_collation: String,
    /// The SELECT in UTF-8 for information_schema.
    pub body_utf8: String,
    /// Version of the MariaDB server, e.g. 101119; `None` in MySQL's files.
    pub mariadb_version: Option<u32>,
}

impl ViewDef {
    pub(super) fn read(bytes: &[u8]) -> Result<ViewDef, FrmError> {
        let mut view = ViewDef::default();
        let mut offset = SIGNATURE.len();
        for line in bytes[SIGNATURE.len()..].split(|&b| b == b'\n') {
            let corrupt = |what| FrmError::Corrupt { offset, what };
            let at = line.iter().position(|&b| b == b'=');
            if let Some(at) = at {
                let bytes =
                    unescape(&line[at + 1..]).ok_or_else(|| corrupt("an unknown escape in a view"))?;
                let value = String::from_utf8_lossy(&bytes).into_owned();
                let number = || value.parse::<u32>().map_err(|_| corrupt("not a number in a view"));
                let small = || number().map(|n| n.min(255) as u8);
                match &line[..at] {
                    b"query" => view.query = bytes,
                    b"md5" => view.md5 = value,
                    b"updatable" => view.updatable = number()? != 0,
                    b"algorithm" => view.algorithm = small()?,
                    b"definer_user" => view.definer_user = value,
                    b"definer_host" => view.definer_host = value,
                    b"suid" => view.security = small()?,
                    b"with_check_option" => view.check_option = small()?,
                    b"timestamp" => view.timestamp = value,
                    b"create-version" => view.create_version = small()?,
                    b"source" => view.source = bytes,
                    b"client_cs_name" => view.client_charset = value,
                    b"connection_cl_name" => view.connection_collation = value,
                    b"view_body_utf8" => view.body_utf8 = value,
                    b"mariadb-version" => view.mariadb_version = Some(number()?),
                    _ => {}
                }
            } else if !line.is_empty() {
                return Err(corrupt("a line without '=' in a view"));
            }
            offset += line.len() + 1;
        }
        if view.query.is_empty() {
            return Err(FrmError::Corrupt { offset: 0, what: "a view without query" });
        }
        Ok(view)
    }

    /// The view's `.frm` file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut out = SIGNATURE.to_vec();
        let mut line = |name: &str, value: &dyn AsRef<[u8]>| {
            out.extend_from_slice(name.as_bytes());
            out.push(b'=');
            escape(value.as_ref(), &mut out);
            out.push(b'\n');
        };
        line("query", &self.query);
        line("md5", &self.md5);
        line("updatable", &u8::from(self.updatable).to_string());
        line("algorithm", &self.algorithm.to_string());
        line("definer_user", &self.definer_user);
        line("definer_host", &self.definer_host);
        line("suid", &self.security.to_string());
        line("with_check_option", &self.check_option.to_string());
        line("timestamp", &self.timestamp);
        line("create-version", &self.create_version.to_string());
        line("source", &self.source);
        line("client_cs_name", &self.client_charset);
        line("connection_cl_name", &self.connection_collation);
        line("view_body_utf8", &self.body_utf8);
        if let Some(version) = self.mariadb_version {
            line("mariadb-version", &version.to_string());
        }
        out
    }
}

pub(crate) fn unescape(value: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match bytes.next()? {
            b'\\' => b'\\',
            b'n' => b'\n',
            b'0' => 0,
            b'z' => 26,
            b'\'' => b'\'',
            _ => return None,
        });
    }
    Some(out)
}

pub(crate) fn escape(value: &[u8], out: &mut Vec<u8>) {
    for &byte in value {
        match byte {
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            0 => out.extend_from_slice(b"\\0"),
            26 => out.extend_from_slice(b"\\z"),
            b'\'' => out.extend_from_slice(b"\\'"),
            _ => out.push(byte),
        }
    }
}
