//! A driver to start from: it stands between coli-conformance and your engine, one text line in, one answer out.
//!
//! As it stands it claims the seven roles an engine owes and can do nothing: every case fails. Fill in one command
//! after another; a role whose commands are all there goes green. Take out of ROLES what your engine will never do:
//!
//!   load        reads a text history                    init, load, counts
//!   bounds      has counters of given dimensions        drop
//!   identify    refuses other dimensions, identities and newer versions
//!   trusted     tells a typed path from a found one     trust
//!   iku1        reads IKU1 (inkling) or refuses it by name (any other engine)
//!   save        writes a text history                   route, add, save
//!   trace       writes the ROUTE_TRACE stream           route, endcall
//!
//! Build it:                 cargo build --release
//! Hold it to the contract:  coli-conformance run -- target/release/driver
//! Try it by hand:           printf 'hello 1\ninit my_engine 5 8\ncounts\n' | target/release/driver
//!
//! An answer is any data lines and then one line that begins with ok, refused, error or unsupported. Text after
//! `refused` or `error` is free; messages for the user go to standard error.

use std::io::{self, BufRead, Write};

/// The roles claimed.
const ROLES: &str = "load bounds identify trusted iku1 save trace";

/// What a session holds. Your engine goes here.
struct Session;

/// The answer to one command, or `None` for what this driver cannot do.
fn answer(_session: &mut Session, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["hello", "1"] => Some(format!("ok {ROLES}")),
        // Give your engine this name and these dimensions (parse::<usize>()), every counter zero. It comes once per
        // process (claim `reusable` if a second one starts truly fresh). An engine built for one name and one size
        // answers any other with `unsupported`; the case's other commands arrive all the same.
        ["init", _name, _n_layers, _n_experts] => Some("ok".to_string()),
        // This layer does not route: from now on nothing may be credited to its row.
        ["drop", _layer] => None,
        // One routing decision. Each choice is ID:GATE (split_once(':'), parse::<f32>()), in selection order: count
        // them, and trace them when ROUTE_TRACE is set.
        ["route", _layer, _row, _choices @ ..] => None,
        // The moe call is over: the trace's call number goes up by one.
        ["endcall"] => None,
        // Add to one counter directly; at 4294967295 it stays there.
        ["add", _layer, _expert, _count] => None,
        // An untrusted read into the counters: "ok TOTAL", where TOTAL is the 64-bit sum of the counts that were
        // accepted, or "refused".
        ["load", _path] => None,
        // The same for a path the user typed: another engine's identity is accepted, and nothing else is relaxed.
        ["trust", _path] => None,
        // "LAYER EXPERT COUNT\n" for every counter that is not zero, in any order, then "ok".
        ["counts"] => None,
        // Write the history; "error" when it could not be written.
        ["save", _path] => None,
        // A verb of an extra role or of a later protocol.
        _ => None,
    }
}

fn main() -> io::Result<()> {
    let mut session = Session;
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let answered = answer(&mut session, line?.trim_end_matches('\r'));
        writeln!(out, "{}", answered.unwrap_or_else(|| "unsupported".to_string()))?;
        out.flush()?; // the harness waits for every answer
    }
    Ok(())
}
