//! Where results go: the screen or a pager, and a copy into a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Collects a result and sends it on when flushed.
#[derive(Debug, Default)]
pub struct Output {
    buffer: Vec<u8>,
    pager: Option<String>,
    tee: Option<File>,
}

/// Results are written on once this much waits, in bytes, when no pager waits for the whole.
const WRITE_AT: usize = 64 * 1024;

impl Output {
    /// Sends results through a shell command; an empty one takes $PAGER.
    pub fn set_pager(&mut self, command: Option<&str>) {
        self.pager = match command {
            Some("") => std::env::var("PAGER").ok(),
            other => other.map(str::to_owned),
        };
        match &self.pager {
            Some(command) => say!("PAGER set to '{command}'"),
            None => say!("PAGER set to stdout"),
        }
    }

    /// Appends results to a file too.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn set_tee(&mut self, path: Option<&Path>) -> io::Result<()> {
        self.tee = path.map(|p| OpenOptions::new().append(true).create(true).open(p)).transpose()?;
        Ok(())
    }

    fn send(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let buffer = std::mem::take(&mut self.buffer);
        if let Some(tee) = &mut self.tee {
            tee.write_all(&buffer)?;
        }
        match &self.pager {
            Some(command) => {
                let mut child = Command::new("sh").arg("-c").arg(command).stdin(Stdio::piped()).spawn()?;
                if let Some(stdin) = &mut child.stdin {
                    // A pager that is left early reads no further.
                    let _ = stdin.write_all(&buffer);
                }
                child.wait()?;
            }
            None => {
                let mut out = io::stdout().lock();
                out.write_all(&buffer)?;
                out.flush()?;
            }
        }
        self.buffer = buffer;
        self.buffer.clear();
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= WRITE_AT && self.pager.is_none() {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}
