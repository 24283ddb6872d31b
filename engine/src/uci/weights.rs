//! `weights dump FILE` and `weights load FILE`: the evaluation's numbers to a file and back.

use super::Session;

impl Session {
    /// Handles a line that begins with `weights`.
    pub(super) fn weights_command(&mut self, line: &str) {
        let mut parts = line.trim().splitn(3, char::is_whitespace).skip(1).map(str::trim);
        match (parts.next(), parts.next()) {
            (Some("dump"), Some(path)) if !path.is_empty() => self.dump_weights(path),
            (Some("load"), Some(name)) if !name.is_empty() => {
                self.finish_search();
                let remarks = self.engine.load_weights(name);
                self.remark_all(&remarks);
            }
            _ => self.remark("weights needs dump FILE or load FILE"),
        }
    }

    fn dump_weights(&self, path: &str) {
        match std::fs::write(path, self.engine.weights.to_toml()) {
            Ok(()) => self.remark(&format!("the weights {} are written to {path}", self.engine.weights.name())),
            Err(error) => self.remark(&format!("{path} cannot be written: {error}")),
        }
    }
}
