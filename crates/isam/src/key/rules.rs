//! What a word of a FULLTEXT key is, which all tables of a store have in common.

use std::sync::{Arc, LazyLock};

use fulltext::Rules;
use pages::Store;

/// Sets the rules for words of all tables of a store, before any is opened.
pub fn set_rules(store: &Store, rules: Rules) {
    store.keep(Arc::new(rules));
}

/// The rules of a store's tables.
pub(crate) fn rules_of(store: &Store) -> Arc<Rules> {
    let set = store.companion().cloned().and_then(|any| any.downcast::<Rules>().ok());
    set.unwrap_or_else(compiled_in)
}

/// The rules of those who set none.
pub(crate) fn compiled_in() -> Arc<Rules> {
    static RULES: LazyLock<Arc<Rules>> = LazyLock::new(Arc::default);
    Arc::clone(&RULES)
}
