"""Every kind of error: its class, its causes, its message and its details."""

from __future__ import annotations

import copy
import json
import pickle
import platform
import re
import shutil
import tarfile
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libspeech
import pytest
from conftest import Run
from libspeech import (
    Engine,
    InvalidRequestError,
    ModelError,
    ServiceRequest,
    SpeechError,
    WrongTypeError,
    _libspeech,
)
from support import LONG, clean

KINDS = _libspeech.ERROR_KINDS


#: The kinds that only services raise; the package has no classes for them.
SERVICE_KINDS = {
    "unauthorized",
    "not_found",
    "method_not_allowed",
    "request_too_large",
    "unsupported_media_type",
    "overloaded",
}

LIBRARY_KINDS = [kind for kind, _, _ in KINDS if kind not in SERVICE_KINDS]


def class_of(kind: str) -> type[SpeechError]:
    words = "".join(word.capitalize() for word in kind.split("_"))
    found: type[SpeechError] = getattr(libspeech, words.replace("Error", "") + "Error")
    return found


@pytest.mark.parametrize(("kind", "retryable", "status"), KINDS, ids=[row[0] for row in KINDS])
def test_each_kind_has_a_class(kind: str, retryable: bool, status: int | None) -> None:
    if kind in SERVICE_KINDS:
        # As a service defines one.
        exception = type("Refusal", (SpeechError,), {"type": kind})
    else:
        exception = class_of(kind)
        assert exception.__name__ in libspeech.__all__
        assert exception.__module__ == "libspeech"
    assert issubclass(exception, SpeechError)
    raised = exception("what happened")
    assert (raised.type, raised.retryable, raised.http_status) == (kind, retryable, status)
    assert (str(raised), raised.message) == ("what happened", "what happened")
    uuid.UUID(raised.request_id)
    assert exception("again").request_id != raised.request_id


def test_the_classes_are_those_of_the_table_and_no_others() -> None:
    exported = {getattr(libspeech, name) for name in libspeech.__all__ if name.endswith("Error")}
    assert exported == {class_of(kind) for kind in LIBRARY_KINDS} | {SpeechError, WrongTypeError}
    assert len(LIBRARY_KINDS) + len(SERVICE_KINDS) == len(KINDS)
    assert issubclass(WrongTypeError, InvalidRequestError)


@pytest.mark.parametrize("kind", LIBRARY_KINDS)
def test_an_error_survives_pickling_and_copying(kind: str) -> None:
    error = class_of(kind)("what happened", detail="file_missing", path=Path("a"), advice="check_bundle_path")
    copies = [copy.copy(error), copy.deepcopy(error)]
    copies += [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for back in copies:
        assert type(back) is type(error)
        assert back.to_json() == error.to_json()
        assert (back.detail, back.path, back.advice) == ("file_missing", Path("a"), "check_bundle_path")


def test_a_second_import_has_the_classes_of_the_first(run: Run) -> None:
    ended = run(
        """
        first, engine = libspeech, libspeech.Engine(FAKE_MODEL, threads=1)
        audio = engine.synthesize("Hello.")
        def imported_again():
            for name in [name for name in sys.modules if name.partition(".")[0] == "libspeech"]:
                del sys.modules[name]
            import libspeech
            return libspeech
        for _ in range(3):
            libspeech = imported_again()
            assert libspeech is not first
            other = libspeech.Engine(FAKE_MODEL, threads=1)
            for refuse in (lambda: other.synthesize(""), lambda: engine.synthesize(""), lambda: libspeech.validate("")):
                try:
                    refuse()
                except libspeech.EmptyTextError as error:
                    assert isinstance(error, first.EmptyTextError)
            for name in first.__all__:
                assert getattr(libspeech, name) == getattr(first, name), name
            assert isinstance(audio, libspeech.Audio)
            other.close()
        print("same")
        """
    )
    assert clean(ended) == "same\n"


def test_an_error_of_an_application() -> None:
    class QuotaError(SpeechError):
        type: str = "quota_exceeded"
        http_status: int | None = 402

    error = QuotaError("no characters left")
    assert (error.type, error.retryable, error.http_status) == ("quota_exceeded", False, 402)
    assert (error.detail, error.path, error.advice) == (None, None, None)


def test_the_json_of_the_contract(engine: Engine) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        engine.synthesize("a", voice='no "ç" here')  # type: ignore[arg-type]
    body = json.loads(caught.value.to_json())
    assert body == {
        "error": {
            "type": "invalid_request",
            "message": caught.value.message,
            "request_id": caught.value.request_id,
        }
    }
    assert list(body["error"]) == ["type", "message", "request_id"]


Refused = tuple[type[SpeechError], str, Callable[[Any], Any]]

#: Calls with an invalid value.
VALUES: dict[str, Refused] = {
    "no text": (libspeech.EmptyTextError, "text is empty", lambda e: e.synthesize("")),
    "white space": (
        libspeech.EmptyTextError,
        "text is only white space",
        lambda e: e.stream(" \t\u3000"),
    ),
    "too long": (
        libspeech.TextTooLongError,
        "text has 1001 characters; the limit is 1000",
        lambda e: e.stream("a" * 1001),
    ),
    "too long in characters of four bytes": (
        libspeech.TextTooLongError,
        "text has 1001 characters",
        lambda e: e.synthesize("😀" * 1001),
    ),
    "voice": (
        InvalidRequestError,
        'unsupported voice "Aria"',
        lambda e: e.synthesize("a", voice="Aria"),
    ),
    "language": (
        InvalidRequestError,
        'unsupported language "en"; use en-US, hi-IN',
        lambda e: e.synthesize("a", language="en"),
    ),
    "latency": (InvalidRequestError, "unsupported latency", lambda e: e.stream("a", latency="Low")),
    "quality": (InvalidRequestError, "unsupported quality", lambda e: e.synthesize("a", quality="Light")),
    "format": (
        InvalidRequestError,
        'unsupported format "mp3"; use wav, pcm',
        lambda e: ServiceRequest.from_json('{"text": "a", "format": "mp3"}'),
    ),
    "low latency of a whole": (
        InvalidRequestError,
        "latency low is for streams",
        lambda e: e.synthesize("a", latency="low"),
    ),
    "a phoneme": (InvalidRequestError, "character 3", lambda e: e.synthesize("a [b](/b9/)")),
    "a NUL": (InvalidRequestError, "text has a NUL character at byte 5", lambda e: e.synthesize("café\0b")),
    "a NUL in a stream": (InvalidRequestError, "text has a NUL character at byte 0", lambda e: e.stream("\0")),
    "a NUL in a request": (
        InvalidRequestError,
        "text has a NUL character at byte 1",
        lambda e: libspeech.validate("a\0"),
    ),
    "a NUL in a text of any length": (
        InvalidRequestError,
        "text has a NUL character at byte 2000",
        lambda e: libspeech.split_text("a" * 2000 + "\0"),
    ),
    "a NUL in a piece": (
        InvalidRequestError,
        "piece has a NUL character at byte 1",
        lambda e: libspeech.Segmenter().push("a\0"),
    ),
    "a NUL in the words of a pronunciation": (
        InvalidRequestError,
        "entry 2: words has a NUL character at byte 1",
        lambda e: Engine(pronunciations={"a": "b", "a\0": "b"}),
    ),
    "a NUL in a pronunciation": (
        InvalidRequestError,
        "entry 1: reading has a NUL character at byte 1",
        lambda e: Engine(pronunciations={"a": "b\0"}),
    ),
    "a lone surrogate": (InvalidRequestError, "surrogate", lambda e: e.synthesize("a \ud83d b")),
    "a lone surrogate in a stream": (
        InvalidRequestError,
        "surrogate",
        lambda e: e.stream("\udc00"),
    ),
    "a lone surrogate in a voice": (
        InvalidRequestError,
        "surrogate",
        lambda e: e.synthesize("a", voice="\ud800"),
    ),
    "a lone surrogate in a long text": (
        InvalidRequestError,
        "surrogate",
        lambda e: libspeech.split_text("\ud800"),
    ),
    "a lone surrogate in a piece": (
        InvalidRequestError,
        "surrogate",
        lambda e: libspeech.Segmenter().push("\ud800"),
    ),
    "a lone surrogate in JSON": (
        InvalidRequestError,
        "the body is not valid JSON",
        lambda e: ServiceRequest.from_json('{"text": "\ud800"}'),
    ),
    "a rate": (
        InvalidRequestError,
        "rate is 3; it must be a number from 0.5 to 2",
        lambda e: e.synthesize("a", rate=3),
    ),
    "a rate that is no number": (
        InvalidRequestError,
        "rate is NaN; it must be a number from 0.5 to 2",
        lambda e: e.stream("a", rate=float("nan")),
    ),
    "a pitch": (
        InvalidRequestError,
        "pitch is out of range; it must be a number from -6 to 6",
        lambda e: e.stream("a", pitch=-(10**400)),
    ),
    "a volume": (
        InvalidRequestError,
        "volume is 12.5; it must be a number from -40 to 12",
        lambda e: e.live(volume=12.5),
    ),
    "a rate of a long text": (
        InvalidRequestError,
        "rate is 0; it must be a number from 0.5 to 2",
        lambda e: e.stream_long("a", rate=0),
    ),
    "a long text that is empty": (
        libspeech.EmptyTextError,
        "text is only white space",
        lambda e: e.stream_long(" \n"),
    ),
    "a NUL in a long text": (
        InvalidRequestError,
        "text has a NUL character at byte 1",
        lambda e: e.stream_long("a\0"),
    ),
    "a long text of SSML": (
        InvalidRequestError,
        "SSML cannot be live",
        lambda e: e.stream_long("<speak>a</speak>", ssml=True),
    ),
    "a voice of a live text": (
        InvalidRequestError,
        'unsupported voice "nobody"',
        lambda e: e.live(voice="nobody"),
    ),
    "a lone surrogate in a live text": (
        InvalidRequestError,
        "surrogate",
        lambda e: e.live().push("\ud800"),
    ),
    "a live text of SSML": (
        InvalidRequestError,
        "SSML cannot be live",
        lambda e: e.live(ssml=True),
    ),
    "no rate": (
        InvalidRequestError,
        "sample_rate is 0; it must be 8000, 16000, 22050, 24000, 44100 or 48000",
        lambda e: e.stream("a", sample_rate=0),
    ),
    "an encoding": (
        InvalidRequestError,
        'unsupported encoding "int24"; use pcm16, float32, mulaw, alaw',
        lambda e: e.stream("a", encoding="int24"),
    ),
    "parts of no length": (
        InvalidRequestError,
        "max_characters",
        lambda e: libspeech.split_text("a", 0),
    ),
    "a tier": (
        libspeech.InvalidTierError,
        'tier "premium" does not exist',
        lambda e: libspeech.tiers().resolve("premium"),
    ),
    "a tier that does not run": (
        libspeech.InvalidTierError,
        'tier "ultra" is not available',
        lambda e: libspeech.tiers([(70, 6)]).resolve("ultra"),
    ),
}

#: Calls with a value of the wrong Python type.
TYPES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "text": ("text must be a string", lambda e: e.synthesize(5)),
    "bytes as text": ("text must be a string", lambda e: e.synthesize(b"Hello.")),
    "no text": ("text must be a string", lambda e: e.stream(None)),
    "a text that is checked": ("text must be a string", lambda e: libspeech.validate(None)),  # type: ignore[arg-type]
    "no encoding": ("encoding must be a string", lambda e: e.synthesize("a", encoding=None)),
    "half a hertz": ("sample_rate must be an integer", lambda e: e.synthesize("a", sample_rate=8000.5)),
    "another option": ("there is no option mood", lambda e: e.synthesize("a", mood="glad")),
    "another option of a live text": ("there is no option format", lambda e: e.live(format="pcm")),
    "voice": ("voice must be a string", lambda e: e.synthesize("a", voice=None)),
    "language": ("language must be a string", lambda e: e.synthesize("a", language=7)),
    "latency": ("latency must be a string", lambda e: e.stream("a", latency=True)),
    "quality": ("quality must be a string", lambda e: e.live(quality=None)),
    "the voice of qualities": ("voice must be a string", lambda e: e.qualities(None, "en-US")),
    "the language of qualities": ("language must be a string", lambda e: e.qualities("leo", 7)),
    "rate": ("rate must be a number", lambda e: e.synthesize("a", rate="1")),
    "True as a rate": ("rate must be a number", lambda e: e.stream("a", rate=True)),
    "no pitch": ("pitch must be a number", lambda e: e.synthesize("a", pitch=None)),
    "volume": ("volume must be a number", lambda e: e.live(volume=1j)),
    "ssml": ("ssml must be True or False", lambda e: e.synthesize("a", ssml=1)),
    "read_pauses": ("read_pauses must be True or False", lambda e: e.stream_long("a", read_pauses=None)),
    "a piece of a live text": ("piece must be a string", lambda e: e.live().push(b"a")),
    "pieces": ("pieces must be an asynchronous iterable", lambda e: e.speak_live(["a"])),
    "a string as pieces": ("pieces must be an asynchronous iterable", lambda e: e.speak_live("a")),
    "a time": ("seconds must be a number", lambda e: e.live().heard_at("1")),
    "read_emoji": ("read_emoji", lambda e: e.synthesize("a", read_emoji="yes")),
    "read_romanized_hindi": ("read_romanized_hindi", lambda e: e.synthesize("a", read_romanized_hindi=1)),
    "a body": ("body", lambda e: ServiceRequest.from_json(5)),  # type: ignore[arg-type]
    "a long text": ("text must be a string", lambda e: libspeech.split_text(b"a")),  # type: ignore[arg-type]
    "the length of parts": ("max_characters", lambda e: libspeech.split_text("a", 1.5)),  # type: ignore[arg-type]
    "True as a length": ("max_characters", lambda e: libspeech.split_text("a", True)),
    "a piece": ("must be a string", lambda e: libspeech.Segmenter().push(b"a")),  # type: ignore[arg-type]
    "the name of a tier": ("must be a string", lambda e: libspeech.tiers().resolve(5)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", VALUES)
def test_a_value_that_is_refused(engine: Engine, case: str) -> None:
    exception, message, call = VALUES[case]
    with pytest.raises(exception, match=re.escape(message)) as caught:
        call(engine)
    assert isinstance(caught.value, ValueError)
    assert not isinstance(caught.value, TypeError)
    uuid.UUID(caught.value.request_id)


@pytest.mark.parametrize("case", TYPES)
def test_a_value_of_another_type(engine: Engine, case: str) -> None:
    message, call = TYPES[case]
    with pytest.raises(InvalidRequestError, match=message) as caught:
        call(engine)
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, ValueError)
    back = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(back, TypeError)
    assert (type(back), str(back)) == (type(caught.value), str(caught.value))


#: Options of an engine, whether they have the wrong type, and the option named in the message.
OPTIONS: list[tuple[dict[str, Any], bool]] = [
    ({"threads": 0}, False),
    ({"threads": 257}, False),
    ({"threads": -1}, False),
    ({"threads": 10**30}, False),
    ({"threads": True}, True),
    ({"threads": "2"}, True),
    ({"threads": 1.0}, True),
    ({"map_bundle": 1}, True),
    ({"map_bundle": "no"}, True),
    ({"max_concurrency": 0}, False),
    ({"max_concurrency": 10**30}, False),
    ({"max_concurrency": False}, True),
    ({"kernels": "sse"}, False),
    ({"kernels": "\ud800"}, False),
    ({"kernels": 5}, True),
    ({"precision": "fp8"}, False),
    ({"precision": b"fp32"}, True),
    ({"pronunciations": {"word": "/9/"}}, False),
    ({"pronunciations": {"": "word"}}, False),
    ({"pronunciations": {"\ud800": "word"}}, False),
    ({"pronunciations": {"word": 5}}, True),
    ({"pronunciations": ["word"]}, True),
    ({"cache": -1}, False),
    ({"cache": 2**70}, False),
    ({"cache": "1 MB"}, True),
]


@pytest.mark.parametrize(("options", "is_type"), OPTIONS, ids=[str(row[0]) for row in OPTIONS])
def test_an_option_that_is_refused(fake_model: Path, options: dict[str, Any], is_type: bool) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Engine(fake_model, **options)
    assert isinstance(caught.value, TypeError) == is_type
    assert caught.value.__class__.__module__.startswith("libspeech")
    name = next(iter(options))
    assert name == "pronunciations" or name in caught.value.message


@pytest.mark.parametrize("bundle", [5, 1.5, True, ["a"], object()])
def test_a_bundle_of_another_type(bundle: Any) -> None:
    with pytest.raises(InvalidRequestError, match="bundle") as caught:
        Engine(bundle)
    assert isinstance(caught.value, TypeError)


def test_what_a_closed_engine_says(fake_model: Path) -> None:
    engine = Engine(fake_model, threads=1)
    engine.close()
    engine.close()
    assert engine.closed
    for call in (engine.synthesize, engine.stream):
        with pytest.raises(InvalidRequestError, match="the engine is closed"):
            call("Hello.")
    with pytest.raises(InvalidRequestError, match="the engine is closed"):
        engine.warm_up()
    with pytest.raises(InvalidRequestError, match="the engine is closed"):
        engine.trim()
    with pytest.raises(InvalidRequestError, match="the engine is closed"):
        engine.qualities("aria", "en-US")


def copied(fake_model: Path, target: Path) -> Path:
    shutil.copytree(fake_model, target)
    return target


def truncated(fake_model: Path, target: Path) -> Path:
    file = copied(fake_model, target) / "vocoder.safetensors"
    file.write_bytes(file.read_bytes()[:-1])
    return target


def altered(fake_model: Path, target: Path) -> Path:
    file = copied(fake_model, target) / "prosody.safetensors"
    file.write_bytes(file.read_bytes()[:-1] + b"\xff")
    return target


def incomplete(fake_model: Path, target: Path) -> Path:
    (copied(fake_model, target) / "voices.safetensors").unlink()
    return target


def of_the_future(fake_model: Path, target: Path) -> Path:
    file = copied(fake_model, target) / "bundle.json"
    manifest = json.loads(file.read_text())
    file.write_text(json.dumps({**manifest, "format_version": manifest["format_version"] + 1}))
    return target


def no_tar(fake_model: Path, target: Path) -> Path:
    target.write_bytes(b"This is no tar file. " * 100)
    return target


def half_a_tar(fake_model: Path, target: Path) -> Path:
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as archive:
        archive.add(fake_model, ".")
    target.write_bytes(target.read_bytes()[: target.stat().st_size // 2])
    return target


def nothing(fake_model: Path, target: Path) -> Path:
    return target


def empty(fake_model: Path, target: Path) -> Path:
    target.mkdir()
    return target


@pytest.mark.parametrize(
    ("damage", "message", "detail", "advice", "file"),
    [
        (nothing, "bundle.json is missing", "file_missing", "check_bundle_path", "bundle.json"),
        (empty, "bundle.json is missing", "file_missing", "check_bundle_path", "bundle.json"),
        (incomplete, "voices.safetensors is missing", "file_missing", "check_bundle_path", "voices.safetensors"),
        (truncated, "vocoder.safetensors is truncated", "file_damaged", "reinstall_voices", "vocoder.safetensors"),
        (altered, "prosody.safetensors is altered", "file_damaged", "reinstall_voices", "prosody.safetensors"),
        (of_the_future, "update the library", "bundle_too_new", "update_library", "bundle.json"),
        (no_tar, "it cannot be read as tar", "file_damaged", "reinstall_voices", ""),
        (half_a_tar, "bundle", "file_damaged", "reinstall_voices", ""),
    ],
)
def test_a_bundle_that_cannot_be_loaded(
    fake_model: Path,
    tmp_path: Path,
    damage: Callable[[Path, Path], Path],
    message: str,
    detail: str,
    advice: str,
    file: str,
) -> None:
    bundle = damage(fake_model, tmp_path / "the bundle")
    with pytest.raises(ModelError, match=message) as caught:
        Engine(bundle)
    assert "the bundle" in caught.value.message
    assert not isinstance(caught.value, ValueError)
    assert (caught.value.detail, caught.value.advice) == (detail, advice)
    assert caught.value.path == bundle / file
    if bundle.is_file():
        with pytest.raises(ModelError, match="the voice bundle in memory") as caught:
            Engine(bundle.read_bytes())
        assert (caught.value.detail, caught.value.path) == (detail, None)


def test_the_cause_of_an_error_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        Engine(tmp_path)
    assert "No such file" in str(caught.value.__cause__)


def test_no_bundle_at_all(run: Run, tmp_path: Path) -> None:
    output = run(
        """
        for name in ("SPEECH_BUNDLE", "SPEECH_CACHE", "XDG_CACHE_HOME"):
            os.environ.pop(name, None)
        os.environ["HOME"] = sys.argv[1]
        sys.modules["libspeech_voices"] = None
        try:
            libspeech.Engine()
        except libspeech.ModelError as error:
            print(error)
            print(error.detail, error.path, error.advice)
        """,
        str(tmp_path),
    )
    message, details = clean(output).splitlines()
    assert details == "bundle_not_found None install_voices"
    # The advice is for users of Python and pip.
    assert "libspeech-sdk-voices" in message
    assert "cargo" not in message


def test_what_helps_with_a_long_text(engine: Engine) -> None:
    with pytest.raises(libspeech.TextTooLongError) as caught:
        engine.synthesize("a" * 1001)
    assert (caught.value.detail, caught.value.path, caught.value.advice) == (None, None, "split_text")


def test_kernels_that_the_processor_lacks(fake_model: Path) -> None:
    other: libspeech.Kernels = "avx2" if platform.machine().lower() in ("arm64", "aarch64") else "neon"
    with pytest.raises(InvalidRequestError) as caught:
        Engine(fake_model, kernels=other)
    assert (caught.value.detail, caught.value.advice) == ("unsupported_backend", None)


def test_the_details_are_documented() -> None:
    documented = re.findall(r'``"(\w+)"``', SpeechError.__doc__ or "")
    assert documented == ["text_too_long", *_libspeech.ERROR_DETAILS, *_libspeech.ADVICE]


@pytest.mark.voices
def test_cancelled(voices_engine: Engine) -> None:
    stream = voices_engine.stream(LONG)
    threading.Timer(0.3, stream.close).start()
    with pytest.raises(libspeech.CancelledError) as caught:
        list(stream)
    assert caught.value.request_id == stream.request_id
    assert caught.value.http_status is None


def test_the_text_is_in_no_message(engine: Engine) -> None:
    secret = "the password is swordfish "
    calls: list[Callable[[], Any]] = [
        lambda: engine.synthesize(secret * 50),
        lambda: engine.synthesize(secret, voice="none"),  # type: ignore[arg-type]
        lambda: engine.synthesize(secret + "\ud800"),
        lambda: engine.synthesize(secret + "[x](/9/)"),
        lambda: ServiceRequest.from_json('{"text": "' + secret),
        lambda: libspeech.split_text(secret + "\ud800"),
    ]
    for call in calls:
        with pytest.raises(SpeechError) as caught:
            call()
        assert "swordfish" not in str(caught.value) + repr(caught.value) + str(caught.value.__cause__)
