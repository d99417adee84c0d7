//! The limit of characters per account and day, in UTC.
//!
//! The record is read at the start, so a restart does not reset the counts. A day never goes
//! backward: if the clock is set back, the later day lasts until the clock reaches the next one.
//!
//! A shared ledger counts itself, by its own clock. Then this only rejects what the ledger has
//! rejected just now, before anything is computed.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::keys::Account;
use crate::usage;

/// The characters of each account today.
#[derive(Debug)]
pub(crate) struct Allowance {
    characters_per_day: u64,
    day: Date,
    spoken: HashMap<Account, u64>,
    /// With a shared ledger, how many characters an account had left, and until when that holds.
    left: Option<HashMap<Account, (u64, Timestamp)>>,
}

/// How long the answer of a shared ledger holds. A failed request may return its characters.
const LEARNED: SignedDuration = SignedDuration::from_secs(5);

/// Characters that were counted on a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    account: Account,
    characters: u64,
    day: Date,
}

/// Why characters are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exhausted {
    /// More than the daily limit, which is given.
    MoreThanADay(u64),
    /// More than are left today: how many are left, and the time until the next day.
    Today { left: u64, next_day: Duration },
}

impl Allowance {
    /// Reads today's usage from the record.
    pub(crate) fn open(
        record: &Path,
        characters_per_day: u64,
        now: Timestamp,
    ) -> anyhow::Result<Self> {
        let newest = usage::newest(record)?.map_or(Date::MIN, day);
        let day = newest.max(day(now));
        if newest > self::day(now) {
            tracing::warn!(%newest, "the record is ahead of the clock: the limit of a day is that of its newest day");
        }
        let spoken = usage::spoken(record, midnight(day))?;
        let spoken = spoken.into_iter().collect();
        Ok(Self { characters_per_day, day, spoken, left: None })
    }

    /// The allowance of a service whose ledger counts.
    pub(crate) fn of_shared(characters_per_day: u64, now: Timestamp) -> Self {
        let (spoken, left) = (HashMap::new(), Some(HashMap::new()));
        Self { characters_per_day, day: day(now), spoken, left }
    }

    /// Notes that a shared ledger has only so many characters left for an account.
    pub(crate) fn learn(&mut self, account: &Account, left: u64, now: Timestamp) -> Exhausted {
        if let Some(learned) = &mut self.left {
            learned.insert(account.clone(), (left, now + LEARNED));
        }
        self.exhausted(left, now)
    }

    fn exhausted(&self, left: u64, now: Timestamp) -> Exhausted {
        let next_day = self.day.checked_add(1.day()).map_or(now, midnight);
        let next_day = next_day.duration_since(now).try_into().unwrap_or_default();
        Exhausted::Today { left, next_day }
    }

    /// Counts characters of an account, if they are within the limit.
    pub(crate) fn count(
        &mut self,
        account: &Account,
        characters: usize,
        now: Timestamp,
    ) -> Result<Counted, Exhausted> {
        if day(now) > self.day {
            self.day = day(now);
            self.spoken.clear();
            self.left.iter_mut().for_each(HashMap::clear);
        }
        let spoken = self.spoken.entry(account.clone()).or_default();
        let characters = characters as u64;
        if characters > self.characters_per_day {
            return Err(Exhausted::MoreThanADay(self.characters_per_day));
        }
        let mut left = self.characters_per_day.saturating_sub(*spoken);
        let learned = self.left.as_ref().and_then(|learned| learned.get(account));
        if let Some((learned, until)) = learned
            && now < *until
        {
            left = left.min(*learned);
        }
        if characters > left {
            return Err(self.exhausted(left, now));
        }
        if self.left.is_none() {
            *spoken += characters;
        }
        Ok(Counted { account: account.clone(), characters, day: self.day })
    }

    /// Counts characters that were read already. If they exceed the limit, none are left today.
    pub(crate) fn spend(
        &mut self,
        account: &Account,
        characters: usize,
        now: Timestamp,
    ) -> Result<(), Exhausted> {
        let counted = self.count(account, characters, now);
        let spoken = self.spoken.entry(account.clone()).or_default();
        if counted.is_err() {
            *spoken = self.characters_per_day;
        } else if self.left.is_some() {
            // The ledger only counts characters with audio.
            *spoken += characters as u64;
        }
        counted.map(drop)
    }

    /// Returns characters that were counted today and not sent.
    pub(crate) fn give_back(&mut self, account: &Account, characters: usize) {
        let counted =
            Counted { account: account.clone(), characters: characters as u64, day: self.day };
        self.take_back(&counted);
    }

    /// Undoes a count.
    pub(crate) fn take_back(&mut self, counted: &Counted) {
        if self.left.is_some() {
            return;
        }
        let spoken = self.spoken.get_mut(&counted.account).filter(|_| counted.day == self.day);
        if let Some(spoken) = spoken {
            *spoken = spoken.saturating_sub(counted.characters);
        }
    }
}

fn day(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

fn midnight(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |time| time.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::Record;

    #[test]
    fn a_day_has_so_many_characters() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        drop(usage::Usage::open(&Record::File(path.clone()), None).unwrap());
        let evening: Timestamp = "2026-11-23T23:00:00Z".parse().unwrap();
        let mut allowance = Allowance::open(&path, 100, evening).unwrap();
        let (one, two) = (Account("one".into()), Account("two".into()));
        let first = allowance.count(&one, 60, evening).unwrap();
        let exhausted = Exhausted::Today { left: 40, next_day: Duration::from_secs(3600) };
        assert_eq!(allowance.count(&one, 41, evening), Err(exhausted));
        assert!(allowance.count(&two, 100, evening).is_ok());
        allowance.take_back(&first);
        assert!(allowance.count(&one, 100, evening).is_ok());
        let morning = evening + 2.hours();
        assert!(allowance.count(&one, 100, morning).is_ok());
        // What was counted yesterday is not taken from today.
        allowance.take_back(&first);
        let third = Account("three".into());
        assert_eq!(allowance.spend(&third, 90, morning), Ok(()));
        assert!(allowance.spend(&third, 20, morning).is_err(), "more was read than was left");
        assert!(allowance.count(&third, 1, morning).is_err());
        let exhausted = allowance.count(&one, 1, morning).unwrap_err();
        assert!(matches!(exhausted, Exhausted::Today { left: 0, .. }), "{exhausted:?}");
        let more = allowance.count(&two, 101, morning).unwrap_err();
        assert_eq!(more, Exhausted::MoreThanADay(100));
    }

    /// A step of the clock neither gives an account more than the allowance of each day, nor takes what a day has left.
    #[tokio::test]
    async fn a_day_only_goes_forward() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage.db");
        let record = usage::Usage::open(&Record::File(path.clone()), None).unwrap();
        let time = |text: &str| -> Timestamp { format!("2026-11-{text}:00Z").parse().unwrap() };
        let account = Account("one".into());
        let mut running = Allowance::open(&path, 100, time("23T12:00")).unwrap();
        for (now, characters, left) in [
            ("23T12:00", 60, None),
            ("23T23:59", 50, Some(40)),
            // The clock is set forward over midnight, and back.
            ("24T00:01", 70, None),
            ("23T12:01", 40, Some(30)),
            ("23T12:01", 20, None),
            ("24T00:02", 20, Some(10)),
            // It is set back by two days.
            ("22T12:00", 11, Some(10)),
            ("22T12:00", 10, None),
            ("24T23:59", 1, Some(0)),
            ("25T00:00", 100, None),
            ("24T23:59", 1, Some(0)),
        ] {
            let now = time(now);
            // Who starts now comes to the same.
            let mut restarted = Allowance::open(&path, 100, now).unwrap();
            for allowance in [&mut restarted, &mut running] {
                let counted = allowance.count(&account, characters, now);
                let found = counted.err().map(|exhausted| match exhausted {
                    Exhausted::Today { left, .. } => left,
                    Exhausted::MoreThanADay(_) => panic!("{exhausted:?}"),
                });
                assert_eq!(found, left, "{now}: {characters}");
            }
            if left.is_none() {
                record.begin_at(&account, characters, now).await;
            }
        }
        // The next day begins when it comes by the clock.
        let exhausted = running.count(&account, 1, time("24T23:00")).unwrap_err();
        let next_day = Duration::from_secs(25 * 3600);
        assert_eq!(exhausted, Exhausted::Today { left: 0, next_day });
    }
}
