//! Partitions: PARTITION BY, and what ALTER TABLE does with them.

use super::{Expr, Name, TableName};
use crate::error::{SqlError, SqlResult, codes};

/// PARTITION BY ...
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionBy {
    /// How rows find their partition.
    pub method: PartitionMethod,
    /// PARTITIONS n.
    pub count: Option<u64>,
    /// SUBPARTITION BY.
    pub sub: Option<SubpartitionBy>,
    /// The partitions that are named; none where they are only counted.
    pub partitions: Vec<PartitionElement>,
}

/// How rows find their partition.
#[derive(Clone, Debug, PartialEq)]
pub enum PartitionMethod {
    /// [LINEAR] HASH or KEY.
    Hash(HashMethod),
    /// RANGE (expression).
    Range(Expr),
    /// LIST (expression).
    List(Expr),
    /// RANGE COLUMNS.
    RangeColumns(Vec<Name>),
    /// LIST COLUMNS.
    ListColumns(Vec<Name>),
}

/// What values a way of partitioning asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartitionKind {
    /// None.
    Hash,
    /// VALUES LESS THAN.
    Range,
    /// VALUES IN and DEFAULT.
    List,
}

impl PartitionMethod {
    /// What values partitions have.
    #[must_use]
    pub fn kind(&self) -> PartitionKind {
        match self {
            PartitionMethod::Hash(_) => PartitionKind::Hash,
            PartitionMethod::Range(_) | PartitionMethod::RangeColumns(_) => PartitionKind::Range,
            PartitionMethod::List(_) | PartitionMethod::ListColumns(_) => PartitionKind::List,
        }
    }
}

impl PartitionKind {
    /// What is said when VALUES are of another kind.
    ///
    /// # Errors
    /// 1479, 1480.
    pub fn check(self, values: &PartitionValues, default: &str) -> SqlResult<()> {
        let only = |kind: &str, what: &str| {
            Err(SqlError::new(codes::ER_PARTITION_WRONG_VALUES_ERROR, &[&kind, &what]))
        };
        let missing = |kind: &str, what: &str| {
            Err(SqlError::new(codes::ER_PARTITION_REQUIRES_VALUES_ERROR, &[&kind, &what]))
        };
        match (values, self) {
            (PartitionValues::None, PartitionKind::Range) => missing("RANGE", "LESS THAN"),
            (PartitionValues::None, PartitionKind::List) => missing("LIST", "IN"),
            (
                PartitionValues::Max | PartitionValues::LessThan(_),
                PartitionKind::Hash | PartitionKind::List,
            ) => only("RANGE", "LESS THAN"),
            (PartitionValues::In(_), PartitionKind::Hash | PartitionKind::Range) => only("LIST", "IN"),
            (PartitionValues::Default, PartitionKind::Hash | PartitionKind::Range) => only("LIST", default),
            _ => Ok(()),
        }
    }
}

/// HASH or KEY, of partitions or subpartitions.
#[derive(Clone, Debug, PartialEq)]
pub struct HashMethod {
    /// LINEAR.
    pub linear: bool,
    /// What is hashed.
    pub of: Hashed,
}

/// What a hash is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Hashed {
    /// HASH (expression).
    Expr(Expr),
    /// KEY (columns); without columns those of the primary key.
    Key {
        /// ALGORITHM = n.
        algorithm: Option<u64>,
        /// The columns.
        columns: Vec<Name>,
    },
}

/// SUBPARTITION BY ...
#[derive(Clone, Debug, PartialEq)]
pub struct SubpartitionBy {
    /// How rows find their subpartition.
    pub method: HashMethod,
    /// SUBPARTITIONS n.
    pub count: Option<u64>,
}

/// A partition or a subpartition.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionElement {
    /// Name.
    pub name: Name,
    /// Which rows it has.
    pub values: PartitionValues,
    /// Options.
    pub options: PartitionOptions,
    /// Its subpartitions, where they are named.
    pub subpartitions: Vec<PartitionElement>,
}

/// VALUES of a partition.
#[derive(Clone, Debug, PartialEq)]
pub enum PartitionValues {
    /// Not given.
    None,
    /// VALUES LESS THAN MAXVALUE.
    Max,
    /// VALUES LESS THAN (...).
    LessThan(Vec<PartitionBound>),
    /// VALUES IN (...).
    In(Vec<PartitionTuple>),
    /// DEFAULT.
    Default,
}

/// A value of VALUES LESS THAN or VALUES IN.
#[derive(Clone, Debug, PartialEq)]
pub enum PartitionBound {
    /// MAXVALUE.
    Max,
    /// A constant.
    Value(Expr),
}

/// An element of VALUES IN.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionTuple {
    /// It is in parentheses of its own.
    pub row: bool,
    /// Its values.
    pub values: Vec<PartitionBound>,
}

/// Options of a partition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartitionOptions {
    /// ENGINE.
    pub engine: Option<Name>,
    /// COMMENT.
    pub comment: Option<Box<[u8]>>,
    /// MAX_ROWS.
    pub max_rows: Option<u64>,
    /// MIN_ROWS.
    pub min_rows: Option<u64>,
    /// DATA DIRECTORY.
    pub data_directory: Option<Box<[u8]>>,
    /// INDEX DIRECTORY.
    pub index_directory: Option<Box<[u8]>>,
    /// NODEGROUP.
    pub nodegroup: Option<u64>,
    /// CONNECTION.
    pub connection: Option<Box<[u8]>>,
}

/// The partitions that a statement is about.
#[derive(Clone, Debug, PartialEq)]
pub enum PartitionSet {
    /// ALL.
    All,
    /// By name.
    Named(Vec<Name>),
}

/// What ALTER TABLE does with partitions.
#[derive(Clone, Debug, PartialEq)]
pub enum PartitionOp {
    /// PARTITION BY ...
    By(PartitionBy),
    /// REMOVE PARTITIONING.
    Remove,
    /// ADD PARTITION PARTITIONS n.
    AddCount(u64),
    /// ADD PARTITION (...).
    Add {
        /// IF NOT EXISTS.
        if_not_exists: bool,
        /// The new ones.
        partitions: Vec<PartitionElement>,
    },
    /// DROP PARTITION.
    Drop {
        /// IF EXISTS.
        if_exists: bool,
        /// Names.
        names: Vec<Name>,
    },
    /// TRUNCATE PARTITION.
    Truncate(PartitionSet),
    /// COALESCE PARTITION n.
    Coalesce(u64),
    /// REORGANIZE PARTITION [names INTO (...)].
    Reorganize {
        /// Those that go; none without INTO.
        names: Vec<Name>,
        /// Those that come.
        into: Vec<PartitionElement>,
    },
    /// REBUILD PARTITION.
    Rebuild(PartitionSet),
    /// EXCHANGE PARTITION p WITH TABLE t.
    Exchange {
        /// The partition.
        partition: Name,
        /// The table.
        table: TableName,
    },
    /// CONVERT PARTITION p TO TABLE t.
    ConvertToTable {
        /// The partition.
        partition: Name,
        /// The table.
        table: TableName,
    },
    /// CONVERT TABLE t TO PARTITION p.
    ConvertToPartition {
        /// The table.
        table: TableName,
        /// The partition.
        partition: Box<PartitionElement>,
    },
}
