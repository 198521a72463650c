//! Opening a data directory, and connections to it.

use std::path::Path;
use std::sync::Arc;

use pages::StoreOptions;
use pages::storage::{RealStorage, Storage};

use crate::admin::{backup, system_tables};
use crate::engine::{Engine, EngineOptions};
use crate::error::{SqlError, SqlResult};
use crate::session::{ConnectInfo, Session};

impl Engine {
    /// Opens a data directory, replays its journal and reads the accounts.
    ///
    /// # Errors
    /// When another process holds the directory, when it cannot be read or created, or when an
    /// option is wrong.
    pub fn open(datadir: &Path, options: EngineOptions) -> SqlResult<Arc<Engine>> {
        if options.create {
            if !datadir.exists() {
                tracing::info!("making the data directory '{}'", datadir.display());
            }
            pages::storage::create_private_dir(datadir, true).map_err(|e| {
                SqlError::internal(format!("cannot create data directory '{}': {e}", datadir.display()))
            })?;
        }
        let datadir = datadir.canonicalize().map_err(|e| {
            SqlError::internal(format!("cannot open data directory '{}': {e}", datadir.display()))
        })?;
        if datadir.as_os_str().as_encoded_bytes().ends_with(backup::INCOMPLETE.as_bytes()) {
            return Err(SqlError::internal(format!(
                "'{}' is a backup that was not finished",
                datadir.display()
            )));
        }
        Engine::open_on(Arc::new(RealStorage), &datadir, options, |_| {})
    }

    /// [`Engine::open`] over files kept elsewhere; `tune` changes what the variables say of the page store.
    ///
    /// # Errors
    /// As [`Engine::open`].
    pub fn open_on(
        storage: Arc<dyn Storage>,
        datadir: &Path,
        options: EngineOptions,
        tune: impl FnOnce(&mut StoreOptions),
    ) -> SqlResult<Arc<Engine>> {
        let engine = Engine::over(storage, datadir, options, tune)?;
        engine.accounts.start(&engine)?;
        system_tables::start(&engine)?;
        engine.catalog.log_foreign();
        engine.scheduler.start_with(&engine);
        Ok(engine)
    }

    /// Begins a session for a connection whose user was authenticated.
    ///
    /// # Errors
    /// 1040 with too many connections, 1049 for an unknown database.
    pub fn connect(self: &Arc<Engine>, info: &ConnectInfo) -> SqlResult<Session> {
        Session::new(Arc::clone(self), info)
    }
}
