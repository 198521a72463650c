//! Which module may import which: the floors of a crate, read from its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::root;

/// The modules of `syntax`, `eval` and `sql`, the lowest first. A module imports from those before it alone.
const SQL: &[&str] = &[
    "error",
    "warning",
    "memory",
    "names",
    "failure",
    "file_access",
    "number",
    "old_password",
    "lex",
    "ast",
    "fingerprint",
    "parse",
    "status",
    "rights",
    "variables",
    "logs",
    "result",
    "types",
    "locks",
    "expr",
    "func",
    "bind",
    "table",
    "catalog",
    "plan",
    "exec",
    "caches",
    "engine",
    "information_schema",
    "session",
    "dml",
    "ddl",
    "show",
    "admin",
    "routine",
    "statement",
];

/// The crate that only one module of `sql` names, and that module.
const ISAM: &str = "isam";
const SEAM: &str = "table";

/// What `sql` imports against that order: (who, what of). All of it is of routines, which run statements from within
/// expressions, and of views, whose texts are statements; `docs/decisions/0076-routines-and-floors.md` says how each of these is to go.
const AGAINST: &[(&str, &str)] = &[
    ("engine", "routine"),
    ("information_schema", "admin"),
    ("information_schema", "routine"),
    ("information_schema", "session"),
    ("information_schema", "show"),
    ("routine", "statement"),
    ("session", "routine"),
    ("show", "routine"),
];

/// The crates whose modules import one another in no circle, with the circles that are there: each is one thing in several files.
const CIRCLES: &[(&str, &[&[&str]])] = &[
    ("aria", &[]),
    // The tables that the build makes hold collations, which are found in those tables.
    ("charset", &[&["case", "collation", "set", "tables"]]),
    ("fulltext", &[]),
    ("isam", &[]),
    // The store: its state and the steps that change it. See docs/decisions/0068-circles-of-modules.md.
    ("pages", &[STORE]),
    ("schema", &[]),
    ("syntax", &[]),
    ("eval", &[]),
    // What those imports close: see `AGAINST`.
    ("sql", &[ROUTINES]),
];

/// The modules of `sql` that reach each other because of routines.
const ROUTINES: &[&str] =
    &["admin", "ddl", "dml", "engine", "information_schema", "routine", "session", "show", "statement"];

/// The modules of `pages` that make up the store.
const STORE: &[&str] = &[
    "base",
    "big",
    "budget",
    "checkpoint",
    "commit",
    "core",
    "file",
    "files",
    "gate",
    "guard",
    "journal",
    "map",
    "prune",
    "read",
    "recover",
    "replay",
    "spill",
    "storage",
    "store",
    "table",
    "work",
    "write",
];

/// From a module to another, with the files of it where it does so.
type Edges = BTreeMap<(String, String), BTreeSet<PathBuf>>;

#[test]
fn sql_imports_downward() {
    let mut edges = Edges::new();
    for name in ["syntax", "eval", "sql"] {
        edges.extend(edges_of(&root().join("crates").join(name).join("src")));
    }
    let named = edges.extract_if(.., |(_, to), _| to == ISAM).map(|((from, _), files)| (from, files));
    let outside: Vec<_> = named.filter(|(from, _)| from != SEAM).collect();
    assert!(outside.is_empty(), "`{ISAM}` is named outside of `{SEAM}`: {outside:#?}");
    let modules: BTreeSet<&str> = edges.keys().flat_map(|(from, to)| [from.as_str(), to.as_str()]).collect();
    let known: BTreeSet<&str> = SQL.iter().copied().collect();
    assert!(modules.is_subset(&known), "without a floor: {:?}", modules.difference(&known));
    assert!(edges.len() > 100, "only {} edges found", edges.len());

    let floor = |module: &str| SQL.iter().position(|m| *m == module);
    let upward: Vec<_> = edges.iter().filter(|((from, to), _)| floor(from) < floor(to)).collect();
    let unknown: Vec<_> =
        upward.iter().filter(|((from, to), _)| !AGAINST.contains(&(from.as_str(), to.as_str()))).collect();
    assert!(unknown.is_empty(), "imports from a floor above: {unknown:#?}");
    let gone: Vec<_> =
        AGAINST.iter().filter(|(from, to)| !upward.iter().any(|((f, t), _)| f == from && t == to)).collect();
    assert!(gone.is_empty(), "no longer there, to be taken from the list: {gone:?}");
}

#[test]
fn modules_import_in_no_circle() {
    for (name, known) in CIRCLES {
        let source = root().join("crates").join(name).join("src");
        let exported = exported(&fs::read_to_string(source.join("lib.rs")).expect("a crate"));
        let edges = edges_of(&source).into_keys().map(|(from, to)| {
            let to = exported.get(&to).cloned().unwrap_or(to);
            (from, to)
        });
        let found = circles(&edges.filter(|(from, to)| from != to).collect());
        let known: BTreeSet<BTreeSet<String>> =
            known.iter().map(|circle| circle.iter().map(|m| (*m).to_owned()).collect()).collect();
        assert_eq!(found, known, "circles of `{name}`");
    }
}

/// The modules that reach each other, by groups.
fn circles(edges: &BTreeSet<(String, String)>) -> BTreeSet<BTreeSet<String>> {
    let mut reached = edges.clone();
    loop {
        let further: Vec<_> = reached
            .iter()
            .flat_map(|(from, over)| {
                edges.iter().filter(move |(f, _)| f == over).map(move |(_, to)| (from.clone(), to.clone()))
            })
            .collect();
        let before = reached.len();
        reached.extend(further);
        if reached.len() == before {
            break;
        }
    }
    let back = |from: &String, to: &String| reached.contains(&(to.clone(), from.clone()));
    reached
        .iter()
        .filter(|(from, to)| from == to)
        .map(|(m, _)| {
            reached.iter().filter(|(f, to)| f == m && back(f, to)).map(|(_, to)| to.clone()).collect()
        })
        .collect()
}

/// The names a crate's root exports from its modules: from the name to the module.
fn exported(root: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in root.split("pub use ").skip(1) {
        let path = line.split(';').next().unwrap_or_default().trim_start_matches("crate::");
        let Some((module, names)) = path.split_once("::") else { continue };
        for path in
            names.split([',', '{', '}']).map(str::trim).filter(|n| !n.is_empty() && !n.ends_with("::"))
        {
            let name = path.rsplit("::").next().unwrap_or(path);
            let name = name.rsplit(" as ").next().unwrap_or(name);
            found.insert(name.to_owned(), module.to_owned());
        }
    }
    found
}

#[test]
fn circles_are_found() {
    let edges = ["ab", "bc", "ca", "cd", "de", "ed", "ef"];
    let edges = edges.map(|e| (e[..1].to_owned(), e[1..].to_owned()));
    let group = |names: &str| names.chars().map(String::from).collect::<BTreeSet<_>>();
    assert_eq!(circles(&BTreeSet::from(edges)), BTreeSet::from([group("abc"), group("de")]));
    let text = "pub mod a;\npub use a::{One, b::Two};\npub use crate::c::d::Three as Four;\npub use e::Five;";
    let names = exported(text);
    let names: Vec<_> = names.iter().map(|(n, m)| (n.as_str(), m.as_str())).collect();
    assert_eq!(names, [("Five", "e"), ("Four", "c"), ("One", "a"), ("Two", "a")]);
}

/// What a statement has is exchanged for that of a nested one in one place; a context is handed on, never exchanged but with
/// the session that runs stored functions.
#[test]
fn statements_are_nested_in_one_place() {
    let source = root().join("crates/sql/src");
    let mut exchanged = Vec::new();
    for path in files_of(&source) {
        let text = fs::read_to_string(&path).expect("a file of the source");
        let inner = path.strip_prefix(&source).expect("below the source").display().to_string();
        for call in text.split("mem::").skip(1) {
            let Some(call) = ["swap(", "replace(", "take("].iter().find_map(|c| call.strip_prefix(c)) else {
                continue;
            };
            let what = call.split([',', ')']).next().unwrap_or_default().trim();
            if what.ends_with("ctx") || what.ends_with(".statement") {
                exchanged.push((inner.clone(), what.to_owned()));
            }
        }
    }
    exchanged.sort();
    let here = |what: &str| ("session/statement.rs".to_owned(), what.to_owned());
    let function = || ("routine/function.rs".to_owned(), "ctx".to_owned());
    let expected = [function(), function(), here("&mut self.ctx.statement"), here("&mut self.statement")];
    assert_eq!(exchanged, expected);
}

/// Who imports what among the top modules of a crate, tests left out.
fn edges_of(source: &Path) -> Edges {
    let mut edges = Edges::new();
    for path in files_of(source) {
        let inner = path.strip_prefix(source).expect("below the source").with_extension("");
        let parts: Vec<&str> = inner.iter().filter_map(|part| part.to_str()).collect();
        if parts.iter().any(|part| part.ends_with("tests")) || parts[0] == "lib" {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file of the source");
        let tokens: TokenStream = text.parse().expect("Rust");
        let mut found = BTreeSet::new();
        imports(tokens, &mut found);
        for to in found.into_iter().filter(|to| to != parts[0]) {
            edges.entry((parts[0].to_owned(), to)).or_default().insert(inner.clone());
        }
    }
    edges
}

/// The Rust files in a folder, at any depth.
fn files_of(source: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![source.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The modules that paths beginning with `crate` name; what is `#[cfg(test)]` is left out.
fn imports(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if is_test_only(&tokens[at..]) {
            at += 2;
            at += tokens[at..].iter().take_while(|token| !ends_item(token)).count() + 1;
            continue;
        }
        match &tokens[at] {
            TokenTree::Ident(word) if word == "crate" => match tokens.get(at + 3) {
                Some(TokenTree::Ident(module)) if is_path(&tokens[at + 1..]) => {
                    found.insert(module.to_string());
                }
                Some(TokenTree::Group(several)) if is_path(&tokens[at + 1..]) => {
                    first_names(several.stream(), found);
                }
                _ => {}
            },
            TokenTree::Ident(word) if word == ISAM && is_path(&tokens[at + 1..]) => {
                found.insert(ISAM.to_owned());
            }
            TokenTree::Group(group) => imports(group.stream(), found),
            _ => {}
        }
        at += 1;
    }
}

/// The first name of each path in `{a::b, c::{d, e}}`.
fn first_names(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let mut begins = true;
    for token in tokens {
        match token {
            TokenTree::Ident(name) if begins => {
                found.insert(name.to_string());
                begins = false;
            }
            TokenTree::Punct(mark) if mark.as_char() == ',' => begins = true,
            _ => {}
        }
    }
}

/// `::`
fn is_path(tokens: &[TokenTree]) -> bool {
    let colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    colon(tokens.first()) && colon(tokens.get(1))
}

/// `#[cfg(test)]`
fn is_test_only(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(mark), TokenTree::Group(group), ..]
        if mark.as_char() == '#' && group.stream().to_string().replace(' ', "") == "cfg(test)")
}

/// What an item ends with: its body, or a semicolon.
fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

#[test]
fn imports_are_found_where_they_stand() {
    let text = "use crate::one::Thing; use crate::{two, three::{four, five}}; fn f() { six!(crate::seven::g()) }
        #[cfg(test)] use crate::eight; #[cfg(test)] mod tests { use crate::nine; } /// crate::ten
        struct S { field: pub_in::crate_::eleven } pub(crate) fn h(x: &crate::twelve::X) {} // crate::thirteen";
    let mut found = BTreeSet::new();
    imports(text.parse().expect("Rust"), &mut found);
    let expected = ["one", "two", "three", "seven", "twelve"].map(str::to_owned);
    assert_eq!(found, BTreeSet::from(expected));
}
