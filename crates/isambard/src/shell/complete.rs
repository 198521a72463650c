//! Completion of keywords, databases, tables and columns.

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::split::COMMANDS;

/// The words of everyday statements; what a table defines comes from the database.
const KEYWORDS: &str = "\
ADD ALL ALTER ANALYZE AND AS ASC AUTO_INCREMENT AVG BEGIN BETWEEN BIGINT BINARY BLOB BY CASE CAST CHAR CHARSET CHECK \
CHECKSUM COALESCE COLLATE COLUMN COLUMNS COMMENT COMMIT CONCAT CONVERT COUNT CREATE CROSS CURRENT_DATE \
CURRENT_TIMESTAMP DATABASE DATABASES DATE DATETIME DECIMAL DEFAULT DELETE DESC DESCRIBE DISTINCT DOUBLE DROP \
DUPLICATE ELSE END ENGINE ENUM EXISTS EXPLAIN EXTENDED FALSE FLOAT FLUSH FORCE FROM FULL FULLTEXT FUNCTION GLOBAL \
GRANT GROUP_CONCAT HAVING IFNULL IGNORE INDEX INFILE INNER INSERT INT INTEGER INTERVAL INTO JOIN KEY KEYS KILL LEFT \
LIKE LIMIT LOAD LOCAL LOCK LONGTEXT MAX MEDIUMTEXT MIN MODIFY MYISAM NOT NULL OFFSET OPTIMIZE ORDER OUTER OUTFILE \
PRIMARY PROCEDURE PROCESSLIST REGEXP RENAME REPAIR REPLACE RIGHT ROLLBACK ROW_FORMAT SCHEMA SELECT SESSION SET SHOW \
SMALLINT STATUS STRAIGHT_JOIN SUBSTRING SUM TABLE TABLES TEMPORARY TEXT THEN TIME TIMESTAMP TINYINT TO TRIGGER TRUE \
TRUNCATE UNION UNIQUE UNLOCK UNSIGNED UPDATE USE USING VALUES VARBINARY VARCHAR VARIABLES VIEW WARNINGS WHEN WHERE \
WRITE XOR YEAR ZEROFILL";

/// Completes the word before the cursor.
#[derive(Default)]
pub struct Words {
    /// Names from the database: databases, tables, columns, and `table.column`.
    pub names: Vec<String>,
}

impl Words {
    /// Where the word before `at` begins, and how it can go on.
    pub fn candidates(&self, line: &str, at: usize) -> (usize, Vec<String>) {
        let before = &line[..at];
        let start = before
            .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '.')))
            .map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        if word.is_empty() {
            return (at, Vec::new());
        }
        let fits = |name: &str| {
            name.len() >= word.len()
                && name.is_char_boundary(word.len())
                && name[..word.len()].eq_ignore_ascii_case(word)
        };
        let lower = !word.chars().any(|c| c.is_ascii_uppercase());
        let mut found: Vec<String> = self.names.iter().filter(|n| fits(n)).cloned().collect();
        found.extend(
            KEYWORDS
                .split_ascii_whitespace()
                .filter(|k| fits(k))
                .map(|k| if lower { k.to_ascii_lowercase() } else { k.to_owned() }),
        );
        if start == 0 {
            found.extend(
                COMMANDS.iter().filter(|(_, name, _)| fits(name)).map(|(_, name, _)| (*name).to_owned()),
            );
        }
        found.sort();
        found.dedup();
        (start, found)
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(line, at))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_the_cursor_complete() {
        let words = Words { names: vec!["ship".into(), "ship.name".into(), "größe".into()] };
        assert_eq!(words.candidates("select * from shi", 17), (14, vec!["ship".into(), "ship.name".into()]));
        assert_eq!(words.candidates("select ship.n", 13), (7, vec!["ship.name".into()]));
        assert_eq!(words.candidates("SELECT grö", 11), (7, vec!["größe".into()]));
        assert_eq!(words.candidates("EXPL", 4), (0, vec!["EXPLAIN".into()]));
        assert_eq!(words.candidates("sta", 3).1, ["status"]);
        assert_eq!(words.candidates("select ", 7).1, Vec::<String>::new());
    }
}
