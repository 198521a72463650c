//! What ALTER TABLE makes of the clause of a partitioned table.

use crate::ast::{
    Expr, ExprKind, HashMethod, Hashed, Name, PartitionBound, PartitionBy, PartitionElement, PartitionMethod,
    PartitionOp, PartitionOptions, PartitionSet, PartitionValues,
};
use crate::error::{SqlError, SqlResult, codes};
use crate::names::same_name;
use crate::table::partition::{default_name, default_sub_name, names_of};

/// Whether rows are shared out by value.
pub(super) fn is_ordered(by: &PartitionBy) -> bool {
    !matches!(by.method, PartitionMethod::Hash(_))
}

/// Only partitions of RANGE and LIST can be treated so.
pub(super) fn only_ordered(by: &PartitionBy, what: &str) -> SqlResult<()> {
    match is_ordered(by) {
        true => Ok(()),
        false => Err(SqlError::new(codes::ER_ONLY_ON_RANGE_LIST_PARTITION, &[&what])),
    }
}

/// The places of partitions by name.
///
/// # Errors
/// 1507.
pub(super) fn places(by: &PartitionBy, names: &[Name]) -> SqlResult<Vec<usize>> {
    let all = names_of(by);
    let place = |name: &Name| all.iter().position(|(own, _)| same_name(own, name));
    let found: Option<Vec<usize>> = names.iter().map(place).collect();
    let mut found = found.ok_or_else(|| SqlError::new(codes::ER_PARTITION_DOES_NOT_EXIST, &[]))?;
    found.sort_unstable();
    let before = found.len();
    found.dedup();
    match found.len() == before {
        true => Ok(found),
        false => Err(SqlError::new(codes::ER_PARTITION_DOES_NOT_EXIST, &[])),
    }
}

/// Gives every partition a name that has none of its own.
fn name_all(by: &mut PartitionBy) {
    if by.partitions.is_empty() {
        by.partitions = names_of(by).into_iter().map(|(name, _)| bare(&name)).collect();
    }
}

fn bare(name: &str) -> PartitionElement {
    PartitionElement {
        name: Name::from(name),
        values: PartitionValues::None,
        options: PartitionOptions::default(),
        subpartitions: Vec::new(),
    }
}

/// Changes the clause as the statement asks.
///
/// # Errors
/// 1505-1520.
pub(super) fn apply(by: &mut PartitionBy, op: &PartitionOp) -> SqlResult<()> {
    match op {
        PartitionOp::By(new) => *by = new.clone(),
        PartitionOp::Add { partitions, .. } => {
            check_subpartitions(by, partitions, codes::ER_ADD_PARTITION_SUBPART_ERROR)?;
            if !is_ordered(by) {
                name_all(by);
            }
            let (subs, named) = (subs_of(by), names_subs(by));
            by.partitions.extend(partitions.iter().cloned());
            name_subs(by, subs, named);
            by.count = None;
        }
        PartitionOp::AddCount(n) => add_count(by, *n)?,
        PartitionOp::Drop { names, .. } => {
            only_ordered(by, "DROP")?;
            if names.len() >= by.partitions.len() {
                return Err(SqlError::new(codes::ER_DROP_LAST_PARTITION, &[]));
            }
            let gone = places(by, names)?;
            let mut place = 0..;
            by.partitions.retain(|_| place.next().is_some_and(|n| !gone.contains(&n)));
            by.count = None;
        }
        PartitionOp::Coalesce(n) => coalesce(by, *n)?,
        PartitionOp::Reorganize { names, into } => reorganize(by, names, into)?,
        PartitionOp::Rebuild(set) => {
            if let PartitionSet::Named(names) = set {
                places(by, names)?;
            }
        }
        PartitionOp::ConvertToPartition { partition, .. } => {
            let (subs, named) = (subs_of(by), names_subs(by));
            by.partitions.push(PartitionElement::clone(partition));
            name_subs(by, subs, named);
            by.count = None;
        }
        PartitionOp::Remove
        | PartitionOp::Truncate(_)
        | PartitionOp::Exchange { .. }
        | PartitionOp::ConvertToTable { .. } => {}
    }
    Ok(())
}

/// How many subpartitions a partition has; none without SUBPARTITION BY.
fn subs_of(by: &PartitionBy) -> usize {
    names_of(by).first().map_or(0, |(_, subs)| subs.len())
}

/// New partitions are divided as the others are: those that name no subpartitions get names for them.
fn check_subpartitions(by: &PartitionBy, new: &[PartitionElement], code: u16) -> SqlResult<()> {
    let wanted = subs_of(by);
    let fits = |p: &PartitionElement| p.subpartitions.is_empty() || p.subpartitions.len() == wanted;
    match by.sub.is_none() || new.iter().all(fits) {
        true => Ok(()),
        false => Err(SqlError::new(code, &[])),
    }
}

/// Whether subpartitions have names of their own.
fn names_subs(by: &PartitionBy) -> bool {
    by.partitions.iter().any(|p| !p.subpartitions.is_empty())
}

/// Where some partitions name their subpartitions, all do; `named` where those before did.
fn name_subs(by: &mut PartitionBy, subs: usize, named: bool) {
    if by.sub.is_none() || !named && !names_subs(by) {
        return;
    }
    for partition in by.partitions.iter_mut().filter(|p| p.subpartitions.is_empty()) {
        let name = &partition.name;
        partition.subpartitions = (0..subs).map(|n| bare(&default_sub_name(name, n))).collect();
        for sub in &mut partition.subpartitions {
            sub.options = partition.options.clone();
        }
    }
}

fn add_count(by: &mut PartitionBy, n: u64) -> SqlResult<()> {
    if is_ordered(by) {
        let kind = match by.method {
            PartitionMethod::Range(_) | PartitionMethod::RangeColumns(_) => "RANGE",
            _ => "LIST",
        };
        return Err(SqlError::new(codes::ER_PARTITIONS_MUST_BE_DEFINED_ERROR, &[&kind]));
    }
    if n == 0 {
        return Err(SqlError::new(codes::ER_ADD_PARTITION_NO_NEW_PARTITION, &[]));
    }
    if n > crate::table::partition::MOST {
        return Err(SqlError::new(codes::ER_TOO_MANY_PARTITIONS_ERROR, &[]));
    }
    if by.partitions.is_empty() {
        by.count = Some(by.count.unwrap_or(1) + n);
        return Ok(());
    }
    let first = by.partitions.len();
    by.partitions.extend((first..first + n as usize).map(|n| bare(&default_name(n))));
    by.count = None;
    Ok(())
}

fn coalesce(by: &mut PartitionBy, n: u64) -> SqlResult<()> {
    if is_ordered(by) {
        return Err(SqlError::new(codes::ER_COALESCE_ONLY_ON_HASH_PARTITION, &[]));
    }
    let count = names_of(by).len() as u64;
    if n == 0 {
        return Err(SqlError::new(codes::ER_COALESCE_PARTITION_NO_PARTITION, &[]));
    }
    if n >= count {
        return Err(SqlError::new(codes::ER_DROP_LAST_PARTITION, &[]));
    }
    let left = count - n;
    if by.partitions.is_empty() {
        by.count = Some(left);
    } else {
        by.partitions.truncate(left as usize);
        by.count = None;
    }
    Ok(())
}

/// Whether a table has one partition that its definition asks for: REORGANIZE without names leaves it as it is.
pub(super) fn is_one_asked_for(by: &PartitionBy) -> bool {
    names_of(by).len() == 1 && !is_ordered(by) && (by.count.is_some() || !by.partitions.is_empty())
}

fn reorganize(by: &mut PartitionBy, names: &[Name], into: &[PartitionElement]) -> SqlResult<()> {
    if names.is_empty() {
        // as many partitions as a table has that says nothing of their number, which is one
        return match names_of(by).len() {
            n if n > 1 && !is_ordered(by) => coalesce(by, n as u64 - 1),
            _ => Err(SqlError::new(codes::ER_REORG_NO_PARAM_ERROR, &[])),
        };
    }
    check_subpartitions(by, into, codes::ER_PARTITION_WRONG_NO_SUBPART_ERROR)?;
    if names.len() > names_of(by).len() {
        return Err(SqlError::new(codes::ER_REORG_PARTITION_NOT_EXIST, &[]));
    }
    if !is_ordered(by) && names.len() != into.len() {
        return Err(SqlError::new(codes::ER_REORG_HASH_ONLY_ON_SAME_NO, &[]));
    }
    let gone = places(by, names)?;
    if gone.windows(2).any(|w| w[0] + 1 != w[1]) {
        return Err(SqlError::new(codes::ER_CONSECUTIVE_REORG_PARTITIONS, &[]));
    }
    let (subs, named) = (subs_of(by), names_subs(by));
    name_all(by);
    let at = gone[0];
    let mut into = into.to_vec();
    // As in MariaDB: new partitions lie where those lay that had their places, whatever the statement says.
    for (new, old) in into.iter_mut().zip(&by.partitions[at..]) {
        keep_folders(&mut new.options, &old.options);
        for (new, old) in new.subpartitions.iter_mut().zip(&old.subpartitions) {
            keep_folders(&mut new.options, &old.options);
        }
    }
    let mut place = 0..;
    by.partitions.retain(|_| place.next().is_some_and(|n| !gone.contains(&n)));
    by.partitions.splice(at..at, into);
    name_subs(by, subs, named);
    by.count = None;
    check_max(by)
}

/// MAXVALUE among the new ones is told of by what follows the last of them.
fn check_max(by: &PartitionBy) -> SqlResult<()> {
    let is_max = |p: &PartitionElement| match &p.values {
        PartitionValues::Max => true,
        PartitionValues::LessThan(list) => list[..] == [PartitionBound::Max],
        _ => false,
    };
    let Some(at) = by.partitions.windows(2).position(|w| is_max(&w[0])) else { return Ok(()) };
    super::check::names(by)?;
    let code = match is_max(&by.partitions[at + 1]) {
        true => codes::ER_REORG_OUTSIDE_RANGE,
        false => codes::ER_RANGE_NOT_INCREASING_ERROR,
    };
    Err(SqlError::new(code, &[]))
}

fn keep_folders(new: &mut PartitionOptions, old: &PartitionOptions) {
    new.data_directory.clone_from(&old.data_directory);
    new.index_directory.clone_from(&old.index_directory);
}

/// Gives a column another name, wherever the clause has it.
pub(super) fn rename_column(by: &mut PartitionBy, before: &str, now: &str) {
    let list = |names: &mut Vec<Name>| {
        for name in names.iter_mut().filter(|n| same_name(n, before)) {
            *name = Name::from(now);
        }
    };
    let hash = |h: &mut HashMethod| match &mut h.of {
        Hashed::Expr(e) => rename_in(e, before, now),
        Hashed::Key { columns, .. } => list(columns),
    };
    match &mut by.method {
        PartitionMethod::Hash(h) => hash(h),
        PartitionMethod::Range(e) | PartitionMethod::List(e) => rename_in(e, before, now),
        PartitionMethod::RangeColumns(names) | PartitionMethod::ListColumns(names) => list(names),
    }
    if let Some(sub) = &mut by.sub {
        hash(&mut sub.method);
    }
}

fn rename_in(e: &mut Expr, before: &str, now: &str) {
    if let ExprKind::Column(c) = &mut e.kind
        && same_name(&c.name, before)
    {
        c.name = Name::from(now);
    }
    e.kind.for_children_mut(&mut |child| rename_in(child, before, now));
}
