//! A model of the engine's queue, for estimating waits.
//!
//! The engine computes a fixed number of sentences concurrently. Each request asks for one sentence
//! at a time, and accounts take turns. A new request therefore waits for the waiting sentences of
//! its own account, and for as many of each other account. Work is counted in seconds of audio,
//! without explicit pauses, which cost nothing. The caller passes the current time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use speech_base::fair_queue::FairQueue;

use crate::keys::Account;

/// The assumed duration of a sentence before the text is analyzed, in seconds.
const TYPICAL_SENTENCE: f64 = 6.0;

/// The maximum duration that the engine computes at once. A longer sentence is computed in parts,
/// and other requests may come between them. Otherwise, a turn in this file is that of a live
/// session.
const LONGEST_TURN: f64 = 16.0;

/// The weight of the newest measurement in the moving average of the speed.
const WEIGHT: f64 = 0.2;

/// The maximum number of sentences that a simulation processes.
const HORIZON: usize = 200;

/// The requests and their waiting sentences.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    /// The number of sentences that are computed concurrently.
    slots: usize,
    /// The real-time speed of each slot, in seconds of audio per second: a moving average.
    speed: f64,
    requests: BTreeMap<u64, Request>,
    /// The requests whose sentence is being computed, and since when, in order.
    running: Vec<(u64, Instant)>,
    /// The requests that wait for their next sentence to begin.
    waiting: FairQueue<Account, u64>,
    next: u64,
}

#[derive(Clone, Debug)]
struct Request {
    account: Account,
    /// The average duration of its sentences, in seconds.
    sentence: f64,
    /// The number of sentences that are not computed yet.
    left: usize,
    /// Whether it waits or is being computed. False while the client reads the latest sentence.
    asks: bool,
    spoke: bool,
    /// Whether it is a turn of a live session. A turn asks when it has text, and does not count as
    /// a request.
    is_turn: bool,
    /// Whether it is a turn that asks soon: it has text, and waits for the playback of earlier
    /// audio.
    is_due: bool,
}

impl Queue {
    /// `speed` is that of one sentence, in seconds of audio per second.
    pub(crate) fn new(slots: usize, speed: f64) -> Self {
        let (requests, running, waiting) = (BTreeMap::new(), Vec::new(), FairQueue::new());
        Self { slots, speed, requests, running, waiting, next: 0 }
    }

    /// Adds a request of about this many seconds, which asks for its first sentence.
    pub(crate) fn add(&mut self, account: &Account, seconds: f64, now: Instant) -> u64 {
        let id = self.next;
        self.next += 1;
        let sentence = seconds.min(TYPICAL_SENTENCE);
        let left = (seconds / sentence).ceil() as usize;
        self.insert(id, account, sentence, left, false);
        self.ask(id, now);
        id
    }

    /// Adds a turn of a live session, which does not ask yet.
    pub(crate) fn add_turn(&mut self, account: &Account) -> u64 {
        let id = self.next;
        self.next += 1;
        self.insert(id, account, TYPICAL_SENTENCE, 0, true);
        id
    }

    fn insert(&mut self, id: u64, account: &Account, sentence: f64, left: usize, is_turn: bool) {
        let account = account.clone();
        let (asks, spoke, is_due) = (false, false, false);
        let request = Request { account, sentence, left, asks, spoke, is_turn, is_due };
        self.requests.insert(id, request);
    }

    /// Marks a turn that asks soon, so that new requests may have to wait for it.
    pub(crate) fn expect(&mut self, id: u64) {
        if let Some(request) = self.requests.get_mut(&id) {
            request.is_due = true;
        }
    }

    /// Notes the number of sentences of a request.
    pub(crate) fn read(&mut self, id: u64, seconds: f64, sentences: usize) {
        let Some(request) = self.requests.get_mut(&id) else { return };
        request.left = sentences;
        request.sentence = (seconds / sentences.max(1) as f64).min(LONGEST_TURN);
    }

    /// Asks for the next sentence of a request, unless it asks already.
    pub(crate) fn ask(&mut self, id: u64, now: Instant) {
        let Some(request) = self.requests.get_mut(&id) else { return };
        request.is_due = false;
        if !std::mem::replace(&mut request.asks, true) {
            self.waiting.push(request.account.clone(), id);
            self.start(now);
        }
    }

    /// Notes that a sentence or a part of it was computed, with its duration if known.
    pub(crate) fn give(&mut self, id: u64, seconds: Option<f64>, is_whole: bool, now: Instant) {
        let began = self.stop(id);
        let Some(request) = self.requests.get_mut(&id) else { return };
        request.asks = false;
        request.is_due = request.is_turn && !is_whole;
        request.left = request.left.saturating_sub(usize::from(is_whole));
        if let Some(seconds) = seconds {
            // A spelled text takes longer than words, and its next sentence will too.
            request.sentence = f64::midpoint(request.sentence, seconds).min(LONGEST_TURN);
        }
        // Later sentences are computed while the client reads earlier ones, for an unknown time. An
        // early part of a sentence takes longer than its audio suggests, and the rest shorter.
        let is_first = !std::mem::replace(&mut request.spoke, true);
        if let Some((began, seconds)) = began.filter(|_| is_first && is_whole).zip(seconds) {
            let speed = seconds / now.saturating_duration_since(began).as_secs_f64().max(1e-6);
            self.speed += WEIGHT * (speed - self.speed);
        }
        self.start(now);
    }

    /// Notes that nothing more is computed for a request, or for a turn until it asks again.
    pub(crate) fn finish(&mut self, id: u64, now: Instant) {
        if let Some(request) = self.requests.get_mut(&id) {
            (request.left, request.asks, request.is_due) = (0, false, false);
        }
        self.stop(id);
        self.start(now);
    }

    pub(crate) fn remove(&mut self, id: u64, now: Instant) {
        self.requests.remove(&id);
        self.stop(id);
        self.start(now);
    }

    /// Whether the first sentence of a request has not begun.
    pub(crate) fn is_waiting(&self, id: u64) -> bool {
        let asks = self.requests.get(&id).is_some_and(|request| request.asks && !request.spoke);
        asks && !self.running.iter().any(|(running, _)| *running == id)
    }

    /// The number of requests, without turns.
    pub(crate) fn len(&self) -> usize {
        self.requests.values().filter(|request| !request.is_turn).count()
    }

    /// The slots, those that compute, and the sentences that are computed or asked for.
    pub(crate) fn demand(&self) -> [usize; 3] {
        let asks = self.requests.values().filter(|request| request.asks || request.is_due);
        [self.slots, self.running.len(), asks.count()]
    }

    /// The number of requests of an account, without turns.
    pub(crate) fn of_account(&self, account: &Account) -> usize {
        let of_account = self.requests.values().filter(|request| request.account == *account);
        of_account.filter(|request| !request.is_turn).count()
    }

    /// Whether an account asks for a sentence, or has a turn that asks soon.
    pub(crate) fn asks(&self, account: &Account) -> bool {
        let mut of_account = self.requests.values().filter(|it| it.account == *account);
        of_account.any(|request| request.asks || request.is_due)
    }

    /// The estimated wait of a new request behind the waiting ones, if all turns that ask soon ask
    /// now. Sentences in progress are not counted; they delay it by at most
    /// [`longest_turn`](Self::longest_turn).
    pub(crate) fn wait(&self, account: &Account) -> Duration {
        if self.requests.values().any(|request| request.is_due) {
            let (mut later, now) = (self.clone(), Instant::now());
            let due = self.requests.iter().filter(|(_, request)| request.is_due);
            due.for_each(|(id, _)| later.ask(*id, now));
            return later.wait(account);
        }
        self.time(self.waiting.before(account).map(|id| self.requests[id].sentence).sum())
    }

    /// The longest time until the sentences in progress are computed.
    pub(crate) fn longest_turn(&self) -> Duration {
        self.time(LONGEST_TURN * self.slots as f64)
    }

    /// When `has_room` will be true, if no other request arrives and clients read at once. The
    /// simulation is limited, so the actual time may be longer.
    pub(crate) fn until(&self, has_room: impl Fn(&Self) -> bool) -> Duration {
        let (mut later, mut seconds, now) = (self.clone(), 0.0, Instant::now());
        later.requests.retain(|_, it| it.left > 0 || it.asks || it.is_due);
        self.requests.keys().for_each(|id| later.ask(*id, now));
        for _ in 0..HORIZON {
            let Some((id, _)) = later.running.first().copied().filter(|_| !has_room(&later)) else {
                break;
            };
            seconds += later.requests[&id].sentence;
            later.give(id, None, true, now);
            if later.requests[&id].left > 0 {
                later.ask(id, now);
            } else {
                later.remove(id, now);
            }
        }
        self.time(seconds)
    }

    /// Begins waiting sentences while slots are free.
    fn start(&mut self, now: Instant) {
        while self.running.len() < self.slots
            && let Some(id) = self.waiting.pop()
        {
            self.running.push((id, now));
        }
    }

    /// Removes a request from the waiting and running ones. Returns when its sentence began, if it
    /// did.
    fn stop(&mut self, id: u64) -> Option<Instant> {
        self.waiting.remove(|waiting| *waiting == id);
        let place = self.running.iter().position(|(running, _)| *running == id)?;
        Some(self.running.remove(place).1)
    }

    /// The time that all slots need for this many seconds of audio.
    fn time(&self, seconds: f64) -> Duration {
        let time = seconds / (self.speed * self.slots as f64);
        Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(name: &str) -> Account {
        Account(name.into())
    }

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn a_request_waits_for_those_of_its_account_that_wait() {
        // Two sentences at once, each with half a second of sound a second.
        let (mut queue, now) = (Queue::new(2, 0.5), Instant::now());
        let (a, b) = (account("a"), account("b"));
        let first = queue.add(&a, 100.0, now);
        let second = queue.add(&a, 4.0, now);
        assert_eq!(queue.wait(&a), seconds(0.0), "both are being computed");
        let third = queue.add(&a, 2.0, now);
        let fourth = queue.add(&a, 100.0, now);
        assert_eq!([second, third].map(|id| queue.is_waiting(id)), [false, true]);
        // As long as the text is not read, six seconds of it.
        assert_eq!(queue.wait(&a), seconds(8.0));
        queue.read(fourth, 100.0, 25);
        assert_eq!(queue.wait(&a), seconds(6.0));
        // Another account has the next turn, and then waits for one of this.
        assert_eq!(queue.wait(&b), seconds(0.0));
        let other = queue.add(&b, 3.0, now);
        assert_eq!(queue.wait(&b), seconds(5.0));
        assert_eq!(queue.wait(&account("c")), seconds(3.0));
        queue.give(first, Some(4.0), true, now + seconds(8.0));
        assert!(!queue.is_waiting(other) && queue.is_waiting(third));
        // One that asks for its next sentence is behind the others, and has begun to speak.
        queue.ask(first, now);
        assert!(!queue.is_waiting(first));
        queue.remove(third, now);
        queue.give(second, Some(4.0), true, now + seconds(8.0));
        // Its client takes its time, and is not waited for.
        assert!(!queue.is_waiting(fourth));
        queue.remove(first, now);
        assert_eq!(queue.wait(&a), seconds(0.0));
    }

    #[test]
    fn a_text_that_takes_longer_than_thought_is_waited_for() {
        let (mut queue, now) = (Queue::new(1, 1.0), Instant::now());
        queue.add(&account("b"), 1.0, now);
        let id = queue.add(&account("a"), 70.0, now);
        queue.read(id, 70.0, 70);
        assert_eq!(queue.wait(&account("a")), seconds(1.0));
        // Each part takes sixteen seconds, and only the last of them ends a sentence.
        for is_whole in [false, false, true] {
            queue.give(id, Some(16.0), is_whole, now + seconds(16.0));
            queue.ask(id, now);
        }
        let wait = queue.wait(&account("a"));
        assert!(wait > seconds(14.0), "{wait:?}");
        assert_eq!(queue.requests[&id].left, 69);
        // One sentence of a minute is computed in turns.
        queue.read(id, 60.0, 1);
        assert_eq!(queue.wait(&account("a")), seconds(16.0));
        assert_eq!(queue.longest_turn(), seconds(16.0));
    }

    #[test]
    fn the_speed_is_measured() {
        let (mut queue, mut now) = (Queue::new(1, 1.0), Instant::now());
        for _ in 0..50 {
            let id = queue.add(&account("a"), 6.0, now);
            queue.read(id, 6.0, 2);
            now += seconds(0.1);
            queue.give(id, Some(3.0), true, now);
            // A client that is slow to take a sentence does not make the engine slow, nor fast.
            now += seconds(100.0);
            queue.ask(id, now);
            queue.give(id, Some(3.0), true, now);
            queue.remove(id, now);
        }
        assert!((queue.speed - 30.0).abs() < 0.1, "{}", queue.speed);
        // What waits in the queue is no part of the measurement, nor is what begins with a pause.
        let one = queue.add(&account("a"), 3.0, now);
        let two = queue.add(&account("a"), 3.0, now);
        queue.give(one, Some(3.0), true, now + seconds(0.1));
        queue.give(two, Some(3.0), true, now + seconds(0.2));
        let early = queue.add(&account("a"), 3.0, now);
        queue.give(early, Some(0.1), false, now + seconds(0.5));
        queue.remove(early, now);
        let three = queue.add(&account("a"), 3.0, now);
        queue.give(three, None, false, now + seconds(5.0));
        queue.give(three, Some(3.0), true, now + seconds(5.0));
        assert!((queue.speed - 30.0).abs() < 0.1, "{}", queue.speed);
    }

    #[test]
    fn a_turn_counts_while_it_asks() {
        let (mut queue, now) = (Queue::new(1, 1.0), Instant::now());
        let (a, b) = (account("a"), account("b"));
        let turn = queue.add_turn(&a);
        assert_eq!((queue.len(), queue.of_account(&a), queue.asks(&a)), (0, 0, false));
        let request = queue.add(&b, 2.0, now);
        assert!(!queue.is_waiting(request), "a turn that waits for text is before nobody");
        queue.ask(turn, now);
        assert!(queue.asks(&a));
        assert_eq!(queue.wait(&b), seconds(TYPICAL_SENTENCE));
        queue.finish(turn, now);
        assert_eq!(queue.wait(&b), seconds(0.0));
        assert_eq!(queue.until(|later| later.len() == 0), seconds(2.0));
        queue.ask(turn, now);
        queue.remove(request, now);
        queue.give(turn, Some(4.0), true, now + seconds(4.0));
        queue.ask(turn, now);
        queue.remove(turn, now);
        assert!(!queue.asks(&a));
    }

    #[test]
    fn a_turn_that_asks_soon_is_waited_for() {
        let (mut queue, now) = (Queue::new(1, 1.0), Instant::now());
        let (a, b) = (account("a"), account("b"));
        let turns = [(); 3].map(|()| queue.add_turn(&a));
        turns.iter().for_each(|turn| queue.expect(*turn));
        // One of them is computed at once, and then it is the turn of the other account.
        assert_eq!(queue.wait(&a), seconds(2.0 * TYPICAL_SENTENCE));
        assert_eq!(queue.wait(&b), seconds(0.0));
        assert!(turns.iter().all(|turn| !queue.is_waiting(*turn)), "none has asked");
        let short = |later: &Queue| later.wait(&a) <= seconds(TYPICAL_SENTENCE);
        assert_eq!(queue.until(short), seconds(TYPICAL_SENTENCE));
        queue.ask(turns[0], now);
        assert_eq!(queue.wait(&a), seconds(2.0 * TYPICAL_SENTENCE), "it is counted once");
        // Of a sentence that comes in parts, the rest is to come.
        queue.give(turns[0], Some(1.0), false, now + seconds(1.0));
        assert_eq!(queue.wait(&a), seconds(6.0 + 6.0));
        turns.iter().for_each(|turn| queue.finish(*turn, now));
        assert_eq!(queue.wait(&a), seconds(0.0));
    }

    #[test]
    fn room_comes_when_requests_end() {
        let (mut queue, now) = (Queue::new(1, 1.0), Instant::now());
        for (name, sentences) in [("a", 1), ("a", 3), ("b", 2)] {
            let all = 2.0 * sentences as f64;
            let id = queue.add(&account(name), all, now);
            queue.read(id, all, sentences);
        }
        assert_eq!(queue.until(|_| true), seconds(0.0));
        // The accounts take turns, and the requests of one too: a1, b, a2, b, a2, a2.
        for (fewer_than, expected) in [(3, 2.0), (2, 8.0), (1, 12.0)] {
            assert_eq!(queue.until(|later| later.len() < fewer_than), seconds(expected));
        }
        assert_eq!(queue.until(|later| later.of_account(&account("b")) == 0), seconds(8.0));
        let short = |later: &Queue| later.wait(&account("a")) < seconds(2.0);
        assert_eq!(queue.until(short), seconds(8.0));
        // A text that goes on and on is not followed to its end.
        let mut queue = Queue::new(1, 1.0);
        let id = queue.add(&account("a"), 1e6, now);
        queue.read(id, 1e6, 1_000_000);
        assert_eq!(queue.until(|later| later.len() == 0), seconds(200.0));
    }
}
