//! Views: their definitions as the data directory has them, parsed once and kept until they are defined anew.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use charset::{Charset, Collation};
use parking_lot::RwLock;
use schema::frm::{Frm, ViewDef};

use super::{Catalog, Key};
use crate::ast::{self, Query, QueryTerm, Select, Statement};
use crate::error::{SqlError, SqlResult, codes};
use crate::lex::{ClientBytes, LexMode};
use crate::locks::Waiter;
use crate::locks::names::Mode;
use crate::parse::{Options, parse};
use crate::table::engine::read_definition;
use crate::table::from_engine;

/// How a view is read, as it is said and as its file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Whichever is possible.
    Undefined,
    /// Merged into the query that names it.
    Merge,
    /// Its rows are made first.
    TempTable,
}

impl Algorithm {
    /// By its number in the file.
    #[must_use]
    pub fn of(number: u8) -> Algorithm {
        match number {
            1 => Algorithm::Merge,
            2 => Algorithm::TempTable,
            _ => Algorithm::Undefined,
        }
    }

    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Algorithm::Undefined => "UNDEFINED",
            Algorithm::Merge => "MERGE",
            Algorithm::TempTable => "TEMPTABLE",
        }
    }
}

/// WITH CHECK OPTION.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckOption {
    /// None.
    None,
    /// What this view's own condition leaves out is refused.
    Local,
    /// As well what those below it leave out.
    Cascaded,
}

/// A view of the data directory.
pub struct StoredView {
    /// Database.
    pub db: Arc<str>,
    /// Name.
    pub name: Arc<str>,
    /// As its file has it.
    pub def: ViewDef,
    /// Its query.
    pub query: Query,
    /// The character set that its texts are in.
    pub client: &'static Charset,
    /// What literals are in it.
    pub connection: &'static Collation,
}

impl StoredView {
    fn new(db: &str, name: &str, def: ViewDef) -> SqlResult<StoredView> {
        let client = Charset::by_name(&def.client_charset).unwrap_or_else(|| charset::system().charset);
        let connection = Collation::by_name(&def.connection_collation).unwrap_or_else(charset::system);
        let mode = LexMode { client: ClientBytes::of(client.name), ..LexMode::default() };
        let parsed = parse(&def.query, &Options { mode, ..Options::default() })?;
        let Some(Statement::Select(query)) = parsed.statement else {
            return Err(SqlError::new(codes::ER_VIEW_INVALID, &[&db, &name]));
        };
        Ok(StoredView { db: db.into(), name: name.into(), def, query: *query, client, connection })
    }

    /// How many tables and subqueries its FROM joins.
    #[must_use]
    pub fn leaves(&self) -> usize {
        fn of(r: &ast::TableRef) -> usize {
            match r {
                ast::TableRef::Join(j) => of(&j.left) + of(&j.right),
                ast::TableRef::Nested(list) => list.iter().map(of).sum(),
                _ => 1,
            }
        }
        simple(&self.query).map_or(1, |s| s.from.iter().map(of).sum())
    }

    /// The names of its columns.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let text = |span: ast::Span| String::from_utf8_lossy(span.of(&self.def.query)).into_owned();
        let mut term = &self.query.first;
        while let QueryTerm::Nested(inner) = term {
            term = &inner.first;
        }
        match term {
            QueryTerm::Select(s) => s
                .items
                .iter()
                .map(|i| match i {
                    ast::SelectItem::Expr { alias: Some(a), .. } => a.to_string(),
                    ast::SelectItem::Expr { expr, text: span, .. } => match &expr.kind {
                        ast::ExprKind::Column(c) => c.name.to_string(),
                        _ => text(*span),
                    },
                    _ => "*".to_string(),
                })
                .collect(),
            QueryTerm::Values(rows) => {
                rows.first().map_or_else(Vec::new, |row| row.iter().map(|e| text(e.span)).collect())
            }
            QueryTerm::Nested(_) => Vec::new(),
        }
    }

    /// How it is to be read.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        Algorithm::of(self.def.algorithm)
    }

    /// WITH CHECK OPTION.
    #[must_use]
    pub fn check_option(&self) -> CheckOption {
        match self.def.check_option {
            1 => CheckOption::Local,
            2 => CheckOption::Cascaded,
            _ => CheckOption::None,
        }
    }

    /// SQL SECURITY INVOKER.
    #[must_use]
    pub fn is_invoker(&self) -> bool {
        self.def.security == 0
    }

    /// Its SELECT, when a query that names it can have it merged into itself.
    #[must_use]
    pub fn mergeable(&self) -> Option<&Select> {
        mergeable(&self.query).filter(|_| self.algorithm() != Algorithm::TempTable)
    }

    /// The error that hides what is wrong below a view.
    #[must_use]
    pub fn invalid(&self) -> SqlError {
        SqlError::new(codes::ER_VIEW_INVALID, &[&self.db, &self.name])
    }
}

/// The SELECT of a query that tables and conditions alone make up, so that it can be merged into a query around.
#[must_use]
pub fn mergeable(query: &Query) -> Option<&Select> {
    simple(query).filter(|_| query.with.is_none())
}

/// As [`mergeable`], common tables or not.
#[must_use]
pub fn simple(query: &Query) -> Option<&Select> {
    let QueryTerm::Select(select) = &query.first else { return None };
    let plain = query.rest.is_empty() && query.limit.is_none();
    let rows = !select.from.is_empty()
        && select.group_by.is_empty()
        && select.having.is_none()
        && !select.options.distinct;
    let fits = |e: &ast::Expr| !e.has_aggregate() && !has_window(e) && !is_random(e);
    let list = select.items.iter().all(|i| match i {
        ast::SelectItem::Expr { expr, .. } => fits(expr),
        _ => true,
    });
    let filter = select.filter.as_ref().is_none_or(|f| !is_random(f));
    (plain && rows && list && filter).then_some(select)
}

/// Whether a window is looked through.
fn has_window(e: &ast::Expr) -> bool {
    let mut found = matches!(e.kind, ast::ExprKind::Window(_));
    e.kind.for_children(&mut |c| found = found || has_window(c));
    found
}

/// Whether its value is another one each time it is asked for.
fn is_random(e: &ast::Expr) -> bool {
    let random = |f: &ast::FunctionCall| {
        ["rand", "uuid", "uuid_short", "sys_guid"].iter().any(|n| f.name.eq_ignore_ascii_case(n))
    };
    let mut found = matches!(&e.kind, ast::ExprKind::Function(f) if f.db.is_none() && random(f));
    e.kind.for_children(&mut |c| found = found || is_random(c));
    found
}

/// The views that were read.
#[derive(Default)]
pub(super) struct ViewCache {
    views: RwLock<HashMap<Key, Arc<StoredView>>>,
    /// Counts definitions: plans made of views hold as long as it stays.
    epoch: AtomicU64,
}

impl Catalog {
    /// The view of that name; none when it is no view's.
    ///
    /// # Errors
    /// Those of its file; of a wait for a definition statement.
    pub fn view(
        &self,
        db: &str,
        name: &str,
        waiter: &dyn Fn() -> Waiter,
    ) -> SqlResult<Option<Arc<StoredView>>> {
        if self.cached(db, name).is_some() {
            return Ok(None);
        }
        let key: Key = (Arc::from(db), Arc::from(name));
        if let Some(view) = self.views.views.read().get(&key) {
            return Ok(Some(Arc::clone(view)));
        }
        let waiter = waiter();
        let _name = self.names.hold(vec![(key, Mode::Open)], waiter.id(), || waiter)?;
        self.view_now(db, name)
    }

    /// As [`Catalog::view`], of a name that the caller holds.
    ///
    /// # Errors
    /// Those of its file.
    pub fn view_now(&self, db: &str, name: &str) -> SqlResult<Option<Arc<StoredView>>> {
        if !self.is_view(db, name) {
            return Ok(None);
        }
        let key: Key = (Arc::from(db), Arc::from(name));
        if let Some(view) = self.views.views.read().get(&key) {
            return Ok(Some(Arc::clone(view)));
        }
        let view = match read_definition(&self.store, db, name).map_err(|e| from_engine(&e, db, name))? {
            Frm::View(def) => Arc::new(StoredView::new(db, name, *def)?),
            Frm::Table(_) => return Ok(None),
        };
        self.views.views.write().insert(key, Arc::clone(&view));
        Ok(Some(view))
    }

    /// A view was made, changed, moved or dropped.
    pub fn forget_view(&self, db: &str, name: &str) {
        let key: Key = (Arc::from(db), Arc::from(name));
        self.views.views.write().remove(&key);
        self.views.epoch.fetch_add(1, Ordering::AcqRel);
    }

    /// All views of a database are gone; without one, all are read anew.
    pub fn forget_views(&self, db: Option<&str>) {
        self.views.views.write().retain(|(of, _), _| db.is_some_and(|db| **of != *db));
        self.views.epoch.fetch_add(1, Ordering::AcqRel);
    }

    /// How many definitions of views there were.
    #[inline]
    pub fn view_epoch(&self) -> u64 {
        self.views.epoch.load(Ordering::Acquire)
    }
}
