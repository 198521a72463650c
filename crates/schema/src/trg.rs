//! Triggers of a table: `table.TRG`, and `trigger.TRN`, which leads from a trigger's name to its table.

use crate::frm::view::{escape, unescape};

/// First line of a table's file.
const TRIGGERS: &[u8] = b"TYPE=TRIGGERS\n";

/// First line of a trigger's file.
const NAME: &[u8] = b"TYPE=TRIGGERNAME\n";

/// A trigger as the file of its table has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TriggerDef {
    /// CREATE DEFINER=... trigger ..., in the character set of the client that made it.
    pub statement: Vec<u8>,
    /// `sql_mode` when it was made.
    pub sql_mode: u64,
    /// user@host.
    pub definer: String,
    /// `character_set_client` when it was made.
    pub client: String,
    /// `collation_connection` when it was made.
    pub connection: String,
    /// The collation of the database when it was made.
    pub database: String,
    /// When: microseconds since the epoch; 0 when it is not known.
    pub created: u64,
}

/// Reads a `.TRG` file; nothing when it is damaged. Lists that old files lack are left empty.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Vec<TriggerDef>> {
    let mut list: Vec<TriggerDef> = Vec::new();
    let mut any = false;
    for line in bytes.strip_prefix(TRIGGERS)?.split(|b| *b == b'\n') {
        let Some(at) = line.iter().position(|b| *b == b'=') else {
            if line.is_empty() {
                continue;
            }
            return None;
        };
        let (name, value) = (&line[..at], &line[at + 1..]);
        match name {
            b"triggers" => {
                any = true;
                let make = |statement| TriggerDef { statement, ..TriggerDef::default() };
                list = strings(value)?.into_iter().map(make).collect();
            }
            b"sql_modes" => fill(&mut list, numbers(value)?, |t, n| t.sql_mode = n)?,
            b"created" => fill(&mut list, numbers(value)?, |t, n| t.created = n)?,
            b"definers" => fill(&mut list, texts(value)?, |t, s| t.definer = s)?,
            b"client_cs_names" => fill(&mut list, texts(value)?, |t, s| t.client = s)?,
            b"connection_cl_names" => fill(&mut list, texts(value)?, |t, s| t.connection = s)?,
            b"db_cl_names" => fill(&mut list, texts(value)?, |t, s| t.database = s)?,
            _ => {}
        }
    }
    any.then_some(list)
}

fn fill<T>(list: &mut [TriggerDef], values: Vec<T>, set: impl Fn(&mut TriggerDef, T)) -> Option<()> {
    if values.len() != list.len() {
        return None;
    }
    list.iter_mut().zip(values).for_each(|(t, v)| set(t, v));
    Some(())
}

/// `'...' '...'`
fn strings(mut text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut list = Vec::new();
    while let Some(rest) = text.trim_ascii_start().strip_prefix(b"'") {
        let mut end = 0;
        while *rest.get(end)? != b'\'' {
            end += if rest[end] == b'\\' { 2 } else { 1 };
        }
        list.push(unescape(&rest[..end])?);
        text = &rest[end + 1..];
    }
    text.trim_ascii().is_empty().then_some(list)
}

fn texts(text: &[u8]) -> Option<Vec<String>> {
    let list = strings(text)?;
    Some(list.iter().map(|s| String::from_utf8_lossy(s).into_owned()).collect())
}

fn numbers(text: &[u8]) -> Option<Vec<u64>> {
    let text = std::str::from_utf8(text).ok()?;
    text.split_ascii_whitespace().map(|n| n.parse().ok()).collect()
}

/// The `.TRG` file of a table with these triggers.
#[must_use]
pub fn write(list: &[TriggerDef]) -> Vec<u8> {
    let mut out = TRIGGERS.to_vec();
    let quoted = |out: &mut Vec<u8>, name: &str, of: &dyn Fn(&TriggerDef) -> &[u8]| {
        out.extend_from_slice(name.as_bytes());
        out.push(b'=');
        for (i, t) in list.iter().enumerate() {
            out.extend_from_slice(if i == 0 { b"'" } else { b" '" });
            escape(of(t), out);
            out.push(b'\'');
        }
        out.push(b'\n');
    };
    let plain = |out: &mut Vec<u8>, name: &str, of: &dyn Fn(&TriggerDef) -> u64| {
        let numbers: Vec<String> = list.iter().map(|t| of(t).to_string()).collect();
        out.extend_from_slice(format!("{name}={}\n", numbers.join(" ")).as_bytes());
    };
    quoted(&mut out, "triggers", &|t| &t.statement);
    plain(&mut out, "sql_modes", &|t| t.sql_mode);
    quoted(&mut out, "definers", &|t| t.definer.as_bytes());
    quoted(&mut out, "client_cs_names", &|t| t.client.as_bytes());
    quoted(&mut out, "connection_cl_names", &|t| t.connection.as_bytes());
    quoted(&mut out, "db_cl_names", &|t| t.database.as_bytes());
    plain(&mut out, "created", &|t| t.created);
    out
}

/// The table that a `.TRN` file names.
#[must_use]
pub fn read_name(bytes: &[u8]) -> Option<String> {
    let mut lines = bytes.strip_prefix(NAME)?.split(|b| *b == b'\n');
    let value = lines.find_map(|l| l.strip_prefix(b"trigger_table="))?;
    Some(String::from_utf8_lossy(&unescape(value)?).into_owned())
}

/// The `.TRN` file of a trigger of this table.
#[must_use]
pub fn write_name(table: &str) -> Vec<u8> {
    let mut out = NAME.to_vec();
    out.extend_from_slice(b"trigger_table=");
    escape(table.as_bytes(), &mut out);
    out.push(b'\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back_as_they_were_written() {
        let one = TriggerDef {
            statement: b"CREATE trigger a before insert on t for each row set @a='x\\\n'".to_vec(),
            sql_mode: 1_411_383_296,
            definer: "root@localhost".into(),
            client: "utf8mb3".into(),
            connection: "utf8mb3_general_ci".into(),
            database: "latin1_swedish_ci".into(),
            created: 1_795_730_029_610_523,
        };
        let two = TriggerDef { statement: b"second".to_vec(), created: 7, ..one.clone() };
        let list = vec![one, two];
        assert_eq!(read(&write(&list)), Some(list));
        assert_eq!(read_name(&write_name("a'b")).as_deref(), Some("a'b"));
    }

    #[test]
    fn damage_is_no_list() {
        let list = [TriggerDef { statement: b"x".to_vec(), ..TriggerDef::default() }];
        let whole = write(&list);
        for cut in 1..whole.len() {
            // whatever is left, nothing is invented
            assert!(read(&whole[..cut]).is_none_or(|l| l.len() <= 1));
        }
        assert_eq!(read(b"TYPE=VIEW\n"), None);
        assert_eq!(read(b"TYPE=TRIGGERS\ntriggers='a' 'b'\nsql_modes=1\n"), None);
        assert_eq!(read_name(b"TYPE=TRIGGERNAME\n"), None);
    }
}
