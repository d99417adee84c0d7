//! A file lock, so that two processes of xtask never write the same files.

use std::fs::{File, TryLockError};

use crate::prelude::*;

/// Held until dropped; the operating system releases it if the process dies.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock; waits if another process holds it.
    pub(crate) fn acquire(path: &Path) -> Result<Self> {
        let context = || format!("cannot lock {}", path.display());
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        let file = File::create(path).with_context(context)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                note("waiting for another `cargo xtask` that is setting up");
                file.lock().with_context(context)?;
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(context),
        }
        Ok(Lock { file })
    }

    /// Takes the lock of a resource under the target directory.
    pub(crate) fn of(name: &str) -> Result<Self> {
        Self::acquire(&target().join(format!("{name}.lock")))
    }
}

impl Drop for Lock {
    /// Unlocks explicitly: closing the file would not unlock it while a newly forked child also
    /// holds it.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excludes_until_dropped() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("new/lock");
        let held = Lock::acquire(&path).unwrap();
        let other = File::create(&path).unwrap();
        assert!(matches!(other.try_lock(), Err(TryLockError::WouldBlock)));
        drop(held);
        other.try_lock().unwrap();
    }
}
