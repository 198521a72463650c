//! What a statement counts while it runs. They are plain numbers of its own, added to the connection's counters when it ends
//! (`session::select`), so that counting costs the rows' path nothing.

use crate::plan::workings::{Chosen, Sorted, Workings};
use crate::status::Counter;
use crate::table::row_cursor::Step;

/// The `Handler_*`, `Select_*`, `Sort_*` and `Created_tmp_tables` counters of a statement.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadCounters {
    /// Handler_read_key
    pub key: u64,
    /// Handler_read_next
    pub next: u64,
    /// Handler_read_prev
    pub prev: u64,
    /// Handler_read_first
    pub first: u64,
    /// Handler_read_last
    pub last: u64,
    /// Handler_read_rnd
    pub rnd: u64,
    /// Handler_read_rnd_next
    pub rnd_next: u64,
    /// Handler_tmp_write
    pub tmp_write: u64,
    /// Handler_tmp_update
    pub tmp_update: u64,
    /// Rows_read
    pub rows: u64,
    /// Rows_tmp_read
    pub tmp_rows: u64,
    /// Sort_rows
    pub sort_rows: u64,
    /// Sort_scan
    pub sort_scan: u64,
    /// Sort_range
    pub sort_range: u64,
    /// Sort_priority_queue_sorts
    pub priority_queues: u64,
    /// Sorts that went to disk: Sort_merge_passes
    pub spilled_sorts: u64,
    /// Subquery_cache_hit
    pub answers_found: u64,
    /// Subquery_cache_miss
    pub answers_missed: u64,
    /// Threads that were begun beside the statement's own: Isambard_threads_begun
    pub threads: u64,
    /// What was chosen for the whole statement.
    pub chosen: Chosen,
}

impl ReadCounters {
    /// Adds what another thread has read.
    pub(super) fn add_reads(&mut self, other: &ReadCounters) {
        self.key += other.key;
        self.next += other.next;
        self.prev += other.prev;
        self.first += other.first;
        self.last += other.last;
        self.rnd += other.rnd;
        self.rnd_next += other.rnd_next;
        self.rows += other.rows;
        self.answers_found += other.answers_found;
        self.answers_missed += other.answers_missed;
    }

    /// Counts a walk along a key, the whole of it or from where a look-up has begun; `ended`: before its end.
    pub(super) fn walked(&mut self, whole: bool, descending: bool, rows: u64, ended: bool) {
        if whole {
            *(if descending { &mut self.last } else { &mut self.first }) += 1;
        }
        // the last step finds no row
        let steps = if ended || rows == 0 { rows.saturating_sub(1) } else { rows };
        *(if descending { &mut self.prev } else { &mut self.next }) += steps;
        self.rows += rows;
    }

    /// Counts a step of HANDLER, along a key or through the file; one that begins nowhere goes to an end of the key.
    pub(super) fn stepped(&mut self, by_key: bool, step: Step, nowhere: bool) {
        let counter = match step {
            _ if !by_key => &mut self.rnd_next,
            Step::Seek(_) => &mut self.key,
            Step::First => &mut self.first,
            Step::Last => &mut self.last,
            Step::Next if nowhere => &mut self.first,
            Step::Prev if nowhere => &mut self.last,
            Step::Next | Step::NextSame => &mut self.next,
            Step::Prev => &mut self.prev,
        };
        *counter += 1;
    }

    /// Counts how the first entries of so many intervals of a key are looked for; the first (descending: the last) of them may be `open`.
    pub(super) fn entered(&mut self, intervals: usize, open: bool, descending: bool) {
        let open = u64::from(open && intervals > 0);
        *(if descending { &mut self.last } else { &mut self.first }) += open;
        self.key += intervals as u64 - open;
    }

    /// Counts the rows of a temporary table as they are read, with the step that finds no more.
    pub(super) fn read_back(&mut self, rows: u64) {
        self.rnd_next += rows + 1;
        self.tmp_rows += rows;
    }

    /// Counts a GROUP BY of `rows` rows that make `groups`. Groups in a temporary table are looked up, begun and added to; rows that are sorted
    /// before they are grouped are only counted.
    pub(super) fn grouped(&mut self, workings: &Workings, rows: u64, groups: u64, most: u64) {
        if workings.sorts_rows {
            self.sort(workings.sorted, rows, u64::MAX);
            return;
        }
        if !workings.groups {
            return;
        }
        self.key += rows;
        self.tmp_write += groups;
        self.tmp_update += rows.saturating_sub(groups);
        self.tmp_rows += rows.saturating_sub(groups);
        self.read_back(groups);
        if workings.sorts_groups {
            self.sort(workings.sorted, groups, most);
        }
    }

    /// Counts a sort of `rows` rows of which `most` are wanted.
    pub(super) fn sort(&mut self, of: Sorted, rows: u64, most: u64) {
        /// How many times more rows there must be than are wanted, for these to be kept in order alone.
        const WORTH_A_QUEUE: u64 = 3;
        let given = rows.min(most);
        self.sort_rows += given;
        match of {
            Sorted::Range => self.sort_range += 1,
            Sorted::Scan | Sorted::Temporary | Sorted::Places => self.sort_scan += 1,
        }
        self.priority_queues += u64::from(most.saturating_mul(WORTH_A_QUEUE) < rows);
        match of {
            Sorted::Temporary => {
                self.rnd += given;
                self.tmp_rows += given;
            }
            Sorted::Places => {
                self.rnd += given;
                self.rows += given;
            }
            Sorted::Scan | Sorted::Range => {}
        }
    }

    /// Whether rows were looked up by keys and nothing else was done.
    #[inline]
    #[must_use]
    pub fn is_of_look_ups(&self) -> bool {
        let chosen = &self.chosen;
        let walks = self.next | self.prev | self.first | self.last | self.rnd | self.rnd_next;
        let kept =
            self.tmp_write | self.tmp_update | self.tmp_rows | self.answers_found | self.answers_missed;
        let sorts =
            self.sort_rows | self.sort_scan | self.sort_range | self.priority_queues | self.spilled_sorts;
        let plan = chosen.tmp_tables
            | chosen.scans
            | chosen.ranges
            | chosen.full_joins
            | chosen.range_joins
            | chosen.windows;
        walks | kept | sorts | plan | self.threads == 0
    }

    /// All of them, by the name of the counter.
    #[must_use]
    pub fn all(&self) -> [(Counter, u64); 25] {
        [
            (Counter::HandlerReadKey, self.key),
            (Counter::HandlerReadNext, self.next),
            (Counter::HandlerReadPrev, self.prev),
            (Counter::HandlerReadFirst, self.first),
            (Counter::HandlerReadLast, self.last),
            (Counter::HandlerReadRnd, self.rnd),
            (Counter::HandlerReadRndNext, self.rnd_next),
            (Counter::HandlerTmpWrite, self.tmp_write),
            (Counter::HandlerTmpUpdate, self.tmp_update),
            (Counter::RowsRead, self.rows),
            (Counter::RowsTmpRead, self.tmp_rows),
            (Counter::SortRows, self.sort_rows),
            (Counter::SortScan, self.sort_scan),
            (Counter::SortRange, self.sort_range),
            (Counter::SortPriorityQueueSorts, self.priority_queues),
            (Counter::SortMergePasses, self.spilled_sorts),
            (Counter::SubqueryCacheHit, self.answers_found),
            (Counter::SubqueryCacheMiss, self.answers_missed),
            (Counter::ThreadsBegun, self.threads),
            (Counter::CreatedTmpTables, self.chosen.tmp_tables),
            (Counter::SelectScan, self.chosen.scans),
            (Counter::SelectRange, self.chosen.ranges),
            (Counter::SelectFullJoin, self.chosen.full_joins),
            (Counter::SelectFullRangeJoin, self.chosen.range_joins),
            (Counter::FeatureWindowFunctions, self.chosen.windows),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter that is added to none of those of look-ups would be lost.
    #[test]
    fn only_look_ups_are_counted_alone() {
        let alone = ReadCounters { key: 3, rows: 2, ..ReadCounters::default() };
        assert!(alone.is_of_look_ups());
        let mut set: Vec<fn(&mut ReadCounters)> = Vec::new();
        macro_rules! each {
            ($($field:ident $(. $sub:ident)?),*) => { $(set.push(|c| c.$field $(.$sub)? = 1);)* };
        }
        each!(next, prev, first, last, rnd, rnd_next, tmp_write, tmp_update, tmp_rows);
        each!(sort_rows, sort_scan, sort_range, priority_queues, spilled_sorts, threads);
        each!(answers_found, answers_missed);
        each!(chosen.tmp_tables, chosen.scans, chosen.ranges, chosen.full_joins, chosen.range_joins);
        each!(chosen.windows);
        assert_eq!(set.len() + 2, alone.all().len());
        for change in set {
            let mut counters = alone;
            change(&mut counters);
            assert!(!counters.is_of_look_ups(), "{counters:?}");
        }
    }
}
