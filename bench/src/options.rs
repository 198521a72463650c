//! Options that all measurements beside other servers have.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

/// Where the programs are, and where files go.
#[derive(Debug, Clone, Default, Args)]
pub struct Common {
    /// Folder with the binaries `isambard` and `ceiling` [default: that of this program].
    #[arg(long)]
    pub binaries: Option<PathBuf>,
    /// Folder for data and logs; removed at the end [default: in the temporary folder].
    #[arg(long)]
    pub scratch: Option<PathBuf>,
    /// Write the report to this file too.
    #[arg(long)]
    pub output: Option<PathBuf>,
}

impl Common {
    /// A binary of ours.
    ///
    /// # Errors
    /// When this program has no folder.
    pub fn binary(&self, name: &str) -> io::Result<PathBuf> {
        match &self.binaries {
            Some(folder) => Ok(folder.join(name)),
            None => {
                let own = std::env::current_exe()?;
                let folder = own.parent().ok_or_else(|| io::Error::other("this program has no folder"))?;
                Ok(folder.join(name))
            }
        }
    }

    /// Runs `work` in the scratch folder, which is removed afterwards, and by an interrupt too.
    ///
    /// # Errors
    /// Those of the work and of the folder.
    pub fn in_scratch<T>(&self, work: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        let own = || std::env::temp_dir().join(format!("isambard-bench-{}", std::process::id()));
        let scratch = self.scratch.clone().unwrap_or_else(own);
        crate::process::end_on_signals(&scratch)?;
        std::fs::create_dir_all(&scratch)?;
        let result = work(&scratch);
        std::fs::remove_dir_all(&scratch)?;
        result
    }
}
