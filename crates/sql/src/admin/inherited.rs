//! Accounts that another server left in the data directory: `mysql.user` of MySQL 5 and of MariaDB before 10.4.

use std::collections::HashMap;

use crate::rights::accounts::{Account, NATIVE};
use crate::rights::password;
use crate::rights::privilege::{ALL, GRANT_OPTION};

/// The columns of `mysql.user` that hold privileges, with their bits.
const COLUMNS: &[(u8, &str)] = &[
    (0, "select_priv"),
    (1, "insert_priv"),
    (2, "update_priv"),
    (3, "delete_priv"),
    (4, "create_priv"),
    (5, "drop_priv"),
    (6, "reload_priv"),
    (7, "shutdown_priv"),
    (8, "process_priv"),
    (9, "file_priv"),
    (10, "grant_priv"),
    (11, "references_priv"),
    (12, "index_priv"),
    (13, "alter_priv"),
    (14, "show_db_priv"),
    (15, "super_priv"),
    (16, "create_tmp_table_priv"),
    (17, "lock_tables_priv"),
    (18, "execute_priv"),
    (19, "repl_slave_priv"),
    (20, "repl_client_priv"),
    (21, "create_view_priv"),
    (22, "show_view_priv"),
    (23, "create_routine_priv"),
    (24, "alter_routine_priv"),
    (25, "create_user_priv"),
    (26, "event_priv"),
    (27, "trigger_priv"),
    (28, "create_tablespace_priv"),
    (29, "delete_history_priv"),
];
const SUPER: u64 = 1 << 15;
/// What SUPER stood for before it was divided.
const OF_SUPER: u64 = ALL & !((1 << 30) - 1);

/// An account from a row of `mysql.user`: values by the names of the columns in lower case.
pub(super) fn account(row: &HashMap<String, String>) -> Account {
    let text = |name: &str| row.get(name).map_or("", String::as_str);
    let yes = |name: &str| text(name).eq_ignore_ascii_case("Y");
    let mut a = Account::new(text("user"), text("host"));
    for (bit, name) in COLUMNS {
        // A privilege that the table is too old to know was part of SUPER, or of nobody's concern.
        if yes(name) || !row.contains_key(*name) && yes("super_priv") {
            a.access |= 1 << bit;
        }
    }
    if a.access & SUPER != 0 {
        a.access |= OF_SUPER;
    }
    a.access &= ALL | GRANT_OPTION;
    a.role = yes("is_role");
    a.locked = yes("account_locked");
    let plugin = text("plugin");
    let hash = match (text("authentication_string"), text("password")) {
        ("", old) => old,
        (new, _) => new,
    };
    match plugin {
        "" | NATIVE => match password::from_text(hash) {
            Some(stored) => a.password = stored,
            None => a.unanswerable = true,
        },
        other => {
            a.plugin = other.into();
            a.unanswerable = true;
        }
    }
    if a.unanswerable {
        // Kept as it was found, for whoever looks for it.
        a.json.insert("authentication_string".into(), hash.into());
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[(&str, &str)]) -> HashMap<String, String> {
        values.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn accounts_of_all_ages_are_read() {
        let hash = "*B69027D44F6E5EDC07F1AEAD1477967B16F28227";
        // MySQL 5.0 to 5.6: the hash is in Password.
        let mut all: Vec<(&str, &str)> = COLUMNS.iter().take(28).map(|(_, name)| (*name, "Y")).collect();
        all.extend([("host", "%"), ("user", "admin"), ("password", hash), ("plugin", "")]);
        let a = account(&row(&all));
        assert_eq!(a.access, ALL | GRANT_OPTION, "all that there was is all there is");
        assert_eq!(password::to_text(a.password.as_ref()), hash);
        // MySQL 5.7.
        let a = account(&row(&[
            ("host", "h"),
            ("user", "u"),
            ("plugin", "mysql_native_password"),
            ("authentication_string", hash),
            ("account_locked", "Y"),
            ("select_priv", "Y"),
        ]));
        assert!(a.locked && a.access == 1 && a.password.is_some());
        // A hash from before MySQL 4.1, and a plugin that we have not: nobody gets in.
        for (plugin, hash) in [("", "5d2e19393cc5ef67"), ("sha256_password", "$5$abc")] {
            let a = account(&row(&[("user", "u"), ("plugin", plugin), ("password", hash)]));
            assert!(a.unanswerable && a.to_json().contains(hash), "{plugin}");
        }
        let a = account(&row(&[("user", "u"), ("plugin", "unix_socket")]));
        assert_eq!((a.plugin.as_str(), a.unanswerable), ("unix_socket", true));
    }
}
