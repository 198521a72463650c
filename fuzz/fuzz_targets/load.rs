//! Any bytes as the file of LOAD DATA, with any format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sql::ast::FileFormat;
use sql::dml::text::{Fields, Format};

fuzz_target!(|data: &[u8]| {
    // Five short strings for the format, then the file.
    let mut rest = data;
    let mut string = || -> Option<Box<[u8]>> {
        let (&len, tail) = rest.split_first()?;
        let (text, tail) = tail.split_at_checked(usize::from(len % 4))?;
        rest = tail;
        (len & 0x80 == 0).then(|| text.into())
    };
    let format = FileFormat {
        field_terminator: string(),
        enclosed: string(),
        escaped: string(),
        line_start: string(),
        line_terminator: string(),
        ..FileFormat::default()
    };
    let (&wanted, file) = rest.split_first().unwrap_or((&3, &[]));
    for skip in [0, 2] {
        let mut input = file;
        let mut fields =
            Fields::new(&mut input, Format::of(&format, charset::system().charset, std::iter::empty()));
        for _ in 0..skip {
            let _ = fields.skip_line();
        }
        let (mut bytes, mut rows) = (0, 0);
        while let Ok(true) = fields.next_row(usize::from(wanted % 8)) {
            let values = (0..fields.count()).filter_map(|n| fields.get(n).flatten());
            bytes += values.map(<[u8]>::len).sum::<usize>();
            rows += 1;
            assert!(bytes <= file.len() && rows <= file.len());
        }
    }
});
