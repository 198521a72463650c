//! Named key caches: the components of the structured variables (`hot.key_buffer_size`). Those of the default cache are the plain
//! global variables.

use parking_lot::Mutex;

/// The components of a key cache, and what a new cache has of them.
const COMPONENTS: [(&str, u64); 6] = [
    ("key_buffer_size", 0),
    ("key_cache_block_size", 1024),
    ("key_cache_division_limit", 100),
    ("key_cache_age_threshold", 300),
    ("key_cache_segments", 0),
    ("key_cache_file_hash_size", 0),
];

const SIZE: usize = 0;
const BLOCK: usize = 1;
const SEGMENTS: usize = 4;

/// Whether a variable is a component of key caches.
pub fn is_component(name: &str) -> bool {
    place(name).is_some()
}

/// Whether a base names the default cache, whose components are the plain global variables.
pub fn is_default(base: &str) -> bool {
    base.is_empty() || base.eq_ignore_ascii_case("default")
}

fn place(component: &str) -> Option<usize> {
    COMPONENTS.iter().position(|(name, _)| *name == component)
}

/// What a key cache is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyCache {
    name: Box<str>,
    values: [u64; COMPONENTS.len()],
    /// It has had a size: from then on CACHE INDEX knows it.
    begun: bool,
}

impl KeyCache {
    /// A cache with these values of its components, in the order of [`COMPONENTS`].
    pub fn new(name: &str, component: impl Fn(&'static str) -> u64) -> KeyCache {
        let values = COMPONENTS.map(|(name, _)| component(name));
        KeyCache { name: name.into(), values, begun: values[SIZE] > 0 }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of a block.
    pub fn block_size(&self) -> u64 {
        self.values[BLOCK]
    }

    /// Bytes and blocks of each segment: `None` without segments.
    pub fn segments(&self) -> Option<(u64, u64, u64)> {
        let count = self.values[SEGMENTS];
        let bytes = self.values[SIZE].checked_div(count)?;
        Some((count, bytes, self.blocks_in(bytes)))
    }

    /// Bytes and blocks of the whole cache; `None` when it has no room for a block in a segment, or no size.
    pub fn whole(&self) -> Option<(u64, u64)> {
        match self.segments() {
            Some((_, _, 0)) => None,
            Some((count, bytes, blocks)) => Some((count * bytes, count * blocks)),
            None => {
                Some((self.values[SIZE], self.blocks_in(self.values[SIZE]))).filter(|(size, _)| *size > 0)
            }
        }
    }

    /// How many blocks these bytes hold, with what each needs besides.
    fn blocks_in(&self, bytes: u64) -> u64 {
        const BESIDES: u64 = 230;
        const FEWEST: u64 = 8;
        let blocks = bytes / self.values[BLOCK].saturating_add(BESIDES).max(1);
        if blocks < FEWEST { 0 } else { blocks }
    }
}

/// The named key caches of a server, in the order of their first SET.
#[derive(Default)]
pub struct KeyCaches {
    all: Mutex<Vec<KeyCache>>,
}

impl KeyCaches {
    /// A component; 0 of a cache that nobody has set.
    pub fn get(&self, cache: &str, component: &str) -> u64 {
        let all = self.all.lock();
        let found = all.iter().find(|c| *c.name == *cache);
        found.zip(place(component)).map_or(0, |(c, place)| c.values[place])
    }

    /// Sets a component. The first one makes the cache, but for a size of 0, which drops its blocks.
    pub fn set(&self, cache: &str, component: &str, value: u64) {
        let Some(place) = place(component) else { return };
        let mut all = self.all.lock();
        let at = match all.iter().position(|c| *c.name == *cache) {
            Some(at) => at,
            None if place == SIZE && value == 0 => return,
            None => {
                all.push(KeyCache {
                    name: cache.into(),
                    values: COMPONENTS.map(|(_, value)| value),
                    begun: false,
                });
                all.len() - 1
            }
        };
        all[at].values[place] = value;
        all[at].begun |= place == SIZE && value > 0;
    }

    /// Whether CACHE INDEX may name the cache: it has or had a size.
    pub fn is_known(&self, cache: &str) -> bool {
        self.all.lock().iter().any(|c| *c.name == *cache && c.begun)
    }

    /// All of them.
    pub fn all(&self) -> Vec<KeyCache> {
        self.all.lock().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_begins_with_its_first_size() {
        let caches = KeyCaches::default();
        caches.set("hot", "key_buffer_size", 0);
        assert!(caches.all().is_empty());
        caches.set("hot", "key_cache_block_size", 2048);
        assert_eq!(
            (caches.get("hot", "key_cache_block_size"), caches.get("hot", "key_cache_age_threshold")),
            (2048, 300)
        );
        assert!(!caches.is_known("hot") && caches.get("HOT", "key_cache_block_size") == 0);
        caches.set("hot", "key_buffer_size", 1 << 20);
        assert!(caches.is_known("hot") && !caches.is_known("Hot"));
        caches.set("hot", "key_buffer_size", 0);
        assert!(caches.is_known("hot"), "it stays known without blocks");
        assert_eq!(caches.all()[0].whole(), None);
    }

    #[test]
    fn segments_share_the_size() {
        let cache = |size: u64, segments: u64| {
            let values = [size, 1024, 100, 300, segments, 0];
            KeyCache::new("c", move |name| place(name).map_or(0, |place| values[place]))
        };
        let (count, bytes, blocks) = cache(1 << 20, 3).segments().expect("segments");
        assert_eq!((count, bytes), (3, 349_525));
        assert_eq!(cache(1 << 20, 3).whole(), Some((1_048_575, 3 * blocks)));
        assert_eq!(cache(8192, 2).whole(), None, "too small");
        assert_eq!(cache(8192, 0).whole(), Some((8192, 0)));
        assert_eq!(cache(u64::MAX, 64).segments().map(|s| s.0), Some(64));
    }
}
