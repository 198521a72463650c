//! Binding of aggregate functions.

use super::expr::ExprBinder;
use crate::ast::{self, AggregateFunction as F, ExprKind, Literal};
use crate::error::codes;
use crate::error::{ER_BAD_FIELD_ERROR, ER_INVALID_GROUP_FUNC_USE, SqlError, SqlResult};
use crate::expr::typing::{coerce, common_collation, digits_of, number_of_words, text_type};
use crate::expr::{AggregateCall, Expr, Node};
use crate::func::number_class;
use crate::result::NOT_FIXED_DEC;
use crate::types::{Class, FieldType, Kind, Value};
use charset::derivation::{Derivation, Purpose};

impl ExprBinder<'_> {
    pub(super) fn aggregate(&mut self, a: &ast::AggregateCall) -> SqlResult<Expr> {
        if let Some(over) = &a.over {
            return self.window_aggregate(a, over);
        }
        if matches!(a.function, F::JsonArrayAgg | F::JsonObjectAgg) {
            return self.json_aggregate(a);
        }
        let call = self.outer_call(a)?;
        if let Some(e) = self.scope.lift(a, &call, self.allow_aggregates, self.ctx)? {
            return Ok(e);
        }
        if !self.allow_aggregates || self.in_aggregate {
            return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
        }
        let ty = call.ty.clone();
        let same = self.aggregates.iter().position(|c| same_call(c, &call));
        let n = same.unwrap_or_else(|| {
            self.aggregates.push(call);
            self.aggregates.len() - 1
        });
        Ok(Expr::new(Node::Aggregate(n as u32), ty))
    }

    /// Binds an aggregate's arguments.
    ///
    /// # Errors
    /// Those of the arguments; an aggregate among them.
    pub fn outer_call(&mut self, a: &ast::AggregateCall) -> SqlResult<AggregateCall> {
        let inside = std::mem::replace(&mut self.in_aggregate, true);
        self.scope.enter_aggregate();
        let call = self.aggregate_call(a);
        self.in_aggregate = inside;
        self.scope.leave_aggregate();
        call
    }

    pub(super) fn aggregate_call(&mut self, a: &ast::AggregateCall) -> SqlResult<AggregateCall> {
        if let (F::Stored, Some(ExprKind::Function(f))) = (a.function, a.args.first().map(|e| &e.kind)) {
            return self.stored_aggregate(f);
        }
        let mut args = Vec::with_capacity(a.args.len());
        for e in &a.args {
            args.push(self.bind(e)?);
        }
        let mut call = AggregateCall {
            function: a.function,
            stored: 0,
            distinct: a.distinct && !matches!(a.function, F::Min | F::Max),
            args,
            order_by: Vec::new(),
            nulls_first: false,
            of_values: Vec::new(),
            separator: Box::default(),
            limit: None,
            ty: FieldType::bigint(false).with_nullable(false),
        };
        match a.function {
            F::Count => {}
            F::Sum | F::Avg => {
                let arg = only_argument(&mut call.args)?;
                no_special(arg, a)?;
                call.ty = self.sum_type(a.function, arg)?;
            }
            F::Min | F::Max => {
                let arg = only_argument(&mut call.args)?;
                call.ty = self.extreme_type(arg)?;
            }
            F::Std | F::StdSamp | F::Variance | F::VarSamp => {
                let arg = only_argument(&mut call.args)?;
                no_special(arg, a)?;
                call.ty = self.deviation_type(arg)?;
            }
            F::BitAnd | F::BitOr | F::BitXor => {
                let arg = only_argument(&mut call.args)?;
                no_special(arg, a)?;
                if !arg.ty.class().is_integer() {
                    coerce(arg, FieldType::bigint(false), self.ctx)?;
                }
                call.ty = super::operators::bits_type().with_nullable(false);
            }
            F::GroupConcat => self.group_concat(a, &mut call)?,
            // bound as the GROUP_CONCAT of their parts
            F::JsonArrayAgg | F::JsonObjectAgg | F::Stored => {
                return Err(SqlError::not_supported("JSON aggregates here"));
            }
        }
        Ok(call)
    }

    /// The call of a stored aggregate function.
    fn stored_aggregate(&mut self, f: &ast::FunctionCall) -> SqlResult<AggregateCall> {
        let Some((stored, ty)) = self.scope.stored_aggregate(f, self.ctx)? else {
            return Err(SqlError::internal("no aggregate function"));
        };
        self.ctx.statement.bound_volatile += 1;
        let mut args = Vec::with_capacity(f.args.len());
        for e in &f.args {
            args.push(self.bind(e)?);
        }
        Ok(AggregateCall {
            function: F::Stored,
            stored,
            distinct: false,
            args,
            order_by: Vec::new(),
            nulls_first: false,
            of_values: Vec::new(),
            separator: Box::default(),
            limit: None,
            ty: ty.with_nullable(true),
        })
    }

    /// The type of SUM and AVG, and of their argument.
    fn sum_type(&mut self, function: F, arg: &mut Expr) -> SqlResult<FieldType> {
        if arg.ty.json {
            crate::func::json::as_number(arg, self.ctx)?;
        }
        let class = match arg.ty.kind {
            Kind::Enum | Kind::Set => Class::Int,
            _ => number_class(&arg.ty),
        };
        let (int, scale) = digits_of(arg);
        number_of_words(arg);
        let ty = if matches!(class, Class::Double | Class::Null) {
            let dec = match &arg.node {
                Node::Assign(..) => arg.ty.decimals,
                _ => double_digits(arg),
            };
            let length = arg.ty.char_length();
            coerce(arg, FieldType::double(), self.ctx)?;
            let mut ty = FieldType::double();
            if function == F::Avg {
                let extra = self.ctx.div_precision_increment;
                ty.length = length.saturating_add(u32::from(extra)).min(23);
                ty.decimals = if dec < 31 { (dec + extra).min(30) } else { NOT_FIXED_DEC };
            } else if dec < 31 {
                ty.decimals = dec;
                ty.length = 17 + u32::from(dec);
            }
            ty
        } else {
            if !class.is_integer() || !arg.ty.class().is_integer() {
                let mut to = FieldType::decimal(65, 38);
                to.decimals = NOT_FIXED_DEC;
                coerce(arg, to, self.ctx)?;
            }
            if function == F::Sum {
                FieldType::decimal(int.saturating_add(scale).saturating_add(22).min(65), scale)
            } else {
                let inc = self.ctx.div_precision_increment;
                let s = scale.saturating_add(inc).min(38);
                FieldType::decimal(int.saturating_add(scale).saturating_add(inc).min(65), s)
            }
        };
        Ok(ty.with_nullable(true))
    }

    /// The type of MIN and MAX, and of their argument.
    pub(super) fn extreme_type(&mut self, arg: &mut Expr) -> SqlResult<FieldType> {
        let mut members = None;
        if matches!(arg.ty.kind, Kind::Enum | Kind::Set) {
            members = arg.ty.values.clone();
            let t = text_type(&arg.ty, self.ctx.collation);
            coerce(arg, t, self.ctx)?;
            arg.ty.decimals = 0;
        }
        // moments show the digits of each value still
        let shown = arg.ty.decimals;
        arg.ty = arg.ty.fixed();
        if arg.ty.is_temporal() {
            arg.ty.decimals = shown;
        }
        Ok(FieldType { values: members, ..extreme_of(arg) })
    }

    /// The type of standard deviations and variances, and of their argument.
    fn deviation_type(&mut self, arg: &mut Expr) -> SqlResult<FieldType> {
        let class = match arg.ty.kind {
            Kind::Enum | Kind::Set => Class::Int,
            _ => number_class(&arg.ty),
        };
        let (int, scale) = digits_of(arg);
        number_of_words(arg);
        let dec = double_digits(arg);
        coerce(arg, FieldType::double(), self.ctx)?;
        let mut ty = FieldType::double();
        let extra = self.ctx.div_precision_increment;
        if !matches!(class, Class::Double | Class::Null) {
            let precision = (u32::from(int) + u32::from(scale)) * 2 + u32::from(extra);
            ty.decimals = (scale + extra).min(30);
            ty.length = precision + 2;
        } else if dec < 31 {
            ty.decimals = (dec + extra).min(30);
            ty.length = 17 + u32::from(dec);
        }
        Ok(ty.with_nullable(true))
    }

    /// What ORDER BY of GROUP_CONCAT names: an integer is the number of an argument.
    ///
    /// # Errors
    /// 1054 where no argument has the number, as none has a negative one.
    fn order_of_texts(&mut self, e: &ast::Expr, values: &[Expr]) -> SqlResult<Expr> {
        match &e.kind {
            ExprKind::Literal(Literal::Int(n)) => {
                let at = usize::try_from(*n).ok().and_then(|n| n.checked_sub(1));
                let arg = at.and_then(|at| values.get(at)).cloned();
                arg.ok_or_else(|| SqlError::new(ER_BAD_FIELD_ERROR, &[n, &"ORDER BY"]))
            }
            ExprKind::Unary(ast::UnaryOp::Negate, of)
                if let ExprKind::Literal(Literal::Int(n)) = of.kind
                    && n <= i64::MIN.unsigned_abs() =>
            {
                Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&-i128::from(n), &"ORDER BY"]))
            }
            _ => self.bind(e),
        }
    }

    /// An operand of the LIMIT of GROUP_CONCAT, which is known when it is bound.
    ///
    /// # Errors
    /// 1210 for a negative parameter, 4107 for one that is no integer.
    fn number_of_rows(&mut self, e: Option<&ast::Expr>) -> SqlResult<Option<u64>> {
        let Some(e) = e else { return Ok(None) };
        let value = match self.bind(e)?.node {
            Node::Literal(value) => value,
            Node::Param(n) => {
                self.cacheable = false;
                // none while the statement is prepared
                self.ctx.statement.params.get(n as usize).cloned().unwrap_or(Value::UInt(0))
            }
            _ => return Err(SqlError::not_supported("LIMIT of GROUP_CONCAT")),
        };
        match value {
            Value::Int(v) => match u64::try_from(v) {
                Ok(v) => Ok(Some(v)),
                Err(_) => Err(SqlError::new(codes::ER_WRONG_ARGUMENTS, &[&"EXECUTE"])),
            },
            Value::UInt(v) => Ok(Some(v)),
            Value::Null => Ok(Some(0)),
            _ => Err(SqlError::new(codes::ER_INVALID_VALUE_TO_LIMIT, &[])),
        }
    }

    fn group_concat(&mut self, a: &ast::AggregateCall, call: &mut AggregateCall) -> SqlResult<()> {
        let keyed = call.distinct || !a.order_by.is_empty();
        call.nulls_first = call.args.iter().any(is_element);
        call.args.iter_mut().for_each(|e| bits_as_digits(e, keyed));
        let values = call.args.clone();
        for e in &mut call.args {
            let mut t = text_type(&e.ty, self.ctx.collation);
            if e.ty.digits {
                (t.collation, t.derivation) = (charset::binary(), Derivation::Implicit);
            }
            coerce(e, t, self.ctx)?;
        }
        let d = common_collation(&mut call.args, Purpose::Value, "group_concat(", self.ctx)?;
        let max = self.ctx.group_concat_max_len as u64;
        let chars = max / u64::from(d.collation.charset.mbminlen.max(1));
        call.ty = FieldType::string(chars, d.collation, d.derivation).with_nullable(true);
        let bytes = chars.saturating_mul(u64::from(d.collation.charset.mbmaxlen));
        call.ty.length = u32::try_from(bytes).unwrap_or(u32::MAX);
        call.ty.decimals = 0;
        call.ty.kind = if max > 65535 * 256 {
            Kind::LongBlob
        } else if max > 65535 {
            Kind::MediumBlob
        } else {
            Kind::Blob
        };
        // the comma is no literal of the connection
        let (separator, from) = match &a.separator {
            None => (b",".to_vec(), charset::system().charset),
            Some(s) => match s.charset.and_then(charset::Charset::by_name) {
                Some(from) => (s.bytes.to_vec(), from),
                None if self.ctx.client.name == self.ctx.collation.charset.name => {
                    (s.bytes.to_vec(), self.ctx.client)
                }
                None => {
                    let mut text = Vec::new();
                    self.ctx.client.convert(&s.bytes, self.ctx.collation.charset, &mut text);
                    (text, self.ctx.collation.charset)
                }
            },
        };
        let mut out = Vec::new();
        if d.collation.id == 63 || from.name == d.collation.charset.name {
            out = separator;
        } else {
            from.convert(&separator, d.collation.charset, &mut out);
        }
        call.ty.ascii = d.ascii && out.is_ascii();
        call.separator = out.into();
        for o in &a.order_by {
            let e = self.order_of_texts(&o.expr, &values)?;
            call.order_by.push((e, o.descending));
        }
        if call.distinct && a.order_by.is_empty() {
            // what is distinct is told by a tree, which is walked in order
            call.of_values = self.texts_of_values(&values, &call.args)?;
            call.order_by.extend(values.into_iter().map(|e| (e, false)));
        }
        if let Some(l) = &a.limit {
            let count = self.number_of_rows(l.count.as_ref())?.unwrap_or(u64::MAX);
            let offset = self.number_of_rows(l.offset.as_ref())?.unwrap_or(0);
            call.limit = Some((offset, count));
        }
        Ok(())
    }

    /// The arguments of a GROUP_CONCAT computed of their values before they became text, so that these are computed once; none
    /// when they are columns.
    fn texts_of_values(&mut self, values: &[Expr], args: &[Expr]) -> SqlResult<Vec<Expr>> {
        if values.iter().all(|e| matches!(e.node, Node::Column(_) | Node::Outer(_) | Node::Literal(_))) {
            return Ok(Vec::new());
        }
        let text = |(i, (value, arg)): (usize, (&Expr, &Expr))| {
            let mut e = Expr::column(0, i as u32, value.ty.clone());
            e.columns_mut(&mut |c| c.slot = c.column);
            coerce(&mut e, arg.ty.clone(), self.ctx)?;
            Ok(e)
        };
        values.iter().zip(args).enumerate().map(text).collect()
    }
}

/// Whether a table of keys has the values of `e` in a column of its type, so that BITs are read back from it as numbers.
fn is_stored(e: &Expr) -> bool {
    match &e.node {
        Node::Subquery(s) => s.outer.is_empty(),
        node => matches!(node, Node::Column(_) | Node::Outer(_)),
    }
}

/// Whether this is a value as it stands in the array of JSON_ARRAYAGG.
fn is_element(e: &Expr) -> bool {
    matches!(&e.node, Node::Call(f, _) if f.def.name == "json_ element")
}

/// Whether BIT columns are digits in a list: where it is ordered or distinct. JSON_ARRAYAGG wraps its values.
fn bits_as_digits(e: &mut Expr, keyed: bool) {
    let element = is_element(e);
    let of = match &mut e.node {
        Node::Call(_, args) if element => &mut args[..],
        _ => std::slice::from_mut(e),
    };
    of.iter_mut().for_each(|e| e.ty.digits = keyed && e.ty.kind == Kind::Bit && is_stored(e));
}

/// Digits after the point of an argument of SUM and its like where they are doubles.
fn double_digits(e: &Expr) -> u8 {
    match e.ty.class() {
        Class::Null => 0,
        _ if e.ty.is_number() => e.ty.decimals,
        // texts that some functions give have none
        _ if matches!(e.node, Node::Call(..)) => e.ty.decimals,
        _ => NOT_FIXED_DEC,
    }
}

/// The type of MIN and MAX.
fn extreme_of(arg: &Expr) -> FieldType {
    let is_column = |e: &Expr| matches!(e.node, Node::Column(_) | Node::Outer(_));
    let mut t = arg.ty.clone().with_nullable(true);
    t.hex = false;
    t.zerofill = false;
    t.digits = t.kind == Kind::Bit;
    match t.kind {
        Kind::Null => {
            t = FieldType::string(0, charset::binary(), Derivation::Coercible);
            t.decimals = 0;
        }
        Kind::Float | Kind::Double => {
            t.length = if t.decimals < 31 { 17 + u32::from(t.decimals) } else { 23 };
            if !is_column(arg) {
                t.kind = Kind::Double;
            }
        }
        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::Year | Kind::Bit
            if !is_column(arg) && !t.boolean =>
        {
            t.kind = Kind::LongLong;
        }
        Kind::Char | Kind::Varchar if is_column(arg) => t.decimals = NOT_FIXED_DEC,
        Kind::Char | Kind::TinyBlob if !is_column(arg) && !t.is_address() => {
            t.kind = Kind::Varchar;
            t.decimals = NOT_FIXED_DEC;
        }
        // what fits a VARCHAR is one, though a TINYTEXT is in it
        Kind::Blob if !is_column(arg) && t.length < Kind::Blob.blob_capacity() => {
            t.kind = Kind::Varchar;
            t.decimals = NOT_FIXED_DEC;
        }
        _ if t.is_blob() => t.decimals = NOT_FIXED_DEC,
        _ => {}
    }
    t
}

/// Whether two calls are the same, so that they are computed once.
fn same_call(a: &AggregateCall, b: &AggregateCall) -> bool {
    a.function == b.function
        // each call runs
        && a.function != F::Stored
        && a.distinct == b.distinct
        && a.separator == b.separator
        && a.limit == b.limit
        && a.order_by.is_empty()
        && b.order_by.is_empty()
        && a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(|(x, y)| match (&x.node, &y.node) {
            // COLLATE makes another order of the same column
            (Node::Column(c), Node::Column(d)) => {
                c.table == d.table && c.column == d.column && std::ptr::eq(x.ty.collation, y.ty.collation)
            }
            (Node::Literal(v), Node::Literal(w)) => v == w,
            (Node::Convert(c), Node::Convert(d)) => {
                matches!((&c.node, &d.node), (Node::Column(c), Node::Column(d)) if c.table == d.table && c.column == d.column)
                    && x.ty.kind == y.ty.kind
            }
            _ => false,
        })
}

fn only_argument(args: &mut [Expr]) -> SqlResult<&mut Expr> {
    args.first_mut().ok_or_else(|| SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]))
}

/// 4079 for an address or a geometry where a number is asked for.
fn no_special(arg: &Expr, a: &ast::AggregateCall) -> SqlResult<()> {
    if arg.ty.is_special() {
        let code = codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION;
        let distinct = if a.distinct && matches!(a.function, F::Sum | F::Avg) { "distinct " } else { "" };
        let name = format!("{}{distinct}", a.function.opening());
        let short = arg.ty.kind == Kind::Geometry && matches!(a.function, F::Sum | F::Avg);
        let name = if short { name.trim_end_matches('(') } else { &name };
        return Err(SqlError::new(code, &[&arg.ty.sql_name(), &name]));
    }
    Ok(())
}
