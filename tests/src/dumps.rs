//! Queries that read a table whole.

use crate::compare::Order;
use crate::tables::Definition;

/// Of words in most rows, in some and in few.
const SEARCHES: [&str; 7] = [
    "'weights rarely naive'",
    "'common1 server2 quick'",
    "'naive' WITH QUERY EXPANSION",
    "'common' IN BOOLEAN MODE",
    "'+common -server ind*' IN BOOLEAN MODE",
    "'common* tabl*' IN BOOLEAN MODE",
    "'\"common server\" >quick' IN BOOLEAN MODE",
];

/// The queries that read a table whole, by scan and by each key.
#[must_use]
pub fn dumps(definition: &Definition, table: &str) -> Vec<(String, Order)> {
    let mut queries = vec![
        (format!("SELECT * FROM {table} USE INDEX ()"), Order::Exact),
        (format!("SELECT COUNT(*), MIN(rid), MAX(rid), SUM(rid) FROM {table}"), Order::Exact),
    ];
    for key in definition.keys() {
        let name = &key.name;
        if key.fulltext {
            let columns = key.parts.iter().map(|p| p.0.as_str()).collect::<Vec<_>>().join(", ");
            for words in SEARCHES {
                let search = format!("MATCH ({columns}) AGAINST ({words})");
                queries
                    .push((format!("SELECT {search}, {table}.* FROM {table} WHERE {search}"), Order::Exact));
                queries.push((format!("SELECT COUNT(*) FROM {table} WHERE {search}"), Order::Exact));
            }
            continue;
        }
        if key.has_prefix() {
            // The key orders beginnings only: what it finds is compared, not in what order.
            let (first, prefix, _) = &key.parts[0];
            let conditions = match prefix {
                Some(_) => &["IS NULL", ">= ''", "< 'm'"][..],
                None => &["IS NULL", "IS NOT NULL"],
            };
            for condition in conditions {
                queries.push((
                    format!("SELECT * FROM {table} FORCE INDEX ({name}) WHERE {first} {condition}"),
                    Order::Any,
                ));
            }
        } else {
            for backwards in [false, true] {
                let order = key.order(backwards);
                queries.push((
                    format!("SELECT * FROM {table} FORCE INDEX ({name}) ORDER BY {order}"),
                    Order::Exact,
                ));
            }
        }
        let columns = key.parts.iter().map(|p| p.0.as_str()).collect::<Vec<_>>().join(", ");
        // Every value is looked for through the key.
        let same =
            key.parts.iter().map(|(c, ..)| format!("b.{c} <=> a.{c}")).collect::<Vec<_>>().join(" AND ");
        queries.push((
            format!(
                "SELECT COUNT(*), SUM(a.rid), SUM(b.rid) FROM {table} a JOIN {table} b FORCE INDEX ({name}) ON {same}"
            ),
            Order::Exact,
        ));
        queries.push((format!("SELECT {columns} FROM {table} FORCE INDEX ({name})"), Order::Any));
    }
    queries.push((format!("CHECKSUM TABLE {table} EXTENDED"), Order::Exact));
    queries.push((format!("CHECKSUM TABLE {table}"), Order::Exact));
    queries
}
