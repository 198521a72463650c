//! `db.opt`: the options of a database, one text file in its directory.

use charset::{Charset, Collation};

/// Name of the file.
pub const FILE_NAME: &str = "db.opt";

/// Options of a database.
#[derive(Clone, Debug)]
pub struct DatabaseOptions {
    /// Default collation of tables.
    pub collation: &'static Collation,
    /// Comment.
    pub comment: String,
}

impl DatabaseOptions {
    /// Options with a collation and no comment.
    #[must_use]
    pub fn new(collation: &'static Collation) -> DatabaseOptions {
        DatabaseOptions { collation, comment: String::new() }
    }
}

/// Reads the file's text; what is missing or unknown comes from `server`, the
/// server's default collation.
#[must_use]
pub fn read(bytes: &[u8], server: &'static Collation) -> DatabaseOptions {
    let mut options = DatabaseOptions::new(server);
    for line in bytes.split(|&b| b == b'\n') {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end_matches(|c: char| c == ' ' || c.is_ascii_control());
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        match key {
            "default-character-set" => {
                // 4.1.0 wrote the collation here.
                let found = Charset::by_name(value)
                    .map(Charset::default_collation)
                    .or_else(|| Collation::by_name(value));
                match found {
                    Some(collation) => options.collation = collation,
                    None => tracing::error!("db.opt: unknown character set '{value}'"),
                }
            }
            "default-collation" => match Collation::by_name(value) {
                Some(collation) => options.collation = collation,
                None => tracing::error!("db.opt: unknown collation '{value}'"),
            },
            "comment" => options.comment = value.to_owned(),
            _ => {}
        }
    }
    options
}

/// The file's text.
#[must_use]
pub fn write(options: &DatabaseOptions) -> Vec<u8> {
    let mut out = format!(
        "default-character-set={}\ndefault-collation={}\n",
        options.collation.charset.name, options.collation.name
    );
    if !options.comment.is_empty() {
        out.push_str("comment=");
        out.push_str(&options.comment);
        out.push('\n');
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let server = Collation::by_name("latin1_swedish_ci").unwrap();
        let text = b"default-character-set=utf8mb4\ndefault-collation=utf8mb4_bin\ncomment=a=b\n";
        let options = read(text, server);
        assert_eq!(options.collation.name, "utf8mb4_bin");
        assert_eq!(options.comment, "a=b");
        assert_eq!(write(&options), text);
    }

    #[test]
    fn odd_files() {
        let server = Collation::by_name("latin1_swedish_ci").unwrap();
        let name = |text: &[u8]| read(text, server).collation.name;
        assert_eq!(name(b""), "latin1_swedish_ci");
        assert_eq!(name(b"default-character-set=utf8\r\n"), "utf8mb3_general_ci");
        assert_eq!(name(b"default-character-set=latin2_czech_cs"), "latin2_czech_cs");
        assert_eq!(name(b"default-character-set=klingon\nx\n=\n\xff=\xfe"), "latin1_swedish_ci");
    }
}
