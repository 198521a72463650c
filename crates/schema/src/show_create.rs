//! The text of SHOW CREATE TABLE, letter for letter as MariaDB 10.11 prints it.
//!
//! The text is bytes, not a string: the default of a BINARY column is printed
//! as its bytes.

mod partition;
mod value;

use charset::Charset;

use crate::definition::{
    BINARY_COLLATION, ColumnDef, ColumnType, Computed, DefaultValue, EngineOption, InsertMethod,
    KeyAlgorithm, KeyDef, KeyKind, RowFormat, TableDef, Visibility,
};
use crate::expression;
use crate::layout::{engine, key_length};

pub use partition::partition_values;
pub use value::value_text;

/// What the text depends on besides the definition.
#[derive(Clone, Copy)]
pub struct ShowOptions<'a> {
    /// Character around names: `` ` ``, or `"` under ANSI_QUOTES.
    pub quote: u8,
    /// With sql_quote_show_create=0: whether a name needs quotes. `None` quotes all.
    pub needs_quotes: Option<&'a dyn Fn(&str) -> bool>,
    /// CREATE TEMPORARY TABLE.
    pub temporary: bool,
    /// The next AUTO_INCREMENT value, shown if greater than 1.
    pub auto_increment: u64,
    /// Offset of the session's time zone from UTC in seconds at an instant
    /// (seconds since the epoch): for defaults of TIMESTAMP columns.
    pub utc_offset: &'a dyn Fn(i64) -> i64,
    /// sql_mode NO_FIELD_OPTIONS; key options are left out too, as the server does.
    pub no_field_options: bool,
    /// sql_mode NO_KEY_OPTIONS.
    pub no_key_options: bool,
    /// sql_mode MYSQL323 and MYSQL40: for servers without character sets.
    pub old_form: bool,
    /// sql_mode NO_TABLE_OPTIONS.
    pub no_table_options: bool,
    /// sql_mode IGNORE_BAD_TABLE_OPTIONS: options the engine does not know are
    /// shown as such instead of in a comment.
    pub bad_options_plain: bool,
}

impl Default for ShowOptions<'_> {
    fn default() -> Self {
        ShowOptions {
            quote: b'`',
            needs_quotes: None,
            temporary: false,
            auto_increment: 0,
            utc_offset: &|_| 0,
            no_field_options: false,
            old_form: false,
            no_key_options: false,
            no_table_options: false,
            bad_options_plain: false,
        }
    }
}

/// The CREATE TABLE statement of a table of this name.
#[must_use]
pub fn show_create(def: &TableDef, name: &str, options: &ShowOptions<'_>) -> Vec<u8> {
    let mut text = Text { out: Vec::with_capacity(256), options };
    text.push("CREATE ");
    if options.temporary {
        text.push("TEMPORARY ");
    }
    text.push("TABLE ");
    text.name(name);
    text.push(" (\n");
    let mut first = true;
    for (number, column) in def.columns.iter().enumerate() {
        if column.visibility >= Visibility::System {
            continue;
        }
        text.separate(&mut first);
        text.column(def, number, column);
    }
    text.application_period(def);
    let primary = def.primary_key();
    for (number, key) in def.keys.iter().enumerate() {
        text.push(",\n");
        text.key(def, number, key, primary == Some(number));
    }
    text.system_period(def);
    let implicit = def.application_period.as_ref().map(|p| &p.constraint);
    for check in def.checks.iter().filter(|c| Some(&c.name) != implicit) {
        text.push(",\n  CONSTRAINT ");
        text.name(&check.name);
        text.push(" CHECK (");
        text.expression(&check.expression);
        text.push(")");
    }
    text.push("\n)");
    if !options.no_table_options {
        text.table_options(def);
    } else if def.system_period.is_some() {
        text.push(" WITH SYSTEM VERSIONING");
    }
    if let Some(partition) = &def.partition {
        text.push("\n");
        text.partition_clause(def, &partition.clause);
    }
    text.out
}

/// The type of a column as SHOW CREATE TABLE and SHOW COLUMNS print it, without
/// character set and collation.
#[must_use]
pub fn type_text(column: &ColumnDef) -> Vec<u8> {
    let options = ShowOptions::default();
    let mut text = Text { out: Vec::new(), options: &options };
    text.type_name(column);
    text.out
}

/// The default of a column as SHOW CREATE TABLE prints it after `DEFAULT`;
/// `None` if the column has none. `utc_offset` is that of [`ShowOptions`].
#[must_use]
pub fn default_text(column: &ColumnDef, options: &ShowOptions<'_>) -> Option<Vec<u8>> {
    let mut text = Text { out: Vec::new(), options };
    text.default(column).then_some(text.out)
}

struct Text<'a, 'b> {
    out: Vec<u8>,
    options: &'a ShowOptions<'b>,
}

impl Text<'_, '_> {
    fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, n: impl std::fmt::Display) {
        use std::io::Write;
        let _ = write!(self.out, "{n}");
    }

    fn name(&mut self, name: &str) {
        if let Some(needs) = self.options.needs_quotes
            && !needs(name)
        {
            self.push(name);
            return;
        }
        let quote = self.options.quote;
        self.out.push(quote);
        for &byte in name.as_bytes() {
            if byte == quote {
                self.out.push(quote);
            }
            self.out.push(byte);
        }
        self.out.push(quote);
    }

    /// A string literal; the server escapes these whatever the sql_mode.
    /// Paths have quotes behind a backslash.
    fn quoted_path(&mut self, path: &str) {
        self.out.push(b'\'');
        for &byte in path.as_bytes() {
            if matches!(byte, b'\\' | b'\'') {
                self.out.push(b'\\');
            }
            self.out.push(byte);
        }
        self.out.push(b'\'');
    }

    fn quoted(&mut self, text: &[u8]) {
        self.out.push(b'\'');
        for &byte in text {
            match byte {
                b'\\' => self.push("\\\\"),
                0 => self.push("\\0"),
                b'\'' => self.push("''"),
                b'\n' => self.push("\\n"),
                b'\r' => self.push("\\r"),
                _ => self.out.push(byte),
            }
        }
        self.out.push(b'\'');
    }

    fn expression(&mut self, expression: &str) {
        expression::requote(expression, |part| match part {
            expression::Part::Text(text) => self.push(text),
            expression::Part::Name(name) => self.name(&name),
        });
    }

    fn separate(&mut self, first: &mut bool) {
        self.push(if *first { "  " } else { ",\n  " });
        *first = false;
    }

    fn column(&mut self, def: &TableDef, number: usize, column: &ColumnDef) {
        self.name(&column.name);
        self.push(" ");
        self.type_name(column);
        if column.compressed {
            self.push(" /*M!100301 COMPRESSED*/");
        }
        let text = column.is_string() && !column.is_binary_string();
        if self.options.old_form {
            if text && column.collation.name.ends_with("_bin") {
                self.push(" binary");
            }
        } else if text && column.collation.id != def.options.collation.id {
            self.push(" CHARACTER SET ");
            self.push(column.collation.charset.name);
            if column.collation.id != BINARY_COLLATION {
                self.push(" COLLATE ");
                self.push(column.collation.name);
            }
        }
        if let Some(generated) = &column.generated {
            self.push(" GENERATED ALWAYS AS (");
            self.expression(&generated.expression);
            self.push(if generated.stored { ") STORED" } else { ") VIRTUAL" });
            if column.visibility == Visibility::Invisible {
                self.push(" INVISIBLE");
            }
        } else if let Some(bound) = row_bound(def, number) {
            self.push(bound);
            if column.visibility == Visibility::Invisible {
                self.push(" INVISIBLE");
            }
        } else {
            if !column.nullable {
                self.push(" NOT NULL");
            } else if matches!(column.ty, ColumnType::Timestamp { .. } | ColumnType::OldTimestamp { .. }) {
                self.push(" NULL");
            }
            if column.visibility == Visibility::Invisible {
                self.push(" INVISIBLE");
            }
            let at = self.out.len();
            self.push(" DEFAULT ");
            if !self.default(column) {
                self.out.truncate(at);
            }
            if column.unversioned {
                self.push(" WITHOUT SYSTEM VERSIONING");
            }
            if column.on_update_now && !self.options.no_field_options && !self.options.old_form {
                self.push(" ON UPDATE ");
                self.now(column);
            }
            if column.auto_increment && !self.options.no_field_options {
                self.push(" AUTO_INCREMENT");
            }
        }
        if !column.comment.is_empty() {
            self.push(" COMMENT ");
            self.quoted(column.comment.as_bytes());
        }
        self.engine_options(&column.engine_options);
        if let Some(check) = &column.check {
            self.push(" CHECK (");
            self.expression(check);
            self.push(")");
        }
    }

    fn type_name(&mut self, column: &ColumnDef) {
        let binary = column.is_binary_string();
        let width = column.width;
        let fraction = |text: &mut Self, name: &str, decimals: u8, old: bool| {
            text.push(name);
            if decimals > 0 {
                text.number(format_args!("({decimals})"));
            }
            if old {
                text.push(" /* mariadb-5.3 */");
            }
        };
        let fixed = |text: &mut Self, name: &str, decimals: u8| {
            text.push(name);
            if decimals < crate::definition::NOT_FIXED_DECIMALS {
                text.number(format_args!("({width},{decimals})"));
            }
        };
        match &column.ty {
            ColumnType::Tiny => self.number(format_args!("tinyint({width})")),
            ColumnType::Short => self.number(format_args!("smallint({width})")),
            ColumnType::Int24 => self.number(format_args!("mediumint({width})")),
            ColumnType::Long => self.number(format_args!("int({width})")),
            ColumnType::LongLong => self.number(format_args!("bigint({width})")),
            ColumnType::Float { decimals } => fixed(self, "float", *decimals),
            ColumnType::Double { decimals } => fixed(self, "double", *decimals),
            ColumnType::Decimal { precision, scale } => {
                self.number(format_args!("decimal({precision},{scale})"));
            }
            ColumnType::OldDecimal { bytes, scale } => {
                let signs = u16::from(!column.unsigned) + u16::from(*scale > 0);
                let digits = bytes.saturating_sub(signs);
                self.number(format_args!("decimal({digits},{scale})/*old*/"));
            }
            ColumnType::Year => self.number(format_args!("year({width})")),
            ColumnType::Bit { bits, .. } => self.number(format_args!("bit({bits})")),
            ColumnType::Date | ColumnType::OldDate => self.push("date"),
            ColumnType::Time { decimals } => fraction(self, "time", *decimals, false),
            ColumnType::DateTime { decimals } => fraction(self, "datetime", *decimals, false),
            ColumnType::Timestamp { decimals } => fraction(self, "timestamp", *decimals, false),
            ColumnType::OldTime { decimals } => fraction(self, "time", *decimals, true),
            ColumnType::OldDateTime { decimals } => fraction(self, "datetime", *decimals, true),
            ColumnType::OldTimestamp { decimals } => fraction(self, "timestamp", *decimals, true),
            ColumnType::Char { .. } | ColumnType::Varchar { .. } | ColumnType::OldVarchar { .. } => {
                self.string_type(column)
            }
            ColumnType::Blob { length_bytes } => {
                self.push(match length_bytes {
                    1 => "tiny",
                    2 => "",
                    3 => "medium",
                    _ => "long",
                });
                self.push(if binary { "blob" } else { "text" });
            }
            ColumnType::Enum { values } => self.members("enum(", values, column),
            ColumnType::Set { values } => self.members("set(", values, column),
            ColumnType::Geometry { kind, .. } => self.push(kind.name()),
            ColumnType::Uuid => self.push("uuid"),
            ColumnType::Inet4 => self.push("inet4"),
            ColumnType::Inet6 => self.push("inet6"),
        }
        let numeric = column.ty.is_integer()
            || matches!(
                column.ty,
                ColumnType::Float { .. }
                    | ColumnType::Double { .. }
                    | ColumnType::Decimal { .. }
                    | ColumnType::OldDecimal { .. }
            );
        if numeric && column.unsigned {
            self.push(" unsigned");
        }
        if numeric && column.zerofill {
            self.push(" zerofill");
        }
    }

    fn string_type(&mut self, column: &ColumnDef) {
        let binary = column.is_binary_string();
        let fixed = matches!(column.ty, ColumnType::Char { .. });
        self.push(match (fixed, binary) {
            (true, false) => "char",
            (true, true) => "binary",
            (false, false) => "varchar",
            (false, true) => "varbinary",
        });
        let length = column.char_length().unwrap_or(0);
        self.number(format_args!("({length})"));
        if matches!(column.ty, ColumnType::OldVarchar { .. }) {
            self.push("/*old*/");
        }
    }

    fn members(&mut self, open: &str, values: &[Box<[u8]>], column: &ColumnDef) {
        self.push(open);
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.push(",");
            }
            let text = system_text(value, column);
            self.quoted(&text);
        }
        self.push(")");
    }

    fn now(&mut self, column: &ColumnDef) {
        match column.ty.fraction() {
            Some(n) if n > 0 => self.number(format_args!("current_timestamp({n})")),
            _ => self.push("current_timestamp()"),
        }
    }

    /// Pushes the default without the word; false if there is none.
    fn default(&mut self, column: &ColumnDef) -> bool {
        match &column.default {
            DefaultValue::None => return false,
            DefaultValue::Null => self.push("NULL"),
            DefaultValue::Now => self.now(column),
            DefaultValue::Expression(Computed { text, .. }) => {
                let bare = expression::is_simple(text);
                if !bare {
                    self.push("(");
                }
                self.expression(text);
                if !bare {
                    self.push(")");
                }
            }
            DefaultValue::Value(value) => {
                let text = value::value_text(column, value, self.options.utc_offset);
                match column.ty {
                    ColumnType::Bit { .. } => self.out.extend_from_slice(&text),
                    _ if value::is_number(&column.ty) => self.out.extend_from_slice(&text),
                    _ => self.quoted(&system_text(&text, column)),
                }
            }
        }
        true
    }

    fn system_period(&mut self, def: &TableDef) {
        if let Some((start, end)) = def.system_period {
            let (start, end) = (&def.columns[usize::from(start)], &def.columns[usize::from(end)]);
            if start.visibility < Visibility::System {
                self.push(",\n  PERIOD FOR SYSTEM_TIME (");
                self.name(&start.name);
                self.push(", ");
                self.name(&end.name);
                self.push(")");
            }
        }
    }

    fn application_period(&mut self, def: &TableDef) {
        if let Some(period) = &def.application_period {
            self.push(",\n  PERIOD FOR ");
            self.name(&period.name);
            self.push(" (");
            self.name(&def.columns[usize::from(period.start)].name);
            self.push(", ");
            self.name(&def.columns[usize::from(period.end)].name);
            self.push(")");
        }
    }

    fn key(&mut self, def: &TableDef, number: usize, key: &KeyDef, primary: bool) {
        self.push("  ");
        self.push(match key.kind {
            KeyKind::Primary => "PRIMARY KEY",
            KeyKind::Unique => "UNIQUE KEY",
            KeyKind::Fulltext => "FULLTEXT KEY",
            KeyKind::Spatial => "SPATIAL KEY",
            KeyKind::Plain => "KEY",
        });
        if !(primary && key.kind == KeyKind::Primary) {
            self.push(" ");
            self.name(&key.name);
        }
        self.push(" (");
        // A key WITHOUT OVERLAPS ends with the two columns of the period.
        let period = def
            .application_period
            .as_ref()
            .filter(|p| p.without_overlaps.iter().any(|&k| usize::from(k) == number));
        let shown = match period {
            Some(_) => key.parts.len().saturating_sub(2),
            None => key.parts.len(),
        };
        for (j, part) in key.parts[..shown].iter().enumerate() {
            if j > 0 {
                self.push(",");
            }
            let column = &def.columns[part.column];
            self.name(&column.name);
            if !matches!(key.kind, KeyKind::Fulltext | KeyKind::Spatial) {
                self.prefix(column, engine::part_length(def, key, j));
            }
            if part.descending {
                self.push(" DESC");
            }
        }
        if let Some(period) = period {
            if shown > 0 {
                self.push(",");
            }
            self.name(&period.name);
            self.push(" WITHOUT OVERLAPS");
        }
        self.push(")");
        if !(self.options.no_key_options || self.options.no_field_options || self.options.old_form) {
            match key.algorithm {
                KeyAlgorithm::Btree => self.push(" USING BTREE"),
                KeyAlgorithm::Hash | KeyAlgorithm::LongHash => self.push(" USING HASH"),
                KeyAlgorithm::Rtree if key.kind != KeyKind::Spatial => self.push(" USING RTREE"),
                _ => {}
            }
            if key.block_size != 0 && key.block_size != def.options.key_block_size {
                self.number(format_args!(" KEY_BLOCK_SIZE={}", key.block_size));
            }
            if !key.comment.is_empty() {
                self.push(" COMMENT ");
                self.quoted(key.comment.as_bytes());
            }
            if key.ignored {
                self.push(" IGNORED");
            }
        }
        if let Some(parser) = &key.parser {
            self.push(" /*!50100 WITH PARSER ");
            self.name(parser);
            self.push(" */");
        }
        self.engine_options(&key.engine_options);
    }

    fn prefix(&mut self, column: &ColumnDef, length: u32) {
        if length == key_length(column) {
            return;
        }
        // The parts of geometry columns count bytes.
        let mbmaxlen =
            if column.is_string() { u32::from(column.collation.charset.mbmaxlen.max(1)) } else { 1 };
        self.number(format_args!("({})", length / mbmaxlen));
    }

    fn engine_options(&mut self, options: &[EngineOption]) {
        if options.is_empty() {
            return;
        }
        // No engine here knows any: all are shown as unknown.
        let plain = self.options.bad_options_plain;
        if !plain {
            self.push(" /*");
        }
        for option in options {
            self.push(" ");
            self.name(&option.name);
            self.push("=");
            self.quoted(option.value.as_bytes());
        }
        if !plain {
            self.push(" */");
        }
    }

    fn table_options(&mut self, def: &TableDef) {
        let options = &def.options;
        self.push(if self.options.old_form { " TYPE=" } else { " ENGINE=" });
        match &def.partition {
            Some(partition) if !partition.engine.is_empty() => self.push(&partition.engine),
            _ => self.push(&options.engine),
        }
        if self.options.auto_increment > 1 {
            self.number(format_args!(" AUTO_INCREMENT={}", self.options.auto_increment));
        }
        if options.sequence == Some(true) {
            self.push(" SEQUENCE=1");
            return;
        }
        if !self.options.old_form {
            self.push(" DEFAULT CHARSET=");
            self.push(options.collation.charset.name);
            if options.collation.id != BINARY_COLLATION {
                self.push(" COLLATE=");
                self.push(options.collation.name);
            }
        }
        let mut number = |name: &str, n: u64| {
            if n != 0 {
                self.number(format_args!(" {name}={n}"));
            }
        };
        number("MIN_ROWS", options.min_rows);
        number("MAX_ROWS", options.max_rows);
        number("AVG_ROW_LENGTH", u64::from(options.avg_row_length));
        self.choice(" PACK_KEYS=", options.pack_keys);
        self.choice(" STATS_PERSISTENT=", options.stats_persistent);
        self.choice(" STATS_AUTO_RECALC=", options.stats_auto_recalc);
        if options.stats_sample_pages != 0 {
            self.number(format_args!(" STATS_SAMPLE_PAGES={}", options.stats_sample_pages));
        }
        if options.checksum {
            self.push(" CHECKSUM=1");
        }
        self.choice(" PAGE_CHECKSUM=", options.page_checksum);
        if options.delay_key_write {
            self.push(" DELAY_KEY_WRITE=1");
        }
        if options.row_format != RowFormat::Default {
            self.push(" ROW_FORMAT=");
            self.push(match options.row_format {
                RowFormat::Fixed => "FIXED",
                RowFormat::Dynamic => "DYNAMIC",
                RowFormat::Compressed => "COMPRESSED",
                RowFormat::Redundant => "REDUNDANT",
                RowFormat::Compact => "COMPACT",
                RowFormat::Page => "PAGE",
                RowFormat::Default => "DEFAULT",
            });
        }
        if let Some(on) = options.transactional {
            let known = self.options.bad_options_plain || options.engine.eq_ignore_ascii_case("Aria");
            self.push(if known { " " } else { " /* " });
            self.number(format_args!("TRANSACTIONAL={}", u8::from(on)));
            if !known {
                self.push(" */");
            }
        }
        if options.key_block_size != 0 {
            self.number(format_args!(" KEY_BLOCK_SIZE={}", options.key_block_size));
        }
        if def.system_period.is_some() {
            self.push(" WITH SYSTEM VERSIONING");
        }
        self.merge(def);
        if !options.comment.is_empty() {
            self.push(" COMMENT=");
            self.quoted(options.comment.as_bytes());
        }
        if !options.connection.is_empty() {
            self.push(" CONNECTION=");
            self.quoted(options.connection.as_bytes());
        }
        self.engine_options(&options.engine_options);
        self.engine_files(def);
    }

    fn choice(&mut self, name: &str, value: Option<bool>) {
        if let Some(on) = value {
            self.push(name);
            self.push(if on { "1" } else { "0" });
        }
    }

    /// Options that come from the engine's own files.
    fn engine_files(&mut self, def: &TableDef) {
        let options = &def.options;
        for (name, directory) in
            [(" DATA DIRECTORY=", &options.data_directory), (" INDEX DIRECTORY=", &options.index_directory)]
        {
            if let Some(directory) = directory {
                self.push(name);
                self.quoted_path(directory);
            }
        }
    }

    /// What a MERGE table has in its own file.
    fn merge(&mut self, def: &TableDef) {
        let options = &def.options;
        match options.insert_method {
            InsertMethod::No => {}
            InsertMethod::First => self.push(" INSERT_METHOD=FIRST"),
            InsertMethod::Last => self.push(" INSERT_METHOD=LAST"),
        }
        if !options.union.is_empty() {
            self.push(" UNION=(");
            for (i, (database, table)) in options.union.iter().enumerate() {
                if i > 0 {
                    self.push(",");
                }
                if !database.is_empty() {
                    self.name(database);
                    self.push(".");
                }
                self.name(table);
            }
            self.push(")");
        }
    }
}

/// The clause of a row-start or row-end column.
fn row_bound(def: &TableDef, number: usize) -> Option<&'static str> {
    let (start, end) = def.system_period?;
    if number == usize::from(start) {
        Some(" GENERATED ALWAYS AS ROW START")
    } else if number == usize::from(end) {
        Some(" GENERATED ALWAYS AS ROW END")
    } else {
        None
    }
}

/// Text of a column's character set in the character set of the statement.
/// The server's is utf8mb3: characters beyond the BMP come out as `?`.
fn system_text(text: &[u8], column: &ColumnDef) -> Vec<u8> {
    let set = column.collation.charset;
    if !column.is_string() || column.collation.id == BINARY_COLLATION {
        return text.to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    match Charset::by_name("utf8mb3") {
        Some(system) => {
            set.convert(text, system, &mut out);
        }
        None => out.extend_from_slice(text),
    }
    out
}
