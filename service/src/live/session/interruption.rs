//! Interruptions: which words of a turn were heard, according to the client or to the clock.

use std::time::Instant;

use axum::extract::ws::Message;

use super::Session;
use super::turns::{Ended, Stopped, Turn};
use crate::lines::milliseconds;
use crate::live::event::{By, Event, TextHeard, TurnUsage};
use crate::live::message::{Interrupt, Played};
use crate::live::wire::Socket;
use crate::usage::Outcome;

/// What was heard of a turn.
#[derive(Debug)]
pub(super) struct Heard {
    turn: u64,
    /// In seconds of the turn.
    played: f64,
    by: By,
    /// The position in the text of the turn.
    bytes: usize,
    /// The seconds that were written and, by the clock, not played.
    unplayed: f64,
}

impl<S: Socket> Session<S> {
    /// The turns whose audio was written or is being written, in order.
    fn sounding(&self) -> impl DoubleEndedIterator<Item = &Turn> {
        self.sent.iter().chain(self.turns.front())
    }

    /// The seconds that were written for the turns after this one.
    fn seconds_after(&self, place: usize) -> f64 {
        self.sounding().skip(place + 1).map(|turn| turn.seconds).sum()
    }

    /// The seconds of a turn that were played, by the clock.
    fn played_by_clock(&self, place: usize) -> f64 {
        let Some(turn) = self.sounding().nth(place) else { return 0.0 };
        let unplayed = self.pace.unplayed() - self.seconds_after(place);
        turn.seconds - unplayed.clamp(0.0, turn.seconds)
    }

    pub(super) fn is_played(&self, place: usize) -> bool {
        self.pace.unplayed() <= self.seconds_after(place)
    }

    pub(super) fn play(&mut self, Played { turn: name, seconds }: &Played) {
        let is_meant = |turn: &Turn| name.as_ref().is_none_or(|name| *turn.name == **name);
        let count = self.sounding().count();
        // Without a name, the turn that is being spoken.
        let place = self.sounding().rev().position(is_meant).map(|from_end| count - 1 - from_end);
        if let Some((place, turn)) =
            place.and_then(|place| Some((place, self.sounding().nth(place)?)))
        {
            let unplayed = (turn.seconds - seconds).max(0.0);
            self.pace.set_unplayed(unplayed + self.seconds_after(place));
        }
    }

    /// Stops one turn, or the sounding turn and all turns behind it, and reports what was heard.
    pub(super) fn interrupt(&mut self, Interrupt { turn: name, played }: &Interrupt) {
        self.active = Instant::now();
        if name.is_none() {
            self.is_orphaned = false;
            // Turns that were played to the end are not meant, unless no turn followed.
            let least = usize::from(self.turns.is_empty());
            while self.sent.len() > least && self.is_played(0) {
                self.sent.pop_front();
            }
        }
        let is_meant = |turn: &Turn| name.as_ref().is_none_or(|name| *turn.name == **name);
        let all = self.sent.iter().chain(&self.turns).enumerate();
        let meant: Vec<_> =
            all.filter(|(_, turn)| is_meant(turn)).map(|(place, _)| place).collect();
        let ends: Vec<_> = meant
            .iter()
            .enumerate()
            // While the first of these turns sounds, the others have not been played.
            .map(|(index, place)| {
                (*place, played.map(|played| if index == 0 { played } else { 0.0 }))
            })
            .filter_map(|(place, played)| self.heard(place, played))
            .collect();
        let unplayed = self.pace.unplayed() - ends.iter().map(|end| end.unplayed).sum::<f64>();
        ends.into_iter().for_each(|end| self.interrupt_turn(end));
        self.pace.set_unplayed(if name.is_none() { 0.0 } else { unplayed.max(0.0) });
    }

    /// What was heard of a turn, according to the client or to the clock.
    fn heard(&self, place: usize, played: Option<f64>) -> Option<Heard> {
        let turn = self.sent.iter().chain(&self.turns).nth(place)?;
        let by = if played.is_some() { By::Client } else { By::Clock };
        // No audio of waiting turns was written.
        let by_clock = if turn.seconds > 0.0 { self.played_by_clock(place) } else { 0.0 };
        let played = played.unwrap_or(by_clock).min(turn.seconds);
        let bytes = turn.text.heard(played);
        Some(Heard { turn: turn.number, played, by, bytes, unplayed: turn.seconds - by_clock })
    }

    fn interrupt_turn(&mut self, heard: Heard) {
        if let Some(place) = self.sent.iter().position(|turn| turn.number == heard.turn) {
            let Some(turn) = self.sent.remove(place) else { return };
            self.pace.forget(self.wire.drop_turn(turn.number));
            // Text that arrives from now on was sent before the client knew.
            let mut ended = self.ended.iter_mut().rev();
            if let Some((_, how)) = ended.find(|(name, _)| *name == turn.name) {
                *how = Ended::Early;
            }
            let characters = turn.text.pushed();
            self.say(turn.interrupted(&heard, characters));
        } else if self
            .turns
            .front()
            .is_some_and(|turn| turn.number == heard.turn && turn.speaking.is_some())
        {
            self.stop(Outcome::Stopped, Stopped::Interrupted(heard));
        } else if let Some(turn) = self.turns.iter_mut().find(|turn| turn.number == heard.turn) {
            turn.stopped.get_or_insert(Stopped::Interrupted(heard));
        }
    }
}

impl Turn {
    pub(super) fn interrupted(&self, heard: &Heard, characters: usize) -> Message {
        let pushed = self.text.pushed();
        self.text.beginning(heard.bytes, |text, utf16| {
            let interrupted = Event::Interrupted {
                turn: &self.name,
                played: milliseconds(heard.played),
                by: heard.by,
                heard: TextHeard { bytes: heard.bytes, utf16, text },
                usage: TurnUsage { characters, pushed },
            };
            interrupted.message()
        })
    }
}
