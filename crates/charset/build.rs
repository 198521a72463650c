//! Turns the observed weights, case tables and character maps in `data/` into compact tables:
//! Rust literals for what is small or made of references, little-endian byte blobs for the rest.

#[path = "build/collations.rs"]
mod collations;
#[path = "build/source.rs"]
mod source;

fn main() {
    println!("cargo:rerun-if-changed=data");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=build.rs");
    collations::write();
}
