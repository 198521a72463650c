//! Damaged Aria tables: two lengths' worth of bytes, the head of the index and the data, or changes to a real table.
#![no_main]

use libfuzzer_sys::fuzz_target;

const INDEX: &[u8] = include_bytes!("../../crates/aria/fixtures/plain.MAI");
const DATA: &[u8] = include_bytes!("../../crates/aria/fixtures/plain.MAD");

fn read(index: &[u8], data: &[u8]) {
    if let Ok(table) = aria::Table::new(index, data) {
        for row in table.rows() {
            let Ok(row) = row else { return };
            assert_eq!(row.len(), table.columns().len());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&how, rest)) = bytes.split_first() else { return };
    if how == 0 {
        let (index, data) = rest.split_at(rest.len().min(900));
        return read(index, data);
    }
    // Four bytes each: where, and what to put there.
    let (mut index, mut data) = (INDEX.to_vec(), DATA.to_vec());
    for d in rest.chunks_exact(4) {
        let at = usize::from(d[1]) << 8 | usize::from(d[2]);
        let target = match d[0] % 4 {
            0 => index.get_mut(at % 0x300),
            // Heads and directories of pages.
            1 => data.get_mut(8192 * (at % 7) + at / 7 % 64),
            2 => data.get_mut((8192 * (at % 7) + 8192).saturating_sub(1 + at / 7 % 256)),
            _ => data.get_mut(at),
        };
        if let Some(b) = target {
            *b = d[3];
        }
    }
    read(&index, &data);
});
