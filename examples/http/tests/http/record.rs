//! The record, on a disk that is full or loses its power.

use std::collections::HashMap;
use std::fs;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;

use crate::account::names;
use crate::disk::Disk;
use crate::server::{Server, Voices, program, until};

#[test]
fn a_full_disk_loses_and_doubles_nothing() {
    let mut server = Server::start(Voices::Fake, &[]);
    let (disk, full) = (Disk::build(&server.path("")), server.path("full"));
    let mut serve = program();
    disk.holds(&server.path("usage.db"), &mut serve);
    serve.env("DISK_FULL", &full);
    server.restart_as(serve, &[]);
    let text = "Many words at once. ".repeat(45);
    let mut client = server.client();
    client.ask_to_speak(&server.key, &format!("{{\"text\": \"{text}\", \"format\": \"pcm\"}}"));
    let mut response = client.head().unwrap();
    fs::write(&full, "").unwrap();
    thread::scope(|scope| {
        let spoken = scope.spawn(|| client.body(&mut response).map(|()| response.body.len()));
        let refused = server.speak("{\"text\": \"Hi.\"}");
        assert_eq!((refused.status, &*refused.refusal()), (500, "internal"));
        assert_eq!(server.get("/readyz").status, 503);
        fs::remove_file(&full).unwrap();
        assert!(spoken.join().unwrap().unwrap() > 1_000_000);
    });
    assert!(until(Duration::from_secs(10), || server.get("/readyz").status == 200));
    for _ in 0..2 {
        let recorded =
            ["complete", "started", "interrupted", "internal"].map(|it| server.recorded(it));
        assert_eq!(recorded, [1, 0, 0, 0]);
        server.restart(&[]);
    }
}

/// Whose answer had begun is recorded, and whose answer was whole is recorded as complete.
#[test]
fn a_power_cut_loses_and_doubles_nothing() {
    let mut server = Server::start(Voices::Fake, &[]);
    let disk = Disk::build(&server.path(""));
    let mut answered = HashMap::new();
    for cut in 0..8 {
        let mut serve = program();
        disk.holds(&server.path("usage.db"), &mut serve);
        serve.env("DISK_CUT", (80 + 37 * cut).to_string()).env("DISK_SEED", cut.to_string());
        server.restart_as(serve, &[]);
        let (address, key) = (server.address, &server.key);
        thread::scope(|scope| {
            let clients: Vec<_> = (0..4).map(|_| scope.spawn(|| names(address, key))).collect();
            answered.extend(clients.into_iter().flat_map(|client| client.join().unwrap()));
        });
        server.restart(&[]);
        let database = Connection::open(server.path("usage.db")).unwrap();
        let mut rows = database.prepare("SELECT request_id, outcome FROM requests").unwrap();
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let rows: Vec<(String, String)> = rows.map(Result::unwrap).collect();
        let outcomes: HashMap<_, _> = rows.iter().cloned().collect();
        assert_eq!(outcomes.len(), rows.len());
        for (name, is_whole) in &answered {
            let outcome = &*outcomes[name];
            assert!(outcome == "complete" || !is_whole && outcome == "interrupted", "{outcome}");
        }
    }
    assert!(answered.len() > 8, "{}", answered.len());
}
