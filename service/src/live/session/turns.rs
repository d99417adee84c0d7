//! The turns of a session. They are opened, wait in order, are spoken one at a time, and end once.

use std::sync::Arc;
use std::time::Instant;

use speech_core::{CancelToken, Error, ErrorKind, RequestId, Stream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::Session;
use super::interruption::Heard;
use crate::error_response::ErrorResponse;
use crate::live::event;
use crate::live::message::{Text as Pushed, invalid};
use crate::live::settings::Settings;
use crate::live::text::Text;
use crate::live::turn::{End, Product, Stop, Turn as TurnToSpeak};
use crate::live::wire::Socket;
use crate::speech::record_refusal;
use crate::usage::Outcome;

/// The maximum number of turns that wait behind the one being spoken.
pub(super) const MAX_TURNS_WAITING: usize = 8;

/// The maximum number of characters of a session that wait to be spoken.
pub(super) const MAX_CHARACTERS_WAITING: usize = 20_000;

/// The maximum number of sent turns for which `interrupt` reports what was heard.
const MAX_SENT: usize = 16;

/// The maximum number of ended turns whose names are stored.
const MAX_ENDED: usize = 64;

/// A turn of a session.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) number: u64,
    pub(super) name: Arc<str>,
    pub(super) id: RequestId,
    pub(super) text: Arc<Text>,
    pub(super) settings: Settings,
    pub(super) lexicons: Option<String>,
    /// None once the turn is being spoken.
    pub(super) stream: Option<Stream>,
    /// None until the turn is being spoken.
    pub(super) speaking: Option<Speaking>,
    /// The seconds of audio that were written.
    pub(super) seconds: f64,
    /// The characters whose audio was written.
    pub(super) characters: usize,
    /// What the client receives once the turn has stopped.
    pub(super) stopped: Option<Stopped>,
    /// Whether the end of the session finished its text. The client may not know that yet.
    pub(super) is_cut: bool,
}

#[derive(Debug)]
pub(super) struct Speaking {
    pub(super) stop: Option<oneshot::Sender<Stop>>,
    pub(super) task: JoinHandle<()>,
}

/// Why a turn was stopped.
#[derive(Debug)]
pub(super) enum Stopped {
    Interrupted(Heard),
    Failed(ErrorResponse),
    /// The client is gone.
    Left,
}

/// How a turn ended, stored with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Finished,
    /// The client may have sent more text before it knew of the end.
    Early,
}

impl<S: Socket> Session<S> {
    /// The open turn with this name, or the newest open turn.
    pub(super) fn open_turn(&self, name: Option<&str>) -> Option<&Turn> {
        let mut open =
            self.turns.iter().rev().filter(|it| it.stopped.is_none() && !it.text.is_finished());
        open.find(|turn| name.is_none_or(|name| *turn.name == *name))
    }

    pub(super) fn push(&mut self, Pushed { turn: name, text, flush, finish }: &Pushed) {
        self.active = Instant::now();
        let number = match (self.open_turn(name.as_deref()), name) {
            (Some(turn), _) => turn.number,
            (None, Some(name)) => match self.begin_named(name) {
                Some(number) => number,
                None => return,
            },
            (None, None) if self.is_orphaned => {
                self.is_orphaned = !finish;
                return;
            }
            (None, None) => {
                let name = self.unused_name();
                match self.open(name) {
                    Some(number) => number,
                    None => {
                        self.is_orphaned = !finish;
                        return;
                    }
                }
            }
        };
        let wanted = self.turns.iter().filter(|turn| turn.stopped.is_none());
        let waiting: usize = wanted.map(|turn| turn.text.waiting()).sum();
        let Some(turn) = self.turns.iter().find(|turn| turn.number == number) else { return };
        let result = if waiting + text.chars().count() > MAX_CHARACTERS_WAITING {
            let message =
                format!("more than {MAX_CHARACTERS_WAITING} characters wait to be spoken");
            Err(Error::new(ErrorKind::TextTooLong, message))
        } else {
            turn.text.push(text)
        };
        if *flush {
            turn.text.flush();
        }
        if *finish {
            turn.text.finish();
        }
        if let Err(error) = result {
            self.is_orphaned = name.is_none() && !finish;
            self.fail(number, error.into());
        }
    }

    /// Opens a turn with a name that no open turn has.
    fn begin_named(&mut self, name: &str) -> Option<u64> {
        let is_there = self.turns.iter().find(|turn| *turn.name == *name);
        let ended =
            self.ended.iter().rev().find(|(ended, _)| **ended == *name).map(|(_, how)| *how);
        match (is_there, ended) {
            // The client may not know of the end yet.
            (Some(turn), _) if turn.stopped.is_some() || turn.is_cut => None,
            (None, Some(Ended::Early)) => None,
            (Some(turn), _) => {
                let number = turn.number;
                self.fail(number, text_is_finished());
                None
            }
            (None, Some(Ended::Finished)) => {
                self.say(event::error(Some(name), self.id, &text_is_finished()));
                None
            }
            (None, None) => self.open(name.into()),
        }
    }

    /// Chooses a name for a turn without one.
    fn unused_name(&mut self) -> Arc<str> {
        let turns = self.turns.iter().chain(&self.sent).map(|turn| &turn.name);
        let used: Vec<_> = turns.chain(self.ended.iter().map(|(name, _)| name)).collect();
        let is_unused = |number: &u64| used.iter().all(|name| ***name != *number.to_string());
        let number = (self.next_name..).find(is_unused).expect("there are more numbers than turns");
        self.next_name = number + 1;
        number.to_string().into()
    }

    /// Adds a turn behind the others.
    fn open(&mut self, name: Arc<str>) -> Option<u64> {
        let id = RequestId::new();
        let refusal = if self.closing.is_some() {
            let message = "the session ends: nothing new begins";
            Some(ErrorResponse::new(ErrorKind::Overloaded, message))
        } else if self.turns.len() > MAX_TURNS_WAITING {
            let message = format!("{MAX_TURNS_WAITING} turns wait already");
            Some(ErrorResponse::new(ErrorKind::Overloaded, message).of_the_account())
        } else {
            None
        };
        if let Some(refusal) = refusal {
            self.refuse(&name, id, refusal);
            return None;
        }
        let cancel = CancelToken::new();
        let live = self.settings.request(&self.service, &self.key.account).and_then(
            |(request, lexicons)| {
                let request = request.cancel_token(&cancel).request_id(id);
                Ok((self.service.engine_of(&self.key.account).live(request)?, lexicons))
            },
        );
        let ((live, stream), lexicons) = match live {
            Ok(live) => live,
            Err(error) => {
                self.refuse(&name, id, error.into());
                return None;
            }
        };
        let number = self.next_turn;
        self.next_turn += 1;
        self.turns.push_back(Turn {
            number,
            name,
            id,
            text: Arc::new(Text::new(live, cancel)),
            settings: self.settings.clone(),
            lexicons,
            stream: Some(stream),
            speaking: None,
            seconds: 0.0,
            characters: 0,
            stopped: None,
            is_cut: false,
        });
        Some(number)
    }

    /// Rejects a turn that has not begun.
    pub(super) fn refuse(&mut self, name: &Arc<str>, id: RequestId, refusal: ErrorResponse) {
        self.say(event::error(Some(name), id, &refusal));
        self.remember(Arc::clone(name), Ended::Early);
        let (service, account) = (Arc::clone(&self.service), self.key.account.clone());
        let refusal = refusal.with_request_id(id);
        tokio::spawn(async move {
            // A failure to record it is logged.
            let _ = record_refusal(&service, account, &refusal).await;
        });
    }

    fn remember(&mut self, name: Arc<str>, how: Ended) {
        if self.ended.len() == MAX_ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back((name, how));
    }

    /// Ends a turn with an error.
    pub(super) fn fail(&mut self, number: u64, refusal: ErrorResponse) {
        let Some(place) = self.turns.iter().position(|turn| turn.number == number) else { return };
        if self.turns[place].speaking.is_some() {
            let outcome = Outcome::Failed(refusal.error.kind());
            self.stop(outcome, Stopped::Failed(refusal));
        } else if let Some(Turn { name, id, .. }) = self.turns.remove(place) {
            self.refuse(&name, id, refusal);
        }
    }

    /// Begins the first turn, if it is not being spoken yet.
    pub(super) fn begin_next(&mut self) {
        while let Some(turn) = self.turns.front_mut().filter(|turn| turn.speaking.is_none()) {
            if turn.stopped.is_some() {
                let number = turn.number;
                self.conclude(End {
                    turn: number,
                    characters: 0,
                    message: None,
                    outcome: Outcome::Stopped,
                });
                continue;
            }
            let admission = &self.service.admission;
            let place = match admission.admit_turn(&self.key.account, turn.text.is_due()) {
                Ok(place) => Arc::new(place),
                Err(refusal) => {
                    self.is_orphaned = !turn.text.is_finished();
                    let number = turn.number;
                    self.fail(number, refusal);
                    continue;
                }
            };
            let Some(stream) = turn.stream.take() else { return };
            let (stop, stopped) = oneshot::channel();
            let to_speak = TurnToSpeak {
                service: Arc::clone(&self.service),
                account: self.key.account.clone(),
                session: self.id,
                number: turn.number,
                name: Arc::clone(&turn.name),
                id: turn.id,
                settings: turn.settings.clone(),
                lexicons: turn.lexicons.take(),
                text: Arc::clone(&turn.text),
                place,
                pace: Arc::clone(&self.pace),
                products: self.give.clone(),
            };
            let task = tokio::spawn(to_speak.speak(stream, stopped));
            turn.speaking = Some(Speaking { stop: Some(stop), task });
        }
    }

    /// Stops the turn that is being spoken. Only its end is still written.
    pub(super) fn stop(&mut self, outcome: Outcome, stopped: Stopped) {
        let Some(turn) = self.turns.front_mut() else { return };
        self.pace.forget(self.wire.drop_turn(turn.number));
        if let Some(stop) = turn.speaking.as_mut().and_then(|speaking| speaking.stop.take()) {
            // The task may have ended already.
            let _ = stop.send(Stop { outcome, characters: turn.characters });
        }
        turn.text.cancel();
        turn.stopped.get_or_insert(stopped);
    }

    /// Handles a product of the first turn's task.
    pub(super) fn take(&mut self, product: Product) {
        match product {
            Product::Message(outgoing) => {
                let mut turns = self.turns.iter();
                let is_wanted =
                    |turn: &Turn| Some(turn.number) == outgoing.turn && turn.stopped.is_none();
                if turns.next().is_some_and(is_wanted) {
                    self.wire.push(outgoing);
                } else {
                    self.pace.forget(outgoing.seconds);
                }
            }
            Product::End(end) => self.conclude(end),
        }
    }

    /// Ends the first turn.
    fn conclude(&mut self, End { turn: number, characters, message, outcome }: End) {
        if self.turns.front().is_none_or(|turn| turn.number != number) {
            return;
        }
        let Some(mut turn) = self.turns.pop_front() else { return };
        let pushed = turn.text.pushed();
        self.active = Instant::now();
        self.usage.turns += 1;
        self.usage.characters += characters;
        self.usage.pushed += pushed;
        let (name, id) = (Arc::clone(&turn.name), turn.id);
        let is_stopped = turn.stopped.is_some();
        let message = match turn.stopped.take() {
            None => message,
            // For example, the turn could not be recorded.
            Some(_) if matches!(outcome, Outcome::Failed(_)) && message.is_some() => message,
            // The turn had completed before, and all of it was sent.
            Some(Stopped::Failed(_)) if outcome == Outcome::Complete => message,
            Some(Stopped::Interrupted(heard)) => Some(turn.interrupted(&heard, characters)),
            Some(Stopped::Failed(refusal)) => Some(event::error(Some(&name), id, &refusal)),
            Some(Stopped::Left) => None,
        };
        // A stopped turn may have completed before.
        let is_finished = outcome == Outcome::Complete && !is_stopped;
        if matches!(outcome, Outcome::Failed(_)) {
            self.is_orphaned = !turn.text.is_finished();
        }
        let is_known = is_finished && !turn.is_cut;
        self.remember(name, if is_known { Ended::Finished } else { Ended::Early });
        if let Some(message) = message {
            self.say_of(number, message);
        }
        if is_finished {
            self.sent.push_back(turn);
            // The newest turn stays.
            while self.sent.len() > MAX_SENT || self.sent.len() > 1 && self.is_played(0) {
                self.sent.pop_front();
            }
        }
    }
}

fn text_is_finished() -> ErrorResponse {
    invalid("the text of this turn is finished: nothing can be added to it").into()
}
