//! ALTER TABLE of every kind but those that change a type, which the scripts have, and what keeps tables in order.

use super::kind::{KINDS, Kind};
use super::{Column, Generator, Statement, exact};

impl Generator {
    pub(super) fn altered(&mut self) -> Statement {
        let i = self.rng.usize(0..self.tables.len());
        self.made += 1;
        let made = self.made;
        let kind = KINDS[self.rng.usize(0..KINDS.len())];
        let choice = self.rng.u8(3..24);
        let t = &mut self.tables[i];
        let name = t.name.clone();
        let at = self.rng.usize(0..t.columns.len());
        let c = t.columns[at].clone();
        let id = c.name == "id";
        exact(match choice {
            3 if !id => {
                let column = Column { name: format!("h{made}"), ..c.clone() };
                t.columns.remove(at);
                t.columns.insert(1, column);
                let null = if c.nullable { "NULL" } else { "NOT NULL" };
                format!("ALTER TABLE {name} CHANGE {} h{made} {} {null} AFTER id", c.name, c.kind.sql())
            }
            4 if !id => {
                t.columns.remove(at);
                t.columns.insert(0, c.clone());
                let null = if c.nullable { "NULL" } else { "NOT NULL" };
                format!("ALTER TABLE {name} MODIFY {} {} {null} FIRST", c.name, c.kind.sql())
            }
            5 => format!("ALTER TABLE {name} DROP PRIMARY KEY, ADD PRIMARY KEY (id)"),
            7 if !id && !c.kind.long() => {
                format!("ALTER TABLE {name} ALTER COLUMN {} SET DEFAULT NULL", c.name)
            }
            8 if !id => format!("ALTER TABLE {name} ALTER COLUMN {} DROP DEFAULT", c.name),
            9 => format!("ALTER TABLE {name} ORDER BY {} DESC", c.name),
            10 => format!("ALTER TABLE {name} DEFAULT CHARACTER SET utf8mb4"),
            11 => format!("ALTER TABLE {name} DISABLE KEYS"),
            12 => format!("ALTER TABLE {name} ENABLE KEYS"),
            13 => format!("ALTER TABLE {name} FORCE"),
            14 => {
                t.name = format!("z{made}");
                format!("ALTER TABLE {name} RENAME TO z{made}")
            }
            15 if !t.auto => format!("OPTIMIZE TABLE {name}"),
            16 => format!("CHECK TABLE {name}"),
            17 if !t.auto => format!("REPAIR TABLE {name}"),
            18 => format!(
                "ALTER TABLE {name} DROP INDEX IF EXISTS k0, ADD INDEX k0 ({})",
                if c.kind.long() { "id" } else { &c.name }
            ),
            19 => {
                let new = Column { name: format!("f{made}"), kind, nullable: false };
                let sql =
                    format!("ALTER TABLE {name} ADD COLUMN f{made} {} NOT NULL, COMMENT = 'f'", kind.sql());
                t.columns.push(new);
                if kind == Kind::Timestamp {
                    t.columns.pop();
                    return exact("DO 1".into());
                }
                sql
            }
            20 => format!("SHOW COLUMNS FROM {name}"),
            21 => format!("SHOW INDEX FROM {name}").replace("INDEX", "FULL COLUMNS"),
            22 => {
                format!("CREATE INDEX y{made} ON {name} ({}(3))", if c.kind.long() { &c.name } else { "id" })
                    .replace("(id(3))", "(id)")
            }
            _ => format!("ALTER TABLE {name} CHECKSUM = {}", made % 2),
        })
    }
}
