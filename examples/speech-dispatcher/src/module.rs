//! Executes the server's commands.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use speech_core::{Engine, Error, Language, Voice};

use crate::config::Config;
use crate::events::Output;
use crate::input::{Block, Input};
use crate::logging;
use crate::message::{self, Kind};
use crate::settings::Settings;
use crate::speaker::Speaker;

const CANNOT_SPEAK: &str = "301 ERROR CANT SPEAK";
const BAD_SYNTAX: &str = "302 ERROR BAD SYNTAX";
const BAD_VALUE: &str = "303 ERROR INVALID PARAMETER OR VALUE";

/// Executes commands until the input ends.
pub fn run(config: Option<&Path>, input: impl BufRead, output: Box<dyn Write + Send>) -> ExitCode {
    logging::start();
    let config = config.map(Config::read).unwrap_or_default();
    logging::set_level(config.log_level);
    let output = Output::new(output);
    match serve(config, Input::new(input), &output) {
        Ok(code) => code,
        Err(error) => {
            log::info!("the server is gone: {error}");
            ExitCode::SUCCESS
        }
    }
}

fn serve<R: BufRead>(config: Config, mut input: Input<R>, output: &Output) -> io::Result<ExitCode> {
    match input.line()?.as_deref() {
        Some("INIT") => {}
        None => return Ok(ExitCode::SUCCESS),
        Some(_) => {
            log::error!(
                "the first command is not INIT: Speech Dispatcher is to start this program"
            );
            output.reply("300 ERR UNKNOWN COMMAND")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    let config = Arc::new(config);
    let started = load(&config).map_err(|error| error.to_string()).and_then(|engine| {
        let speaker = Speaker::start(engine, Arc::clone(&config), output.clone());
        speaker.map_err(|error| error.to_string())
    });
    let speaker = match started {
        Ok(speaker) => speaker,
        Err(problem) => {
            log::error!("{problem}");
            let problem = problem.replace(['\n', '\r'], " ");
            output.reply(&format!("399-{problem}\n399 ERR CANT INIT MODULE"))?;
            return Ok(ExitCode::FAILURE);
        }
    };
    output.reply("299-libspeech is loaded\n299 OK LOADED SUCCESSFULLY")?;
    let settings = Settings::new();
    let mut module = Module { input, output, config, settings, speaker: &speaker };
    let outcome = module.commands();
    speaker.close();
    outcome.map(|()| ExitCode::SUCCESS)
}

fn load(config: &Config) -> Result<Engine, Error> {
    let mut builder = Engine::builder();
    if let Some(bundle) = &config.bundle {
        builder = builder.bundle(bundle);
    }
    if let Some(threads) = config.threads {
        builder = builder.threads(threads);
    }
    let engine = builder.load()?;
    engine.warm_up()?;
    Ok(engine)
}

struct Module<'a, R> {
    input: Input<R>,
    output: &'a Output,
    config: Arc<Config>,
    settings: Settings,
    speaker: &'a Speaker,
}

impl<R: BufRead> Module<'_, R> {
    fn commands(&mut self) -> io::Result<()> {
        while let Some(line) = self.input.line()? {
            match line.as_str() {
                "SPEAK" => self.speak(Kind::Text)?,
                "CHAR" => self.speak(Kind::Character)?,
                "KEY" => self.speak(Kind::Key)?,
                "SOUND_ICON" => self.speak(Kind::SoundIcon)?,
                "STOP" => self.speaker.stop(),
                "PAUSE" => self.speaker.pause(),
                "LIST VOICES" => self.list_voices()?,
                "SET" => self.set()?,
                "AUDIO" => self.audio()?,
                "LOGLEVEL" => self.log_level()?,
                "QUIT" => {
                    self.speaker.close();
                    return self.output.reply("210 OK QUIT");
                }
                _ => match line.strip_prefix("DEBUG") {
                    Some(arguments) => self.debug(arguments)?,
                    None => self.output.reply("300 ERR UNKNOWN COMMAND")?,
                },
            }
        }
        Ok(())
    }

    fn speak(&mut self, kind: Kind) -> io::Result<()> {
        self.output.reply("202 OK RECEIVING MESSAGE")?;
        let lines = match self.input.block()? {
            None => return Ok(()),
            Some(Block::Lines(lines)) => lines,
            Some(Block::TooLong) => {
                log::warn!("a message is too long");
                return self.output.reply(CANNOT_SPEAK);
            }
        };
        if kind != Kind::Text && lines.len() > 1 {
            return self.output.reply("305 DATA MORE THAN ONE LINE");
        }
        let text = lines.join("\n");
        if text.is_empty() {
            return self.output.reply(CANNOT_SPEAK);
        }
        if self.speaker.is_speaking() {
            log::warn!("a message comes while another is spoken");
            return self.output.reply(CANNOT_SPEAK);
        }
        let parts = message::parts(kind, &text, &self.settings, &self.config);
        let mut told = Ok(());
        let taken = self.speaker.speak(parts, self.settings.clone(), || {
            told = self.output.reply("200 OK SPEAKING");
        });
        match taken {
            Ok(()) => told,
            Err(_) => self.output.reply(CANNOT_SPEAK),
        }
    }

    fn list_voices(&self) -> io::Result<()> {
        let mut lines = String::new();
        for language in Language::ALL {
            for voice in Voice::ALL {
                lines += &format!("200-{voice}\t{language}\tnone\n");
            }
        }
        self.output.reply(&format!("{lines}200 OK VOICE LIST SENT"))
    }

    fn set(&mut self) -> io::Result<()> {
        let mut settings = self.settings.clone();
        let set = |name: &str, value: &str| settings.set(name, value).is_ok();
        self.parameters("", "203 OK SETTINGS RECEIVED", set)?;
        // Valid settings apply even if others are invalid, as in other modules.
        self.settings = settings;
        Ok(())
    }

    /// Audio always goes to the server; there is no other output.
    fn audio(&mut self) -> io::Result<()> {
        let set = |name: &str, value: &str| name == "audio_output_method" && value == "server";
        self.parameters("AUDIO ", "203 OK AUDIO INITIALIZED", set)
    }

    fn log_level(&mut self) -> io::Result<()> {
        let set = |name: &str, value: &str| {
            let level = value.parse().ok().filter(|_| name == "log_level");
            level.map(logging::set_level).is_some()
        };
        self.parameters("LOGLEVEL ", "203 OK LOGLEVEL SET", set)
    }

    /// Reads `name=value` lines and replies, with the last error if there is one.
    fn parameters(
        &mut self,
        what: &str,
        done: &str,
        mut set: impl FnMut(&str, &str) -> bool,
    ) -> io::Result<()> {
        self.output.reply(&format!("207 OK RECEIVING {what}SETTINGS"))?;
        let lines = match self.input.block()? {
            None => return Ok(()),
            Some(Block::Lines(lines)) => lines,
            Some(Block::TooLong) => return self.output.reply(BAD_SYNTAX),
        };
        let mut reply = done;
        for line in lines {
            match line.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty())
            {
                None => reply = BAD_SYNTAX,
                Some((name, value)) if !set(name, value) => {
                    log::warn!("the parameter {name} is unknown or has no such value");
                    reply = BAD_VALUE;
                }
                Some(_) => {}
            }
        }
        self.output.reply(reply)
    }

    fn debug(&self, arguments: &str) -> io::Result<()> {
        let mut words = arguments.split_whitespace();
        let (switch, path) = (words.next(), words.next());
        let path = match (switch, path) {
            (Some("ON"), Some(path)) => Some(Path::new(path)),
            (Some("OFF"), _) => None,
            _ => return self.output.reply(BAD_SYNTAX),
        };
        match logging::debug_to(path) {
            Ok(()) => {
                let switch = if path.is_some() { "ON" } else { "OFF" };
                self.output.reply(&format!("200 OK DEBUGGING {switch}"))
            }
            Err(_) => self.output.reply("303 CANT OPEN CUSTOM DEBUG FILE"),
        }
    }
}
