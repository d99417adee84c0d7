"""The native module: private, and no part of the API."""

from collections.abc import Sequence
from typing import Any, Callable, TypeVar, final

from typing_extensions import disjoint_base

from libspeech._raw import Fields, RawAudio, RawChunk, RawDiagnostic, RawSegment

__all__ = [
    "ERROR_KINDS",
    "MAX_CHARACTERS",
    "SAMPLE_RATE",
    "TIERS",
    "VERSION",
    "Cancel",
    "Engine",
    "SampleBuffer",
    "Segmenter",
    "Stream",
    "charge",
    "charge_samples",
    "check_request",
    "end",
    "raise_by",
    "rank_tiers",
    "request_id",
    "resolve_tier",
    "split_text",
    "tiers",
    "validate",
    "voices",
    "wav",
]

_T = TypeVar("_T")

# What is called in the end, with a value or with an error.
_Done = Callable[[_T | None, BaseException | None], object]

VERSION: str
SAMPLE_RATE: int
MAX_CHARACTERS: int
# Type, whether it is worth another try, HTTP status.
ERROR_KINDS: tuple[tuple[str, bool, int | None], ...]
# Name, attention context, millionths of a US dollar a second, lookahead in milliseconds.
TIERS: tuple[tuple[str, tuple[int, int], int, int], ...]

@disjoint_base
class SampleBuffer:
    def __new__(cls, pcm: bytes, /) -> Any: ...

@final
class Cancel:
    def cancel(self) -> None: ...

@final
class Engine:
    @staticmethod
    def load(
        bundle: str | bytes | None,
        threads: int | None,
        sessions: int | None,
        kernels: str | None,
        precision: str | None,
        pronunciations: Sequence[tuple[str, str]],
        done: _Done[Engine],
    ) -> None: ...
    def cancel(self) -> Cancel: ...
    def synthesize(self, request: Fields, cancel: Cancel, done: _Done[RawAudio]) -> None: ...
    def stream(self, request: Fields, cancel: Cancel) -> Stream: ...
    def warm_up(self, done: _Done[None]) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def threads(self) -> int: ...
    @property
    def kernels(self) -> str: ...
    @property
    def precision(self) -> str: ...

@final
class Stream:
    def next(self, done: _Done[RawChunk | None]) -> None: ...
    def close(self) -> None: ...
    @property
    def request_id(self) -> str: ...
    @property
    def characters(self) -> int: ...
    @property
    def sentences(self) -> int: ...
    @property
    def diagnostics(self) -> list[RawDiagnostic]: ...

@final
class Segmenter:
    def __new__(cls) -> Segmenter: ...
    def push(self, piece: str) -> list[RawSegment]: ...
    def finish(self) -> list[RawSegment]: ...

def raise_by(new: Callable[[str, str, str], BaseException]) -> None: ...
def request_id() -> str: ...
def wav(pcm: bytes) -> bytes: ...
def check_request(json: bytes) -> None: ...
def validate(request: Fields) -> None: ...
def split_text(text: str, max_characters: int) -> list[str]: ...
def voices() -> str: ...
def tiers(contexts: Sequence[tuple[int, int]]) -> str: ...
def resolve_tier(contexts: Sequence[tuple[int, int]], name: str) -> str: ...
def rank_tiers(contexts: Sequence[tuple[int, int]], usage: str) -> list[str]: ...
def charge(tier: str, seconds: int, nanoseconds: int) -> int: ...
def charge_samples(tier: str, samples: int, sample_rate: int) -> int: ...
def end() -> None: ...
