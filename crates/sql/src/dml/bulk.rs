//! Many rows: into an empty table keys that can be built by sorting wait until the statement's end, as in the reference server; else entries
//! of keys that refuse nothing are collected within `bulk_insert_buffer_size` and put into their trees in order. Where many rows are changed or
//! deleted, the entries that go and come are collected alike.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::target::Target;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::plan::change::InsertPlan;
use crate::session::{Session, SessionState};
use crate::table::myisam::{ManyRows, SortSettings};
use crate::table::rules::with_completer;

/// Rows of a statement from which on entries of keys are collected and go into their trees in order: of so few already the leaves are fetched side by
/// side (with 100 rows and three keys a seventh of the CPU is saved).
const SOME_ROWS: u64 = 20;

/// Into an empty table fewer rows are written one by one, as in the reference.
const FEW_ROWS: u64 = 100;

/// Rows from which on the keys of an empty table are built by sorting.
const MANY_ROWS: u64 = 200;

/// Rows that a statement has changed or deleted before entries are collected.
const MANY_CHANGES: u64 = 1_000;

/// How long a statement that was killed may still build keys. One that needs longer is undone: the table is empty as it was.
const ENDED: Duration = Duration::from_secs(1);

impl Target {
    /// Lets keys wait, if `rows` (when known) are worth it: all that can in an empty table; in others those that refuse nothing, with
    /// `bulk_insert_buffer_size` bytes of their entries in memory, unless rows in the way are changed or deleted. [`Target::end`] has them built.
    pub fn bulk_begin(&mut self, session: &Session, plan: &InsertPlan, rows: Option<u64>) {
        let fewer = |most| rows.is_some_and(|n| n < most);
        if self.schema.triggers.is_some() || self.shown || fewer(SOME_ROWS) {
            return;
        }
        let changes = plan.replace || !plan.on_duplicate.is_empty();
        // all partitions are written, of other tables one
        let parts = if self.schema.routing.is_some() { self.writers().count() } else { 1 };
        let mut settings = None;
        for writer in self.writers_mut().take(parts) {
            let bulk = !fewer(FEW_ROWS) && writer.bulk_begin(rows);
            if !fewer(MANY_ROWS) && writer.format().state(writer.store()).records() == 0 {
                writer.gather_keys(settings.get_or_insert_with(|| sort_settings(session).share(parts)));
            }
            let buffer = insert_buffer(session);
            if !bulk && !changes && buffer > 0 {
                let settings = settings.get_or_insert_with(|| sort_settings(session).share(parts));
                writer.begin_waiting(&SortSettings { buffer: buffer / parts, ..settings.clone() });
            }
        }
    }

    /// Builds the keys that waited. A statement that was killed (or failed) has `ended`: the rows it wrote stay, so their keys are
    /// built all the same, if that takes no longer than [`ENDED`]. After an error the statement must be undone: its keys are incomplete.
    ///
    /// # Errors
    /// 1317 when it is killed now; those of the files.
    pub(super) fn bulk_end(&mut self, session: &mut Session, ended: bool) -> SqlResult<()> {
        let settings = sort_settings(session);
        let rules = self.schema.rules.clone();
        let kill = stop_building(session, ended);
        let mut built = Ok(());
        for writer in self.writers_mut().filter(|writer| writer.is_bulk()) {
            if writer.format().state(writer.store()).records() == 0 {
                // nothing came: the table stays as it was found, but for what the reference notes of the keys that waited
                let waited = writer.has_disabled_keys();
                writer.store_mut().get_mut().rollback();
                if waited {
                    writer.note_nothing_built();
                }
                continue;
            }
            built = with_completer(rules.as_deref(), &mut session.ctx, |complete| {
                writer.enable_keys_of(&settings, complete, &kill)
            });
            if built.is_err() {
                break;
            }
        }
        built.map_err(|e| self.error(&e))
    }

    /// Lets keys wait once a statement has changed or deleted many rows, each once: `changed` of them so far. [`Target::end`] has their entries
    /// put into the trees. Not where triggers or functions may look for the rows meanwhile.
    #[inline]
    pub(super) fn many_changes(
        &mut self,
        (work, changed): (ManyRows, u64),
        state: &SessionState,
        ctx: &EvalContext,
    ) {
        if changed == MANY_CHANGES {
            self.begin_changes(work, state, ctx);
        }
    }

    #[cold]
    fn begin_changes(&mut self, work: ManyRows, state: &SessionState, ctx: &EvalContext) {
        let buffer = insert_buffer(state);
        if self.schema.triggers.is_some() || self.shown || ctx.calls.lent.is_some() || buffer == 0 {
            return;
        }
        let parts = self.writers().count();
        let settings =
            SortSettings { buffer: buffer / parts, ..settings_of(state, ctx.threads).share(parts) };
        self.writers_mut().for_each(|writer| writer.begin_changes(work, &settings));
    }

    /// Puts entries that wait into their trees. Those of rows that an error ended stay, however long their keys take.
    ///
    /// # Errors
    /// 1317 when it is killed now; those of the files: the statement must be undone.
    pub(super) fn end_waiting(&mut self, session: &Session) -> SqlResult<()> {
        let stop = stop_building(session, session.connection.killed());
        let waited = self.writers_mut().try_for_each(|writer| writer.end_waiting(&stop));
        waited.map_err(|e| self.error(&e))
    }

    /// Whether keys wait for the end of the statement.
    pub(super) fn is_bulk(&self) -> bool {
        self.writers().any(|(_, writer)| writer.is_bulk())
    }
}

/// When the keys of a statement are built no further: it is killed; or it has `ended` by that or an error, and they take long.
pub(super) fn stop_building(session: &Session, ended: bool) -> impl Fn() -> bool + use<> {
    let (connection, begun) = (Arc::clone(&session.connection), Instant::now());
    move || if ended { begun.elapsed() > ENDED } else { connection.killed() }
}

/// Bytes of entries that wait in memory; none do where it is 0.
fn insert_buffer(state: &SessionState) -> usize {
    usize::try_from(state.vars.named("bulk_insert_buffer_size").as_u64()).unwrap_or(usize::MAX)
}

/// How keys are built by sorting in this session.
pub(crate) fn sort_settings(session: &Session) -> SortSettings {
    settings_of(session, session.ctx.threads)
}

fn settings_of(state: &SessionState, threads: usize) -> SortSettings {
    use crate::table::myisam::StatsMethod;
    SortSettings {
        buffer: usize::try_from(state.vars.named("myisam_sort_buffer_size").as_u64()).unwrap_or(usize::MAX),
        tmpdir: state.engine.variables.named("tmpdir").as_text().into(),
        stats_method: match state.vars.named("myisam_stats_method").as_u64() {
            0 => StatsMethod::NullsUnequal,
            1 => StatsMethod::NullsEqual,
            _ => StatsMethod::NullsIgnored,
        },
        threads: crate::exec::threads::free(threads),
    }
}
