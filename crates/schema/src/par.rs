//! `.par` files: which files the partitions of a table have.
//!
//! All numbers are little-endian words of 32 bits. The first is the number of words up to the end of the names; all of these words
//! together give 0 by exclusive or, for which the second is there. Then come the number of files with rows, the engine's code of each (a
//! byte), the length of the names and the names as they stand in the names of the files, each with a zero byte behind it; codes and names
//! are filled up to whole words with zeros. Behind them stands for each partition (not for subpartitions) the length of its CONNECTION and
//! that text itself, which nothing fills up.

use crate::definition::PartitionDef;

/// Largest file that is read.
pub const MAX_FILE: u64 = 4 << 20;

/// Engines of partitions: that of MyISAM.
pub const MYISAM: u8 = 9;

/// The bytes of the file of a partitioned table.
#[must_use]
pub fn write(def: &PartitionDef) -> Vec<u8> {
    let mut out = vec![0; 8];
    out.extend_from_slice(&(def.files.len() as u32).to_le_bytes());
    out.resize(out.len() + def.files.len(), def.engine_code);
    fill(&mut out);
    let names: usize = def.files.iter().map(|f| f.name.len() + 1).sum();
    out.extend_from_slice(&(names as u32).to_le_bytes());
    for file in &def.files {
        out.extend_from_slice(file.name.as_bytes());
        out.push(0);
    }
    fill(&mut out);
    let words = (out.len() / 4) as u32;
    out[..4].copy_from_slice(&words.to_le_bytes());
    let sum = sum(&out);
    out[4..8].copy_from_slice(&sum.to_le_bytes());
    for connection in &def.connections {
        out.extend_from_slice(&(connection.len() as u32).to_le_bytes());
        out.extend_from_slice(connection.as_bytes());
    }
    out
}

/// The names of the files with rows, as they stand behind `#P#` in the names of the files; nothing for a damaged file.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Vec<String>> {
    let word = |at: usize| -> Option<usize> {
        let word = bytes.get(at..at + 4)?.first_chunk()?;
        usize::try_from(u32::from_le_bytes(*word)).ok()
    };
    let all = bytes.get(..word(0)?.checked_mul(4)?)?;
    let count = word(8)?;
    let names_at = 12usize.checked_add(count.checked_next_multiple_of(4)?)?;
    let start = names_at.checked_add(4)?;
    let names = all.get(start..start.checked_add(word(names_at)?)?)?;
    if sum(all) != 0 {
        return None;
    }
    let names = names.strip_suffix(b"\0")?.split(|b| *b == 0);
    let names: Option<Vec<String>> = names.map(|n| String::from_utf8(n.to_vec()).ok()).collect();
    names.filter(|names| names.len() == count)
}

fn fill(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(4), 0);
}

fn sum(words: &[u8]) -> u32 {
    words.chunks_exact(4).filter_map(<[u8]>::first_chunk).fold(0, |sum, w| sum ^ u32::from_le_bytes(*w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::PartitionFile;

    fn def(names: &[&str], connections: &[&str]) -> PartitionDef {
        PartitionDef {
            clause: String::new(),
            engine: "MyISAM".to_owned(),
            engine_code: MYISAM,
            automatic: false,
            files: names
                .iter()
                .map(|n| PartitionFile { name: (*n).to_owned(), ..PartitionFile::default() })
                .collect(),
            connections: connections.iter().map(|c| (*c).to_owned()).collect(),
        }
    }

    #[test]
    fn files_as_mariadb_writes_them() {
        let three: &[u8] =
            b"\x08\0\0\0J9yB\x03\0\0\0\t\t\t\0\t\0\0\0p0\0p1\0p2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        assert_eq!(write(&def(&["p0", "p1", "p2"], &["", "", ""])), three);
        assert_eq!(read(three).unwrap(), ["p0", "p1", "p2"]);
        let one: &[u8] = b"\x06\0\0\0}0\0\0\x01\0\0\0\t\0\0\0\x03\0\0\0p0\0\0\x03\0\0\0abc";
        assert_eq!(write(&def(&["p0"], &["abc"])), one);
        assert_eq!(read(one).unwrap(), ["p0"]);
        let of_two = write(&def(&["p0#SP#p0sp0", "p0#SP#p0sp1"], &[""]));
        assert_eq!(of_two.len(), 48);
        assert_eq!(of_two[..8], *b"\x0b\0\0\0\x18\t\x01\0");
    }

    #[test]
    fn damaged_files() {
        let good = write(&def(&["p0", "p1"], &["", ""]));
        for n in 0..good.len() - 8 {
            assert_eq!(read(&good[..n]), None);
            let mut bad = good.clone();
            bad[n] ^= 0x40;
            assert_eq!(read(&bad), None, "byte {n}");
        }
        assert_eq!(read(&[0xff; 64]), None);
    }
}
