//! What somebody may do: the privileges of an account, of the role it has taken and of PUBLIC, put together
//! from the list of accounts.

use super::accounts::{Account, Accounts, specificity, wild};
use super::privilege::{ALL, GRANT_OPTION, SELECT};
use crate::names::{INFORMATION_SCHEMA, same_name};

/// Privileges on one table and its columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableGrant {
    /// Database.
    pub db: String,
    /// Table.
    pub table: String,
    /// Privileges on the whole table.
    pub access: u64,
    /// Privileges on columns.
    pub columns: Vec<(String, u64)>,
    /// Who gave them last.
    pub grantor: String,
}

impl TableGrant {
    /// What some column has.
    #[must_use]
    pub fn any_column(&self) -> u64 {
        self.columns.iter().fold(0, |m, (_, b)| m | b)
    }

    /// Adds the privileges of another grant on the same table.
    fn add(&mut self, other: &TableGrant) {
        self.access |= other.access;
        for (name, bits) in &other.columns {
            match self.columns.iter_mut().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
                Some((_, have)) => *have |= bits,
                None => self.columns.push((name.clone(), *bits)),
            }
        }
    }
}

/// Privileges on a procedure or function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutineGrant {
    /// Database.
    pub db: String,
    /// Its name, in lower case.
    pub name: String,
    /// A function, not a procedure.
    pub function: bool,
    /// The privileges.
    pub access: u64,
    /// Who gave them last.
    pub grantor: String,
}

impl RoutineGrant {
    /// Whether it is about this routine.
    #[must_use]
    pub fn is(&self, db: &str, name: &str, function: bool) -> bool {
        self.function == function && self.db == db && same_name(&self.name, name)
    }
}

/// The privileges on databases, tables and routines of an account, or of a role with the roles it has.
#[derive(Clone, Debug, Default)]
struct Part {
    /// LIKE patterns and bits, the most specific first: the first that fits decides.
    databases: Vec<(String, u64)>,
    tables: Vec<TableGrant>,
    routines: Vec<RoutineGrant>,
}

impl Part {
    fn add(&mut self, a: &Account) {
        for (db, bits) in &a.databases {
            match self.databases.iter_mut().find(|(d, _)| d == db) {
                Some((_, have)) => *have |= bits,
                None => self.databases.push((db.clone(), *bits)),
            }
        }
        for t in &a.tables {
            match self.tables.iter_mut().find(|h| h.db == t.db && h.table == t.table) {
                Some(have) => have.add(t),
                None => self.tables.push(t.clone()),
            }
        }
        self.routines.extend(a.routines.iter().cloned());
    }

    /// Takes what another account of this user has where this part has nothing yet: one account decides about a table or
    /// routine, and about a database after those whose hosts are more specific.
    fn add_missing(&mut self, a: &Account) {
        let mut databases = a.databases.clone();
        most_specific_first(&mut databases);
        self.databases.extend(databases);
        for t in &a.tables {
            if !self.tables.iter().any(|h| h.db == t.db && h.table == t.table) {
                self.tables.push(t.clone());
            }
        }
        for r in &a.routines {
            if !self.routines.iter().any(|h| h.is(&r.db, &r.name, r.function)) {
                self.routines.push(r.clone());
            }
        }
    }

    fn sort(mut self) -> Part {
        most_specific_first(&mut self.databases);
        self
    }

    fn on(&self, db: &str) -> u64 {
        self.databases
            .iter()
            .find(|(pattern, _)| wild(pattern.as_bytes(), db.as_bytes()))
            .map_or(0, |(_, bits)| *bits)
    }
}

/// Sorts privileges on databases as they are looked at: of equal patterns the one that was granted first.
fn most_specific_first(databases: &mut [(String, u64)]) {
    databases.sort_by_cached_key(|(db, _)| specificity(db));
}

/// An element of a LIKE pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Literal(char),
    One,
    Any,
}

fn parse(pattern: &str) -> Vec<Element> {
    let mut out = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '%' => Element::Any,
            '_' => Element::One,
            '\\' => Element::Literal(chars.next().unwrap_or('\\')),
            c => Element::Literal(c),
        });
    }
    out
}

/// Whether every name that `narrow` fits is one that `wide` fits.
fn covers(wide: &[Element], narrow: &[Element]) -> bool {
    match (wide.split_first(), narrow.split_first()) {
        (None, None) => true,
        (Some((Element::Any, rest)), _) => {
            covers(rest, narrow) || !narrow.is_empty() && covers(wide, &narrow[1..])
        }
        (Some((Element::One, rest)), Some((Element::One | Element::Literal(_), next))) => covers(rest, next),
        (Some((Element::Literal(a), rest)), Some((Element::Literal(b), next))) if a == b => {
            covers(rest, next)
        }
        _ => false,
    }
}

/// What an account may do, as a session keeps it.
#[derive(Clone, Debug, Default)]
pub struct Privileges {
    /// On everything.
    pub global: u64,
    parts: Vec<Part>,
}

impl Privileges {
    /// Every right.
    #[must_use]
    pub fn all() -> Privileges {
        Privileges { global: ALL | GRANT_OPTION, parts: Vec::new() }
    }

    /// Whether nothing need be asked: all global privileges are there.
    #[must_use]
    pub fn unlimited(&self) -> bool {
        self.global & ALL == ALL
    }

    /// What the account may do in a database, whatever its tables give.
    #[must_use]
    pub fn on(&self, db: &str) -> u64 {
        if self.unlimited() {
            return self.global;
        }
        if db.eq_ignore_ascii_case(INFORMATION_SCHEMA) {
            return self.global | SELECT;
        }
        self.parts.iter().fold(self.global, |m, p| m | p.on(db))
    }

    /// What the account has on all databases that a pattern fits.
    #[must_use]
    pub fn on_pattern(&self, pattern: &str) -> u64 {
        let of = |p: &Part| {
            p.databases.iter().find(|(d, _)| covers(&parse(d), &parse(pattern))).map_or(0, |(_, b)| *b)
        };
        self.parts.iter().fold(self.global, |m, p| m | of(p))
    }

    fn grants<'a>(&'a self, db: &'a str, table: &'a str) -> impl Iterator<Item = &'a TableGrant> {
        self.parts.iter().flat_map(|p| p.tables.iter()).filter(move |t| t.db == db && t.table == table)
    }

    /// What the account may do with a whole table.
    #[must_use]
    pub fn on_table(&self, db: &str, table: &str) -> u64 {
        self.grants(db, table).fold(self.on(db), |m, t| m | t.access)
    }

    /// Whether anything is given on the table itself or its columns.
    #[must_use]
    pub fn has_grant(&self, db: &str, table: &str) -> bool {
        self.grants(db, table).next().is_some()
    }

    /// What the account may do with some column of a table, beyond what it may do with the table.
    #[must_use]
    pub fn on_columns(&self, db: &str, table: &str) -> u64 {
        self.grants(db, table).fold(0, |m, t| m | t.any_column())
    }

    /// What the account may do with a column, beyond what it may do with the table.
    #[must_use]
    pub fn on_column(&self, db: &str, table: &str, column: &str) -> u64 {
        self.grants(db, table)
            .flat_map(|t| &t.columns)
            .filter(|(name, _)| name.eq_ignore_ascii_case(column))
            .fold(0, |m, (_, b)| m | b)
    }

    /// The columns that may be read for themselves, as they were granted.
    #[must_use]
    pub fn readable_columns(&self, db: &str, table: &str) -> Vec<String> {
        let columns = self.grants(db, table).flat_map(|t| &t.columns);
        columns.filter(|(_, bits)| bits & SELECT != 0).map(|(name, _)| name.clone()).collect()
    }

    /// What the account may do with a procedure or function.
    #[must_use]
    pub fn on_routine(&self, db: &str, name: &str, function: bool) -> u64 {
        let routines = self.parts.iter().flat_map(|p| &p.routines);
        routines.filter(|r| r.is(db, name, function)).fold(self.on(db), |m, r| m | r.access)
    }

    /// Whether a table, column or routine in the database gives any privilege.
    #[must_use]
    pub fn within(&self, db: &str) -> bool {
        self.parts
            .iter()
            .any(|p| p.tables.iter().any(|t| t.db == db) || p.routines.iter().any(|r| r.db == db))
    }
}

/// The name of the role that everybody has.
pub const PUBLIC: &str = "PUBLIC";

/// The roles that a role or account has, directly and through others, with itself.
pub(crate) fn closure<'a>(list: &'a [Account], start: &'a Account) -> Vec<&'a Account> {
    let mut out = vec![start];
    let mut at = 0;
    while at < out.len() {
        for (name, _) in &out[at].roles {
            let found = list.iter().find(|a| a.role && a.user == *name);
            if let Some(role) = found
                && !out.iter().any(|o| std::ptr::eq(*o, role))
            {
                out.push(role);
            }
        }
        at += 1;
    }
    out
}

impl Accounts {
    /// What the account may do after it has taken a role, used from this host: below global privileges those of the user's accounts for other
    /// hosts count as well where they allow this one.
    #[must_use]
    pub fn privileges(&self, user: &str, host: &str, client: &str, role: Option<&str>) -> Privileges {
        let list = self.list();
        let mut all = Privileges::default();
        let of = |name: &str| list.iter().find(|a| a.role && a.user == name);
        let mut part = Part::default();
        if let Some(a) = list.iter().find(|a| is(a, user, host)) {
            all.global |= a.access;
            part.add_missing(a);
        }
        let here = |a: &&Account| !a.role && !client.is_empty() && a.matches_host(client);
        for other in list.iter().filter(here).filter(|a| a.user == user && !is(a, user, host)) {
            part.add_missing(other);
        }
        all.parts.push(part);
        for role in [role.and_then(of), of(PUBLIC)].into_iter().flatten() {
            let mut part = Part::default();
            for r in closure(&list, role) {
                all.global |= r.access;
                part.add(r);
            }
            all.parts.push(part.sort());
        }
        all
    }

    /// The global privileges of a role with those it has, and of PUBLIC.
    #[must_use]
    pub fn role_access(&self, role: Option<&str>) -> u64 {
        self.privileges("", "", "", role).global
    }

    /// Whether the account has the role, directly: SET ROLE may take it.
    #[must_use]
    pub fn has_role(&self, user: &str, host: &str, role: &str) -> bool {
        let list = self.list();
        let exists = list.iter().any(|a| a.role && a.user == role);
        exists && list.iter().any(|a| is(a, user, host) && a.roles.iter().any(|(r, _)| r == role))
    }
}

fn is(a: &Account, user: &str, host: &str) -> bool {
    !a.role && a.user == user && a.host.eq_ignore_ascii_case(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cover_patterns() {
        let covers = |a: &str, b: &str| super::covers(&parse(a), &parse(b));
        assert!(covers("gd\\_x%", "gd\\_x1") && covers("gd\\_x%", "gd\\_x%") && covers("a_", "a\\_"));
        assert!(!covers("gd\\_x%", "gd_x1") && !covers("gd\\_x%", "gd%") && !covers("a_", "a%"));
    }

    #[test]
    fn the_most_specific_pattern_decides() {
        let accounts = Accounts::default();
        let mut a = Account::new("u", "%");
        a.databases = vec![("o%".into(), 2), ("oc".into(), 1)];
        let mut role = Account::role("r");
        role.tables.push(TableGrant {
            db: "x".into(),
            table: "t".into(),
            access: 4,
            columns: vec![("c".into(), 1)],
            grantor: String::new(),
        });
        a.roles.push(("r".into(), false));
        accounts.replace(vec![a, role]);
        let p = accounts.privileges("u", "%", "%", None);
        assert_eq!((p.on("oc"), p.on("od"), p.on_table("x", "t")), (1, 2, 0));
        let p = accounts.privileges("u", "%", "%", Some("r"));
        assert_eq!((p.on_table("x", "t"), p.on_columns("x", "t"), p.on_column("x", "t", "C")), (4, 1, 1));
        assert!(p.within("x") && !p.within("y") && accounts.has_role("u", "%", "r"));
    }

    #[test]
    fn patterns_are_ranked_as_the_reference_ranks_them() {
        // each beats the next for a name that both fit
        let pairs = [
            ("m_1", "m_1%"),
            ("m\\_1", "m_1"),
            ("a_cd", "__cd"),
            ("abc_", "a__d"),
            ("_bcd", "abc_"),
            ("%bcd", "abc%"),
            ("a%cd", "a%d"),
            ("ab%", "a%c%"),
            ("ab_%", "a%d"),
            ("a___", "abcd%"),
            ("abcd%", "____%"),
            ("m1%2", "m12%"),
        ];
        for (wins, loses) in pairs {
            let mut list = vec![(loses.to_owned(), 1), (wins.to_owned(), 2)];
            most_specific_first(&mut list);
            assert_eq!(list[0].0, wins);
        }
    }

    #[test]
    fn other_accounts_of_a_user_count() {
        let accounts = Accounts::default();
        let table =
            |access| TableGrant { db: "m".into(), table: "t".into(), access, ..TableGrant::default() };
        let mut here = Account::new("u", "localhost");
        here.databases = vec![("d".into(), 1)];
        let mut anywhere = Account::new("u", "%");
        anywhere.databases = vec![("d".into(), 2), ("e".into(), 2)];
        anywhere.tables = vec![table(4)];
        let mut elsewhere = Account::new("u", "10.%");
        elsewhere.tables = vec![table(8)];
        elsewhere.access = 16;
        let mut anybody = Account::new("", "%");
        anybody.databases = vec![("d".into(), 32)];
        anybody.tables = vec![table(32)];
        accounts.replace(vec![here, anywhere, elsewhere, anybody]);
        let p = accounts.privileges("u", "localhost", "localhost", None);
        assert_eq!((p.on("d"), p.on("e"), p.on_table("m", "t"), p.global), (1, 2, 4, 0));
        let p = accounts.privileges("v", "%", "localhost", None);
        assert_eq!((p.on("d"), p.on_table("m", "t")), (0, 0));
    }
}
