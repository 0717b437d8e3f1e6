//! The driver of this engine: the starter of `coli-conformance init rust`, filled in.
//!
//!     cargo build --release
//!     coli-conformance run -- target/release/driver

mod engine;
mod reader;
mod trace;

use std::io::{self, BufRead, Write};

use engine::Engine;

/// `reusable` as well: an `Engine` is made anew by each `init`, and nothing outlives it.
const ROLES: &str = "load bounds identify trusted iku1 save trace reusable";

/// The answer to one command, or `None` for what this driver does not know.
fn answer(session: &mut Option<Engine>, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["hello", "1"] => return Some(format!("ok {ROLES}")),
        ["init", name, n_layers, n_experts] => {
            *session = None; // its trace is closed before the next one is opened
            *session = Some(Engine::new(name, n_layers.parse().ok()?, n_experts.parse().ok()?));
            return Some("ok".to_string());
        }
        _ => (),
    }
    let engine = session.as_mut()?;
    match words.as_slice() {
        ["drop", layer] => engine.drop_row(layer.parse().ok()?),
        ["route", layer, row, choices @ ..] => {
            let choices: Option<Vec<(i64, f32)>> = choices.iter().map(|text| choice(text)).collect();
            engine.route(layer.parse().ok()?, row.parse().ok()?, &choices?);
        }
        ["endcall"] => engine.end_call(),
        ["add", layer, expert, count] => {
            engine.credit(layer.parse().ok()?, expert.parse().ok()?, count.parse().ok()?);
        }
        ["load", path] => return Some(total_or_refused(reader::read(engine, path, false))),
        ["trust", path] => return Some(total_or_refused(reader::read(engine, path, true))),
        ["counts"] => {
            let lines = engine
                .counts()
                .map(|(layer, expert, count)| format!("{layer} {expert} {count}\n"));
            return Some(lines.collect::<String>() + "ok");
        }
        ["save", path] => {
            if let Err(error) = engine.save(path) {
                return Some(format!("error {error}"));
            }
        }
        _ => return None,
    }
    Some("ok".to_string())
}

fn choice(text: &str) -> Option<(i64, f32)> {
    let (expert, gate) = text.split_once(':')?;
    Some((expert.parse().ok()?, gate.parse().ok()?))
}

fn total_or_refused(total: Option<u64>) -> String {
    total.map_or("refused".to_string(), |total| format!("ok {total}"))
}

fn main() -> io::Result<()> {
    let mut session = None;
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let answered = answer(&mut session, line?.trim_end_matches('\r'));
        writeln!(out, "{}", answered.unwrap_or_else(|| "unsupported".to_string()))?;
        out.flush()?;
    }
    Ok(())
}
