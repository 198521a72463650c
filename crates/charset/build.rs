//! Turns the observed weights, case tables and character maps in `data/` into compact tables:
//! Rust literals for what is small or made of references, little-endian byte blobs for the rest.

#[path = "build/collations.rs"]
mod collations;
#[path = "build/east_asian.rs"]
mod east_asian;
#[path = "build/single_byte.rs"]
mod single_byte;
#[path = "build/source.rs"]
mod source;
#[path = "build/uca.rs"]
mod uca;
#[path = "build/unicode.rs"]
mod unicode;

fn main() {
    println!("cargo:rerun-if-changed=data");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=build.rs");
    collations::write();
    single_byte::write();
    unicode::write();
    uca::write();
    east_asian::write();
}
