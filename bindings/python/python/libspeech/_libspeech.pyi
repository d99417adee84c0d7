"""The native module: private, not part of the API."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Callable, TypeVar, final

from typing_extensions import disjoint_base

from libspeech._native_types import AudioFields, ChunkFields, DiagnosticFields, RequestFields, SegmentFields

__all__ = [
    "ADVICE",
    "ERROR_DETAILS",
    "ERROR_KINDS",
    "MAX_CHARACTERS",
    "MODULES",
    "SAMPLE_RATE",
    "TIERS",
    "VERSION",
    "CancelToken",
    "Engine",
    "SampleBuffer",
    "Segmenter",
    "Stream",
    "charge",
    "charge_samples",
    "check_format",
    "check_json",
    "rank_tiers",
    "request_id",
    "resolve_tier",
    "set_exception_factory",
    "shut_down",
    "split_text",
    "tiers",
    "validate",
    "voices",
    "wav",
]

_T = TypeVar("_T")

# What is called at the end, with a result or with an exception.
_Callback = Callable[[_T | None, BaseException | None], object]

VERSION: str
SAMPLE_RATE: int
MAX_CHARACTERS: int
# Type, whether a retry may succeed, HTTP status.
ERROR_KINDS: tuple[tuple[str, bool, int | None], ...]
ERROR_DETAILS: list[str]
ADVICE: list[str]
# The modules of the package that were imported, by name.
MODULES: dict[str, ModuleType]
# Name, attention context, millionths of a US dollar a second, lookahead in milliseconds.
TIERS: tuple[tuple[str, tuple[int, int], int, int], ...]

@disjoint_base
class SampleBuffer:
    def __new__(cls, pcm: bytes, /) -> Any: ...

@final
class CancelToken:
    def cancel(self) -> None: ...

@final
class Engine:
    @staticmethod
    def load(
        bundle: str | bytes | None,
        threads: int | None,
        max_concurrency: int | None,
        kernels: str | None,
        precision: str | None,
        pronunciations: Sequence[tuple[str, str]],
        callback: _Callback[Engine],
    ) -> None: ...
    def cancel_token(self) -> CancelToken: ...
    def synthesize(self, request: RequestFields, cancel: CancelToken, callback: _Callback[AudioFields]) -> None: ...
    def stream(self, request: RequestFields) -> Stream: ...
    def warm_up(self, callback: _Callback[None]) -> None: ...
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
    def next(self, callback: _Callback[ChunkFields | None]) -> None: ...
    def close(self) -> None: ...
    @property
    def request_id(self) -> str: ...
    @property
    def characters(self) -> int: ...
    @property
    def sentences(self) -> int: ...
    @property
    def diagnostics(self) -> list[DiagnosticFields]: ...

@final
class Segmenter:
    def __new__(cls) -> Segmenter: ...
    def push(self, piece: str) -> list[SegmentFields]: ...
    def finish(self) -> list[SegmentFields]: ...

def request_id() -> str: ...
def wav(pcm: bytes) -> bytes: ...
def check_format(request: RequestFields) -> None: ...
def check_json(body: bytes) -> None: ...
def validate(request: RequestFields) -> None: ...
def split_text(text: str, max_characters: int) -> list[str]: ...
def voices() -> str: ...
def tiers(contexts: Sequence[tuple[int, int]]) -> str: ...
def resolve_tier(contexts: Sequence[tuple[int, int]], name: str) -> str: ...
def rank_tiers(contexts: Sequence[tuple[int, int]], use_case: str) -> list[str]: ...
def charge(tier: str, seconds: int, nanoseconds: int) -> int: ...
def charge_samples(tier: str, samples: int, sample_rate: int) -> int: ...
def set_exception_factory(
    factory: Callable[[str, str, str, str | None, str | None, str | None], BaseException],
) -> None: ...
def shut_down() -> None: ...
