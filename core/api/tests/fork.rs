//! In a child of `fork`, everything that the parent loaded, started or made is an error and never
//! blocks, and the child can load its own engine. Runs in its own process: threads of other tests
//! would hold locks too.
#![cfg(unix)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use speech_core::{
    CancelToken, Engine, Error, ErrorKind, LiveText, Request, RequestId, Result, Stream,
};
use speech_tests::fake_model;

const TEXT: &str = "One. Two. Three.";

/// The system ends a hanging child after this many seconds, far more than it needs.
const HANGS: u32 = 300;

fn load(bundle: &Path) -> Engine {
    let builder = Engine::builder().bundle(bundle).threads(2).max_concurrency(2);
    builder.load().unwrap()
}

/// The audio of the text, spoken whole, by sentences and live.
fn speak(engine: &Engine, cancel: &CancelToken) -> Result<[Vec<i16>; 3]> {
    let request = Request::new(TEXT).cancel_token(cancel);
    let chunks = engine.stream(&request)?.map(|chunk| Ok(chunk?.into_samples()));
    let streamed = chunks.collect::<Result<Vec<_>>>()?.concat();
    let (text, live) = engine.live(Request::new("").cancel_token(cancel))?;
    text.push(TEXT)?;
    drop(text);
    let live = live.map(|chunk| Ok(chunk?.into_samples())).collect::<Result<Vec<_>>>()?.concat();
    Ok([engine.synthesize(&request)?.into_samples(), streamed, live])
}

/// Runs a function in a child, which must end by itself and without a panic.
fn in_child(body: impl FnOnce()) {
    // SAFETY: the child ends before it returns from here. The test is exactly that it may call
    // functions that are not safe in a signal handler, in a process that had other threads.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        // SAFETY: a call without pointers.
        unsafe { libc::alarm(HANGS) };
        let ended = catch_unwind(AssertUnwindSafe(body)).is_ok();
        // SAFETY: a call without pointers, which ends the process.
        unsafe { libc::_exit(i32::from(!ended)) };
    }
    let mut status = 0;
    // SAFETY: the pointer is valid for writes.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0, "a child failed, or hung if it is signal {}", libc::SIGALRM);
}

/// The objects of a parent process.
struct Parent {
    engine: Engine,
    token: CancelToken,
    begun: Stream,
    fresh: Stream,
    live: Stream,
    text: LiveText,
}

impl Parent {
    fn new(bundle: &Path) -> Self {
        let (engine, token) = (load(bundle), CancelToken::new());
        let stream = || engine.stream(Request::new(TEXT).cancel_token(&token)).unwrap();
        let (mut begun, fresh) = (stream(), stream());
        begun.next().unwrap().unwrap();
        let (text, mut live) = engine.live(Request::new(TEXT).cancel_token(&token)).unwrap();
        live.next().unwrap().unwrap();
        Self { engine, token, begun, fresh, live, text }
    }

    /// Fails unless all of them are rejected. Dropping them here drops the child's copies.
    fn check_refused(self, bundle: &Path) {
        let Self { engine, token, mut begun, mut fresh, mut live, text } = self;
        let request = Request::new(TEXT);
        let refusals = [
            ("synthesize", engine.synthesize(&request).err()),
            ("clone", engine.clone().synthesize(&request).err()),
            ("warm_up", engine.warm_up().err()),
            ("stream", engine.stream(&request).err()),
            ("live", engine.live(&request).err()),
            ("stream_long", engine.stream_long(&request).err()),
            ("a stream that was begun", begun.next().and_then(Result::err)),
            ("a stream that was not", fresh.next().and_then(Result::err)),
            ("a live stream", live.next().and_then(Result::err)),
            ("push", text.push("More.").err()),
            ("the token", speak(&load(bundle), &token).err()),
            ("a child of it", speak(&load(bundle), &token.child()).err()),
        ];
        for (what, error) in refusals {
            let error = error.unwrap_or_else(|| panic!("{what}"));
            assert_eq!(error.kind(), ErrorKind::InvalidRequest, "{what}: {error}");
            assert!(error.message().contains("before fork()"), "{what}: {error}");
        }
        assert!(begun.next().is_none() && fresh.next().is_none() && live.next().is_none());
        engine.trim();
        token.cancel();
        live.cancel_token().cancel();
        text.flush();
        text.finish();
        assert!(!token.is_cancelled());
        assert_eq!((text.characters(), text.heard_at(9.0), live.characters()), (0, 0, 0));
        assert!(text.diagnostics().is_empty() && live.diagnostics().is_empty());
        assert_eq!((engine.threads(), engine.backend()), (2, begun.backend()));
    }
}

#[test]
fn a_child_neither_uses_nor_waits_for_what_its_parent_has() {
    let dir = tempfile::tempdir().unwrap();
    let bundle = dir.path();
    fake_model::write(bundle).unwrap();

    // While a thread uses the library for the first time: lazily computed values may be half
    // computed.
    std::thread::scope(|scope| {
        scope.spawn(|| speak(&load(bundle), &CancelToken::new()).unwrap());
        for _ in 0..5 {
            in_child(|| drop(speak(&load(bundle), &CancelToken::new()).unwrap()));
        }
    });

    let engine = load(bundle);
    let expected = speak(&engine, &CancelToken::new()).unwrap();
    assert!(expected[1..].iter().all(|other| *other == expected[0]));
    let stop = AtomicBool::new(false);
    let token = CancelToken::new();
    std::thread::scope(|scope| {
        for busy in 0..4 {
            let (engine, token, stop) = (&engine, &token, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::SeqCst) {
                    drop((Error::new(ErrorKind::Internal, ""), token.child()));
                    let own = (busy == 0).then(|| load(bundle));
                    speak(own.as_ref().unwrap_or(engine), token).unwrap();
                }
            });
        }
        for _ in 0..10 {
            let parent = Parent::new(bundle);
            in_child(|| parent.check_refused(bundle));
        }
        for _ in 0..10 {
            in_child(|| {
                assert!(speak(&engine, &CancelToken::new()).is_err());
                let own = load(bundle);
                assert!(speak(&own, &CancelToken::new()).unwrap() == expected);
                in_child(|| {
                    assert!(own.warm_up().is_err());
                    assert!(speak(&load(bundle), &CancelToken::new()).unwrap() == expected);
                });
            });
        }
        stop.store(true, Ordering::SeqCst);
    });

    // The children's actions do not affect the parent.
    let Parent { begun, fresh, live, text, token, .. } = Parent::new(bundle);
    in_child(|| token.cancel());
    text.finish();
    let counts = [begun.map(Result::unwrap).count(), fresh.map(Result::unwrap).count()];
    assert_eq!((counts, live.map(Result::unwrap).count()), ([2, 3], 2));
}

#[test]
fn a_child_has_identifiers_of_its_own() {
    let (mut read, write) = std::io::pipe().unwrap();
    // The same millisecond may continue in the child.
    RequestId::new();
    in_child(|| {
        use std::io::Write;
        (&write).write_all(RequestId::new().to_string().as_bytes()).unwrap();
    });
    let here = RequestId::new().to_string();
    let mut there = [0; 36];
    std::io::Read::read_exact(&mut read, &mut there).unwrap();
    assert_ne!(std::str::from_utf8(&there).unwrap(), here);
}
