//! The trace stream: one line for each routing decision, in the file that ROUTE_TRACE names.

use std::env;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

pub struct Trace {
    file: Option<File>,
    call: u64,
}

impl Trace {
    /// Start the trace anew. Unset or empty: none (T08). It cannot be opened: the run goes on without one (T11).
    pub fn open() -> Trace {
        let path = env::var("ROUTE_TRACE").unwrap_or_default();
        let mut file = None;
        if !path.is_empty() {
            match File::create(&path) {
                Ok(created) => file = Some(created),
                Err(error) => eprintln!("[TRACE] {path}: cannot be opened ({error}), going on without a trace"),
            }
        }
        Trace { file, call: 0 }
    }

    /// Write the line of one decision. `{:.4}` writes a decimal point in every locale (T09).
    pub fn decision(&mut self, row: i64, layer: i64, choices: &[(i64, f32)]) {
        let file = match self.file.as_mut() {
            Some(file) if !choices.is_empty() => file,
            _ => return,
        };
        let mut line = format!("{} {row} {layer}", self.call);
        for (expert, gate) in choices {
            let _ = write!(line, " {expert}:{gate:.4}"); // writing to a String cannot fail
        }
        line.push('\n');
        if let Err(error) = file.write_all(line.as_bytes()) {
            eprintln!("[TRACE] cannot be written ({error}), it ends here");
            self.file = None;
        }
    }

    /// The call number goes up once per moe call, not per row, also without a row (T03).
    pub fn end_call(&mut self) {
        self.call += 1;
    }
}
