//! What recovery made of a crash, compared with the history.

use super::*;

/// Opens what a crash left and compares it with the history.
pub fn verify(
    storage: &Arc<MemoryStorage>,
    history: &History,
    mode: CrashMode,
    options: &StoreOptions,
) -> Result<(), String> {
    let text = |e: pages::Error| e.to_string();
    let (store, report) = Store::open(storage.clone(), Path::new(DIR), options.clone()).map_err(text)?;
    if !report.foreign.is_empty() {
        return Err(format!("foreign: {:?}", report.foreign));
    }
    for dir in [DIR, "/d/db"] {
        for (path, _) in storage.list(Path::new(dir)).map_err(|e| e.to_string())? {
            let name = path.to_string_lossy();
            if name.contains("#sql") || name.contains("spill") || name.contains("kept") {
                return Err(format!("{name} lies about"));
            }
        }
    }
    // Which tables are there, and their bytes; the paging is told by the state that fits.
    let mut found: BTreeMap<&str, (Vec<u8>, Vec<u8>)> = BTreeMap::new();
    for name in NAMES {
        let [index, data] = both(name).map(|path| storage.bytes(&Path::new(DIR).join(path)));
        match (index, data) {
            (Ok(index), Ok(data)) => drop(found.insert(name, (index, data))),
            (Err(_), Err(_)) => {}
            _ => return Err(format!("half of {name} is there")),
        }
    }
    let promised = if mode == CrashMode::Kill { history.acknowledged } else { history.durable };
    let fits = |state: &State| {
        state.len() == found.len()
            && state.iter().all(|(name, content)| {
                found.get(name).is_some_and(|(index, data)| {
                    *data == content.data
                        && get(index, COUNTER_AT) == content.counter
                        && index.len() == 1024 * (1 + content.blocks.len())
                        && index[1024..].chunks(1024).eq(content.blocks.iter().map(|block| &block[..]))
                })
            })
    };
    let Some(at) = (0..history.states.len()).rev().find(|&at| fits(&history.states[at])) else {
        let lens: Vec<_> =
            found.iter().map(|(name, (i, d))| (*name, i.len(), d.len(), get(i, COUNTER_AT))).collect();
        let wanted = history.states[promised..].iter().map(|state| {
            state
                .iter()
                .map(|(n, c)| (*n, 1024 * (1 + c.blocks.len()), c.data.len(), c.counter))
                .collect::<Vec<_>>()
        });
        return Err(format!("never so: {lens:?}; expected one of {:?}", wanted.collect::<Vec<_>>()));
    };
    if at < promised {
        return Err(format!("state {at} after {promised} was promised"));
    }
    // And the tables can be read and written.
    let state = &history.states[at];
    for (name, content) in state {
        let table = store.attach(spec_of(storage, name, content.paging).map_err(text)?).map_err(text)?;
        let mut writer = lock(&table);
        put_data(&mut writer, content.data.len() as u64, b"after").map_err(text)?;
        if !content.blocks.is_empty() {
            writer.index_page_mut(1024, 1024).map_err(text)?.write(0, b"after");
        }
        writer.commit().map_err(text)?;
        drop(writer);
        let session = store.reader_slot();
        let snapshot = session.begin(&[&table]).map_err(text)?;
        let seen = read(&snapshot.pin().table(&table).map_err(text)?, content.paging).map_err(text)?;
        if seen.data.len() != content.data.len() + 5 || seen.data[..content.data.len()] != content.data[..] {
            return Err(format!("{name} reads otherwise than its file"));
        }
    }
    store.shutdown().map_err(text)?;
    for (name, content) in state {
        let bytes = storage.bytes(&Path::new(DIR).join(format!("{name}.MYI"))).map_err(|e| e.to_string())?;
        if bytes[StateLayout::MYI.guard_at] & StateLayout::MYI.guard_mask != 0 {
            return Err(format!("{name} is guarded after a clean stop"));
        }
        let data = storage.bytes(&Path::new(DIR).join(format!("{name}.MYD"))).map_err(|e| e.to_string())?;
        if data.len() != content.data.len() + 5 {
            return Err(format!("{name} has another length after a clean stop"));
        }
    }
    Ok(())
}
