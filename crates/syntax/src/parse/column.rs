//! Column types, column definitions, index definitions.

use super::Parser;
use super::cast::clamp_u32;
use super::error;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    /// A column type with its attributes up to the character set; `SERIAL` comes as the name.
    pub(crate) fn data_type(&mut self) -> SqlResult<DataType> {
        let start = self.tok.start;
        let mut ty = DataType::of(TypeName::Other);
        let name = match self.kw() {
            Some(kw) => self.keyword_type(kw, &mut ty)?,
            None => self.named_type(&mut ty)?,
        };
        ty.name = name;
        self.type_details(name, &mut ty)?;
        ty.span = self.span_from(start);
        Ok(ty)
    }

    /// Lengths, values and attributes behind the name of a type.
    fn type_details(&mut self, name: TypeName, ty: &mut DataType) -> SqlResult<()> {
        match name {
            TypeName::TinyInt
            | TypeName::SmallInt
            | TypeName::MediumInt
            | TypeName::Int
            | TypeName::BigInt => {
                ty.length = self.optional_length()?;
                self.number_attributes(ty);
            }
            TypeName::Float | TypeName::Decimal => {
                self.precision(ty, false)?;
                self.number_attributes(ty);
            }
            TypeName::Double | TypeName::Real => {
                self.precision(ty, true)?;
                self.number_attributes(ty);
            }
            TypeName::Year => {
                ty.length = self.optional_length()?;
                self.number_attributes(ty);
            }
            TypeName::Bit | TypeName::Binary => ty.length = self.optional_length()?,
            TypeName::Blob => {
                ty.length = self.optional_length()?;
                self.compressed()?;
            }
            TypeName::Time | TypeName::DateTime | TypeName::Timestamp => {
                ty.length = self.optional_length()?
            }
            TypeName::VarBinary => {
                ty.length = Some(self.required_length()?);
                self.compressed()?;
            }
            TypeName::TinyBlob | TypeName::MediumBlob | TypeName::LongBlob => self.compressed()?,
            TypeName::Char | TypeName::Text => {
                ty.length = self.optional_length()?;
                if name == TypeName::Text {
                    self.compressed()?;
                }
                self.string_attributes(ty)?;
            }
            TypeName::VarChar => {
                ty.length = Some(self.required_length()?);
                self.compressed()?;
                self.string_attributes(ty)?;
            }
            TypeName::TinyText | TypeName::MediumText | TypeName::LongText => {
                self.compressed()?;
                self.string_attributes(ty)?;
            }
            // its characters are those of documents
            TypeName::Json => self.compressed()?,
            TypeName::Enum | TypeName::Set => {
                ty.values = self.paren_list(Self::text_literal)?;
                self.string_attributes(ty)?;
            }
            TypeName::Other if self.at(T::LParen) => {
                self.advance();
                ty.length = Some(self.number()?);
                if self.eat(T::Comma) {
                    ty.decimals = Some(clamp_u32(self.number()?));
                }
                self.expect(T::RParen)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Types whose names are words of the grammar; the words are taken.
    fn keyword_type(&mut self, kw: Kw, ty: &mut DataType) -> SqlResult<TypeName> {
        let name = match kw {
            Kw::TINYINT | Kw::INT1 => TypeName::TinyInt,
            Kw::SMALLINT | Kw::INT2 => TypeName::SmallInt,
            Kw::MEDIUMINT | Kw::INT3 | Kw::MIDDLEINT => TypeName::MediumInt,
            Kw::INT | Kw::INTEGER | Kw::INT4 => TypeName::Int,
            Kw::BIGINT | Kw::INT8 => TypeName::BigInt,
            Kw::FLOAT | Kw::FLOAT4 => TypeName::Float,
            Kw::FLOAT8 => TypeName::Double,
            Kw::DOUBLE => {
                self.advance();
                self.eat_kw(Kw::PRECISION);
                return Ok(TypeName::Double);
            }
            Kw::REAL => TypeName::Real,
            Kw::DECIMAL | Kw::DEC | Kw::NUMERIC | Kw::FIXED => TypeName::Decimal,
            // Words of the Oracle mode: they are names here, which must go on with a point.
            Kw::NUMBER | Kw::CLOB | Kw::RAW | Kw::VARCHAR2 if self.peek() != T::Dot => {
                self.advance();
                return Err(self.error());
            }
            Kw::BIT => TypeName::Bit,
            Kw::BOOL | Kw::BOOLEAN => TypeName::Bool,
            Kw::YEAR => TypeName::Year,
            Kw::DATE => TypeName::Date,
            Kw::TIME => TypeName::Time,
            Kw::DATETIME => TypeName::DateTime,
            Kw::TIMESTAMP => TypeName::Timestamp,
            Kw::CHAR | Kw::CHARACTER => {
                self.advance();
                let varying = self.eat_kw(Kw::VARYING);
                return Ok(if varying { TypeName::VarChar } else { TypeName::Char });
            }
            Kw::VARCHAR | Kw::VARCHARACTER => TypeName::VarChar,
            Kw::NCHAR | Kw::NATIONAL | Kw::NVARCHAR => {
                return self.national_type_name(kw, ty);
            }
            Kw::BINARY => TypeName::Binary,
            Kw::VARBINARY => TypeName::VarBinary,
            Kw::TINYBLOB => TypeName::TinyBlob,
            Kw::BLOB => TypeName::Blob,
            Kw::MEDIUMBLOB => TypeName::MediumBlob,
            Kw::LONGBLOB => TypeName::LongBlob,
            Kw::TINYTEXT => TypeName::TinyText,
            Kw::TEXT => TypeName::Text,
            Kw::MEDIUMTEXT => TypeName::MediumText,
            Kw::LONGTEXT => TypeName::LongText,
            Kw::LONG => {
                return self.long_type_name(ty);
            }
            Kw::ENUM => TypeName::Enum,
            Kw::SET => TypeName::Set,
            Kw::JSON => TypeName::Json,
            Kw::SERIAL => TypeName::Serial,
            _ => return self.named_type(ty),
        };
        self.advance();
        Ok(name)
    }

    /// Types of the national character set.
    fn national_type_name(&mut self, kw: Kw, ty: &mut DataType) -> SqlResult<TypeName> {
        self.advance();
        ty.charset = Some("utf8mb3".into());
        if kw == Kw::NVARCHAR {
            return Ok(TypeName::VarChar);
        }
        if kw == Kw::NATIONAL && matches!(self.kw(), Some(Kw::VARCHAR | Kw::VARCHARACTER)) {
            self.advance();
            return Ok(TypeName::VarChar);
        }
        if kw == Kw::NATIONAL {
            if !matches!(self.kw(), Some(Kw::CHAR | Kw::CHARACTER)) {
                return Err(self.error());
            }
            self.advance();
        }
        let varying = matches!(self.kw(), Some(Kw::VARYING))
            || (kw == Kw::NCHAR && matches!(self.kw(), Some(Kw::VARCHAR | Kw::VARCHARACTER)));
        if varying {
            self.advance();
            return Ok(TypeName::VarChar);
        }
        Ok(TypeName::Char)
    }

    /// `LONG [VARBINARY | VARCHAR]`
    fn long_type_name(&mut self, ty: &mut DataType) -> SqlResult<TypeName> {
        self.advance();
        match self.kw() {
            Some(Kw::VARBINARY) => {
                self.advance();
                return Ok(TypeName::MediumBlob);
            }
            Some(Kw::VARCHAR | Kw::VARCHARACTER) => {
                self.advance();
            }
            Some(Kw::CHAR | Kw::CHARACTER) if self.peek() != T::Kw(Kw::SET) => {
                self.advance();
                self.expect_kw(Kw::VARYING)?;
            }
            _ => {}
        }
        self.string_attributes(ty)?;
        Ok(TypeName::MediumText)
    }

    /// Types that come with plug-ins, and unknown names.
    fn named_type(&mut self, ty: &mut DataType) -> SqlResult<TypeName> {
        const NAMED: [(&str, TypeName); 12] = [
            ("geometry", TypeName::Geometry),
            ("point", TypeName::Point),
            ("linestring", TypeName::LineString),
            ("polygon", TypeName::Polygon),
            ("multipoint", TypeName::MultiPoint),
            ("multilinestring", TypeName::MultiLineString),
            ("multipolygon", TypeName::MultiPolygon),
            ("geometrycollection", TypeName::GeometryCollection),
            ("geomcollection", TypeName::GeometryCollection),
            ("uuid", TypeName::Uuid),
            ("inet4", TypeName::Inet4),
            ("inet6", TypeName::Inet6),
        ];
        if self.peek() == T::Dot {
            // `mariadb_schema.date`: the server's own types, spelled out.
            let schema = self.ident()?;
            self.advance();
            if matches!(&*schema, "mariadb_schema" | "oracle_schema" | "maxdb_schema") && self.kw().is_some()
            {
                return match self.kw() {
                    Some(kw) => self.keyword_type(kw, ty),
                    None => Err(self.error()),
                };
            }
            let name = self.ident_after_dot()?;
            if matches!(&*schema, "mariadb_schema" | "oracle_schema" | "maxdb_schema")
                && let Some(kw) = Kw::find(name.as_bytes())
                && let Some(found) = plain_type(kw)
            {
                return Ok(found);
            }
            return Err(SqlError::new(error::ER_UNKNOWN_DATA_TYPE, &[&format!("{schema}.{name}")]));
        }
        let name = self.ident()?;
        match NAMED.iter().find(|(n, _)| n.eq_ignore_ascii_case(&name)) {
            Some((_, found)) => {
                self.precision(ty, false)?;
                self.reference_system(ty)?;
                Ok(*found)
            }
            None => Err(SqlError::new(error::ER_UNKNOWN_DATA_TYPE, &[&name])),
        }
    }

    /// `REF_SYSTEM_ID = n` behind the type of a plug-in; `n` is written in digits and no more than an INT holds.
    fn reference_system(&mut self, ty: &mut DataType) -> SqlResult<()> {
        if !self.eat_kw(Kw::REF_SYSTEM_ID) {
            return Ok(());
        }
        self.expect(T::Eq)?;
        let at = self.error();
        ty.srid = match u32::try_from(self.integer()?) {
            Ok(n) if n <= i32::MAX as u32 => n,
            _ => return Err(at),
        };
        Ok(())
    }

    /// COMPRESSED [= method] of a column, behind the type's length.
    fn compressed(&mut self) -> SqlResult<()> {
        if self.eat_kw(Kw::COMPRESSED) {
            if self.eat(T::Eq) {
                self.ident()?;
            }
            self.compressed = true;
        }
        Ok(())
    }

    fn required_length(&mut self) -> SqlResult<u64> {
        self.expect(T::LParen)?;
        let n = self.number()?;
        self.expect(T::RParen)?;
        Ok(n)
    }

    /// `(m [, d])`, or `(m, d)` when both are needed.
    fn precision(&mut self, ty: &mut DataType, both: bool) -> SqlResult<()> {
        if self.eat(T::LParen) {
            ty.length = Some(self.number()?);
            if both && !self.at(T::Comma) {
                return Err(self.error());
            }
            if self.eat(T::Comma) {
                ty.decimals = Some(clamp_u32(self.number()?));
            }
            self.expect(T::RParen)?;
        }
        Ok(())
    }

    /// SIGNED, or UNSIGNED and ZEROFILL in any order.
    fn number_attributes(&mut self, ty: &mut DataType) {
        if self.eat_kw(Kw::SIGNED) {
            return;
        }
        let mut unsigned = false;
        loop {
            match self.kw() {
                Some(Kw::UNSIGNED) if !unsigned => {
                    unsigned = true;
                    ty.unsigned = true;
                }
                Some(Kw::ZEROFILL) if !ty.zerofill => {
                    ty.zerofill = true;
                    ty.unsigned = true;
                }
                _ => return,
            }
            self.advance();
        }
    }

    /// CHARACTER SET and BINARY in any order, then COLLATE.
    fn string_attributes(&mut self, ty: &mut DataType) -> SqlResult<()> {
        let mut national = ty.charset.is_some();
        loop {
            match self.kw() {
                Some(Kw::BINARY) if !ty.binary => {
                    self.advance();
                    ty.binary = true;
                    continue;
                }
                Some(Kw::COLLATE) => {
                    self.advance();
                    ty.collation = if self.eat_kw(Kw::DEFAULT) { None } else { Some(self.collation_name()?) };
                    return Ok(());
                }
                Some(kw @ (Kw::ASCII | Kw::UNICODE | Kw::BYTE)) if !national => {
                    self.advance();
                    let name = match kw {
                        Kw::ASCII => "latin1",
                        Kw::UNICODE => "ucs2",
                        _ => "binary",
                    };
                    ty.charset = Some(name.into());
                }
                Some(Kw::CHARACTER | Kw::CHAR | Kw::CHARSET) if !national => {
                    if !self.eat_charset()? {
                        return Err(self.error());
                    }
                    ty.charset = Some(self.charset_name()?);
                }
                _ => return Ok(()),
            }
            national = true;
        }
    }

    /// A collation's name; DEFAULT is none.
    fn collation_or_default(&mut self) -> SqlResult<Option<Name>> {
        if self.eat_kw(Kw::DEFAULT) {
            return Ok(None);
        }
        self.ident_or_text().map(Some)
    }

    /// A column definition, from its name on.
    pub(crate) fn column_def(&mut self) -> SqlResult<ColumnDef> {
        let start = self.tok.start;
        let mut name = self.ident()?;
        let (mut table, mut db) = (None, None);
        for _ in 0..2 {
            // Its table's and database's names may stand before it.
            if self.eat(T::Dot) {
                db = table;
                table = Some(std::mem::replace(&mut name, self.ident_after_dot()?));
            }
        }
        if name.chars().count() > 64 {
            return Err(SqlError::new(error::ER_TOO_LONG_IDENT, &[&name]));
        }
        self.compressed = false;
        let ty = self.data_type()?;
        let mut column = ColumnDef {
            name,
            table,
            db,
            ty,
            nullable: None,
            default: None,
            on_update: None,
            auto_increment: false,
            key: None,
            comment: None,
            generated: None,
            check: None,
            invisible: false,
            compressed: self.compressed,
            references: None,
            attributes: Vec::new(),
            span: Span::default(),
        };
        if column.ty.name == TypeName::Serial {
            column.ty.name = TypeName::BigInt;
            column.ty.unsigned = true;
            column.nullable = Some(false);
            column.auto_increment = true;
            column.key = Some(ColumnKey::Unique);
        }
        self.column_attributes(&mut column)?;
        column.span = self.span_from(start);
        Ok(column)
    }

    fn column_attributes(&mut self, column: &mut ColumnDef) -> SqlResult<()> {
        let serial = column.auto_increment;
        if matches!(self.kw(), Some(Kw::GENERATED | Kw::AS)) && !serial {
            return self.generated(column);
        }
        if self.at_kw(Kw::COLLATE) && !serial {
            self.advance();
            if let Some(name) = self.collation_or_default()? {
                super::table_options::declared("COLLATE ", &mut column.ty.collation, name)?;
            }
            if matches!(self.kw(), Some(Kw::GENERATED | Kw::AS)) {
                return self.generated(column);
            }
        }
        loop {
            if matches!(self.tok.kind, T::Ident | T::Quoted) {
                // `name = value` for other engines.
                let option = self.unknown_option()?;
                column.attributes.push(option);
                continue;
            }
            match self.kw() {
                Some(Kw::NOT) => {
                    self.advance();
                    self.expect_kw(Kw::NULL)?;
                    column.nullable = Some(false);
                }
                Some(kw @ (Kw::NULL | Kw::DEFAULT | Kw::ON | Kw::AUTO_INCREMENT | Kw::SERIAL)) if !serial => {
                    self.value_attribute(kw, column)?;
                }
                Some(Kw::PRIMARY) => {
                    self.advance();
                    self.expect_kw(Kw::KEY)?;
                    column.key = Some(ColumnKey::Primary);
                }
                Some(Kw::KEY) => {
                    self.advance();
                    column.key = Some(ColumnKey::Primary);
                }
                Some(Kw::COLLATE) if !serial => {
                    self.advance();
                    if let Some(name) = self.collation_or_default()? {
                        super::table_options::declared("COLLATE ", &mut column.ty.collation, name)?;
                    }
                }
                Some(Kw::REFERENCES) => {
                    let part = IndexPart { column: column.name.clone(), length: None, descending: false };
                    let key = self.references(None, None, vec![part])?;
                    column.references = Some(Box::new(key));
                    return Ok(());
                }
                Some(Kw::CONSTRAINT) => {
                    // A named constraint of a column can only be REFERENCES.
                    self.advance();
                    if self.at_ident() {
                        self.ident()?;
                    }
                    if !self.at_kw(Kw::REFERENCES) {
                        return Err(self.error());
                    }
                }
                Some(Kw::WITH | Kw::WITHOUT) if self.peek() == T::Kw(Kw::SYSTEM) => {
                    return Err(SqlError::not_supported("SYSTEM VERSIONING"));
                }
                _ => {
                    if !self.common_attribute(column)? {
                        return Ok(());
                    }
                    if column.check.is_some() {
                        return self.references_behind_check(column);
                    }
                }
            }
        }
    }

    /// What a column holds when no value is given.
    fn value_attribute(&mut self, kw: Kw, column: &mut ColumnDef) -> SqlResult<()> {
        self.advance();
        match kw {
            Kw::NULL => {
                column.nullable = Some(true);
            }
            Kw::DEFAULT => {
                column.default = Some(self.default_value()?);
            }
            Kw::ON => {
                self.expect_kw(Kw::UPDATE)?;
                column.on_update = Some(self.now_precision()?);
            }
            Kw::AUTO_INCREMENT => {
                column.auto_increment = true;
            }
            _ => {
                self.expect_kw(Kw::DEFAULT)?;
                self.expect_kw(Kw::VALUE)?;
                column.auto_increment = true;
                column.nullable = Some(false);
                column.key = Some(ColumnKey::Unique);
            }
        }
        Ok(())
    }

    fn references_behind_check(&mut self, column: &mut ColumnDef) -> SqlResult<()> {
        if self.at_kw(Kw::REFERENCES) {
            let part = IndexPart { column: column.name.clone(), length: None, descending: false };
            column.references = Some(Box::new(self.references(None, None, vec![part])?));
        }
        Ok(())
    }

    /// Attributes that generated columns may have, too; false when none begins here.
    fn common_attribute(&mut self, column: &mut ColumnDef) -> SqlResult<bool> {
        match self.kw() {
            Some(Kw::UNIQUE) => {
                self.advance();
                self.eat_kw(Kw::KEY);
                if column.key.is_none() {
                    column.key = Some(ColumnKey::Unique);
                }
            }
            Some(Kw::COMMENT) => {
                self.advance();
                column.comment = Some(self.string_token()?);
            }
            Some(Kw::INVISIBLE) => {
                self.advance();
                column.invisible = true;
            }
            Some(Kw::CHECK) => {
                let check = self.check_def(None)?;
                column.check = Some(Box::new(check));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// [GENERATED ALWAYS] AS (expr) [VIRTUAL|STORED] and the few attributes that may follow.
    fn generated(&mut self, column: &mut ColumnDef) -> SqlResult<()> {
        if self.eat_kw(Kw::GENERATED) {
            self.expect_kw(Kw::ALWAYS)?;
        }
        self.expect_kw(Kw::AS)?;
        if self.at_kw(Kw::ROW) {
            self.advance();
            if !self.eat_kw(Kw::START) {
                self.expect_kw(Kw::END)?;
            }
            return Err(SqlError::not_supported("SYSTEM VERSIONING"));
        }
        let (expr, text) = self.text_in_parens()?;
        let stored = matches!(self.kw(), Some(Kw::STORED | Kw::PERSISTENT));
        if stored || self.at_kw(Kw::VIRTUAL) {
            self.advance();
        }
        column.generated = Some(Box::new(Generated { expr, text, stored }));
        while self.common_attribute(column)? {
            if column.check.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// The value of DEFAULT: a literal, now, an expression in parentheses, a function.
    pub(crate) fn default_value(&mut self) -> SqlResult<Expr> {
        // The grammar takes any operand, with signs before numbers.
        let start = self.tok.start;
        if self.at(T::LParen) {
            let (expr, text) = self.text_in_parens()?;
            let _ = (start, text);
            return Ok(expr);
        }
        if self.at(T::Minus) || self.at(T::Plus) {
            let negative = self.at(T::Minus);
            self.advance();
            if !matches!(self.tok.kind, T::Int | T::Decimal | T::Float) {
                return Err(self.error());
            }
            let literal = self.literal()?;
            let operand = Expr::new(ExprKind::Literal(literal), self.span_from(start));
            if !negative {
                return Ok(operand);
            }
            return self.node(ExprKind::Unary(UnaryOp::Negate, Box::new(operand)), self.span_from(start));
        }
        self.default_operand()
    }

    fn default_operand(&mut self) -> SqlResult<Expr> {
        let kind = self.tok.kind;
        match kind {
            T::Bang | T::Tilde | T::Kw(Kw::BINARY) => return Err(self.error()),
            T::Kw(Kw::INTERVAL) if self.peek() != T::LParen => {
                self.advance();
                return Err(self.error());
            }
            _ => {}
        }
        self.enter()?;
        // COLLATE behind it is the column's
        let expr = self.primary();
        self.leave();
        match expr {
            Ok(e) if matches!(e.kind, ExprKind::Row(_)) => {
                Err(SqlError::new(error::ER_OPERAND_COLUMNS, &[&1]))
            }
            other => other,
        }
    }

    /// CURRENT_TIMESTAMP, NOW and their kin behind ON UPDATE.
    fn now_precision(&mut self) -> SqlResult<u8> {
        let now = matches!(self.kw(), Some(Kw::CURRENT_TIMESTAMP | Kw::LOCALTIME | Kw::LOCALTIMESTAMP));
        let call = self.at_word("NOW") && self.before_paren();
        if !now && !call {
            return Err(self.error());
        }
        self.advance();
        let mut digits = 0;
        if self.eat(T::LParen) {
            if !self.at(T::RParen) {
                digits = self.integer()?;
            }
            self.expect(T::RParen)?;
        }
        u8::try_from(digits).map_err(|_| SqlError::new(error::ER_TOO_BIG_PRECISION, &[&"NOW", &6]))
    }

    /// `(expr)`: the expression and its text without the parentheses.
    pub(crate) fn text_in_parens(&mut self) -> SqlResult<(Expr, Span)> {
        self.expect(T::LParen)?;
        let start = self.tok.start;
        if self.at_query() {
            // A subquery is grammatical here; what it is used in will refuse it.
            let query = Box::new(self.query_in_parens()?);
            let text = Span::new(start, query.span.end);
            return Ok((self.node(ExprKind::Subquery(query), text)?, text));
        }
        let expr = self.expr()?;
        let text = self.span_from(start);
        self.expect(T::RParen)?;
        Ok((expr, text))
    }

    /// CHECK (expr), at the word.
    pub(crate) fn check_def(&mut self, name: Option<Name>) -> SqlResult<CheckDef> {
        self.expect_kw(Kw::CHECK)?;
        let (expr, text) = self.text_in_parens()?;
        Ok(CheckDef { name, expr, text, if_not_exists: false })
    }

    /// `name = value` of another engine's options.
    pub(crate) fn unknown_option(&mut self) -> SqlResult<(Name, OptionValue)> {
        let name = self.ident()?;
        self.expect(T::Eq)?;
        let value = match self.tok.kind {
            T::Str => OptionValue::Text(self.string_token()?),
            T::Int | T::HexNum => OptionValue::Number(self.number()?),
            T::Kw(Kw::DEFAULT) => {
                self.advance();
                OptionValue::Default
            }
            _ => OptionValue::Word(self.ident()?),
        };
        Ok((name, value))
    }

    /// REFERENCES table (columns) [MATCH ..] [ON DELETE ..] [ON UPDATE ..], at the word.
    pub(crate) fn references(
        &mut self,
        constraint: Option<Name>,
        name: Option<Name>,
        columns: Vec<IndexPart>,
    ) -> SqlResult<ForeignKey> {
        self.expect_kw(Kw::REFERENCES)?;
        let table = self.table_name()?;
        let references = if self.at(T::LParen) { self.paren_list(Self::index_part)? } else { Vec::new() };
        let mut key =
            ForeignKey { constraint, name, columns, table, references, on_delete: None, on_update: None };
        if self.eat_kw(Kw::MATCH) {
            if !matches!(self.kw(), Some(Kw::FULL | Kw::PARTIAL | Kw::SIMPLE)) {
                return Err(self.error());
            }
            self.advance();
        }
        loop {
            if self.at_kw(Kw::ON) && self.peek() == T::Kw(Kw::DELETE) && key.on_delete.is_none() {
                self.advance();
                self.advance();
                key.on_delete = Some(self.reference_action()?);
            } else if self.at_kw(Kw::ON) && self.peek() == T::Kw(Kw::UPDATE) && key.on_update.is_none() {
                self.advance();
                self.advance();
                key.on_update = Some(self.reference_action()?);
            } else {
                return Ok(key);
            }
        }
    }

    fn reference_action(&mut self) -> SqlResult<Name> {
        let words = match self.kw() {
            Some(Kw::RESTRICT) => "RESTRICT",
            Some(Kw::CASCADE) => "CASCADE",
            Some(Kw::SET) => {
                self.advance();
                if self.at_kw(Kw::NULL) {
                    "SET NULL"
                } else if self.at_kw(Kw::DEFAULT) {
                    "SET DEFAULT"
                } else {
                    return Err(self.error());
                }
            }
            Some(Kw::NO) => {
                self.advance();
                if !self.at_kw(Kw::ACTION) {
                    return Err(self.error());
                }
                "NO ACTION"
            }
            _ => return Err(self.error()),
        };
        self.advance();
        Ok(words.into())
    }

    /// `column [(length)] [ASC|DESC]` of an index.
    pub(crate) fn index_part(&mut self) -> SqlResult<IndexPart> {
        let column = self.ident()?;
        let mut length = None;
        if self.eat(T::LParen) {
            length = Some(self.integer()?);
            self.expect(T::RParen)?;
        }
        let descending = self.eat_kw(Kw::DESC);
        if !descending {
            self.eat_kw(Kw::ASC);
        }
        Ok(IndexPart { column, length, descending })
    }
}

/// Types of one word, spelled behind `mariadb_schema.`
fn plain_type(kw: Kw) -> Option<TypeName> {
    Some(match kw {
        Kw::DATE => TypeName::Date,
        Kw::TIME => TypeName::Time,
        Kw::DATETIME => TypeName::DateTime,
        Kw::TIMESTAMP => TypeName::Timestamp,
        Kw::INT | Kw::INTEGER => TypeName::Int,
        Kw::BIGINT => TypeName::BigInt,
        Kw::VARCHAR => TypeName::VarChar,
        Kw::TEXT => TypeName::Text,
        Kw::YEAR => TypeName::Year,
        _ => return None,
    })
}
