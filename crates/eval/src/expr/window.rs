//! Window functions as the binder collects them.

use super::{AggregateCall, Expr};
use crate::types::{Decimal, FieldType};

/// What is computed of the rows of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum WindowFunction {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile,
    Lag,
    Lead,
    FirstValue,
    LastValue,
    NthValue,
    /// MEDIAN, too.
    PercentileCont,
    PercentileDisc,
    /// SUM and its like over the rows of the frame.
    Aggregate,
}

impl WindowFunction {
    /// The function of that name in lower case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<WindowFunction> {
        Some(match name {
            "row_number" => WindowFunction::RowNumber,
            "rank" => WindowFunction::Rank,
            "dense_rank" => WindowFunction::DenseRank,
            "percent_rank" => WindowFunction::PercentRank,
            "cume_dist" => WindowFunction::CumeDist,
            "ntile" => WindowFunction::Ntile,
            "lag" => WindowFunction::Lag,
            "lead" => WindowFunction::Lead,
            "first_value" => WindowFunction::FirstValue,
            "last_value" => WindowFunction::LastValue,
            "nth_value" => WindowFunction::NthValue,
            "median" | "percentile_cont" => WindowFunction::PercentileCont,
            "percentile_disc" => WindowFunction::PercentileDisc,
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            WindowFunction::RowNumber => "row_number",
            WindowFunction::Rank => "rank",
            WindowFunction::DenseRank => "dense_rank",
            WindowFunction::PercentRank => "percent_rank",
            WindowFunction::CumeDist => "cume_dist",
            WindowFunction::Ntile => "ntile",
            WindowFunction::Lag => "lag",
            WindowFunction::Lead => "lead",
            WindowFunction::FirstValue => "first_value",
            WindowFunction::LastValue => "last_value",
            WindowFunction::NthValue => "nth_value",
            WindowFunction::PercentileCont => "percentile_cont",
            WindowFunction::PercentileDisc => "percentile_disc",
            WindowFunction::Aggregate => "aggregate",
        }
    }

    /// Whether it means something only where rows have an order.
    #[must_use]
    pub fn needs_order(self) -> bool {
        use WindowFunction::*;
        matches!(self, Rank | DenseRank | PercentRank | CumeDist | Lag | Lead)
    }

    /// Whether a frame may be given.
    #[must_use]
    pub fn takes_frame(self) -> bool {
        use WindowFunction::*;
        !matches!(self, RowNumber | Rank | DenseRank | PercentRank | CumeDist | Ntile)
    }
}

/// How far a bound of a frame is from the current row.
#[derive(Clone, Debug, PartialEq)]
pub enum Offset {
    /// So many rows of ROWS, or an integer of RANGE.
    Int(u64),
    /// Of RANGE.
    Decimal(Decimal),
    /// Of RANGE.
    Double(f64),
}

/// One end of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// The beginning or the end of the partition.
    Unbounded,
    /// The current row; of RANGE the first or last of its peers.
    Current,
    /// Before it.
    Preceding(Offset),
    /// Behind it.
    Following(Offset),
}

/// The rows around the current one that a function looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameSpec {
    /// ROWS; else RANGE.
    pub rows: bool,
    /// The first row.
    pub start: Bound,
    /// The last row.
    pub end: Bound,
}

/// One window function of a query.
#[derive(Clone, Debug)]
pub struct WindowCall {
    /// Which.
    pub function: WindowFunction,
    /// The aggregate, of [`WindowFunction::Aggregate`]; its arguments are [`WindowCall::args`].
    pub aggregate: Option<AggregateCall>,
    /// The arguments.
    pub args: Vec<Expr>,
    /// PARTITION BY.
    pub partition: Vec<Expr>,
    /// ORDER BY, and whether descending.
    pub order: Vec<(Expr, bool)>,
    /// The frame.
    pub frame: FrameSpec,
    /// The type of the value.
    pub ty: FieldType,
}

impl WindowCall {
    /// What it computes of a row.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.args.iter().chain(&self.partition).chain(self.order.iter().map(|o| &o.0))
    }

    /// The same, to change it.
    pub fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.args.iter_mut().chain(&mut self.partition).chain(self.order.iter_mut().map(|o| &mut o.0))
    }
}
