//! PARTITION BY, and the forms of ALTER TABLE that are about partitions.

use super::{Parser, error};
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

impl Parser<'_> {
    /// PARTITION BY ...
    pub(crate) fn partition_by(&mut self) -> SqlResult<PartitionBy> {
        self.expect_kw(Kw::PARTITION)?;
        self.expect_kw(Kw::BY)?;
        let method = match self.kw() {
            Some(kw @ (Kw::RANGE | Kw::LIST)) => {
                self.advance();
                self.ordered_method(kw == Kw::RANGE)?
            }
            Some(Kw::SYSTEM_TIME) => return Err(SqlError::not_supported("PARTITION BY SYSTEM_TIME")),
            _ => PartitionMethod::Hash(self.hash_method()?),
        };
        let count = self.partition_count(Kw::PARTITIONS, "partitions")?;
        let sub = self.subpartition_by(&method)?;
        let columns = match &method {
            PartitionMethod::RangeColumns(c) | PartitionMethod::ListColumns(c) => Some(c.len()),
            PartitionMethod::Range(_) | PartitionMethod::List(_) => Some(1),
            PartitionMethod::Hash(_) => None,
        };
        let around = Around { kind: Some(method.kind()), columns, subs: sub.as_ref().and_then(|s| s.count) };
        let mut partitions: Vec<PartitionElement> = Vec::new();
        if self.eat(T::LParen) {
            partitions = self.partition_list(around)?;
            if self.at(T::RParen) && count.is_some_and(|n| n != partitions.len() as u64) {
                return Err(self.refused(error::codes::ER_PARTITION_WRONG_NO_PART_ERROR));
            }
            self.expect(T::RParen)?;
        }
        Ok(PartitionBy { method, count, sub, partitions })
    }

    fn ordered_method(&mut self, range: bool) -> SqlResult<PartitionMethod> {
        if self.eat_kw(Kw::COLUMNS) {
            let columns = self.paren_list(Self::ident)?;
            return Ok(match range {
                true => PartitionMethod::RangeColumns(columns),
                false => PartitionMethod::ListColumns(columns),
            });
        }
        let expr = self.partition_function()?;
        Ok(if range { PartitionMethod::Range(expr) } else { PartitionMethod::List(expr) })
    }

    /// `(expression)`: no comparisons, nothing that is another value the next time.
    fn partition_function(&mut self) -> SqlResult<Expr> {
        self.expect(T::LParen)?;
        let expr = self.binary(Precedence::BitOr)?;
        if self.at(T::RParen) && is_uncertain(&expr) {
            return Err(self.refused(error::codes::ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR));
        }
        self.expect(T::RParen)?;
        Ok(expr)
    }

    /// What is said of a clause that was read up to here and cannot be.
    fn refused(&self, code: u16) -> SqlError {
        self.error_saying(self.tok.start as usize, &error::message(code, &[]))
    }

    fn hash_method(&mut self) -> SqlResult<HashMethod> {
        let linear = self.eat_kw(Kw::LINEAR);
        if self.eat_kw(Kw::HASH) {
            let expr = self.partition_function()?;
            return Ok(HashMethod { linear, of: Hashed::Expr(expr) });
        }
        self.expect_kw(Kw::KEY)?;
        let mut algorithm = None;
        if self.eat_kw(Kw::ALGORITHM) {
            self.expect(T::Eq)?;
            let start = self.tok.start as usize;
            let n = self.number()?;
            if n != 1 && n != 2 {
                return Err(self.error_at(start));
            }
            algorithm = Some(n);
        }
        self.expect(T::LParen)?;
        let columns = if self.at(T::RParen) { Vec::new() } else { self.comma_list(Self::ident)? };
        self.expect(T::RParen)?;
        Ok(HashMethod { linear, of: Hashed::Key { algorithm, columns } })
    }

    /// PARTITIONS n or SUBPARTITIONS n.
    fn partition_count(&mut self, word: Kw, what: &'static str) -> SqlResult<Option<u64>> {
        if !self.eat_kw(word) {
            return Ok(None);
        }
        match self.number()? {
            0 => Err(SqlError::new(error::codes::ER_NO_PARTS_ERROR, &[&what])),
            n => Ok(Some(n)),
        }
    }

    fn subpartition_by(&mut self, method: &PartitionMethod) -> SqlResult<Option<SubpartitionBy>> {
        if !self.at_kw(Kw::SUBPARTITION) {
            return Ok(None);
        }
        self.advance();
        self.expect_kw(Kw::BY)?;
        let sub = self.hash_method()?;
        let count = self.partition_count(Kw::SUBPARTITIONS, "subpartitions")?;
        if matches!(method, PartitionMethod::Hash(_)) {
            return Err(SqlError::new(error::codes::ER_SUBPARTITION_ERROR, &[]));
        }
        Ok(Some(SubpartitionBy { method: sub, count }))
    }

    /// `(PARTITION p ..., ...)` of ALTER TABLE, which does not know the clause around.
    pub(crate) fn partition_elements(&mut self) -> SqlResult<Vec<PartitionElement>> {
        self.expect(T::LParen)?;
        let list = self.partition_list(Around::default())?;
        self.expect(T::RParen)?;
        Ok(list)
    }

    /// `PARTITION p ..., ...`: those that follow have as many values and subpartitions as the first.
    fn partition_list(&mut self, mut around: Around) -> SqlResult<Vec<PartitionElement>> {
        let mut list: Vec<PartitionElement> = Vec::new();
        loop {
            self.expect_kw(Kw::PARTITION)?;
            let named = list.first().map(|p| p.subpartitions.len() as u64);
            let element = self.partition_element(around, named)?;
            around.columns = around.columns.or(match &element.values {
                PartitionValues::LessThan(list) => Some(list.len()),
                PartitionValues::In(list) => list.first().map(|t| t.values.len()),
                _ => None,
            });
            list.push(element);
            if !self.eat(T::Comma) {
                return Ok(list);
            }
        }
    }

    /// A partition, behind its word; those before have `named` so many subpartitions.
    fn partition_element(&mut self, around: Around, named: Option<u64>) -> SqlResult<PartitionElement> {
        let name = self.ident()?;
        let values = self.partition_values(around.columns)?;
        if let Some(kind) = around.kind {
            kind.check(&values, "DEFAULT")?;
        }
        let options = self.partition_options()?;
        let wrong_count = error::codes::ER_PARTITION_WRONG_NO_SUBPART_ERROR;
        if self.at(T::LParen) && named == Some(0) {
            self.advance();
            return Err(self.refused(wrong_count));
        }
        if !self.at(T::LParen) && named.is_some_and(|n| n > 0) {
            return Err(self.refused(wrong_count));
        }
        let mut subpartitions = Vec::new();
        if self.eat(T::LParen) {
            subpartitions = self.comma_list(|p| {
                p.expect_kw(Kw::SUBPARTITION)?;
                let (name, values) = (p.ident()?, PartitionValues::None);
                Ok(PartitionElement {
                    name,
                    values,
                    options: p.partition_options()?,
                    subpartitions: Vec::new(),
                })
            })?;
            let wanted = around.subs.or(named);
            if self.at(T::RParen) && wanted.is_some_and(|n| n != subpartitions.len() as u64) {
                return Err(self.refused(wrong_count));
            }
            self.expect(T::RParen)?;
        }
        Ok(PartitionElement { name, values, options, subpartitions })
    }

    fn partition_values(&mut self, columns: Option<usize>) -> SqlResult<PartitionValues> {
        if self.eat_kw(Kw::DEFAULT) {
            return Ok(PartitionValues::Default);
        }
        if !self.eat_kw(Kw::VALUES) {
            return Ok(PartitionValues::None);
        }
        if self.eat_kw(Kw::IN) {
            self.expect(T::LParen)?;
            let list = self.partition_tuples(columns)?;
            self.expect(T::RParen)?;
            return Ok(PartitionValues::In(list));
        }
        self.expect_kw(Kw::LESS)?;
        self.expect_kw(Kw::THAN)?;
        if self.at_kw(Kw::MAXVALUE) && columns.is_some_and(|n| n > 1) {
            return Err(self.refused(error::codes::ER_PARTITION_COLUMN_LIST_ERROR));
        }
        if self.eat_kw(Kw::MAXVALUE) {
            return Ok(PartitionValues::Max);
        }
        self.partition_bounds(columns, true).map(PartitionValues::LessThan)
    }

    /// What stands in the brackets of VALUES IN: values, or rows of them.
    fn partition_tuples(&mut self, columns: Option<usize>) -> SqlResult<Vec<PartitionTuple>> {
        if !self.at(T::LParen) {
            let one = |value| PartitionTuple { row: false, values: vec![value] };
            let list = self.comma_list(|p| p.partition_bound(false).map(one))?;
            if self.at(T::RParen) && columns.is_some_and(|n| n > list[0].values.len()) {
                return Err(self.refused(error::codes::ER_PARTITION_COLUMN_LIST_ERROR));
            }
            return Ok(list);
        }
        let mut wanted = columns;
        let mut list = Vec::new();
        loop {
            if !self.at(T::LParen) {
                return Err(self.error());
            }
            let values = self.partition_bounds(wanted, false)?;
            wanted = wanted.or(Some(values.len()));
            list.push(PartitionTuple { row: true, values });
            if !self.eat(T::Comma) {
                break;
            }
        }
        if self.at(T::RParen) && wanted == Some(1) {
            return Err(self.refused(error::codes::ER_ROW_SINGLE_PARTITION_FIELD_ERROR));
        }
        Ok(list)
    }

    /// Values in brackets, as many as there are columns where those are known. Of one column there is more to say than that.
    fn partition_bounds(&mut self, columns: Option<usize>, max: bool) -> SqlResult<Vec<PartitionBound>> {
        self.expect(T::LParen)?;
        let list = self.comma_list(|p| p.partition_bound(max))?;
        if self.at(T::RParen) && columns.is_some_and(|n| list.len() < n) {
            return Err(self.refused(error::codes::ER_PARTITION_COLUMN_LIST_ERROR));
        }
        if columns.is_some_and(|n| n > 1 && list.len() > n) {
            return Err(SqlError::new(error::codes::ER_PARTITION_COLUMN_LIST_ERROR, &[]));
        }
        self.expect(T::RParen)?;
        Ok(list)
    }

    /// A value: no comparisons, nothing that is another value the next time; MAXVALUE where that may stand.
    fn partition_bound(&mut self, max: bool) -> SqlResult<PartitionBound> {
        if self.at_kw(Kw::MAXVALUE) && !max {
            return Err(self.refused(error::codes::ER_MAXVALUE_IN_VALUES_IN));
        }
        if self.eat_kw(Kw::MAXVALUE) {
            return Ok(PartitionBound::Max);
        }
        let expr = self.binary(Precedence::BitOr)?;
        let ends = self.at(T::RParen) || self.at(T::Comma);
        if ends && is_uncertain(&expr) {
            if self.at(T::Comma) {
                self.advance();
            }
            return Err(self.refused(error::codes::ER_WRONG_EXPR_IN_PARTITION_FUNC_ERROR));
        }
        Ok(PartitionBound::Value(expr))
    }

    fn partition_options(&mut self) -> SqlResult<PartitionOptions> {
        let mut o = PartitionOptions::default();
        loop {
            match self.kw() {
                Some(Kw::STORAGE) if self.peek() == T::Kw(Kw::ENGINE) => {
                    self.advance();
                    continue;
                }
                Some(Kw::ENGINE) => o.engine = Some(self.option_value(Self::ident_or_text)?),
                Some(Kw::COMMENT) => o.comment = Some(self.option_value(Self::string_token)?),
                Some(Kw::MAX_ROWS) => o.max_rows = Some(self.option_value(Self::number)?),
                Some(Kw::MIN_ROWS) => o.min_rows = Some(self.option_value(Self::number)?),
                Some(Kw::NODEGROUP) => o.nodegroup = Some(self.option_value(Self::number)?),
                Some(Kw::CONNECTION) => o.connection = Some(self.option_value(Self::text_string)?),
                Some(Kw::TABLESPACE) => {
                    self.option_value(Self::ident)?;
                }
                Some(kw @ (Kw::DATA | Kw::INDEX)) => {
                    self.advance();
                    if !self.at_kw(Kw::DIRECTORY) {
                        return Err(self.error());
                    }
                    let path = Some(self.option_value(Self::text_string)?);
                    match kw {
                        Kw::DATA => o.data_directory = path,
                        _ => o.index_directory = path,
                    }
                }
                _ => return Ok(o),
            }
        }
    }

    /// The forms of ALTER TABLE that stand alone and are about partitions.
    pub(super) fn partition_op(&mut self) -> SqlResult<Option<PartitionOp>> {
        let next = self.peek();
        let Some(kw) = self.kw() else { return Ok(None) };
        match (kw, next) {
            (Kw::PARTITION, T::Kw(Kw::BY)) => return self.partition_by().map(PartitionOp::By).map(Some),
            (Kw::REMOVE, T::Kw(Kw::PARTITIONING)) => {}
            (
                Kw::ADD
                | Kw::DROP
                | Kw::TRUNCATE
                | Kw::COALESCE
                | Kw::REORGANIZE
                | Kw::REBUILD
                | Kw::EXCHANGE
                | Kw::CONVERT,
                T::Kw(Kw::PARTITION),
            )
            | (Kw::CONVERT, T::Kw(Kw::TABLE)) => {}
            _ => return Ok(None),
        }
        self.advance();
        let table_first = self.at_kw(Kw::TABLE);
        self.advance();
        Ok(Some(match kw {
            Kw::REMOVE => PartitionOp::Remove,
            Kw::ADD => self.add_partition()?,
            Kw::DROP => {
                let if_exists = self.if_exists()?;
                PartitionOp::Drop { if_exists, names: self.comma_list(Self::ident)? }
            }
            Kw::TRUNCATE => PartitionOp::Truncate(self.partition_set()?),
            Kw::COALESCE => {
                self.no_write_to_binlog();
                PartitionOp::Coalesce(self.number()?)
            }
            Kw::REORGANIZE => self.reorganize_partition()?,
            Kw::REBUILD => {
                self.no_write_to_binlog();
                PartitionOp::Rebuild(self.partition_set()?)
            }
            Kw::EXCHANGE => {
                let partition = self.ident()?;
                self.expect_kw(Kw::WITH)?;
                self.expect_kw(Kw::TABLE)?;
                PartitionOp::Exchange { partition, table: self.table_name()? }
            }
            Kw::CONVERT if table_first => {
                let table = self.table_name()?;
                self.expect_kw(Kw::TO)?;
                self.expect_kw(Kw::PARTITION)?;
                PartitionOp::ConvertToPartition {
                    table,
                    partition: Box::new(self.partition_element(Around::default(), None)?),
                }
            }
            Kw::CONVERT => {
                let partition = self.ident()?;
                self.expect_kw(Kw::TO)?;
                self.expect_kw(Kw::TABLE)?;
                PartitionOp::ConvertToTable { partition, table: self.table_name()? }
            }
            _ => return Ok(None),
        }))
    }

    fn no_write_to_binlog(&mut self) {
        if matches!(self.kw(), Some(Kw::LOCAL | Kw::NO_WRITE_TO_BINLOG)) {
            self.advance();
        }
    }

    fn add_partition(&mut self) -> SqlResult<PartitionOp> {
        let if_not_exists = self.if_not_exists()?;
        self.no_write_to_binlog();
        if self.eat_kw(Kw::PARTITIONS) {
            return self.number().map(PartitionOp::AddCount);
        }
        Ok(PartitionOp::Add { if_not_exists, partitions: self.partition_elements()? })
    }

    fn reorganize_partition(&mut self) -> SqlResult<PartitionOp> {
        self.no_write_to_binlog();
        if matches!(self.tok.kind, T::Eof | T::Semi) {
            return Ok(PartitionOp::Reorganize { names: Vec::new(), into: Vec::new() });
        }
        let names = self.comma_list(Self::ident)?;
        self.expect_kw(Kw::INTO)?;
        Ok(PartitionOp::Reorganize { names, into: self.partition_elements()? })
    }

    fn partition_set(&mut self) -> SqlResult<PartitionSet> {
        if self.eat_kw(Kw::ALL) {
            return Ok(PartitionSet::All);
        }
        self.comma_list(Self::ident).map(PartitionSet::Named)
    }

    /// `CHECK PARTITION ...` and its like of ALTER TABLE.
    pub(super) fn maintain_partition(&mut self, table: &TableName) -> SqlResult<Option<Statement>> {
        let kind = match self.kw() {
            Some(Kw::CHECK) => MaintainKind::Check,
            Some(Kw::REPAIR) => MaintainKind::Repair,
            Some(Kw::ANALYZE) => MaintainKind::Analyze,
            Some(Kw::OPTIMIZE) => MaintainKind::Optimize,
            _ => return Ok(None),
        };
        if self.peek() != T::Kw(Kw::PARTITION) {
            return Ok(None);
        }
        self.advance();
        self.advance();
        if kind != MaintainKind::Check {
            self.no_write_to_binlog();
        }
        let mut maintain = Self::bare_maintain(kind);
        maintain.tables.push(table.clone());
        maintain.partitions = Some(self.partition_set()?);
        if kind == MaintainKind::Optimize {
            self.no_write_to_binlog();
        }
        self.maintain_options(&mut maintain)?;
        Ok(Some(Statement::Maintain(Box::new(maintain))))
    }
}

/// What is known of the clause around a partition.
#[derive(Clone, Copy, Default)]
struct Around {
    kind: Option<PartitionKind>,
    /// So many columns have values.
    columns: Option<usize>,
    /// SUBPARTITIONS.
    subs: Option<u64>,
}

/// Functions whose value is another one the next time.
const UNCERTAIN: &[&str] = &[
    "connection_id",
    "curdate",
    "current_timestamp",
    "current_user",
    "curtime",
    "database",
    "last_insert_id",
    "now",
    "rand",
    "sysdate",
    "user",
    "utc_date",
    "utc_time",
    "utc_timestamp",
    "uuid",
    "uuid_short",
    "version",
];

fn is_uncertain(e: &Expr) -> bool {
    let own = match &e.kind {
        ExprKind::UserVariable(_) | ExprKind::SystemVariable(_) | ExprKind::Assign(..) => true,
        ExprKind::Function(f) => UNCERTAIN.iter().any(|n| f.name.eq_ignore_ascii_case(n)),
        _ => false,
    };
    let mut found = own;
    e.kind.for_children(&mut |child| found |= is_uncertain(child));
    found
}
