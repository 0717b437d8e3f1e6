//! A small engine's routing telemetry: its counters, and writing them as a text history.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::trace::Trace;

pub const FORMAT_VERSION: i64 = 1;

/// One session: an identity, dimensions, and a row of counters for each layer that routes.
pub struct Engine {
    pub name: String,
    pub n_layers: usize,
    pub n_experts: usize,
    /// Rows 0..=n_layers, the last one the MTP head's; `None` for a dropped one.
    rows: Vec<Option<Vec<u32>>>,
    trace: Trace,
    /// Resolved paths of the files that a load refused.
    pub refused: HashSet<PathBuf>,
}

/// The id under which an engine of this name writes: FNV-1a, first the byte, then the prime (W07).
pub fn id_of(name: &str) -> u32 {
    name.bytes().fold(2_166_136_261, |id, byte| {
        (id ^ u32::from(byte)).wrapping_mul(16_777_619)
    })
}

impl Engine {
    /// Begin a session, every counter zero; ROUTE_TRACE is opened anew.
    pub fn new(name: &str, n_layers: usize, n_experts: usize) -> Engine {
        Engine {
            name: name.to_string(),
            n_layers,
            n_experts,
            rows: vec![Some(vec![0; n_experts]); n_layers + 1],
            trace: Trace::open(),
            refused: HashSet::new(),
        }
    }

    /// This layer does not route: nothing is credited to its row any more.
    pub fn drop_row(&mut self, layer: i64) {
        if let Some(row) = usize::try_from(layer).ok().and_then(|layer| self.rows.get_mut(layer)) {
            *row = None;
        }
    }

    fn counter(&mut self, layer: i64, expert: i64) -> Option<&mut u32> {
        let row = self.rows.get_mut(usize::try_from(layer).ok()?)?.as_mut()?;
        row.get_mut(usize::try_from(expert).ok()?)
    }

    /// Add to one counter, which stays at its largest value (W19, R22). False where there is none.
    pub fn credit(&mut self, layer: i64, expert: i64, count: u32) -> bool {
        match self.counter(layer, expert) {
            Some(counter) => {
                *counter = counter.saturating_add(count);
                true
            }
            None => false,
        }
    }

    /// Count and trace one routing decision, the experts in selection order with the gates applied.
    /// An unsound choice reaches neither counter nor trace (T12).
    pub fn route(&mut self, layer: i64, row: i64, choices: &[(i64, f32)]) {
        let sound: Vec<(i64, f32)> = choices
            .iter()
            .copied()
            .filter(|&(expert, gate)| gate.is_finite() && self.credit(layer, expert, 1))
            .collect();
        self.trace.decision(row, layer, &sound);
    }

    /// The moe call is over.
    pub fn end_call(&mut self) {
        self.trace.end_call();
    }

    /// Every counter above zero as (layer, expert, count), ascending.
    pub fn counts(&self) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        self.rows.iter().enumerate().flat_map(|(layer, row)| {
            let row = row.as_deref().unwrap_or(&[]);
            row.iter()
                .enumerate()
                .filter(|(_, &count)| count > 0)
                .map(move |(expert, &count)| (layer, expert, count))
        })
    }

    /// Write the history. After an error an older history at `path` is as it was.
    pub fn save(&self, path: &str) -> io::Result<()> {
        if fs::canonicalize(path).map_or(false, |real| self.refused.contains(&real)) {
            // It is somebody's history, and this engine could not read it (W21).
            let reason = "this engine refused to read what is there; move it away";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        let (beside, file) = new_file_beside(path)?;
        // The new file must be whole, and on the disk, before it takes the old one's place (W16, W17).
        let written = self.write(file).and_then(|()| fs::rename(&beside, path));
        if written.is_err() {
            let _ = fs::remove_file(&beside); // W20
        }
        written
    }

    /// Sparse; nothing at all where no counter is above zero, so that PIN=auto falls back (W08).
    fn write(&self, file: File) -> io::Result<()> {
        let mut out = BufWriter::new(file);
        for (number, (layer, expert, count)) in self.counts().enumerate() {
            if number == 0 {
                writeln!(out, "-1 {} {}", self.n_layers, self.n_experts)?;
                writeln!(out, "-2 {} {}", FORMAT_VERSION, id_of(&self.name))?; // version second, id third (W06)
            }
            writeln!(out, "{layer} {expert} {count}")?;
        }
        out.flush()?;
        out.get_ref().sync_all()
    }
}

/// Create a file of a name of its own in the folder of `path`: with a shared name two engines mix (W24).
fn new_file_beside(path: &str) -> io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        let beside = Path::new(path).with_extension(format!("{}-{number}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
            Ok(file) => return Ok((beside, file)),
        }
    }
}
