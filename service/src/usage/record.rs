//! Where the usage records are: a file of SQLite, or a Postgres database.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::Timestamp;

use super::postgres::{Postgres, Server};
use super::reader::{self, Total};
use super::sqlite::Sqlite;
use super::{Ledger, postgres};

#[derive(clap::Args)]
pub(crate) struct RecordArgs {
    /// The usage records: a file of SQLite, or postgres://USER@HOST/DATABASE, which replicas of the service can share
    #[arg(long, value_name = "FILE|URL", default_value = "speech-http.db")]
    usage: PathBuf,
    /// The file with the password of the Postgres user, read at each connection [default: $PGPASSWORD]
    #[arg(long, value_name = "FILE")]
    usage_password: Option<PathBuf>,
}

/// Where the records are.
#[derive(Clone)]
pub(crate) enum Record {
    File(PathBuf),
    Postgres(Box<Server>),
}

impl RecordArgs {
    /// # Errors
    ///
    /// An address that is invalid, or has a password.
    pub(crate) fn record(&self) -> anyhow::Result<Record> {
        let url = self.usage.to_str().filter(|name| {
            ["postgres://", "postgresql://"].iter().any(|scheme| name.starts_with(scheme))
        });
        Ok(match url {
            Some(url) => Record::Postgres(Box::new(Server::new(url, self.usage_password.clone())?)),
            None => Record::File(self.usage.clone()),
        })
    }
}

impl Record {
    pub(super) fn is_shared(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// Opens the ledger to write it.
    pub(super) fn ledger(
        &self,
        characters_per_day: Option<u64>,
    ) -> anyhow::Result<Box<dyn Ledger>> {
        Ok(match self {
            Self::File(path) => Box::new(Sqlite::open(path).with_context(|| shown(path))?),
            Self::Postgres(server) => Box::new(Postgres::open(server, characters_per_day)?),
        })
    }

    /// The totals of an account in a period, while services may write.
    pub(crate) fn totals(
        &self,
        account: &str,
        time: Range<Timestamp>,
    ) -> anyhow::Result<Vec<Total>> {
        match self {
            Self::File(path) => reader::totals(path, account, time).with_context(|| shown(path)),
            Self::Postgres(server) => postgres::totals(server, account, time),
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
