//! A backup that the running server makes.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::ProgressBar;
use mysql::prelude::Queryable;

use super::{Copied, Options, WHOLE};

/// Code of the warning for tables of other engines.
const OTHER_ENGINE: u32 = 1286;

/// An error of the server as its own text; others as their library says them.
fn in_words(error: &mysql::Error) -> String {
    match error {
        mysql::Error::MySqlError(e) => format!("ERROR {} ({}): {}", e.code, e.state, e.message),
        mysql::Error::IoError(e) => e.to_string(),
        other => other.to_string(),
    }
}

/// A server runs: it makes the copy, and is asked meanwhile how far it is.
pub fn served_by(
    socket: &Path,
    options: &Options,
    target: &Path,
    bar: &ProgressBar,
) -> Result<Copied, String> {
    let connect = || {
        let opts = mysql::OptsBuilder::new()
            .user(Some(&options.user))
            .pass(options.password.as_deref())
            .socket(Some(socket.to_string_lossy()))
            .prefer_socket(false);
        mysql::Conn::new(opts).map_err(|e| in_words(&e))
    };
    let (mut conn, mut watch) = (connect()?, connect()?);
    let id = conn.connection_id();
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(100));
                // The bar is a courtesy: what goes wrong here stops nothing.
                let Ok(rows) = watch.query::<mysql::Row, _>("SHOW PROCESSLIST") else { return };
                let percent = rows
                    .iter()
                    .find(|row| row.get::<u64, _>("Id") == Some(u64::from(id)))
                    .and_then(|row| row.get::<f64, _>("Progress"));
                if let Some(percent) = percent {
                    bar.set_position((percent * WHOLE as f64 / 100.0) as u64);
                }
            }
        });
        let quoted = target.to_string_lossy().replace('\\', "\\\\").replace('\'', "\\'");
        let skip = if options.skip_damaged { " SKIP DAMAGED" } else { "" };
        let result = conn.query_drop(format!("BACKUP SERVER TO '{quoted}'{skip}"));
        ended.store(true, Ordering::Relaxed);
        result.map_err(|e| in_words(&e))?;
        let tables = conn.info_str().into_owned();
        let warnings: Vec<(String, u32, String)> = conn.query("SHOW WARNINGS").map_err(|e| in_words(&e))?;
        let damaged = warnings.iter().any(|(_, code, _)| *code != OTHER_ENGINE);
        Ok(Copied { tables, said: warnings.into_iter().map(|(_, _, text)| text).collect(), damaged })
    })
}
