//! Tables of MariaDB 10.11 (`fixtures/`), as they are and with damage: every byte may be wrong, nothing panics.

use aria::{Error, Table};
use proptest::prelude::*;

fn fixture(name: &str) -> (Vec<u8>, Vec<u8>) {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let read = |end: &str| std::fs::read(format!("{dir}/{name}.{end}")).expect("fixture");
    (read("MAI"), read("MAD"))
}

/// Rows, and bytes of the columns v, b, z, as the server told them.
fn sums(index: &[u8], data: &[u8]) -> Result<(usize, [usize; 3]), Error> {
    let table = Table::new(index, data)?;
    let (mut count, mut bytes) = (0, [0; 3]);
    for row in table.rows() {
        let row = row?;
        count += 1;
        for (sum, column) in bytes.iter_mut().zip(3..6) {
            *sum += row[column].as_ref().map_or(0, Vec::len);
        }
    }
    Ok((count, bytes))
}

#[test]
fn tables_are_read() {
    for name in ["plain", "summed"] {
        let (index, data) = fixture(name);
        assert_eq!(sums(&index, &data), Ok((30, [9812, 17411, 5000])), "{name}");
        let table = Table::new(&index, &data).expect("table");
        let moved = table.rows().map(|r| r.expect("row")).find(|r| r[0].as_deref() == Some(&[8, 0, 0, 0]));
        let moved = moved.expect("row 8");
        assert_eq!(moved[1], Some(vec![1]));
        assert_eq!(moved[2], Some(b"name8".to_vec()));
        assert_eq!(moved[3], Some(vec![b'u'; 3000]));
        assert_eq!(moved[4], Some(b"inside".to_vec()));
        assert_eq!(moved[5], Some(vec![b'z'; 5000]));
    }
}

#[test]
fn states_and_checksums_are_seen() {
    let (index, data) = fixture("summed");
    for at in (8192..data.len()).step_by(97) {
        let mut bad = data.clone();
        bad[at] ^= 0x10;
        // What is free may be anything, as its page is not looked at.
        if data[at / 8192 * 8192 + 7] & 7 != 0 {
            assert!(sums(&index, &bad).is_err(), "byte {at}");
        }
    }
    let with = |at: usize, bits: u8| {
        let mut index = index.clone();
        index[at] |= bits;
        sums(&index, &data)
    };
    assert_eq!(with(0x19, 1), Err(Error::NotClosed));
    assert_eq!(with(0x1b, 2), Err(Error::Crashed));
    assert_eq!(with(0, 1), Err(Error::NotAria));
    assert!(matches!(with(0x17, 1), Ok(_) | Err(Error::Unknown(_))));
    assert!(sums(&index, &data[..data.len() - 8192]).is_err());
    assert!(sums(&index[..300], &data).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn damage_ends_in_an_error_or_rows(
        changes in prop::collection::vec((any::<bool>(), any::<u16>(), any::<u8>()), 1..20),
        rows_only in any::<bool>(),
    ) {
        let (mut index, mut data) = fixture("plain");
        for (of_index, at, value) in changes {
            let at = usize::from(at);
            if of_index && !rows_only {
                let at = at % 0x300;
                index[at] = value;
            } else {
                // Heads of pages, their directories, and the rows between.
                let page = 8192 * (1 + at % (data.len() / 8192 - 1));
                let inside = match value & 3 {
                    0 => at % 64,
                    1 => 8192 - 1 - at % 256,
                    _ => at % 8192,
                };
                data[page + inside] = value;
            }
        }
        let _ = sums(&index, &data);
    }

    #[test]
    fn any_bytes_are_no_table(index in prop::collection::vec(any::<u8>(), 0..900), data in prop::collection::vec(any::<u8>(), 0..100)) {
        prop_assert!(sums(&index, &data).is_err());
    }
}
