//! A Postgres server of the system in a temporary folder, for the ledger of other programs.

use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The password of the only user, `postgres`. Connections over the socket need none.
pub(crate) const PASSWORD: &str = "a-secret-word";

/// The user without rights: Postgres does not run as root.
const NOBODY: u32 = 65_534;

/// Makes a certificate for 127.0.0.1, and the one of the authority that signed it.
const CERTIFICATES: &str = "
    set -e
    new='openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
    $new -x509 -subj /CN=authority -keyout authority.key -out authority.pem
    $new -subj /CN=server -keyout server.key -out server.csr
    echo subjectAltName=IP:127.0.0.1 > names
    openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial \
        -extfile names -out server.pem
    chmod 600 server.key";

/// A running server. Dropping it ends it as a crash does.
pub(crate) struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    server: Option<Child>,
    pub(crate) port: u16,
    /// Further settings of the server.
    settings: &'static [&'static str],
}

impl Cluster {
    /// Creates a server on a free port and on a socket in its folder.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut cluster = Self { folder, programs: programs(), server: None, port, settings: &[] };
        if rustix::process::getuid().is_root() {
            std::os::unix::fs::chown(cluster.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        let password = cluster.password();
        fs::write(&password, format!("{PASSWORD}\n")).unwrap();
        fs::set_permissions(&password, std::os::unix::fs::PermissionsExt::from_mode(0o644))
            .unwrap();
        let mut init = cluster.program(&cluster.programs.join("initdb"));
        init.args(["--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256"]);
        init.args(["--no-sync", "--encoding=UTF8", "--locale=C", "--pgdata=data"]);
        let output = init.arg("--pwfile=password").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        cluster.start_again();
        cluster
    }

    /// Starts the server again, with TLS. Returns the certificate of its authority.
    pub(crate) fn start_tls(&mut self) -> PathBuf {
        self.stop();
        let output = self.program("sh".as_ref()).args(["-c", CERTIFICATES]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.settings = &["ssl=on", "ssl_cert_file=../server.pem", "ssl_key_file=../server.key"];
        self.start_again();
        self.path().join("authority.pem")
    }

    /// Starts the server after [`Self::stop`], and waits until it takes connections.
    pub(crate) fn start_again(&mut self) {
        let mut server = self.program(&self.programs.join("postgres"));
        server.args(["-D", "data", "-p", &self.port.to_string()]).arg("-k").arg(self.path());
        // The test kills processes, and not the system.
        server.args(["-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "max_connections=40"]);
        server.args(self.settings.iter().flat_map(|setting| ["-c", setting]));
        let log = fs::File::options().create(true).append(true).open(self.log()).unwrap();
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.server = Some(server.spawn().unwrap());
        let began = Instant::now();
        while self.psql("SELECT 1").is_none() {
            let log = || fs::read_to_string(self.log()).unwrap();
            assert!(began.elapsed() < Duration::from_secs(60), "{}", log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the server at once, without a checkpoint, as a crash does.
    pub(crate) fn stop(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let id = server.id().to_string();
        assert!(Command::new("kill").args(["-QUIT", &id]).status().unwrap().success());
        server.wait().unwrap();
    }

    /// The address by the socket.
    pub(crate) fn url(&self) -> String {
        let folder = self.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://postgres@{folder}:{}/postgres", self.port)
    }

    /// The address by TCP, with the password.
    pub(crate) fn tcp_url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The file with the password.
    pub(crate) fn password(&self) -> PathBuf {
        self.path().join("password")
    }

    /// The rows of a query, with tabs between their values.
    pub(crate) fn query(&self, sql: &str) -> Vec<String> {
        let rows = self.psql(sql).unwrap_or_else(|| panic!("{sql}"));
        rows.lines().map(str::to_owned).collect()
    }

    fn psql(&self, sql: &str) -> Option<String> {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-U", "postgres", "-p", &self.port.to_string(), "-h"]).arg(self.path());
        psql.env("PGOPTIONS", "-c search_path=speech_http");
        psql.args(["-X", "-q", "-t", "-A", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql]);
        let output = psql.output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    }

    fn program(&self, path: &Path) -> Command {
        let mut program = Command::new(path);
        program.current_dir(self.path());
        if rustix::process::getuid().is_root() {
            program.uid(NOBODY).gid(NOBODY);
        }
        program
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn log(&self) -> PathBuf {
        self.path().join("log")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The folder of the newest server that Debian's packages have installed.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").expect("Postgres is not installed");
    let newest = versions
        .map(|version| version.unwrap().path())
        .max_by_key(|path| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()));
    newest.expect("Postgres is not installed").join("bin")
}
