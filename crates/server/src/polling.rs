//! Looking for the next request before going to sleep.
//!
//! A processor with nothing to do is stopped, in a virtual machine by leaving it, and starting it again takes longer than most statements.
//! Where there are few connections every statement pays for that twice: for the client, and for the thread that serves it. So while there
//! are processors for all of both, that thread looks for the next request for a moment before it sleeps, as long as requests come soon
//! enough for that (`docs/decisions/0088-a-thread-beside-its-client.md` has the figures).

use std::hint::spin_loop;
use std::time::{Duration, Instant};

use crate::stream::Stream;

/// How long it is looked for the next request.
const LIMIT: Duration = Duration::from_micros(50);
/// Requests that may come too late in a row.
const MOST_MISSED: u32 = 3;
/// Statements after which it is tried again.
const PAUSE: u32 = 100;

/// Whether the requests of a connection come soon.
#[derive(Debug, Default)]
pub(crate) struct Polling {
    /// Requests in a row that did not come soon.
    missed: u32,
    /// Statements until it is looked again.
    pause: u32,
}

impl Polling {
    /// Returns when there is a request, or after a moment.
    pub(crate) fn look(&mut self, stream: &Stream) {
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let begun = Instant::now();
        loop {
            if stream.has_bytes() {
                self.missed = 0;
                return;
            }
            if begun.elapsed() >= LIMIT {
                break;
            }
            for _ in 0..8 {
                spin_loop();
            }
        }
        self.missed += 1;
        if self.missed >= MOST_MISSED {
            *self = Polling { missed: 0, pause: PAUSE };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn requests_that_come_late_are_not_looked_for() {
        let (mut client, own) = UnixStream::pair().unwrap();
        let stream = Stream::from(own);
        let mut polling = Polling::default();
        for _ in 0..MOST_MISSED {
            assert_eq!(polling.pause, 0);
            polling.look(&stream);
        }
        assert_eq!(polling.pause, PAUSE);
        for left in (0..PAUSE).rev() {
            polling.look(&stream);
            assert_eq!(polling.pause, left);
        }
        polling.look(&stream);
        assert_eq!(polling.missed, 1, "tried again");
        client.write_all(b"x").unwrap();
        polling.look(&stream);
        assert_eq!(polling.missed, 0);
        drop(client);
        polling.look(&stream);
        assert_eq!((polling.missed, polling.pause), (0, 0), "the end of the stream is there to be read, too");
    }
}
