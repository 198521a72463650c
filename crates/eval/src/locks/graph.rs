//! The wait-for graph for deadlock detection. Only waiting sessions touch it, each time they poll.

use std::collections::HashMap;

use parking_lot::Mutex;

/// How much work is lost if the waiter is the deadlock victim; the lightest in a cycle is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A statement that reads or changes rows, of a table; LOCK TABLES ... READ.
    Rows,
    /// Everything else: a definition statement, LOCK TABLES ... WRITE, FLUSH, GET_LOCK, what waits for FLUSH TABLES WITH READ LOCK.
    Other,
}

struct Wait {
    /// Sessions in the way, as of the last look.
    on: Vec<u64>,
    weight: Weight,
    /// Grows with each look.
    polls: u64,
    /// In which order they began.
    turn: u64,
    /// A cycle through this session as it was met at an earlier look: the sessions and their looks.
    suspect: Vec<(u64, u64)>,
    /// Chosen to end.
    victim: bool,
}

#[derive(Default)]
struct Waits {
    of: HashMap<u64, Wait>,
    turns: u64,
}

/// The sessions that wait.
#[derive(Default)]
pub struct WaitGraph {
    waits: Mutex<Waits>,
}

impl WaitGraph {
    /// Notes that a session waits for others. True when it must give up, since it would wait for itself.
    ///
    /// What others wait for may have changed since they looked, so a cycle counts when it is there still after everybody in it
    /// has looked again.
    pub fn record_wait(&self, session: u64, weight: Weight, on: Vec<u64>) -> bool {
        let mut waits = self.waits.lock();
        waits.turns += 1;
        let turn = waits.turns;
        let own = waits.of.entry(session).or_insert_with(|| Wait {
            on: Vec::new(),
            weight,
            polls: 0,
            turn,
            suspect: Vec::new(),
            victim: false,
        });
        if own.victim {
            return true;
        }
        own.on = on;
        own.polls += 1;
        let before = std::mem::take(&mut own.suspect);
        let cycle = waits.cycle(session);
        if cycle.is_empty() {
            return false;
        }
        let met: Vec<(u64, u64)> = cycle.iter().map(|s| (*s, waits.of[s].polls)).collect();
        let same = met.len() == before.len() && met.iter().zip(&before).all(|(now, then)| now.0 == then.0);
        let confirmed = same && met.iter().zip(&before).all(|(now, then)| now.1 > then.1);
        if !confirmed {
            if let Some(own) = waits.of.get_mut(&session) {
                own.suspect = if same { before } else { met };
            }
            return false;
        }
        let victim = cycle
            .iter()
            .min_by_key(|s| (waits.of[*s].weight, std::cmp::Reverse(waits.of[*s].turn)))
            .copied()
            .unwrap_or(session);
        if let Some(wait) = waits.of.get_mut(&victim) {
            wait.victim = true;
        }
        victim == session
    }

    /// The session waits no more.
    pub fn done(&self, session: u64) {
        self.waits.lock().of.remove(&session);
    }
}

impl Waits {
    /// The sessions of a cycle through this one, itself first. A cycle that is about to be ended is none.
    fn cycle(&self, session: u64) -> Vec<u64> {
        let mut path = vec![session];
        let mut seen = vec![session];
        if self.follow(session, session, &mut path, &mut seen) { path } else { Vec::new() }
    }

    fn follow(&self, at: u64, to: u64, path: &mut Vec<u64>, seen: &mut Vec<u64>) -> bool {
        let Some(wait) = self.of.get(&at).filter(|wait| !wait.victim) else { return false };
        for next in &wait.on {
            if *next == to {
                return true;
            }
            if seen.contains(next) {
                continue;
            }
            seen.push(*next);
            path.push(*next);
            if self.follow(*next, to, path, seen) {
                return true;
            }
            path.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lightest_of_a_cycle_ends() {
        let graph = WaitGraph::default();
        let rounds = |graph: &WaitGraph| {
            for _ in 0..4 {
                for (session, weight, on) in
                    [(1, Weight::Other, 2), (2, Weight::Rows, 3), (3, Weight::Other, 1)]
                {
                    if graph.record_wait(session, weight, vec![9, on]) {
                        return session;
                    }
                }
            }
            0
        };
        assert_eq!(rounds(&graph), 2);
        graph.done(2);
        assert!(!graph.record_wait(1, Weight::Other, vec![2]));
        assert!(!graph.record_wait(1, Weight::Other, vec![2]));
    }

    #[test]
    fn a_wait_that_has_changed_is_no_cycle() {
        let graph = WaitGraph::default();
        assert!(!graph.record_wait(1, Weight::Rows, vec![2]));
        // 1 waits for 3 by now, and will say so at its next look
        assert!(!graph.record_wait(2, Weight::Rows, vec![1]));
        assert!(!graph.record_wait(2, Weight::Rows, vec![1]));
        assert!(!graph.record_wait(1, Weight::Rows, vec![3]));
        assert!(!graph.record_wait(2, Weight::Rows, vec![1]));
    }

    #[test]
    fn of_equals_the_last_ends() {
        let graph = WaitGraph::default();
        let ended = (0..9).find_map(|n| {
            let session = 1 + n % 2;
            graph.record_wait(session, Weight::Other, vec![3 - session]).then_some(session)
        });
        assert_eq!(ended, Some(2));
    }
}
