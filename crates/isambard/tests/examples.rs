//! The examples do what they say.

#![allow(dead_code, reason = "each example has a main function")]

#[path = "../examples/bulk_load.rs"]
mod bulk_load;
#[path = "../examples/describe_folder.rs"]
mod describe_folder;
#[path = "../examples/first_steps.rs"]
mod first_steps;

use isambard::Database;

#[test]
fn examples_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::open(folder.path()).expect("opens");
    let connection = database.connect().expect("connects");
    let books = first_steps::books(&connection).expect("books");
    assert_eq!(books, [("Austen".to_owned(), 1), ("Verne".to_owned(), 2)]);
    let (rows, highest) = bulk_load::measurements(&connection, 5_000).expect("measurements");
    assert_eq!((rows, highest), (5_000, 34.9));
    let tables = describe_folder::tables(&connection).expect("tables");
    assert_eq!(tables.len(), 2, "{tables:?}");
    assert!(tables[0].starts_with("library.book: MyISAM, 3 rows, "), "{tables:?}");
    assert!(tables[1].starts_with("weather.measured: MyISAM, 5000 rows, "), "{tables:?}");
}
