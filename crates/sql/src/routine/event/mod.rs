//! Events: statements that run by the clock. `mysql.event` has them; while `event_scheduler` is ON, a thread waits for
//! the next that is due and gives it a thread of its own.

pub(crate) mod define;
pub(crate) mod schedule;
pub(crate) mod scheduler;
pub(crate) mod store;
mod worker;

use crate::ast::{self, PrintStyle, quote_identifier, quote_string};
use crate::types::temporal::{TimeZone, format};
use crate::variables::SqlMode;
use schedule::Schedule;

pub(crate) use crate::ast::EventStatus as Status;

/// An event as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub db: String,
    pub name: String,
    /// The body, in UTF-8.
    pub body: String,
    pub definer: (String, String),
    pub schedule: Schedule,
    /// Seconds since 1970, as all moments here.
    pub created: i64,
    pub modified: i64,
    pub last_executed: Option<i64>,
    pub status: Status,
    /// It stays when it is over.
    pub preserve: bool,
    pub sql_mode: SqlMode,
    pub comment: String,
    /// `server_id` of its making.
    pub originator: u64,
    /// The time zone in which it was written and runs.
    pub zone: String,
    pub client: String,
    pub connection: String,
    pub db_collation: String,
}

/// What a status is called in `mysql.event` and information_schema.
pub(crate) fn status_word(status: Status) -> &'static str {
    match status {
        Status::Enabled => "ENABLED",
        Status::Disabled => "DISABLED",
        Status::SlavesideDisabled => "SLAVESIDE_DISABLED",
    }
}

impl Event {
    /// Its time zone.
    pub fn time_zone(&self) -> TimeZone {
        TimeZone::parse(&self.zone).unwrap_or_default()
    }

    /// When it is to run next; `now` is a moment before.
    pub fn next(&self, now: i64) -> Option<i64> {
        if self.status != Status::Enabled {
            return None;
        }
        self.schedule.next(&self.time_zone(), self.last_executed, now)
    }

    /// As SHOW CREATE EVENT prints it.
    pub fn statement(&self, style: PrintStyle) -> String {
        let mut out = String::from("CREATE DEFINER=");
        quote_identifier(&self.definer.0, style, &mut out);
        out.push('@');
        quote_identifier(&self.definer.1, style, &mut out);
        out.push_str(" EVENT ");
        quote_identifier(&self.name, style, &mut out);
        let zone = self.time_zone();
        let moment = |out: &mut String, word: &str, at: Option<i64>| {
            let Some(local) = at.and_then(|at| zone.to_local(at, 0)) else { return };
            let mut text = Vec::new();
            format::write_datetime(local, 0, &mut text);
            out.push_str(&format!(" {word} '{}'", String::from_utf8_lossy(&text)));
        };
        out.push_str(" ON SCHEDULE");
        match &self.schedule {
            Schedule::At(at) => moment(&mut out, "AT", Some(*at)),
            Schedule::Every { amount, unit, starts, ends } => {
                let shown = schedule::shown(*amount, *unit);
                out.push_str(&format!(" EVERY {shown} {}", unit.word().to_uppercase()));
                moment(&mut out, "STARTS", *starts);
                moment(&mut out, "ENDS", *ends);
            }
        }
        out.push_str(if self.preserve { " ON COMPLETION PRESERVE" } else { " ON COMPLETION NOT PRESERVE" });
        out.push_str(match self.status {
            Status::Enabled => " ENABLE",
            Status::Disabled => " DISABLE",
            Status::SlavesideDisabled => " DISABLE ON SLAVE",
        });
        if !self.comment.is_empty() {
            let mut quoted = Vec::new();
            quote_string(self.comment.as_bytes(), &mut quoted);
            out.push_str(" COMMENT ");
            out.push_str(&String::from_utf8_lossy(&quoted));
        }
        out.push_str(" DO ");
        out.push_str(&self.body);
        out
    }
}

/// Whether an account may see the events of a database.
pub(crate) fn sees(rights: &crate::rights::Rights, db: &str) -> bool {
    rights.unlimited() || rights.need_database(db, crate::rights::privilege::EVENT).is_ok()
}

/// The collation that an event's texts had, by name.
pub(crate) fn mode_style(mode: SqlMode) -> PrintStyle {
    PrintStyle { ansi_quotes: mode.has(SqlMode::ANSI_QUOTES), ..ast::PrintStyle::default() }
}
