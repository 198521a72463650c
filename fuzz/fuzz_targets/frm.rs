//! Any bytes as a definition file: read, show, lay out, write.
#![no_main]

use schema::frm::{self, Frm};
use schema::layout::engine;
use schema::show_create::{ShowOptions, show_create};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    match frm::read(data) {
        Ok(Frm::Table(def)) => {
            let layout = def.layout();
            show_create(&def, "t", &ShowOptions::default());
            layout.default_record(&def);
            engine::columns(&def, &layout);
            engine::keys(&def, &layout);
            if let Ok(written) = frm::write(&def) {
                frm::read(&written).expect("what we write we can read");
            }
        }
        Ok(Frm::View(view)) => {
            view.write();
        }
        Err(_) => {}
    }
});
