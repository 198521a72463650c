//! Any bytes as what a client sends: packets, logins, parameters.
#![no_main]

use std::os::unix::net::UnixStream;

use libfuzzer_sys::fuzz_target;
use server::handshake::{ChangeUser, LoginRequest, ReceivedGreeting};
use server::packet::PacketReader;
use server::parameters::{Bulk, Execute, parse_values};
use server::stream::Stream;

/// The largest payload taken, in bytes.
const LIMIT: usize = 1000;

fuzz_target!(|data: &[u8]| {
    // The stream as it comes from the socket.
    let (ours, theirs) = UnixStream::pair().expect("socket pair");
    let (ours, theirs) = (Stream::from(ours), Stream::from(theirs));
    if data.len() <= 64 * 1024 {
        ours.send(data).expect("send");
        drop(ours);
        let mut reader = PacketReader::new();
        let (mut sequence, mut total) = (0, 0);
        while let Ok(payload) = reader.read(&theirs, &mut sequence, LIMIT) {
            assert!(payload.len() <= LIMIT);
            total += payload.len();
            // A client that counts right, so that deeper bytes are reached.
            sequence = reader.buffered().get(3).copied().unwrap_or(0);
        }
        assert!(total <= data.len());
    }
    // Payloads.
    if let Ok(login) = LoginRequest::parse(data) {
        let mut again = Vec::new();
        login.encode(&mut again);
    }
    let _ = ReceivedGreeting::parse(data);
    let Some((&count, rest)) = data.split_first() else { return };
    let _ = ChangeUser::parse(rest, u32::from(count) << 13);
    let count = usize::from(count % 70);
    let long = [None, Some(vec![1, 2, 3])];
    let (mut types, mut values) = (Vec::new(), Vec::new());
    if let Ok(execute) = Execute::parse(rest)
        && parse_values(execute.rest, count, &mut types, &long, &mut values).is_ok()
    {
        assert_eq!(values.len(), count);
        // The types stay for an execution that sends none.
        let _ = parse_values(rest, count, &mut types, &[], &mut values);
    }
    if let Ok(mut bulk) = Bulk::parse(rest)
        && bulk.read_types(count, &mut types).is_ok()
    {
        while let Ok(true) = bulk.next_set(&types, &mut values) {
            assert_eq!(values.len(), count);
        }
    }
});
