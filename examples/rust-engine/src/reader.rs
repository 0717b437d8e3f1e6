//! Reading a history: first the whole file is checked, then its records are credited, so that a refused one
//! changes nothing (R07, R20).

use std::fs::{self, File};
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{id_of, Engine, FORMAT_VERSION};

const KNOWN: [&str; 7] = [
    "glm_moe_dsa",
    "inkling",
    "olmoe",
    "kimi_k3",
    "qwen38",
    "deepseek_v4",
    "glm53",
];

/// Three numbers, each in the range of its field.
type Record = [i64; 3];

const RANGES: [(i64, i64); 3] = [
    (i32::MIN as i64, i32::MAX as i64),
    (i32::MIN as i64, i32::MAX as i64),
    (0, u32::MAX as i64),
];

/// Read a history into the counters. `trusted`: the user typed the path. The total of the accepted records, or
/// `None` where the file was refused; the reason is on standard error then.
pub fn read(engine: &mut Engine, path: &str, trusted: bool) -> Option<u64> {
    match accepted(engine, path, trusted) {
        Ok(records) => {
            let credited = records
                .iter()
                .filter(|[layer, expert, count]| engine.credit(*layer, *expert, *count as u32));
            Some(credited.map(|record| record[2] as u64).sum()) // accepted records only (R09)
        }
        Err(reason) => {
            eprintln!("[USAGE] {path}: refusing: {reason}");
            engine.refused.extend(fs::canonicalize(path));
            None
        }
    }
}

/// The data records of a file that passes every check, or the reason why it does not.
fn accepted(engine: &Engine, path: &str, trusted: bool) -> Result<Vec<Record>, String> {
    let unreadable = |error: io::Error| format!("it cannot be read ({error})");
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()), // an empty history (R24)
        opened => opened.map_err(unreadable)?,
    };
    let mut data = Vec::new();
    file.by_ref().take(4).read_to_end(&mut data).map_err(unreadable)?;
    if data == b"IKU1" {
        return iku1(engine, file, path, trusted);
    }
    file.read_to_end(&mut data).map_err(unreadable)?;
    let records = parse(&data);
    check_header(engine, &records, path, trusted)?;
    Ok(records.into_iter().filter(|record| record[0] >= 0).collect())
}

/// Records up to the end, or to the first line that is none: reading stops there (R23).
fn parse(data: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    for line in data.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let fields: Vec<&[u8]> = line
            .split(|&byte| byte == b' ' || byte == b'\t')
            .filter(|f| !f.is_empty())
            .collect();
        match fields.as_slice() {
            [] => (), // a blank line (R12)
            [first, second, third] => match (number(first, 0), number(second, 1), number(third, 2)) {
                (Some(first), Some(second), Some(third)) => records.push([first, second, third]),
                _ => break,
            },
            _ => break,
        }
    }
    records
}

/// A plain decimal in the range of its field; one outside it is no number, and never another number (R21).
fn number(text: &[u8], field: usize) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = std::str::from_utf8(text).ok()?.parse().ok()?;
    let (low, high) = RANGES[field];
    (low..=high).contains(&value).then_some(value)
}

/// Checks every -1 and -2, wherever they stand; records from -3 down are skipped (R02-R06, R20).
fn check_header(engine: &Engine, records: &[Record], path: &str, trusted: bool) -> Result<(), String> {
    let of = |number: i64| records.iter().filter(move |record| record[0] == number);
    let writer = of(-2)
        .next()
        .map_or("an engine it does not name".to_string(), |identity| {
            writer_of(engine, identity[2])
        });
    for [_, version, _] in of(-2) {
        if *version != FORMAT_VERSION {
            return Err(format!(
                "written by {writer} in format version {version}, this engine, {}, reads version {FORMAT_VERSION}",
                engine.name
            ));
        }
    }
    for [_, n_layers, n_experts] in of(-1) {
        check_dimensions(engine, *n_layers, *n_experts, &writer)?;
    }
    of(-2).try_for_each(|[_, _, id]| check_identity(engine, *id, path, trusted))
}

/// Trust does not relax this one (R03, I03).
fn check_dimensions(engine: &Engine, n_layers: i64, n_experts: i64, writer: &str) -> Result<(), String> {
    if n_layers == engine.n_layers as i64 && n_experts == engine.n_experts as i64 {
        return Ok(());
    }
    Err(format!(
        "written by {writer} for {n_layers} layers of {n_experts} experts, this engine, {}, has {} of {}",
        engine.name, engine.n_layers, engine.n_experts
    ))
}

/// The one check with a way past: a path that the user typed (R05, R06).
fn check_identity(engine: &Engine, id: i64, path: &str, trusted: bool) -> Result<(), String> {
    static SAID: AtomicBool = AtomicBool::new(false);
    if id == i64::from(id_of(&engine.name)) {
        return Ok(());
    }
    let sides = format!("written by {}, this engine is {}", writer_of(engine, id), engine.name);
    if !trusted {
        return Err(format!("{sides}; pass PIN={path} to use it anyway"));
    }
    if !SAID.swap(true, Ordering::Relaxed) {
        eprintln!("[USAGE] {path}: {sides}; using it, its path was typed"); // once per process (R19)
    }
    Ok(())
}

/// The writer in words: by name where the id is known (R18).
fn writer_of(engine: &Engine, id: i64) -> String {
    let names = KNOWN.iter().copied().chain([engine.name.as_str()]);
    let known = names.into_iter().find(|name| i64::from(id_of(name)) == id);
    known.map_or_else(|| format!("an unknown engine (id {id})"), str::to_string)
}

/// The records of an IKU1 file; `file` stands behind the magic. Its dimensions are compared before anything is
/// read or allocated, however huge they are (I05).
fn iku1(engine: &Engine, mut file: File, path: &str, trusted: bool) -> Result<Vec<Record>, String> {
    let cut = |error: io::Error| {
        format!(
            "written by inkling, this engine is {}; it is cut ({error})",
            engine.name
        )
    };
    let mut head = [0; 8];
    file.read_exact(&mut head).map_err(cut)?;
    let (n_layers, n_experts) = (little_endian(&head[..4]), little_endian(&head[4..]));
    check_dimensions(engine, n_layers, n_experts, "inkling")?;
    let mut block = vec![0; 4 * engine.n_layers * engine.n_experts]; // it has no row for the MTP head
    file.read_exact(&mut block).map_err(cut)?;
    check_identity(engine, i64::from(id_of("inkling")), path, trusted)?;
    let counts = block.chunks_exact(4).map(little_endian).zip(0i64..);
    let place = |cell: i64| (cell / n_experts, cell % n_experts);
    Ok(counts
        .filter(|&(count, _)| count > 0)
        .map(|(count, cell)| [place(cell).0, place(cell).1, count])
        .collect())
}

fn little_endian(bytes: &[u8]) -> i64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | i64::from(byte))
}
