//! How a data directory is opened.

use std::path::Path;

use crate::Database;
use crate::error::Error;

/// How a data directory is opened.
///
/// ```
/// # fn main() -> Result<(), isambard::Error> {
/// # let folder = std::env::temp_dir().join(format!("isambard-options-{}", std::process::id()));
/// let database = isambard::OpenOptions::new().variable("key_buffer_size", "64M").open(&folder)?;
/// # database.close()?;
/// // Another time it must be there.
/// let database = isambard::OpenOptions::new().create(false).open(&folder)?;
/// # database.close()?;
/// # std::fs::remove_dir_all(&folder).ok();
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct OpenOptions {
    variables: Vec<(String, String)>,
    create: bool,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { variables: Vec::new(), create: true }
    }
}

impl OpenOptions {
    /// A directory that is made when it is missing, all variables at their defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to make the directory when it is missing.
    #[must_use]
    pub fn create(mut self, create: bool) -> Self {
        self.create = create;
        self
    }

    /// A global system variable, set before the first connection: `("key_buffer_size", "64M")`.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Opens the directory. What a killed process left is recovered first.
    ///
    /// # Errors
    /// When another process holds the directory, or it cannot be read or made; when a variable is unknown or its
    /// value wrong.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Database, Error> {
        let options = sql::EngineOptions { set: self.variables.clone(), create: self.create };
        Ok(Database::from_engine(sql::Engine::open(path.as_ref(), options)?))
    }
}
