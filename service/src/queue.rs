//! The requests for speech that are being answered, as the engine meets them.
//!
//! The engine computes some sentences at once. Each request asks for one at a time, and accounts take turns. So whoever comes now
//! waits for the sentences of its own account that wait, and for as many of each other one. Work is counted in seconds of
//! sound, without the pauses that the text asks for: those are not computed. Times are given by the caller.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use speech_base::fair_queue::FairQueue;

use crate::keys::Account;

/// The seconds of a sentence before the text is read.
const TYPICAL_SENTENCE: f64 = 6.0;

/// The most seconds that the engine computes at once: a longer sentence comes in parts, and each waits for its turn.
const LONGEST_TURN: f64 = 16.0;

/// The weight of the newest measurement in the speed.
const WEIGHT: f64 = 0.2;

/// The most sentences that are looked ahead.
const HORIZON: usize = 200;

/// The requests, and the sentences that they wait for.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    /// Sentences that are computed at once.
    slots: usize,
    /// Seconds of sound that each of them is computed with in a second: a moving average.
    speed: f64,
    requests: BTreeMap<u64, Request>,
    /// The requests that a sentence is computed for, and since when, in that order.
    running: Vec<(u64, Instant)>,
    /// The requests that wait for the engine to begin with their next sentence.
    waiting: FairQueue<Account, u64>,
    next: u64,
}

#[derive(Clone, Debug)]
struct Request {
    account: Account,
    /// The seconds of one of its sentences, on average.
    sentence: f64,
    /// Sentences that are not computed yet.
    left: usize,
    /// Whether it waits or runs: not while the client takes the last sentence.
    asks: bool,
    spoke: bool,
    /// Whether it is a turn of a live session: it asks when text is there, and has no place among requests.
    is_turn: bool,
}

impl Queue {
    /// `speed` is that of one sentence, in seconds of sound a second.
    pub(crate) fn new(slots: usize, speed: f64) -> Self {
        let (requests, running, waiting) = (BTreeMap::new(), Vec::new(), FairQueue::new());
        Self { slots, speed, requests, running, waiting, next: 0 }
    }

    /// Adds a request of about so many seconds, which asks for its first sentence.
    pub(crate) fn add(&mut self, account: &Account, seconds: f64, now: Instant) -> u64 {
        let id = self.next;
        self.next += 1;
        let sentence = seconds.min(TYPICAL_SENTENCE);
        let left = (seconds / sentence).ceil() as usize;
        let account = account.clone();
        let request =
            Request { account, sentence, left, asks: false, spoke: false, is_turn: false };
        self.requests.insert(id, request);
        self.ask(id, now);
        id
    }

    /// Adds a turn of a live session, which asks for nothing yet.
    pub(crate) fn add_turn(&mut self, account: &Account) -> u64 {
        let id = self.next;
        self.next += 1;
        let (account, sentence) = (account.clone(), TYPICAL_SENTENCE);
        let request =
            Request { account, sentence, left: 0, asks: false, spoke: false, is_turn: true };
        self.requests.insert(id, request);
        id
    }

    /// Notes how many sentences the text of a request has.
    pub(crate) fn read(&mut self, id: u64, seconds: f64, sentences: usize) {
        let Some(request) = self.requests.get_mut(&id) else { return };
        request.left = sentences;
        request.sentence = (seconds / sentences.max(1) as f64).min(LONGEST_TURN);
    }

    /// A request asks for its next sentence, unless it waits for one.
    pub(crate) fn ask(&mut self, id: u64, now: Instant) {
        let Some(request) = self.requests.get_mut(&id) else { return };
        if !std::mem::replace(&mut request.asks, true) {
            self.waiting.push(request.account.clone(), id);
            self.start(now);
        }
    }

    /// A request has its next sentence, or a part of it, of so many seconds; none if they are not known.
    pub(crate) fn give(&mut self, id: u64, seconds: Option<f64>, is_whole: bool, now: Instant) {
        let began = self.stop(id);
        let Some(request) = self.requests.get_mut(&id) else { return };
        request.asks = false;
        request.left = request.left.saturating_sub(usize::from(is_whole));
        if let Some(seconds) = seconds {
            // A text that is spelled takes longer than one of words: the next sentence of it will too.
            request.sentence = f64::midpoint(request.sentence, seconds).min(LONGEST_TURN);
        }
        // The engine computes later sentences while the client takes those before, for a time that is not known here. An early
        // part of a sentence takes longer than its sound, and the rest less.
        let is_first = !std::mem::replace(&mut request.spoke, true);
        if let Some((began, seconds)) = began.filter(|_| is_first && is_whole).zip(seconds) {
            let speed = seconds / now.saturating_duration_since(began).as_secs_f64().max(1e-6);
            self.speed += WEIGHT * (speed - self.speed);
        }
        self.start(now);
    }

    /// Nothing more is computed for a request, whose client may still take what there is; nor for a turn, until it asks again.
    pub(crate) fn finish(&mut self, id: u64, now: Instant) {
        if let Some(request) = self.requests.get_mut(&id) {
            (request.left, request.asks) = (0, false);
        }
        self.stop(id);
        self.start(now);
    }

    pub(crate) fn remove(&mut self, id: u64, now: Instant) {
        self.requests.remove(&id);
        self.stop(id);
        self.start(now);
    }

    /// Whether the engine has not begun with the first sentence of a request.
    pub(crate) fn is_waiting(&self, id: u64) -> bool {
        let asks = self.requests.get(&id).is_some_and(|request| request.asks && !request.spoke);
        asks && !self.running.iter().any(|(running, _)| *running == id)
    }

    /// How many requests there are, without turns.
    pub(crate) fn len(&self) -> usize {
        self.requests.values().filter(|request| !request.is_turn).count()
    }

    /// How many requests of an account there are, without turns.
    pub(crate) fn of_account(&self, account: &Account) -> usize {
        let of_account = self.requests.values().filter(|request| request.account == *account);
        of_account.filter(|request| !request.is_turn).count()
    }

    /// Whether an account waits for a sentence, or has one computed.
    pub(crate) fn asks(&self, account: &Account) -> bool {
        self.requests.values().any(|request| request.asks && request.account == *account)
    }

    /// How long a request of an account that came now would wait for others that wait. What is being computed comes on top:
    /// [`longest_turn`](Self::longest_turn) at most.
    pub(crate) fn wait(&self, account: &Account) -> Duration {
        self.time(self.waiting.before(account).map(|id| self.requests[id].sentence).sum())
    }

    /// How long the engine takes for the longest that it computes at once.
    pub(crate) fn longest_turn(&self) -> Duration {
        self.time(LONGEST_TURN * self.slots as f64)
    }

    /// When there will be room, if nobody else comes, and clients take at once what there is: or later, as only so many
    /// sentences are looked ahead.
    pub(crate) fn until(&self, has_room: impl Fn(&Self) -> bool) -> Duration {
        let (mut later, mut seconds, now) = (self.clone(), 0.0, Instant::now());
        later.requests.retain(|_, request| request.left > 0 || request.asks);
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

    /// The engine begins with what it can.
    fn start(&mut self, now: Instant) {
        while self.running.len() < self.slots
            && let Some(id) = self.waiting.pop()
        {
            self.running.push((id, now));
        }
    }

    /// A request neither waits nor runs. Gives when the engine began, if it did.
    fn stop(&mut self, id: u64) -> Option<Instant> {
        self.waiting.remove(|waiting| *waiting == id);
        let place = self.running.iter().position(|(running, _)| *running == id)?;
        Some(self.running.remove(place).1)
    }

    /// The time that all slots together need for so many seconds of sound.
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
