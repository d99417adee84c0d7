"""The command line: ``libspeech``, and ``python -m libspeech``."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from libspeech import SpeechError, TierCatalogue, __version__, _cli_say, _fetch, tiers, voices

# The signals that end a program by default, except SIGINT. Python ignores SIGXFSZ and SIGPIPE: the operation fails
# instead.
_ENDING = (
    "SIGALRM",
    "SIGHUP",
    "SIGPROF",
    "SIGQUIT",
    "SIGTERM",
    "SIGUSR1",
    "SIGUSR2",
    "SIGVTALRM",
    "SIGXCPU",
)

_COMMANDS = ("say", "voices", "tiers", "fetch")

# A value quoted in an argparse message: its first 40 characters, and the rest.
_QUOTED = re.compile(r"""(['"])((?:\\.|(?!\1).){40})(?:\\.|(?!\1).)+\1""", re.DOTALL)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors quote at most 40 characters of a value, like the library's."""

    def __init__(self, prog: str, **options: Any) -> None:
        # The error for an ambiguous abbreviation would quote the value with it.
        super().__init__(prog, allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        super().error(_QUOTED.sub(r"\1\2…\1", message))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments, without the name of the program; by default ``sys.argv[1:]``.

    Returns
    -------
    int
        The exit status: 0, 1 for an error, 130 for Ctrl-C and other termination signals. Wrong usage raises
        ``SystemExit(2)``.
    """
    _end_as_for_ctrl_c()
    options = _options(sys.argv[1:] if arguments is None else arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_stdout()
    except KeyboardInterrupt:
        return 130
    except SpeechError as error:
        print(f"error[{error.type}]: {error} (request {error.request_id})", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _end_as_for_ctrl_c() -> None:
    """Makes termination signals raise `KeyboardInterrupt`, unless the caller has set other handlers."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed options. Messages contain nothing that may be part of a text."""
    parser = _parser()
    command = next((one for one in arguments if not one.startswith("-")), None)
    if command not in (None, *_COMMANDS):
        parser.error(f"unknown command: the commands are {', '.join(_COMMANDS)}")
    options, rest = parser.parse_known_args(arguments)
    if rest and rest[0].startswith("-"):
        parser.error("unknown option: put a text that begins with a dash after `--`")
    if rest:
        parser.error("too many arguments: put the text in quotation marks")
    return options


def _discard_stdout() -> None:
    # The reader has closed the pipe, as `head` does. Otherwise the interpreter would report that when it flushes.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _program() -> str:
    """The program's name as the user called it."""
    return "python -m libspeech" if Path(sys.argv[0]).name == "__main__.py" else "libspeech"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(_program(), description="Text to speech, offline.")
    parser.add_argument("--version", action="version", version=f"libspeech {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_say(commands.add_parser("say", help="write the speech of a text to a file or to standard output"))
    _add_voices(commands.add_parser("voices", help="list the voices and languages"))
    _add_tiers(commands.add_parser("tiers", help="list the latency tiers and their prices"))
    fetch = commands.add_parser("fetch", help="download the voices into the cache directory")
    fetch.set_defaults(run=_fetch_voices)
    return parser


def _add_say(parser: argparse.ArgumentParser) -> None:
    text = parser.add_mutually_exclusive_group()
    text.add_argument("text", nargs="?", metavar="TEXT", help="the text [default: standard input]")
    text.add_argument("-f", "--file", help="read the text from a UTF-8 file; `-` is standard input")
    add = parser.add_argument
    add("-o", "--output", metavar="FILE", help="the audio file [default: `-`, standard output]")
    add("--play", action="store_true", help="play the audio")
    add("--voice", default="aria", help="aria (the default), jason, john, leo or sofia")
    add("--language", default="en-US", help="en-US (the default) or hi-IN")
    add("--format", default="wav", help="wav (one file, the default) or pcm (raw, by sentence)")
    add("--latency", default="standard", help="standard (the default), or low, with early first audio for pcm")
    add("--quality", default="auto", help="full, fast or light; auto (the default) is the best that the bundle has")
    rates = "8000, 16000, 22050 (the default), 24000, 44100 or 48000"
    add("--sample-rate", type=int, default=22050, metavar="HZ", help=rates)
    add("--encoding", default="pcm16", help="pcm16 (the default), float32, mulaw or alaw")
    add("--rate", type=float, default=1.0, metavar="N", help="speaking rate, 0.5 to 2 [default: 1]")
    add("--pitch", type=float, default=0.0, metavar="N", help="pitch change in semitones, -6 to 6 [default: 0]")
    add("--volume", type=float, default=0.0, metavar="N", help="volume change in decibels, -40 to 12 [default: 0]")
    add("--ssml", action="store_true", help="read the text as an SSML 1.1 document")
    add("--no-pauses", action="store_true", help="read [pause 500ms] as ordinary text")
    add("--read-emoji", action="store_true", help="read emoji by name instead of skipping them")
    add("--no-romanized-hindi", action="store_true", help="read Hindi in Latin letters as English")
    add("--threads", type=int, metavar="N", help="threads that compute a sentence")
    add("--bundle", metavar="DIR", help="the voice bundle [default: the installed one]")
    parser.set_defaults(run=_cli_say.say)


def _add_voices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.set_defaults(run=_voices)


def _add_tiers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the catalog as JSON")
    parser.add_argument(
        "--available",
        type=_context,
        nargs="+",
        action="extend",
        metavar="LEFT,RIGHT",
        help="the context settings that the deployment can run [default: all]",
    )
    parser.set_defaults(run=_tiers)


def _context(text: str) -> tuple[int, int]:
    left, _comma, right = text.partition(",")
    try:
        return int(left), int(right)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not two numbers with a comma") from None


def _fetch_voices(options: argparse.Namespace) -> None:
    _fetch.fetch()


def _voices(options: argparse.Namespace) -> None:
    listing = voices()
    if options.json:
        print(listing.to_json())
        return
    for voice in listing.voices:
        note = "  (default)" if voice.id == listing.default_voice else ""
        print(f"{voice.id:<8}{voice.name}{note}")
    print(f"Each speaks {' and '.join(listing.languages)}.")


def _tiers(options: argparse.Namespace) -> None:
    catalogue = tiers(options.available)
    print(catalogue.to_json() if options.json else _table(catalogue))


def _table(catalogue: TierCatalogue) -> str:
    lines = [f"{'tier':<10}{'latency':>12}{'USD a second':>14}  available"]
    for entry in catalogue.tiers:
        available = "yes" if entry.available else "no"
        note = "  (default)" if entry.tier is catalogue.default else ""
        price = f"{entry.rate_usd_per_second:.6f}"
        lines.append(f"{entry.tier.value:<10}{entry.latency_ms:>9} ms{price:>14}  {available}{note}")
    return "\n".join(lines)
