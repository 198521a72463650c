//! Expressions with a syntax of their own: LIKE, CASE, CAST, intervals, TRIM, calls ...

use super::expr::ExprBinder;
use crate::ast::{self, CastType, ExprKind};
use crate::error::{ER_SP_DOES_NOT_EXIST, ER_UNKNOWN_CHARACTER_SET, ER_WRONG_ARGUMENTS, SqlError, SqlResult};
use crate::expr::typing::{beside_null, coerce, common_collation, digits_of, force, merge_types, text_type};
use crate::expr::{CompareOp, Expr, Node};
use crate::func;
use crate::types::temporal::Unit;
use crate::types::{Class, Derivation, FieldType, Kind, Value};
use crate::variables::SqlMode;
use charset::derivation::Purpose;
use charset::{Charset, Collation};

impl ExprBinder<'_> {
    pub(super) fn form(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        match &e.kind {
            ExprKind::Like { expr, pattern, escape, negated } => {
                self.like(expr, pattern, escape.as_deref(), *negated)
            }
            ExprKind::Regexp { expr, pattern, negated } => {
                let args = vec![self.bind(expr)?, self.bind(pattern)?];
                let call = func::call(func::named("regexp")?, "regexp", args, self.ctx)?;
                Ok(if *negated { super::expr::not(call) } else { call })
            }
            ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref())
            }
            ExprKind::Cast(a, t) => self.cast_form(a, t),
            ExprKind::ConvertUsing(a, cs) => {
                let a = self.bind(a)?;
                let collation = self.charset(cs)?.default_collation();
                self.in_charset(a, collation)
            }
            ExprKind::Collate(a, name) => {
                let a = self.bind(a)?;
                self.collate(a, name)
            }
            ExprKind::DateArith { .. }
            | ExprKind::TimestampAdd(..)
            | ExprKind::TimestampDiff(..)
            | ExprKind::Extract(..)
            | ExprKind::GetFormat(..) => self.temporal_form(e),
            ExprKind::Trim { side, remove, expr, oracle } => {
                let mut args = vec![self.bind(expr)?];
                if let Some(r) = remove {
                    args.push(self.bind(r)?);
                }
                let name = match (side, oracle) {
                    (ast::TrimSide::Both, false) => "trim",
                    (ast::TrimSide::Leading, false) => "ltrim",
                    (ast::TrimSide::Trailing, false) => "rtrim",
                    (ast::TrimSide::Both, true) => "trim_oracle",
                    (ast::TrimSide::Leading, true) => "ltrim_oracle",
                    (ast::TrimSide::Trailing, true) => "rtrim_oracle",
                };
                func::call(func::named(name)?, name, args, self.ctx)
            }
            ExprKind::CharUsing(list, cs) => {
                let mut args = Vec::with_capacity(list.len());
                for e in list {
                    args.push(self.bind(e)?);
                }
                let collation = self.charset(cs)?.default_collation();
                let mut call = func::call(func::named("char")?, "char", args, self.ctx)?;
                call.ty.collation = collation;
                call.ty.derivation = Derivation::Coercible;
                Ok(call)
            }
            ExprKind::WeightString { expr, format, binary } => {
                let mut text = self.bind(expr)?;
                if *binary {
                    let bytes = u64::try_from(format.weights).unwrap_or(u64::MAX);
                    text = self.cast(text, &CastType::Binary(Some(bytes)))?;
                }
                let mut args = vec![text];
                for n in [format.result as i64, format.weights as i64, i64::from(format.flags)] {
                    args.push(Expr::literal(Value::Int(n), FieldType::bigint(false)));
                }
                func::call(func::named("weight_string")?, "weight_string", args, self.ctx)
            }
            ExprKind::IntervalFunction(list) => {
                let mut args = Vec::with_capacity(list.len());
                for e in list {
                    args.push(self.bind(e)?);
                }
                func::call(func::named("interval")?, "interval", args, self.ctx)
            }
            ExprKind::Function(f) => match self.column_create(f)? {
                Some(made) => Ok(made),
                None => self.function(f),
            },
            _ => Err(SqlError::internal("expression without a binding")),
        }
    }

    /// Calls with a unit or a kind of time in them.
    fn temporal_form(&mut self, e: &ast::Expr) -> SqlResult<Expr> {
        match &e.kind {
            ExprKind::DateArith { expr, interval, unit: u, subtract } => {
                let d = self.bind(expr)?;
                let i = self.bind(interval)?;
                self.date_arith(d, i, *u, *subtract)
            }
            ExprKind::TimestampAdd(u, n, d) => {
                let n = self.bind(n)?;
                let d = self.bind(d)?;
                self.date_arith(d, n, *u, false)
            }
            ExprKind::TimestampDiff(u, a, b) => {
                super::rows::no_row_in([&**a, &**b], "timestampdiff")?;
                let (a, b) = (self.bind(a)?, self.bind(b)?);
                let code = unit_literal(*u);
                func::call(func::named("timestampdiff")?, "timestampdiff", vec![code, a, b], self.ctx)
            }
            ExprKind::Extract(u, a) => {
                let operation = format!("extract({})", u.word().to_ascii_lowercase());
                super::rows::no_row_in([&**a], &operation)?;
                let a = self.bind(a)?;
                func::refused::extracted(&a, &operation)?;
                let code = unit_literal(*u);
                func::call(func::named("extract")?, "extract", vec![code, a], self.ctx)
            }
            ExprKind::GetFormat(kind, a) => {
                let a = self.bind(a)?;
                let code = match kind {
                    ast::TemporalKind::Date => 0,
                    ast::TemporalKind::Time => 1,
                    ast::TemporalKind::DateTime => 2,
                };
                let code = Expr::literal(Value::Int(code), FieldType::int(1));
                func::call(func::named("get_format")?, "get_format", vec![code, a], self.ctx)
            }
            _ => Err(SqlError::internal("expression without a binding")),
        }
    }

    pub(super) fn charset(&self, name: &str) -> SqlResult<&'static Charset> {
        if name.eq_ignore_ascii_case("default") {
            return Ok(self.ctx.collation.charset);
        }
        Charset::by_name(name).ok_or_else(|| SqlError::new(ER_UNKNOWN_CHARACTER_SET, &[&name]))
    }

    fn function(&mut self, f: &ast::FunctionCall) -> SqlResult<Expr> {
        let name = f.name.to_ascii_lowercase();
        let mut args = Vec::with_capacity(f.args.len());
        let stored = f.db.is_some() || f.spaced || !is_control(&name) && func::find(&name).is_none();
        if stored && self.scope.stored_aggregate(f, self.ctx)?.is_some() {
            let call = ast::Expr::new(ExprKind::Function(Box::new(f.clone())), ast::Span::default());
            return self.aggregate(&ast::AggregateCall {
                function: ast::AggregateFunction::Stored,
                distinct: false,
                args: vec![call],
                order_by: Vec::new(),
                separator: None,
                limit: None,
                over: None,
            });
        }
        for a in &f.args {
            let native = f.db.is_none() && super::rows::tells_type(&name);
            if stored && !(native && self.is_row(a)) {
                // its parameters may be rows
                args.push(self.bind_row(a)?);
                continue;
            }
            if self.is_row(a) {
                let other = match (f.args.get(1), args.last()) {
                    (Some(second), None) if !self.is_row(second) => Some(self.bind(second)?),
                    _ => None,
                };
                return Err(super::rows::row_argument(f, &name, args.last(), other.as_ref()));
            }
            args.push(self.bind(a)?);
        }
        if !stored {
            self.look_at_texts(&name, &mut args);
            if let Some(bound) = self.control_function(f, &name, &mut args)? {
                return Ok(bound);
            }
            if matches!(&*name, "ltrim" | "rtrim" | "ltrim_oracle" | "rtrim_oracle") && args.len() > 1 {
                // what they take away is said by TRIM only
                return Err(SqlError::new(crate::error::ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&f.name]));
            }
            if let Some(function) = func::find(&name) {
                for (name, slot) in &f.locals {
                    let value = self.local(*slot)?;
                    self.ctx.statement.path_variables.push((name.clone(), value));
                }
                self.ctx.statement.bound_volatile += u32::from(!function.is_pure());
                let mut bound = func::call(function, &f.name, args, self.ctx)?;
                if bound.ty.class() == Class::Double
                    && let Node::Call(function, _) = &mut bound.node
                {
                    let mode = self.ctx.sql_mode;
                    let text = super::describe::describe_call(function.def.name, &f.args, self.scope, mode);
                    function.text = Some(text.into());
                }
                return Ok(bound);
            }
        }
        if let Some(e) = self.scope.stored_function(f, args, self.ctx)? {
            self.ctx.statement.bound_volatile += 1;
            return Ok(e);
        }
        let shown = match &f.db {
            Some(db) => format!("{db}.{}", f.name),
            None => match &self.ctx.connection.database {
                Some(db) => format!("{db}.{}", f.name),
                None => f.name.to_string(),
            },
        };
        if f.spaced {
            // a function of the server, but for the blank behind its name
            return Err(SqlError::new(crate::error::codes::ER_FUNC_INEXISTENT_NAME_COLLISION, &[&shown]));
        }
        Err(SqlError::new(ER_SP_DOES_NOT_EXIST, &[&"FUNCTION", &shown]))
    }

    /// The digits of a text beside moments, and whether it is an address, are part of the type: parameters are taken as they are now.
    fn look_at_texts(&mut self, name: &str, args: &mut [Expr]) {
        let told = match name {
            "greatest" | "least" => args.iter().any(|a| a.ty.is_temporal()),
            "coalesce" | "ifnull" | "nvl" => args.iter().any(|a| a.ty.is_address()),
            _ => false,
        };
        for a in args.iter_mut().filter(|a| told && a.ty.is_string()) {
            if let Node::Param(n) = &a.node
                && let Some(value) = self.ctx.statement.params.get(*n as usize)
            {
                a.node = Node::Literal(value.clone());
                self.cacheable = false;
            }
        }
    }

    /// Functions that are nodes of their own; None for others.
    fn control_function(
        &mut self,
        f: &ast::FunctionCall,
        name: &str,
        args: &mut Vec<Expr>,
    ) -> SqlResult<Option<Expr>> {
        let count = |ok: bool| {
            if ok {
                Ok(())
            } else {
                Err(SqlError::new(crate::error::ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&f.name]))
            }
        };
        let boolean = FieldType::boolean().with_nullable(false);
        let bound = match name {
            "if" => {
                count(args.len() == 3)?;
                self.if_(std::mem::take(args))?
            }
            "nvl2" => {
                count(args.len() == 3)?;
                let mut args = std::mem::take(args);
                let first = Box::new(args.remove(0));
                args.insert(0, Expr::new(Node::Is(first, crate::expr::Test::Null, true), boolean));
                self.if_(args)?
            }
            "ifnull" | "nvl" | "coalesce" => {
                count(if name == "coalesce" { !args.is_empty() } else { args.len() == 2 })?;
                self.coalesce(std::mem::take(args), name)?
            }
            "nullif" => {
                count(args.len() == 2)?;
                self.nullif(std::mem::take(args))?
            }
            "decode_oracle" => {
                count(args.len() >= 3)?;
                self.decode(std::mem::take(args))?
            }
            "isnull" => {
                count(args.len() == 1)?;
                let mut a = args.pop().ok_or_else(|| SqlError::internal("no argument"))?;
                crate::func::null_again(&mut a, self.ctx)?;
                Expr::new(Node::Is(Box::new(a), crate::expr::Test::Null, false), boolean)
            }
            "mod" | "adddate" | "subdate" if args.len() == 2 => {
                let (Some(b), Some(a)) = (args.pop(), args.pop()) else { return Ok(None) };
                if name == "mod" {
                    super::operators::arith(crate::expr::ArithOp::Modulo, a, b, "".into(), self.ctx)?
                } else {
                    self.date_arith(a, b, Unit::Day, name == "subdate")?
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(bound))
    }

    /// Brings the values of IF, CASE, COALESCE to one type, which is returned.
    pub(super) fn merge(&mut self, values: &mut [Expr], name: &str) -> SqlResult<FieldType> {
        let json = values.iter().all(|e| e.ty.json || e.ty.kind == Kind::Null);
        let hex = crate::expr::typing::are_hex(values);
        let ty = self.merge_plain(values, name)?;
        Ok(FieldType { json: json && ty.is_string(), hex: ty.hex || hex && ty.is_string(), ..ty })
    }

    fn merge_plain(&mut self, values: &mut [Expr], name: &str) -> SqlResult<FieldType> {
        let types: Vec<&FieldType> = values.iter().map(|e| &e.ty).collect();
        let mut ty = crate::expr::typing::widened(merge_types(&types, self.ctx.collation), values);
        // beside NULL the other value of IF is as it is
        if name != "if" && types.iter().any(|t| t.kind == Kind::Null) {
            ty = beside_null(ty);
        }
        if types.iter().any(|t| t.is_special()) {
            // BIT is a number where values of several types become one
            let number = FieldType::bigint(false);
            let named = |t: &'_ FieldType| if t.kind == Kind::Bit { number.clone() } else { t.clone() };
            for pair in types.windows(2) {
                crate::func::wrapped::meet(&named(pair[0]), &named(pair[1]), name)?;
            }
        }
        if let Some(address) = types.iter().find(|t| t.is_address()) {
            let ty = (*address).clone().with_nullable(ty.nullable);
            for e in values.iter_mut() {
                crate::func::wrapped::to_address(e, &ty, self.ctx)?;
            }
            return Ok(ty);
        }
        if ty.class() == Class::Null {
            return Ok(ty);
        }
        if ty.class() == Class::Bytes {
            let blob = values.iter().any(|e| e.ty.is_blob());
            let char_only = values.iter().any(|e| e.ty.kind == Kind::Char)
                && values.iter().all(|e| e.ty.kind == Kind::Char || !e.ty.is_string());
            let shown: Vec<Option<u32>> = values.iter().map(shown_width).collect();
            for e in values.iter_mut() {
                if e.ty.kind == Kind::Null {
                    continue;
                }
                let t = text_type(&e.ty, self.ctx.collation);
                coerce(e, t, self.ctx)?;
            }
            let d = common_collation(values, Purpose::Value, name, self.ctx)?;
            let bytes = |t: &FieldType| d.collation.id == 63 && t.derivation != Derivation::Numeric;
            let width = |(e, shown): (&Expr, &Option<u32>)| match shown {
                Some(w) if d.collation.id == 63 => *w,
                _ if bytes(&e.ty) => e.ty.length,
                _ => e.ty.char_length(),
            };
            let chars = values.iter().zip(&shown).map(width).max().unwrap_or(0);
            let mut t =
                FieldType::string(u64::from(chars), d.collation, d.derivation).with_nullable(ty.nullable);
            t.ascii = d.ascii;
            if chars == 0 {
                // where all are empty there are no digits
                t.decimals = 0;
            }
            if ty.kind == Kind::Geometry {
                t.kind = ty.kind;
            } else if char_only {
                t.kind = Kind::Char;
            } else if blob {
                t.kind = Kind::blob_for(t.length);
            }
            ty = t;
        } else {
            if ty.class().is_integer() && !matches!(ty.kind, Kind::Year | Kind::Bit) {
                let digits = values.iter().map(|e| digits_of(e).0).max().unwrap_or(1);
                ty.length = u32::from(digits) + u32::from(!ty.unsigned);
                if matches!(ty.kind, Kind::Long | Kind::LongLong) && digits > 10 {
                    ty.kind = Kind::LongLong;
                }
            } else if ty.class() == Class::Double && ty.decimals >= 31 {
                let real = values.iter().filter(|e| e.ty.kind != Kind::Null);
                ty.length = real.map(|e| e.ty.char_length()).max().unwrap_or(22);
            }
            let mut target = ty.clone();
            if target.class() == Class::Decimal {
                target.decimals = crate::result::NOT_FIXED_DEC;
            }
            for e in values.iter_mut() {
                coerce(e, target.clone(), self.ctx)?;
            }
        }
        Ok(ty)
    }

    fn if_(&mut self, mut args: Vec<Expr>) -> SqlResult<Expr> {
        let mut values = args.split_off(1);
        args[0].decides();
        // beside NULL the other value is as it is
        let other = match &values[..] {
            [a, b] if b.ty.kind == Kind::Null => Some(a.ty.char_length()),
            [a, b] if a.ty.kind == Kind::Null => Some(b.ty.char_length()),
            _ => None,
        };
        let parameter = values.iter().any(|v| v.ty.kind == Kind::Null && matches!(v.node, Node::Param(_)));
        let kinds = [&values[0], &values[1]].map(|v| v.ty.kind);
        let mut ty = self.merge(&mut values, "if")?;
        if parameter && kinds.contains(&Kind::Timestamp) {
            ty.unsigned = true;
        } else if parameter && (kinds.contains(&Kind::Enum) || kinds.contains(&Kind::Set)) {
            ty.decimals = 0;
        }
        if let Some(length) = other.filter(|_| ty.class().is_integer()) {
            ty.length = length;
        }
        crate::expr::user_variables::as_condition(&mut args[0]);
        ty.nullable |= args[0].ty.nullable;
        args.append(&mut values);
        match <[Expr; 3]>::try_from(args) {
            Ok(a) => Ok(Expr::new(Node::If(Box::new(a)), ty)),
            Err(_) => Err(SqlError::internal("IF without three arguments")),
        }
    }

    fn coalesce(&mut self, mut args: Vec<Expr>, name: &str) -> SqlResult<Expr> {
        // a parameter counts as the value that it has now
        let mut given = |e: &Expr| match e.node {
            Node::Param(n) => self.scope.param(n).is_some_and(|ty| !ty.nullable),
            _ => false,
        };
        let nullable = args.iter().all(|a| a.ty.nullable && !given(a));
        let mut ty = self.merge(&mut args, name)?;
        // text that is read as an address may be none
        ty.nullable = if ty.is_address() { args.iter().all(|a| a.ty.nullable) } else { nullable };
        Ok(Expr::new(Node::Coalesce(args), ty))
    }

    fn nullif(&mut self, mut args: Vec<Expr>) -> SqlResult<Expr> {
        let (Some(b), Some(a)) = (args.pop(), args.pop()) else {
            return Err(SqlError::internal("NULLIF without two arguments"));
        };
        let mut ty = crate::expr::typing::natural_width(&a.ty).fixed().with_nullable(true);
        ty.hex &= ty.is_string();
        ty.digits = ty.kind == Kind::Bit;
        if matches!(ty.kind, Kind::Enum | Kind::Set) {
            ty = text_type(&a.ty, self.ctx.collation).with_nullable(true);
            ty.decimals = 0;
        } else if ty.is_string() && !ty.is_address() {
            ty.decimals = crate::result::NOT_FIXED_DEC;
        }
        crate::func::wrapped::meet(&a.ty, &b.ty, "nullif")?;
        let same = self.compare(CompareOp::Eq, a.clone(), b).map_err(|mut e| {
            e.message = e.message.replace("operation '='", "operation 'nullif'");
            e
        })?;
        let null = Expr::literal(Value::Null, ty.clone());
        let mut value = a;
        coerce(&mut value, ty.clone(), self.ctx)?;
        value.ty.nullable = true;
        if value.ty.kind == Kind::Null {
            ty = FieldType::null();
        }
        Ok(Expr::new(Node::If(Box::new([same, null, value])), ty))
    }

    fn like(
        &mut self,
        v: &ast::Expr,
        pattern: &ast::Expr,
        escape: Option<&ast::Expr>,
        negated: bool,
    ) -> SqlResult<Expr> {
        let mut args = [self.bind(v)?, self.bind(pattern)?];
        for a in &mut args {
            let t = text_type(&a.ty, self.ctx.collation);
            coerce(a, t, self.ctx)?;
        }
        let d = common_collation(&mut args, Purpose::Comparison, "like", self.ctx)?;
        let escape = match escape {
            None if self.ctx.sql_mode.has(SqlMode::NO_BACKSLASH_ESCAPES) => None,
            None => Some(u32::from(b'\\')),
            Some(e) => {
                let e = self.bind(e)?;
                match &e.node {
                    // no character: as if nothing was said
                    Node::Literal(Value::Bytes(b))
                        if b.is_empty() && !self.ctx.sql_mode.has(SqlMode::NO_BACKSLASH_ESCAPES) =>
                    {
                        Some(u32::from(b'\\'))
                    }
                    Node::Literal(Value::Bytes(b)) => {
                        let cs = e.ty.collation.charset;
                        match cs.decode(b) {
                            Some((c, n)) if n == b.len() => Some(c),
                            _ => return Err(SqlError::new(ER_WRONG_ARGUMENTS, &[&"ESCAPE"])),
                        }
                    }
                    Node::Literal(Value::Null) => Some(u32::from(b'\\')),
                    Node::Literal(Value::Int(v @ 0..=9)) => Some(u32::from(b'0') + *v as u32),
                    _ => return Err(SqlError::new(ER_WRONG_ARGUMENTS, &[&"ESCAPE"])),
                }
            }
        };
        let nullable = args.iter().any(|a| a.ty.nullable);
        let ty = FieldType::boolean().with_nullable(nullable);
        Ok(Expr::new(Node::Like { args: Box::new(args), collation: d.collation, escape, negated }, ty))
    }

    fn collate(&mut self, mut a: Expr, name: &str) -> SqlResult<Expr> {
        let t = text_type(&a.ty, self.ctx.collation);
        coerce(&mut a, t, self.ctx)?;
        let cs = a.ty.collation.charset;
        let collation = if name.eq_ignore_ascii_case("default") {
            cs.default_collation()
        } else {
            crate::types::collations::collation_in(name, cs)?
        };
        if a.ty.kind == Kind::Null {
            a.ty = FieldType::string(0, collation, Derivation::Explicit);
        }
        a.ty.collation = collation;
        a.ty.derivation = Derivation::Explicit;
        a.ty.hex = false;
        a.ty.decimals = crate::result::NOT_FIXED_DEC;
        a.ty.nullable = true;
        Ok(match a.node {
            // A column must keep its own collation: the comparison takes that of its type.
            Node::Column(_) | Node::Aggregate(_) | Node::Outer(_) => a,
            _ => a,
        })
    }

    /// CONVERT(x USING cs).
    fn in_charset(&mut self, mut a: Expr, collation: &'static Collation) -> SqlResult<Expr> {
        let t = text_type(&a.ty, self.ctx.collation);
        if a.ty.is_address() {
            force(&mut a, t, self.ctx)?
        } else {
            coerce(&mut a, t, self.ctx)?
        }
        let chars = if a.ty.collation.id == 63 {
            u64::from(a.ty.length) / u64::from(collation.charset.mbminlen)
        } else {
            u64::from(a.ty.char_length())
        };
        let mut ty = FieldType::string(chars, collation, Derivation::Implicit).with_nullable(a.ty.nullable);
        ty.ascii = a.ty.ascii;
        if a.ty.collation.charset.name == collation.charset.name
            || (a.ty.ascii && collation.charset.is_ascii_compatible())
        {
            a.ty = ty.with_nullable(true);
            return Ok(a);
        }
        let mut call = func::call(func::named("convert_using")?, "convert_using", vec![a], self.ctx)?;
        call.ty = ty;
        call.ty.nullable = true;
        Ok(call)
    }

    /// `date ± INTERVAL n unit`.
    pub(super) fn date_arith(&mut self, mut d: Expr, n: Expr, unit: Unit, subtract: bool) -> SqlResult<Expr> {
        func::refused::interval(&d)?;
        let micros = unit.has_micros();
        // a text may have any, but those of an ENUM or SET are numbers there
        let fraction = |e: &FieldType| -> u8 {
            match e.class() {
                Class::Bytes if !e.hex && !matches!(e.kind, Kind::Enum | Kind::Set) => 6,
                _ => e.decimals.min(6),
            }
        };
        let ty = match d.ty.class() {
            Class::DateTime => {
                let dec = if micros {
                    6
                } else if unit == Unit::Second {
                    d.ty.decimals.max(fraction(&n.ty))
                } else {
                    d.ty.decimals
                };
                FieldType::datetime(dec)
            }
            Class::Date if unit.has_time() => FieldType::datetime(if micros {
                6
            } else if unit == Unit::Second {
                fraction(&n.ty)
            } else {
                0
            }),
            Class::Date => FieldType::date(),
            Class::Time if !matches!(unit, Unit::Year | Unit::Quarter | Unit::Month | Unit::YearMonth) => {
                let dec = if micros {
                    6
                } else if unit == Unit::Second {
                    d.ty.decimals.max(fraction(&n.ty))
                } else {
                    d.ty.decimals
                };
                FieldType::time(dec)
            }
            _ => {
                // Text and numbers: the value shows whether it has a time.
                let exact = micros || d.ty.is_string() && d.as_literal().is_none();
                let dec = if exact { 6 } else { func::digits_of_sum(&d, &n, unit == Unit::Second) };
                let chars = 19 + if dec > 0 { u64::from(dec) + 1 } else { 0 };
                let mut t = FieldType::string(chars, self.ctx.collation, Derivation::Coercible);
                t.decimals = dec;
                t.kind = Kind::Char;
                t.ascii = true;
                t.moment = true;
                t
            }
        };
        if ty.class() == Class::DateTime && d.ty.class() == Class::Time {
            coerce(&mut d, FieldType::datetime(6), self.ctx)?;
        }
        let name = if subtract { "date_sub_interval" } else { "date_add_interval" };
        let code = unit_literal(unit);
        let mut e = func::call(func::named(name)?, name, vec![d, n, code], self.ctx)?;
        e.ty = ty.with_nullable(true);
        Ok(e)
    }
}

/// The display width of an integer column.
fn shown_width(e: &Expr) -> Option<u32> {
    match e.node {
        Node::Column(_) | Node::Outer(_) => e.ty.display_width(),
        _ => None,
    }
}

/// A unit as the number that functions take.
pub(super) fn unit_literal(u: Unit) -> Expr {
    Expr::literal(Value::Int(u as i64), FieldType::int(2))
}

/// Functions that are bound here, not found in the tables of [`func`].
fn is_control(name: &str) -> bool {
    matches!(
        name,
        "if" | "nvl2"
            | "ifnull"
            | "nvl"
            | "coalesce"
            | "decode_oracle"
            | "nullif"
            | "isnull"
            | "mod"
            | "adddate"
            | "subdate"
    )
}

/// Whether there is a function of this name, which the grammar does not know.
#[must_use]
pub fn is_known(name: &str) -> bool {
    func::find(name).is_some() || is_control(&name.to_ascii_lowercase())
}
