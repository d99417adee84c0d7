//! The requests for speech that are being answered, as the engine meets them.
//!
//! The engine computes sentences in the order in which they are asked for, some at once, and each request asks for one at a
//! time. So whoever comes now waits for one sentence of each request. Work is counted in seconds of sound, without the pauses that
//! the text asks for: those are not computed. Times are given by the caller.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::keys::Account;

/// The seconds of a sentence before the text is read.
const TYPICAL_SENTENCE: f64 = 6.0;

/// The most seconds that the engine computes at once: a longer sentence comes in parts, and each waits for its turn.
const LONGEST_TURN: f64 = 16.0;

/// The weight of the newest measurement in the speed.
const WEIGHT: f64 = 0.2;

/// The requests, and the sentences that they wait for.
#[derive(Debug)]
pub(crate) struct Queue {
    /// Sentences that are computed at once.
    slots: usize,
    /// Seconds of sound that each of them is computed with in a second: a moving average.
    speed: f64,
    requests: BTreeMap<u64, Request>,
    /// The sentences that were asked for, in their order.
    sentences: BTreeMap<u64, Sentence>,
    next: u64,
}

#[derive(Clone, Debug)]
struct Request {
    account: Account,
    /// The seconds of one of its sentences, on average.
    sentence: f64,
    /// Sentences that are not computed yet.
    left: usize,
    /// The sentence that it waits for; none while the client takes the last.
    waits_for: Option<u64>,
    spoke: bool,
}

#[derive(Debug)]
struct Sentence {
    seconds: f64,
    /// When the engine began to compute it.
    began: Option<Instant>,
}

/// A request that is before others.
#[derive(Debug)]
pub(crate) struct Ahead<'a> {
    pub(crate) account: &'a Account,
    sentence: f64,
    left: usize,
}

impl Queue {
    /// `speed` is that of one sentence, in seconds of sound a second.
    pub(crate) fn new(slots: usize, speed: f64) -> Self {
        let (requests, sentences) = (BTreeMap::new(), BTreeMap::new());
        Self { slots, speed, requests, sentences, next: 0 }
    }

    /// Adds a request of about so many seconds, which asks for its first sentence.
    pub(crate) fn add(&mut self, account: &Account, seconds: f64, now: Instant) -> u64 {
        let id = self.number();
        let sentence = seconds.min(TYPICAL_SENTENCE);
        let request = Request {
            account: account.clone(),
            sentence,
            left: (seconds / sentence).ceil() as usize,
            waits_for: None,
            spoke: false,
        };
        self.requests.insert(id, request);
        self.ask(id, now);
        id
    }

    /// Notes how many sentences the text of a request has.
    pub(crate) fn read(&mut self, id: u64, seconds: f64, sentences: usize) {
        let Some(request) = self.requests.get_mut(&id) else { return };
        request.left = sentences;
        request.sentence = (seconds / sentences.max(1) as f64).min(LONGEST_TURN);
        let waits_for = request.waits_for.and_then(|number| self.sentences.get_mut(&number));
        if let Some(sentence) = waits_for {
            sentence.seconds = request.sentence;
        }
    }

    /// A request asks for its next sentence, unless it waits for one.
    pub(crate) fn ask(&mut self, id: u64, now: Instant) {
        let number = self.number();
        let Some(request) = self.requests.get_mut(&id) else { return };
        if request.waits_for.is_none() {
            request.waits_for = Some(number);
            let sentence = Sentence { seconds: request.sentence, began: None };
            self.sentences.insert(number, sentence);
            self.start(now);
        }
    }

    /// A request has its next sentence, or a part of it, of so many seconds; none if they are not known.
    pub(crate) fn give(&mut self, id: u64, seconds: Option<f64>, is_whole: bool, now: Instant) {
        let Some(request) = self.requests.get_mut(&id) else { return };
        request.left = request.left.saturating_sub(usize::from(is_whole));
        if let Some(seconds) = seconds {
            // A text that is spelled takes longer than one of words: the next sentence of it will too.
            request.sentence = f64::midpoint(request.sentence, seconds).min(LONGEST_TURN);
        }
        let is_first = !std::mem::replace(&mut request.spoke, true);
        let sentence = request.waits_for.take().and_then(|number| self.sentences.remove(&number));
        // The engine computes later sentences while the client takes those before, for a time that is not known here.
        let began = sentence.and_then(|sentence| sentence.began).filter(|_| is_first);
        if let Some((began, seconds)) = began.zip(seconds) {
            let speed = seconds / now.saturating_duration_since(began).as_secs_f64().max(1e-6);
            self.speed += WEIGHT * (speed - self.speed);
        }
        self.start(now);
    }

    pub(crate) fn remove(&mut self, id: u64, now: Instant) {
        let request = self.requests.remove(&id);
        if let Some(number) = request.and_then(|request| request.waits_for) {
            self.sentences.remove(&number);
        }
        self.start(now);
    }

    /// Whether the engine has not begun with the first sentence of a request.
    pub(crate) fn is_waiting(&self, id: u64) -> bool {
        let silent = self.requests.get(&id).filter(|request| !request.spoke);
        let number = silent.and_then(|request| request.waits_for);
        let sentence = number.and_then(|number| self.sentences.get(&number));
        sentence.is_some_and(|sentence| sentence.began.is_none())
    }

    /// How long a request that came now would wait until the engine begins with it.
    pub(crate) fn wait(&self) -> Duration {
        self.until_begun(self.sentences.values().map(|sentence| sentence.seconds))
    }

    /// The same, behind these.
    pub(crate) fn wait_behind(&self, ahead: &[Ahead]) -> Duration {
        self.until_begun(ahead.iter().map(|ahead| ahead.sentence))
    }

    pub(crate) fn ahead(&self) -> Vec<Ahead<'_>> {
        let ahead = self.requests.values().map(|request| Ahead {
            account: &request.account,
            sentence: request.sentence,
            left: request.left,
        });
        ahead.collect()
    }

    /// When there will be room, if nobody else comes: each request gets a sentence in turn until it has all.
    pub(crate) fn until(&self, has_room: impl Fn(&[Ahead]) -> bool) -> Duration {
        let (mut ahead, mut seconds) = (self.ahead(), 0.0);
        while !ahead.is_empty() && !has_room(&ahead) {
            let speaking = ahead.iter().filter(|request| request.left > 0);
            seconds += self.seconds(speaking.map(|request| request.sentence));
            for request in &mut ahead {
                request.left = request.left.saturating_sub(1);
            }
            ahead.retain(|request| request.left > 0);
        }
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn start(&mut self, now: Instant) {
        for sentence in self.sentences.values_mut().take(self.slots) {
            sentence.began.get_or_insert(now);
        }
    }

    fn until_begun(&self, sentences: impl ExactSizeIterator<Item = f64>) -> Duration {
        if sentences.len() < self.slots {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(self.seconds(sentences)).unwrap_or(Duration::MAX)
    }

    /// The time that all slots together need for this.
    fn seconds(&self, sentences: impl Iterator<Item = f64>) -> f64 {
        sentences.sum::<f64>() / (self.speed * self.slots as f64)
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
    fn a_request_waits_for_a_sentence_of_each_before_it() {
        // Two sentences at once, each with half a second of sound a second.
        let (mut queue, now) = (Queue::new(2, 0.5), Instant::now());
        assert_eq!(queue.wait(), seconds(0.0));
        let first = queue.add(&account("a"), 100.0, now);
        assert_eq!(queue.wait(), seconds(0.0), "one of the two is free");
        let second = queue.add(&account("a"), 4.0, now);
        // As long as the texts are not read, six seconds and all four.
        assert_eq!(queue.wait(), seconds(10.0));
        queue.read(first, 100.0, 50);
        assert_eq!(queue.wait(), seconds(6.0));
        let third = queue.add(&account("b"), 2.0, now);
        assert_eq!([first, second, third].map(|id| queue.is_waiting(id)), [false, false, true]);
        assert_eq!(queue.wait(), seconds(8.0));
        // A request that asks for its next sentence is behind the others.
        queue.give(first, Some(2.0), true, now + seconds(4.0));
        assert!(!queue.is_waiting(third));
        queue.ask(first, now);
        assert_eq!(queue.sentences.keys().len(), 3);
        assert!(!queue.is_waiting(first), "it has begun to speak");
        // One whose client takes its time is not waited for.
        queue.give(second, Some(4.0), true, now + seconds(8.0));
        assert_eq!(queue.wait(), seconds(4.0));
        queue.remove(third, now);
        queue.remove(first, now);
        assert_eq!(queue.wait(), seconds(0.0));
    }

    #[test]
    fn a_text_that_takes_longer_than_thought_is_waited_for() {
        let (mut queue, now) = (Queue::new(1, 1.0), Instant::now());
        let id = queue.add(&account("a"), 70.0, now);
        queue.read(id, 70.0, 70);
        assert_eq!(queue.wait(), seconds(1.0));
        // Each part takes sixteen seconds, and only the last of them ends a sentence.
        for is_whole in [false, false, true] {
            queue.give(id, Some(16.0), is_whole, now + seconds(16.0));
            queue.ask(id, now);
        }
        assert!(queue.wait() > seconds(14.0), "{:?}", queue.wait());
        assert_eq!(queue.requests[&id].left, 69);
        // One sentence of a minute is computed in turns.
        queue.read(id, 60.0, 1);
        assert_eq!(queue.wait(), seconds(16.0));
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
        let three = queue.add(&account("a"), 3.0, now);
        queue.give(three, None, false, now + seconds(5.0));
        queue.give(three, Some(3.0), true, now + seconds(5.0));
        assert!((queue.speed - 30.0).abs() < 0.1, "{}", queue.speed);
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
        // A round of three sentences, one of two, and one of one.
        for (fewer_than, expected) in [(3, 6.0), (2, 10.0), (1, 12.0)] {
            assert_eq!(queue.until(|ahead| ahead.len() < fewer_than), seconds(expected));
        }
        let of_b = |ahead: &[Ahead]| ahead.iter().filter(|it| &*it.account.0 == "b").count();
        assert_eq!(queue.until(|ahead| of_b(ahead) == 0), seconds(10.0));
        let short = |ahead: &[Ahead]| queue.wait_behind(ahead) <= seconds(4.0);
        assert_eq!(queue.until(short), seconds(6.0));
    }
}
