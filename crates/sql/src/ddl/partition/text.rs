//! PARTITION BY as definitions have it, letter for letter as MariaDB writes it.

use std::fmt::Write;

use crate::ast::{
    HashMethod, Hashed, Name, PartitionBy, PartitionMethod, PartitionOptions, PartitionValues, PrintStyle,
    quote_identifier,
};

/// The values of each partition as they are written; those of MAXVALUE and DEFAULT too.
pub(super) type ValueTexts = Vec<String>;

/// The clause. `exprs` has the texts of the partitioning function and of that of the subpartitions.
pub(super) fn clause(
    by: &PartitionBy,
    exprs: (&str, &str),
    values: &ValueTexts,
    engine: &str,
    to_text: &dyn Fn(&[u8]) -> String,
) -> String {
    let mut out = String::from(" PARTITION BY ");
    match &by.method {
        PartitionMethod::Hash(hash) => method(&mut out, hash, exprs.0),
        PartitionMethod::Range(_) => _ = write!(out, "RANGE ({})", exprs.0),
        PartitionMethod::List(_) => _ = write!(out, "LIST ({})", exprs.0),
        PartitionMethod::RangeColumns(columns) => {
            out.push_str("RANGE  COLUMNS");
            names(&mut out, columns);
        }
        PartitionMethod::ListColumns(columns) => {
            out.push_str("LIST  COLUMNS");
            names(&mut out, columns);
        }
    }
    if let Some(count) = by.count.filter(|_| by.partitions.is_empty()) {
        _ = write!(out, "\nPARTITIONS {count}");
    }
    let named_subs = by.partitions.iter().any(|p| !p.subpartitions.is_empty());
    if let Some(sub) = &by.sub {
        out.push_str("\nSUBPARTITION BY ");
        method(&mut out, &sub.method, exprs.1);
        if let Some(count) = sub.count.filter(|_| !named_subs) {
            _ = write!(out, "\nSUBPARTITIONS {count}");
        }
    }
    let options = |out: &mut String, o: &PartitionOptions| {
        write_options(out, o, to_text);
        _ = write!(out, " ENGINE = {engine}");
    };
    for (n, partition) in by.partitions.iter().enumerate() {
        out.push_str(if n == 0 { "\n(PARTITION " } else { ",\n PARTITION " });
        quote_identifier(&partition.name, PrintStyle::default(), &mut out);
        match &partition.values {
            PartitionValues::None => {}
            PartitionValues::Max => out.push_str(" VALUES LESS THAN MAXVALUE"),
            PartitionValues::LessThan(_) => _ = write!(out, " VALUES LESS THAN {}", values[n]),
            PartitionValues::In(_) => _ = write!(out, " VALUES IN ({})", values[n]),
            PartitionValues::Default => out.push_str(" DEFAULT"),
        }
        if partition.subpartitions.is_empty() {
            options(&mut out, &partition.options);
            continue;
        }
        for (i, sub) in partition.subpartitions.iter().enumerate() {
            out.push_str(if i == 0 { "\n (SUBPARTITION " } else { ",\n  SUBPARTITION " });
            quote_identifier(&sub.name, PrintStyle::default(), &mut out);
            options(&mut out, &sub.options);
        }
        out.push(')');
    }
    if !by.partitions.is_empty() {
        out.push(')');
    }
    out
}

fn method(out: &mut String, by: &HashMethod, expr: &str) {
    if by.linear {
        out.push_str("LINEAR ");
    }
    match &by.of {
        Hashed::Expr(_) => _ = write!(out, "HASH ({expr})"),
        Hashed::Key { algorithm, columns } => {
            out.push_str("KEY ");
            if *algorithm == Some(1) {
                out.push_str("ALGORITHM = 1 ");
            }
            names(out, columns);
        }
    }
}

fn names(out: &mut String, columns: &[Name]) {
    out.push('(');
    for (n, name) in columns.iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        quote_identifier(name, PrintStyle::default(), out);
    }
    out.push(')');
}

fn write_options(out: &mut String, o: &PartitionOptions, to_text: &dyn Fn(&[u8]) -> String) {
    let quoted = |name: &str, text: &Option<Box<[u8]>>, out: &mut String| {
        if let Some(text) = text.as_ref().filter(|t| !t.is_empty()) {
            _ = write!(out, " {name} = {}", quote(&to_text(text)));
        }
    };
    quoted("CONNECTION", &o.connection, out);
    if let Some(n) = o.nodegroup {
        _ = write!(out, " NODEGROUP = {n}");
    }
    if let Some(n) = o.max_rows.filter(|n| *n > 0) {
        _ = write!(out, " MAX_ROWS = {n}");
    }
    if let Some(n) = o.min_rows.filter(|n| *n > 0) {
        _ = write!(out, " MIN_ROWS = {n}");
    }
    quoted("DATA DIRECTORY", &o.data_directory, out);
    quoted("INDEX DIRECTORY", &o.index_directory, out);
    quoted("COMMENT", &o.comment, out);
}

/// A text in quotes, what is special in it behind a backslash.
pub(in crate::ddl) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    for c in text.chars() {
        match c {
            '\0' => out.push_str("\\0"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\x1a' => out.push_str("\\Z"),
            '\\' | '\'' | '"' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}
