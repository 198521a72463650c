//! Names as statements are shown: their quotes by `sql_mode` and `sql_quote_show_create`.

use crate::session::Session;
use crate::variables::SqlMode;

/// Whether a name must be quoted even with sql_quote_show_create=0.
pub(super) fn needs_quotes(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    name.is_empty()
        || !name.chars().all(plain)
        || name.chars().all(|c| c.is_ascii_digit())
        || crate::lex::Kw::find(name.as_bytes()).is_some_and(crate::lex::Kw::is_reserved)
}

/// How names are quoted.
#[derive(Clone, Copy)]
pub(super) struct Quoting {
    quote: char,
    always: bool,
}

impl Quoting {
    /// That of a session.
    pub(super) fn of(session: &Session) -> Quoting {
        let settings = session.settings();
        let ansi = settings.sql_mode.has(SqlMode::ANSI_QUOTES);
        Quoting { quote: if ansi { '"' } else { '`' }, always: settings.sql_quote_show_create }
    }

    /// A name.
    pub(super) fn name(self, name: &str) -> String {
        if !self.always && !needs_quotes(name) {
            return name.to_owned();
        }
        let quote = self.quote;
        format!("{quote}{}{quote}", name.replace(quote, &format!("{quote}{quote}")))
    }

    /// `user@host`.
    pub(super) fn account(self, user: &str, host: &str) -> String {
        format!("{}@{}", self.name(user), self.name(host))
    }
}
