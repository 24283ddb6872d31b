//! Files that are read and written: none of them twice, and nothing is replaced before there is something in its place.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// More links than this lead in a circle.
const LINKS: usize = 40;

/// Two files of a command that are one.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum Clash {
    /// What is read would be lost.
    #[error("{} would be read and written; name another", .0.display())]
    Read(PathBuf),
    /// One of the two would be lost.
    #[error("{} would be written twice; name another", .0.display())]
    Written(PathBuf),
}

/// A file that cannot be written.
#[derive(Debug, Error)]
#[error("{path} cannot be written: {error}")]
pub struct WriteError {
    /// Its name.
    pub path: String,
    /// Why.
    pub error: io::Error,
}

/// Refuses to write to a file that is read too, or twice to one file, however its names are spelt.
pub fn check_apart<R: AsRef<Path>, W: AsRef<Path>>(read: &[R], written: &[W]) -> Result<(), Clash> {
    for (number, file) in written.iter().enumerate() {
        let names = [file.as_ref().to_owned(), draft_of(&place(file.as_ref()))];
        let met = |other: &Path| names.iter().find(|name| is_same(name, other)).cloned();
        if let Some(name) = read.iter().find_map(|other| met(other.as_ref())) {
            return Err(Clash::Read(name));
        }
        let mut others = written.iter().enumerate().filter(|(other, _)| *other != number);
        if let Some(name) = others.find_map(|(_, other)| met(other.as_ref())) {
            return Err(Clash::Written(name));
        }
    }
    Ok(())
}

/// Says now rather than after the work that a file cannot be written, and leaves everything as it is.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    if is_special(path) && !path.is_dir() {
        return Ok(());
    }
    let (place, is_new) = (place(path), !path.exists());
    let tried = File::options().append(true).create(true).open(&place);
    let tried = tried.and_then(|_| if is_new { std::fs::remove_file(&place) } else { Ok(()) });
    tried.map_err(|error| WriteError { path: path.display().to_string(), error })
}

/// Whether two names mean one file, in which something could be lost: what goes to a pipe or a device stays apart.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino()),
        (Err(_), Err(_)) => place(one) == place(other),
        _ => false,
    }
}

/// Whether something of this name is no ordinary file, which cannot be replaced by one.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file())
}

/// The file that a name means, behind links, whether it is there or not.
fn place(path: &Path) -> PathBuf {
    let folder = |name: &Path| match name.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut name = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(found) = name.canonicalize() {
            return found;
        }
        let Ok(target) = name.read_link() else { break };
        name = folder(&name).join(target);
    }
    match (folder(&name).canonicalize(), name.file_name()) {
        (Ok(folder), Some(file)) => folder.join(file),
        _ => name,
    }
}

/// The name that a file has before it is finished.
fn draft_of(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// A file that has `.part` behind its name until it takes the place of what was there. If it never does, it is removed.
pub struct NewFile {
    place: PathBuf,
    /// Nothing if it has its place, or if that is no ordinary file.
    draft: Option<PathBuf>,
}

impl NewFile {
    /// A file of this name, which is not made yet.
    pub fn new(path: &Path) -> NewFile {
        // A pipe has no name but the one that is given
        if is_special(path) {
            return NewFile { place: path.to_owned(), draft: None };
        }
        let place = place(path);
        NewFile { draft: Some(draft_of(&place)), place }
    }

    /// The name to write to.
    pub fn name(&self) -> &Path {
        self.draft.as_deref().unwrap_or(&self.place)
    }

    /// Takes its place.
    pub fn settle(&mut self) -> io::Result<()> {
        if let Some(draft) = &self.draft {
            std::fs::rename(draft, &self.place)?;
            self.draft = None;
        }
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            let _ = std::fs::remove_file(draft);
        }
    }
}

/// A text that grows part by part. What was there before stays until it is settled.
pub struct Output {
    path: String,
    name: NewFile,
    file: BufWriter<File>,
}

impl Output {
    /// A fresh file.
    pub fn create(path: &str) -> Result<Output, WriteError> {
        let name = NewFile::new(Path::new(path));
        match File::create(name.name()) {
            Ok(file) => Ok(Output { path: path.to_owned(), name, file: BufWriter::new(file) }),
            Err(error) => Err(WriteError { path: path.to_owned(), error }),
        }
    }

    /// Takes the place of what was there.
    pub fn settle(&mut self) -> Result<(), WriteError> {
        let settled = self.name.settle();
        settled.map_err(|error| self.failed(error))
    }

    /// Adds text, which is in the file when this returns.
    pub fn add(&mut self, text: &str) -> Result<(), WriteError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> WriteError {
        WriteError { path: self.path.clone(), error }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder that is removed when the test is over.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("marquetry-{}-files-{name}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn text(&self, name: &str) -> PathBuf {
            std::fs::write(self.file(name), "old").unwrap();
            self.file(name)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn one_file_is_known_by_all_its_names() {
        let folder = Folder::new("names");
        let (old, other) = (folder.text("old"), folder.text("other"));
        symlink(&old, folder.file("link")).unwrap();
        std::fs::hard_link(&old, folder.file("hard")).unwrap();
        symlink("missing", folder.file("dangling")).unwrap();
        for name in ["old", "./old", "link", "hard"] {
            let name = folder.file(name);
            assert_eq!(check_apart(&[&old], &[&other, &name]), Err(Clash::Read(name)));
        }
        let (missing, dangling) = (folder.file("./missing"), folder.file("dangling"));
        assert_eq!(check_apart::<&str, _>(&[], &[&missing, &dangling]), Err(Clash::Written(missing)));
        let draft = folder.text("new.part").canonicalize().unwrap();
        assert_eq!(check_apart(&[&draft], &[folder.file("new")]), Err(Clash::Read(draft)));
        assert_eq!(check_apart(&[&old], &[&other, &folder.file("new")]), Ok(()));
        assert_eq!(check_apart(&["/dev/null"], &["/dev/null", "/dev/null"]), Ok(()), "nothing is lost there");
    }

    #[test]
    fn what_was_there_stays_until_its_successor_is_settled() {
        let folder = Folder::new("settle");
        let old = folder.text("old");
        symlink(&old, folder.file("link")).unwrap();
        let path = folder.file("link").display().to_string();
        let mut output = Output::create(&path).unwrap();
        output.add("new").unwrap();
        drop(output);
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
        let mut output = Output::create(&path).unwrap();
        output.add("new").unwrap();
        output.settle().unwrap();
        output.add("er").unwrap();
        drop(output);
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "newer");
        assert!(folder.file("link").is_symlink(), "a link stays one");
        assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 2, "no draft is left");
    }

    #[test]
    fn a_file_is_tried_without_a_trace() {
        let folder = Folder::new("try");
        let old = folder.text("old");
        for path in [&old, &folder.file("new"), Path::new("/dev/null")] {
            check_writable(path).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
        assert!(!folder.file("new").exists());
        assert!(check_writable(&folder.0).is_err() && check_writable(&folder.file("no/such")).is_err());
    }
}
