//! What an XPath finds in a document.

use super::Variable;
use super::document::{Document, Kind};
use super::path::{Axis, Binary, Function, Path};
use crate::error::{ER_DATA_OUT_OF_RANGE, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::expr::division_by_zero;
use crate::types::decimal::Rounding;
use crate::types::{Decimal, Derivation, FieldType, ValueRef, convert, number};
use charset::Collation;
use std::borrow::Cow;
use std::cmp::Ordering;

/// Digits of a number that has as many as it needs.
const NOT_FIXED: u8 = 31;

/// A node that was found, and the how manyth it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) node: usize,
    position: i64,
}

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Found<'v> {
    Null,
    Nodes(Vec<Item>),
    Int(i64),
    Real(f64, u8),
    Text(Cow<'v, [u8]>),
}

/// The node in question while a filter is asked, and how many there are.
#[derive(Clone, Copy)]
struct Context {
    item: Item,
    size: usize,
}

/// An evaluation.
pub(super) struct Evaluation<'e, 'x> {
    pub(super) document: &'e Document<'x>,
    pub(super) collation: &'static Collation,
    pub(super) ctx: &'e mut EvalContext,
    /// The values of variables.
    pub(super) variables: &'e [(Variable, Found<'x>)],
}

impl<'x> Evaluation<'_, 'x> {
    /// The value of an expression that no node is in question of.
    ///
    /// # Errors
    /// 1690, or the end of the statement.
    pub(super) fn run<'p: 'x>(&mut self, path: &'p Path) -> SqlResult<Found<'x>> {
        self.value(path, None)
    }

    fn value<'p: 'x>(&mut self, path: &'p Path, around: Option<Context>) -> SqlResult<Found<'x>> {
        Ok(match path {
            Path::Context | Path::Root | Path::Step { .. } | Path::Filter { .. } | Path::Union(..) => {
                Found::Nodes(self.nodes(path, around)?)
            }
            Path::Int(n) => Found::Int(*n),
            Path::Real(v, decimals) => Found::Real(*v, *decimals),
            Path::Text(text) => Found::Text(Cow::Borrowed(text)),
            Path::UserVariable(_) | Path::Local(..) => {
                self.variables.iter().find(|(v, _)| v.is(path)).map_or(Found::Null, |(_, v)| v.clone())
            }
            Path::Negate(of) => match self.value(of, around)? {
                Found::Int(n) => Found::Int(n.checked_neg().ok_or_else(|| out_of_range("-", n, None))?),
                Found::Real(v, decimals) => Found::Real(-v, decimals),
                Found::Null => Found::Null,
                other => Found::Real(-self.double(&other), NOT_FIXED),
            },
            Path::Binary(op, left, right) => self.binary(*op, left, right, around)?,
            Path::Call(f, arguments) => self.call(f, arguments, around)?,
        })
    }

    fn nodes<'p: 'x>(&mut self, path: &'p Path, around: Option<Context>) -> SqlResult<Vec<Item>> {
        self.ctx.check_killed()?;
        Ok(match path {
            Path::Root => vec![Item { node: 0, position: 1 }],
            Path::Context => vec![around.map_or(Item { node: 0, position: 1 }, |c| c.item)],
            Path::Step { from, axis, name } => {
                let from = self.nodes(from, around)?;
                self.step(&from, *axis, name.as_deref())
            }
            Path::Filter { from, condition } => {
                let from = self.nodes(from, around)?;
                self.filter(&from, condition)?
            }
            Path::Union(left, right) => {
                let mut all = self.nodes(left, around)?;
                all.extend(self.nodes(right, around)?);
                all.sort_unstable_by_key(|i| i.node);
                all.dedup_by_key(|i| i.node);
                number_again(&mut all);
                all
            }
            _ => Vec::new(),
        })
    }

    fn filter<'p: 'x>(&mut self, from: &[Item], condition: &'p Path) -> SqlResult<Vec<Item>> {
        let mut kept = Vec::new();
        for item in from {
            self.ctx.check_killed()?;
            let value = self.value(condition, Some(Context { item: *item, size: from.len() }))?;
            let fits = match (condition, &value) {
                _ if condition.is_truth() => self.truth(&value),
                (_, Found::Null) => false,
                // what a variable is, is taken as it is without a word
                (Path::UserVariable(_), Found::Text(text)) => {
                    number::read_integer(text).0.value as i64 == item.position
                }
                _ => self.integer(&value) == item.position,
            };
            if fits {
                kept.push(*item);
            }
        }
        number_again(&mut kept);
        Ok(kept)
    }

    fn fits(&self, node: usize, kind: Kind, name: Option<&[u8]>) -> bool {
        let n = &self.document.nodes[node];
        n.kind == kind
            && name.is_none_or(|name| {
                node != 0 && (name.is_empty() || self.document.text[n.name.clone()] == *name)
            })
    }

    /// Nodes that stand in a relation to others, in the order of the text.
    fn step(&self, from: &[Item], axis: Axis, name: Option<&[u8]>) -> Vec<Item> {
        let nodes = &self.document.nodes;
        let mut base = vec![false; nodes.len()];
        from.iter().for_each(|i| base[i.node] = true);
        let mut found = Vec::new();
        match axis {
            Axis::Own => {
                let own = from.iter().filter(|i| self.fits(i.node, nodes[i.node].kind, name));
                found.extend(own.map(|i| Item { node: i.node, position: 1 }));
            }
            Axis::Parent => {
                let mut parents: Vec<usize> =
                    from.iter().filter(|i| i.node != 0).map(|i| nodes[i.node].parent).collect();
                parents.sort_unstable();
                parents.dedup();
                parents.retain(|node| self.fits(*node, Kind::Element, name));
                found.extend(parents.into_iter().map(|node| Item { node, position: 0 }));
                number_again(&mut found);
            }
            Axis::Ancestor | Axis::AncestorOrOwn => self.ancestors(from, axis, name, &mut found),
            Axis::Child | Axis::Attribute => {
                let kind = if axis == Axis::Child { Kind::Element } else { Kind::Attribute };
                let mut counts = vec![0; nodes.len()];
                for (node, of) in nodes.iter().enumerate().skip(1) {
                    let parent = of.parent;
                    if base[parent] && self.fits(node, kind, name) {
                        counts[parent] += 1;
                        found.push(Item { node, position: counts[parent] });
                    }
                }
            }
            Axis::Descendant | Axis::DescendantOrOwn => {
                let mut counts = vec![0; nodes.len()];
                // the nearest node of `from` above each node
                let mut above: Vec<Option<usize>> = vec![None; nodes.len()];
                for node in 0..nodes.len() {
                    let parent = nodes[node].parent;
                    if node > 0 {
                        above[node] = if base[parent] { Some(parent) } else { above[parent] };
                    }
                    let own = (base[node] && axis == Axis::DescendantOrOwn).then_some(node);
                    let Some(of) = own.or(above[node]) else { continue };
                    if self.fits(node, Kind::Element, name) {
                        counts[of] += 1;
                        found.push(Item { node, position: counts[of] });
                    }
                }
            }
        }
        found
    }

    /// Ancestors are numbered from the last one, after as many as were met more than once.
    fn ancestors(&self, from: &[Item], axis: Axis, name: Option<&[u8]>, found: &mut Vec<Item>) {
        let nodes = &self.document.nodes;
        // how often each node was met; by the last nodes first, so that one pass is enough
        let mut met = vec![0i64; nodes.len()];
        let mut below = vec![0i64; nodes.len()];
        for i in from {
            let own = axis == Axis::AncestorOrOwn && self.fits(i.node, nodes[i.node].kind, name);
            met[i.node] += i64::from(own);
            below[i.node] += 1;
        }
        for node in (1..nodes.len()).rev() {
            let count = below[node];
            let parent = nodes[node].parent;
            below[parent] += count;
            if count > 0 && self.fits(parent, Kind::Element, name) {
                met[parent] += count;
            }
        }
        let mut position = met.iter().sum::<i64>();
        for node in (0..nodes.len()).filter(|n| met[*n] > 0) {
            found.push(Item { node, position });
            position -= 1;
        }
    }

    /// The texts right below nodes, and values of attributes.
    fn texts(&self, of: &[Item]) -> Vec<&'x [u8]> {
        let nodes = &self.document.nodes;
        let mut wanted = vec![false; nodes.len()];
        of.iter().for_each(|i| wanted[i.node] = true);
        let mut texts = Vec::new();
        for (i, n) in nodes.iter().enumerate() {
            match n.kind {
                Kind::Attribute if wanted[i] => texts.push(&self.document.text[n.value.clone()]),
                Kind::Text if wanted[n.parent] => texts.push(&self.document.text[n.name.clone()]),
                _ => {}
            }
        }
        texts
    }

    /// A value as text; `None` is NULL.
    pub(super) fn text<'f>(&self, of: &'f Found<'x>) -> Option<Cow<'f, [u8]>> {
        Some(match of {
            Found::Null => return None,
            Found::Nodes(nodes) => Cow::Owned(self.texts(nodes).join(&b' ')),
            Found::Int(n) => Cow::Owned(n.to_string().into_bytes()),
            Found::Real(v, decimals) => {
                let mut out = Vec::new();
                number::write_double(*v, *decimals, &mut out);
                Cow::Owned(out)
            }
            Found::Text(text) => Cow::Borrowed(&**text),
        })
    }

    fn text_type(&self) -> FieldType {
        FieldType::string(64, self.collation, Derivation::Implicit)
    }

    fn double(&mut self, of: &Found<'x>) -> f64 {
        match of {
            Found::Null => 0.0,
            Found::Int(n) => *n as f64,
            Found::Real(v, _) => *v,
            other => {
                let text = self.text(other).map(Cow::into_owned).unwrap_or_default();
                convert::to_f64(ValueRef::Bytes(&text), &self.text_type(), self.ctx)
            }
        }
    }

    fn decimal(&mut self, of: &Found<'x>) -> Decimal {
        match of {
            Found::Null => Decimal::ZERO,
            Found::Int(n) => Decimal::from(*n),
            Found::Real(v, _) => Decimal::from_f64(*v).0,
            other => {
                let text = self.text(other).map(Cow::into_owned).unwrap_or_default();
                convert::to_decimal(ValueRef::Bytes(&text), &self.text_type(), self.ctx)
            }
        }
    }

    fn integer(&mut self, of: &Found<'x>) -> i64 {
        match of {
            Found::Null => 0,
            Found::Int(n) => *n,
            Found::Real(v, _) => v.round_ties_even() as i64,
            other => {
                let text = self.text(other).map(Cow::into_owned).unwrap_or_default();
                let ty = self.text_type();
                convert::to_i64(ValueRef::Bytes(&text), &ty, false, self.ctx)
            }
        }
    }

    /// Nodes are true when there is one of them.
    fn truth(&mut self, of: &Found<'x>) -> bool {
        match of {
            Found::Nodes(nodes) => nodes.len() == 1,
            other => self.double(other) != 0.0,
        }
    }

    fn binary<'p: 'x>(
        &mut self,
        op: Binary,
        left: &'p Path,
        right: &'p Path,
        around: Option<Context>,
    ) -> SqlResult<Found<'x>> {
        let l = self.value(left, around)?;
        if matches!(op, Binary::And | Binary::Or) {
            let first = self.truth(&l);
            if first == (op == Binary::Or) {
                return Ok(Found::Int(i64::from(first)));
            }
            let r = self.value(right, around)?;
            return Ok(Found::Int(i64::from(self.truth(&r))));
        }
        let r = self.value(right, around)?;
        if matches!(op, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo) {
            return self.arithmetic(op, &l, &r);
        }
        let meets = |o: Ordering| match op {
            Binary::Equal => o.is_eq(),
            Binary::Unequal => o.is_ne(),
            Binary::Less => o.is_lt(),
            Binary::LessOrEqual => o.is_le(),
            Binary::Greater => o.is_gt(),
            _ => o.is_ge(),
        };
        let met = match (&l, &r) {
            (Found::Null, _) | (_, Found::Null) => return Ok(Found::Null),
            (Found::Nodes(nodes), other) => self.any(nodes, other, &meets),
            (other, Found::Nodes(nodes)) => self.any(nodes, other, &|o| meets(o.reverse())),
            _ => {
                let order = self.compare(&l, &r);
                meets(order)
            }
        };
        Ok(Found::Int(i64::from(met)))
    }

    /// Whether any text of nodes compares so.
    fn any(&mut self, nodes: &[Item], other: &Found<'x>, meets: &dyn Fn(Ordering) -> bool) -> bool {
        self.texts(nodes).into_iter().any(|text| {
            let order = self.compare(&Found::Text(Cow::Borrowed(text)), other);
            meets(order)
        })
    }

    fn compare(&mut self, l: &Found<'x>, r: &Found<'x>) -> Ordering {
        match (l, r) {
            (Found::Int(a), Found::Int(b)) => a.cmp(b),
            (Found::Text(a), Found::Text(b)) => self.collation.compare(a, b),
            (Found::Real(..), _) | (_, Found::Real(..)) => {
                let (a, b) = (self.double(l), self.double(r));
                a.partial_cmp(&b).unwrap_or(Ordering::Equal)
            }
            _ => {
                let (a, b) = (self.decimal(l), self.decimal(r));
                a.cmp(&b)
            }
        }
    }

    fn arithmetic(&mut self, op: Binary, l: &Found<'x>, r: &Found<'x>) -> SqlResult<Found<'x>> {
        if matches!(l, Found::Null) || matches!(r, Found::Null) {
            return Ok(Found::Null);
        }
        if op == Binary::Divide {
            let (a, b) = (self.decimal(l), self.decimal(r));
            return Ok(match a.div(&b, 4) {
                Some((quotient, _)) => {
                    let whole = quotient.round(0, Rounding::Truncate).0;
                    Found::Int(whole.to_i128().clamp(i64::MIN.into(), i64::MAX.into()) as i64)
                }
                None => self.by_zero()?,
            });
        }
        if let (Found::Int(a), Found::Int(b)) = (l, r) {
            let (sign, value) = match op {
                Binary::Add => ("+", a.checked_add(*b)),
                Binary::Subtract => ("-", a.checked_sub(*b)),
                Binary::Multiply => ("*", a.checked_mul(*b)),
                _ if *b == 0 => return self.by_zero(),
                _ => ("%", Some(a.wrapping_rem(*b))),
            };
            return value.map(Found::Int).ok_or_else(|| out_of_range(sign, *a, Some(*b)));
        }
        let decimals = |f: &Found<'_>| match f {
            Found::Int(_) => 0,
            Found::Real(_, d) => *d,
            _ => NOT_FIXED,
        };
        let digits = decimals(l).max(decimals(r));
        let (a, b) = (self.double(l), self.double(r));
        Ok(Found::Real(
            match op {
                Binary::Add => a + b,
                Binary::Subtract => a - b,
                Binary::Multiply => a * b,
                _ if b == 0.0 => return self.by_zero(),
                _ => a % b,
            },
            digits,
        ))
    }

    fn by_zero(&mut self) -> SqlResult<Found<'x>> {
        division_by_zero(self.ctx)?;
        Ok(Found::Null)
    }

    fn call<'p: 'x>(
        &mut self,
        f: &'static Function,
        arguments: &'p [Path],
        around: Option<Context>,
    ) -> SqlResult<Found<'x>> {
        let of_context = around.map(|c| Found::Nodes(vec![c.item]));
        let first = match arguments.first() {
            // the node in question is counted with all that are in question
            Some(Path::Context) if f.name == "count" => {
                return Ok(Found::Int(around.map_or(1, |c| c.size as i64)));
            }
            Some(argument) => self.value(argument, around)?,
            None => of_context.unwrap_or(Found::Null),
        };
        Ok(match f.name {
            "position" => Found::Int(around.map_or(0, |c| c.item.position)),
            "last" => Found::Int(around.map_or(0, |c| c.size as i64)),
            "true" => Found::Int(1),
            "false" => Found::Int(0),
            "not" => Found::Int(i64::from(!self.truth(&first))),
            "boolean" => Found::Int(i64::from(self.truth(&first))),
            "count" => Found::Int(match &first {
                Found::Nodes(nodes) => nodes.len() as i64,
                _ => 0,
            }),
            "sum" => Found::Real(
                match &first {
                    Found::Nodes(nodes) => {
                        self.texts(nodes).into_iter().map(|t| number::read_double(t).value).sum()
                    }
                    _ => 0.0,
                },
                NOT_FIXED,
            ),
            "number" | "ceiling" | "floor" | "round" => self.rounded(f.name, &first),
            "string-length" => match self.text(&first) {
                Some(text) => Found::Int(self.collation.charset.char_len(&text) as i64),
                None => Found::Null,
            },
            _ => {
                let second = self.value(&arguments[1], around)?;
                let third = match arguments.get(2) {
                    Some(third) if f.name == "substring" => Some(self.value(third, around)?),
                    _ => None,
                };
                self.of_texts(f.name, &first, &second, third.as_ref())
            }
        })
    }

    fn rounded(&mut self, name: &str, of: &Found<'x>) -> Found<'x> {
        match of {
            Found::Null => return Found::Null,
            Found::Int(n) => return Found::Int(*n),
            Found::Real(v, decimals) if name == "number" => return Found::Real(*v, *decimals),
            _ => {}
        }
        let v = self.double(of);
        match name {
            "number" => Found::Real(v, NOT_FIXED),
            "ceiling" => Found::Real(v.ceil(), 0),
            "floor" => Found::Real(v.floor(), 0),
            _ => Found::Real(v.round_ties_even(), 0),
        }
    }

    /// CONTAINS, CONCAT, SUBSTRING.
    fn of_texts(
        &mut self,
        name: &str,
        first: &Found<'x>,
        second: &Found<'x>,
        third: Option<&Found<'x>>,
    ) -> Found<'x> {
        let Some(text) = self.text(first).map(Cow::into_owned) else { return Found::Null };
        if name == "substring" {
            if matches!(second, Found::Null) || matches!(third, Some(Found::Null)) {
                return Found::Null;
            }
            let start = self.integer(second);
            let length = third.map_or(i64::MAX, |t| self.integer(t));
            return Found::Text(Cow::Owned(self.substring(&text, start, length).to_vec()));
        }
        let Some(other) = self.text(second).map(Cow::into_owned) else { return Found::Null };
        if name == "contains" {
            let killed = self.ctx.is_killed();
            let found = self.collation.find_until(&text, &other, 0, &|| killed);
            return Found::Int(i64::from(other.is_empty() || matches!(found, Ok(Some(_)))));
        }
        // only two texts are put together
        Found::Text(Cow::Owned([text, other].concat()))
    }

    /// As SUBSTRING counts.
    fn substring<'t>(&self, text: &'t [u8], start: i64, length: i64) -> &'t [u8] {
        let cs = self.collation.charset;
        let skip = match start {
            0 => return b"",
            1.. => start as u64 - 1,
            _ => match (cs.char_len(text) as u64).checked_sub(start.unsigned_abs()) {
                Some(skip) => skip,
                None => return b"",
            },
        };
        let rest = &text[cs.prefix(text, usize::try_from(skip).unwrap_or(usize::MAX))..];
        &rest[..cs.prefix(rest, usize::try_from(length.max(0)).unwrap_or(usize::MAX))]
    }
}

fn number_again(items: &mut [Item]) {
    for (i, item) in items.iter_mut().enumerate() {
        item.position = i as i64 + 1;
    }
}

fn out_of_range(sign: &str, a: i64, b: Option<i64>) -> SqlError {
    let text = match b {
        Some(b) => format!("{a} {sign} {b}"),
        None => format!("{sign}{a}"),
    };
    SqlError::new(ER_DATA_OUT_OF_RANGE, &[&"BIGINT", &text])
}
