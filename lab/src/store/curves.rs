//! Curves of a run: named numbers by step, such as the loss by epoch or a parameter by game pair.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Store;
use super::error::StoreError;
use super::owner;
use super::run::{Claim, RunId};

/// A named number as it changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Curve {
    /// What it is.
    pub name: String,
    /// Step and value, by step.
    pub points: Vec<(u64, f64)>,
}

impl Store {
    /// Keeps the values of a step. What a step had under the same name is replaced, so that a run which goes on from an
    /// earlier checkpoint leaves one curve; values that are no numbers are left out.
    pub fn add_points(&self, claim: &Claim, step: u64, values: &[(&str, f64)]) -> Result<(), StoreError> {
        let (run, now) = (claim.run, owner::now());
        self.write(|transaction| {
            let mut owned = transaction
                .prepare_cached("UPDATE runs SET updated = ?1, heartbeat = ?1 WHERE id = ?2 AND owner_token = ?3")?;
            if owned.execute((now, run.0, &claim.token))? == 0 {
                return Err(Store::lost(transaction, run)?);
            }
            let mut insert = transaction
                .prepare_cached("INSERT OR REPLACE INTO curves (run, name, step, value) VALUES (?1, ?2, ?3, ?4)")?;
            for (name, value) in values.iter().filter(|(_, value)| value.is_finite()) {
                insert.execute((run.0, name, step.cast_signed(), value))?;
            }
            Ok(())
        })
    }

    /// The names of a run's curves.
    pub fn curve_names(&self, run: RunId) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT DISTINCT name FROM curves WHERE run = ?1 ORDER BY name")?;
            let names = statement.query_map((run.0,), |row| row.get(0))?;
            Ok(names.collect::<Result<_, _>>()?)
        })
    }

    /// The curves of a run, by name.
    pub fn curves(&self, run: RunId) -> Result<Vec<Curve>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT name, step, value FROM curves WHERE run = ?1 ORDER BY name, step")?;
            let mut rows = statement.query((run.0,))?;
            let mut curves: BTreeMap<String, Vec<(u64, f64)>> = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let point = (row.get::<_, i64>(1)?.cast_unsigned(), row.get(2)?);
                curves.entry(row.get(0)?).or_default().push(point);
            }
            Ok(curves.into_iter().map(|(name, points)| Curve { name, points }).collect())
        })
    }
}
