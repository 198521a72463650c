//! Functions and aggregates back to text, under their canonical names.

use super::{Precedence, Printer};
use crate::ast::*;
use crate::lex::function_names;

impl AggregateFunction {
    /// The name and the parenthesis, as MariaDB writes them in headings and messages.
    pub fn opening(self) -> &'static str {
        use AggregateFunction::*;
        match self {
            Count => "count(",
            Sum => "sum(",
            Min => "min(",
            Max => "max(",
            Avg => "avg(",
            Std => "std(",
            StdSamp => "stddev_samp(",
            Variance => "variance(",
            VarSamp => "var_samp(",
            BitAnd => "bit_and(",
            BitOr => "bit_or(",
            BitXor => "bit_xor(",
            GroupConcat => "group_concat(",
            JsonArrayAgg => "json_arrayagg(",
            JsonObjectAgg => "json_objectagg(",
            Stored => "(",
        }
    }
}

impl Printer<'_> {
    pub(super) fn function(&mut self, call: &FunctionCall) {
        if let Some(db) = &call.db {
            self.name(db);
            self.text(".");
            self.name(&call.name);
            return self.call("", &call.args);
        }
        let name = call.name.to_ascii_lowercase();
        if self.dynamic_column(&name, &call.args) {
            return;
        }
        if let Some(plain) = function_names::plain_name(&name) {
            self.oracle_name(plain, true);
            self.comma_list(&call.args);
            return self.text(")");
        }
        let canonical = match (name.as_str(), call.args.as_slice()) {
            ("mod", [a, b]) => return self.binary(BinaryOp::Modulo, a, b),
            ("isnull", [a]) => return self.is(a, IsTest::Null, false),
            ("date", [a]) => return self.cast(a, &CastType::Date),
            ("time", [a]) => return self.cast(a, &CastType::Time(0)),
            ("timestamp", [a]) => return self.cast(a, &CastType::DateTime(0)),
            ("datediff", [a, b]) => {
                self.text("to_days(");
                self.expr(a, false, Precedence::Or);
                self.text(") - to_days(");
                self.expr(b, false, Precedence::Or);
                return self.text(")");
            }
            ("add_months", [a, b]) => {
                self.expr(a, false, Precedence::Additive);
                return self.interval(b, IntervalUnit::Month, false);
            }
            ("instr", [a, b]) => {
                self.text("locate(");
                self.expr(b, false, Precedence::Or);
                self.text(",");
                self.expr(a, false, Precedence::Or);
                return self.text(")");
            }
            ("bin", [a]) => return self.completed("conv(", a, ",10,2)"),
            ("oct", [a]) => return self.completed("conv(", a, ",10,8)"),
            ("to_char", [a]) => return self.completed("to_char(", a, ",'YYYY-MM-DD HH24:MI:SS')"),
            ("weekofyear", [a]) => return self.completed("week(", a, ",3)"),
            ("round", [a]) => return self.completed("round(", a, ",0)"),
            ("yearweek", [a]) => return self.completed("yearweek(", a, ",0)"),
            ("substring" | "mid", _) => "substr",
            ("lower", _) => "lcase",
            ("upper", _) => "ucase",
            ("length", _) => "octet_length",
            ("character_length", _) => "char_length",
            ("ceil", _) => "ceiling",
            ("day", _) => "dayofmonth",
            ("power", _) => "pow",
            ("atan2", _) => "atan",
            ("sha1", _) => "sha",
            ("nvl", _) => "ifnull",
            ("now" | "localtime" | "localtimestamp", _) => "current_timestamp",
            ("current_date", _) => "curdate",
            ("current_time", _) => "curtime",
            ("schema", _) => "database",
            ("session_user" | "system_user", _) => "user",
            (other, _) => geometric(other),
        };
        self.call(canonical, &call.args);
    }

    /// A call with the arguments that were left out.
    fn completed(&mut self, opening: &str, argument: &Expr, rest: &str) {
        self.text(opening);
        self.expr(argument, false, Precedence::Or);
        self.text(rest);
    }

    /// The name of a function that Oracle has otherwise, and the parenthesis: `oracle_schema.trim(` in views and notes.
    pub(super) fn oracle_name(&mut self, plain: &str, oracle: bool) {
        let shown = self.style.note.is_some() || self.style.view.is_some();
        match function_names::oracle_name(plain) {
            Some(_) if oracle && shown => self.text(&format!("oracle_schema.{plain}(")),
            Some(name) if oracle => self.text(&format!("{name}(")),
            _ => self.text(&format!("{plain}(")),
        }
    }

    pub(super) fn aggregate(&mut self, call: &AggregateCall) {
        use AggregateFunction::GroupConcat;
        self.text(call.function.opening());
        if call.distinct {
            self.text("distinct ");
        }
        if call.args.is_empty() {
            self.text("0");
        }
        self.comma_list(&call.args);
        if !call.order_by.is_empty() {
            self.text(" ");
            match self.style.note.is_some() || self.style.view.is_some() {
                true => self.order_in_note(&call.order_by),
                false => self.order_by(&call.order_by),
            }
        }
        if call.function == GroupConcat {
            self.text(" separator ");
            match &call.separator {
                Some(s) => self.string(&s.bytes),
                None => self.text("','"),
            }
        }
        if let Some(limit) = &call.limit {
            self.limit(limit);
        }
        self.text(")");
        if let Some(over) = &call.over {
            self.over(over);
        }
    }

    /// ORDER BY of an aggregate, whose direction is always said in notes.
    fn order_in_note(&mut self, items: &[OrderItem]) {
        self.text("order by ");
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            self.expr(&item.expr, false, Precedence::Or);
            self.text(if item.descending { " DESC" } else { " ASC" });
        }
    }
}

/// The name that a function of geometries is printed with.
fn geometric(name: &str) -> &str {
    match name {
        "geomfromtext" | "geometryfromtext" | "st_geomfromtext" => "st_geometryfromtext",
        "geomfromwkb" | "geometryfromwkb" | "st_geomfromwkb" => "st_geometryfromwkb",
        "aswkt" | "st_aswkt" | "astext" => "st_astext",
        "aswkb" | "asbinary" | "st_asbinary" => "st_aswkb",
        "x" => "st_x",
        "y" => "st_y",
        "st_srid" => "srid",
        "dimension" => "st_dimension",
        "numpoints" => "st_numpoints",
        "numgeometries" => "st_numgeometries",
        "numinteriorrings" => "st_numinteriorrings",
        "isempty" => "st_isempty",
        "isclosed" => "st_isclosed",
        "issimple" => "st_issimple",
        "isring" => "st_isring",
        "boundary" => "st_boundary",
        "centroid" => "st_centroid",
        "convexhull" => "st_convexhull",
        "pointonsurface" => "st_pointonsurface",
        "geometrytype" => "st_geometrytype",
        "area" => "st_area",
        "glength" => "st_length",
        "envelope" => "st_envelope",
        "startpoint" => "st_startpoint",
        "endpoint" => "st_endpoint",
        "exteriorring" => "st_exteriorring",
        "pointn" => "st_pointn",
        "geometryn" => "st_geometryn",
        "interiorringn" => "st_interiorringn",
        "mbrequal" => "mbrequals",
        "intersects" => "mbrintersects",
        "disjoint" => "mbrdisjoint",
        "equals" => "st_equals",
        _ => by_shape(name).unwrap_or(name),
    }
}

/// What reads the texts and the binary form of one shape reads those of all.
fn by_shape(name: &str) -> Option<&'static str> {
    let (shape, printed) = match (name.strip_suffix("fromtext"), name.strip_suffix("fromwkb")) {
        (Some(shape), _) => (shape, "st_geometryfromtext"),
        (_, Some(shape)) => (shape, "st_geometryfromwkb"),
        _ => return None,
    };
    let known = [
        "point",
        "line",
        "linestring",
        "poly",
        "polygon",
        "mpoint",
        "multipoint",
        "mline",
        "multilinestring",
        "mpoly",
        "multipolygon",
        "geomcoll",
        "geometrycollection",
    ];
    known.contains(&shape.strip_prefix("st_").unwrap_or(shape)).then_some(printed)
}
