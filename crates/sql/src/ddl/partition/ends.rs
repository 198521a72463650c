//! Where partitions of RANGE end that REORGANIZE makes of others.

use schema::definition::TableDef;

use super::change::places;
use crate::ast::{Name, PartitionBy, PartitionElement, PartitionMethod, PartitionValues};
use crate::ddl::DefinitionBuilder;
use crate::error::{SqlError, SqlResult, codes};

impl DefinitionBuilder<'_> {
    /// Partitions of RANGE end where those ended which they take the place of; at the table's end they may end later. What has the
    /// same value is the same end, however it is written. The clause is given as it was.
    ///
    /// # Errors
    /// 1520; those of the new values.
    pub(super) fn check_end(
        &mut self,
        def: &TableDef,
        by: &PartitionBy,
        names: &[Name],
        into: &[PartitionElement],
    ) -> SqlResult<()> {
        let range = matches!(by.method, PartitionMethod::Range(_) | PartitionMethod::RangeColumns(_));
        let (true, Some(last)) = (range && !names.is_empty(), places(by, names)?.last().copied()) else {
            return Ok(());
        };
        let bare = |e: &PartitionElement| PartitionElement { subpartitions: Vec::new(), ..e.clone() };
        let mut own = PartitionBy {
            method: by.method.clone(),
            count: None,
            sub: None,
            partitions: into.iter().map(bare).collect(),
        };
        self.shape(&mut own)?;
        let (Some(old), Some(new)) = (by.partitions.get(last).map(bare), own.partitions.last().cloned())
        else {
            return Ok(());
        };
        let later = self.ends_before(def, &mut own, [&old, &new])?;
        let fits = match last + 1 == by.partitions.len() {
            true => later || !self.ends_before(def, &mut own, [&new, &old])?,
            false => !later && !self.ends_before(def, &mut own, [&new, &old])?,
        };
        match fits {
            true => Ok(()),
            false => Err(SqlError::new(codes::ER_REORG_OUTSIDE_RANGE, &[])),
        }
    }

    /// Whether one partition of the clause could stand before another.
    fn ends_before(
        &mut self,
        def: &TableDef,
        by: &mut PartitionBy,
        pair: [&PartitionElement; 2],
    ) -> SqlResult<bool> {
        // without values to compare
        if let [PartitionValues::Max, _] | [_, PartitionValues::Max] = pair.map(|p| &p.values) {
            return Ok(pair[0].values != PartitionValues::Max);
        }
        by.partitions = pair.map(Clone::clone).to_vec();
        match self.values(def, by) {
            Ok(_) => Ok(true),
            Err(e) if e.code == codes::ER_RANGE_NOT_INCREASING_ERROR => Ok(false),
            Err(e) => Err(e),
        }
    }
}
