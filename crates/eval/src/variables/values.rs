//! The values of all variables.

use std::ops::Index;
use std::sync::Arc;

use super::{VarId, VarValue};

/// Values by the numbers of their variables. They lie in pieces, which copies share until a value of them is set: a session that sets some
/// variables, as each does with the character sets of its client, has those pieces alone for itself.
#[derive(Clone)]
pub struct Values(Vec<Arc<[VarValue]>>);

/// Values of a piece.
const PIECE: usize = 16;

impl Values {
    /// Replaces one value.
    pub fn set(&mut self, id: VarId, value: VarValue) {
        let at = usize::from(id.0);
        Arc::make_mut(&mut self.0[at / PIECE])[at % PIECE] = value;
    }
}

impl From<Vec<VarValue>> for Values {
    fn from(all: Vec<VarValue>) -> Values {
        Values(all.chunks(PIECE).map(Arc::from).collect())
    }
}

impl Index<VarId> for Values {
    type Output = VarValue;

    #[inline]
    fn index(&self, id: VarId) -> &VarValue {
        let at = usize::from(id.0);
        &self.0[at / PIECE][at % PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_what_is_not_set() {
        let all = Values::from((0..40).map(VarValue::Int).collect::<Vec<_>>());
        let mut own = all.clone();
        own.set(VarId(20), VarValue::Null);
        let values = |v: &Values| (0..40).map(|n| v[VarId(n)].clone()).collect::<Vec<_>>();
        let mut expected: Vec<_> = (0..40).map(VarValue::Int).collect();
        assert_eq!(values(&all), expected);
        expected[20] = VarValue::Null;
        assert_eq!(values(&own), expected);
        let shared: Vec<bool> = all.0.iter().zip(&own.0).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
        assert_eq!(shared, [true, false, true]);
    }
}
