//! Which columns of a table a session may use.

use super::OpenTable;
use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;
use crate::rights::Rights;
use crate::rights::privilege::SELECT;

impl Rights {
    /// 1143 for the first of these columns without the privilege.
    pub fn need_columns<'a>(
        &self,
        table: &OpenTable,
        columns: impl Iterator<Item = &'a str>,
        bit: u64,
    ) -> SqlResult<()> {
        let p = self.privileges();
        if self.unlimited() || table.temporary || p.on_table(&table.db, &table.name) & bit != 0 {
            return Ok(());
        }
        for c in columns {
            if p.on_column(&table.db, &table.name, c) & bit == 0 {
                return Err(self.denied_column(&table.name, c, bit));
            }
        }
        Ok(())
    }

    /// The columns of a view that may not be read, when there are such.
    pub fn unreadable_columns<'a>(
        &self,
        db: &str,
        name: &str,
        columns: impl Iterator<Item = &'a str>,
    ) -> Option<Unreadable> {
        let p = self.privileges();
        if self.unlimited() || p.on_table(db, name) & SELECT != 0 {
            return None;
        }
        let columns: Vec<bool> = columns.map(|c| p.on_column(db, name, c) & SELECT == 0).collect();
        columns.contains(&true).then(|| Unreadable {
            columns,
            granted: p.readable_columns(db, name),
            star: self.denied_table(db, name, SELECT),
            user: self.user.clone(),
            client: self.client.clone(),
            table: name.to_string(),
        })
    }

    /// The columns that may not be read, when there are such.
    pub fn unreadable(&self, table: &OpenTable) -> Option<Unreadable> {
        let p = self.privileges();
        if self.unlimited()
            || table.temporary
            || *table.db == *INFORMATION_SCHEMA
            || p.on_table(&table.db, &table.name) & SELECT != 0
        {
            return None;
        }
        let closed =
            |c: &schema::definition::ColumnDef| p.on_column(&table.db, &table.name, &c.name) & SELECT == 0;
        let columns: Vec<bool> = table.def().columns.iter().map(closed).collect();
        columns.contains(&true).then(|| Unreadable {
            columns,
            granted: p.readable_columns(&table.db, &table.name),
            star: self.denied_table(&table.db, &table.name, SELECT),
            user: self.user.clone(),
            client: self.client.clone(),
            table: table.name.to_string(),
        })
    }
}

/// Columns of a table that a session may not read.
#[derive(Clone, Debug)]
pub struct Unreadable {
    columns: Vec<bool>,
    /// Names of columns that may be read, there or not.
    granted: Vec<String>,
    star: SqlError,
    user: String,
    client: String,
    table: String,
}

impl Unreadable {
    /// 1143 for a column that may not be read.
    ///
    /// # Errors
    /// 1143.
    pub fn check(&self, column: usize, name: &str) -> SqlResult<()> {
        if !self.columns.get(column).copied().unwrap_or(true) {
            return Ok(());
        }
        Err(self.denied(name))
    }

    /// 1143 for a column that is not there, unless it could be read: who may read some columns is not told which others there are.
    pub fn unknown(&self, name: &str) -> Option<SqlError> {
        let granted = self.granted.iter().any(|n| n.eq_ignore_ascii_case(name));
        (!granted).then(|| self.denied(name))
    }

    fn denied(&self, name: &str) -> SqlError {
        let args: &[&dyn std::fmt::Display] = &[&"SELECT", &self.user, &self.client, &name, &self.table];
        SqlError::new(error::ER_COLUMNACCESS_DENIED_ERROR, args)
    }

    /// 1142 for `*` over a column that may not be read.
    ///
    /// # Errors
    /// 1142.
    pub fn check_star(&self, column: usize) -> SqlResult<()> {
        match self.columns.get(column) {
            Some(false) => Ok(()),
            _ => Err(self.star.clone()),
        }
    }
}
