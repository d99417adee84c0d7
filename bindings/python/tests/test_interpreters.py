"""Unsupported interpreters are refused with a clear message."""

from __future__ import annotations

import re

from conftest import Run
from support import clean

INTERPRETERS = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
ATTEMPT = '''
import sys
sys.path[:] = {path!r}
try:
    import libspeech
    result = "imported"
except ImportError as error:
    result = str(error)
with open({file!r}, "w") as file:
    file.write(result)
'''
def attempt(name, *arguments):
    interpreter = interpreters.create(*arguments)
    interpreters.run_string(interpreter, ATTEMPT.format(path=sys.path, file=name))
    interpreters.destroy(interpreter)
    print(open(name).read())
attempt("first")
engine = libspeech.Engine(FAKE_MODEL, threads=2)
engine.synthesize(TEXT)
attempt("second")
if sys.version_info >= (3, 13):
    attempt("legacy", "legacy")
print(engine.synthesize(TEXT).duration > 0)
"""


def test_another_interpreter_is_refused(run: Run) -> None:
    *refusals, still = clean(run(INTERPRETERS)).splitlines()
    assert still == "True"
    assert len(refusals) >= 2
    assert all(re.search("subinterpreter|main interpreter", text) for text in refusals), refusals


def test_a_build_without_the_gil_is_refused(run: Run) -> None:
    ended = run(
        """
        for name in [name for name in sys.modules if name.startswith("libspeech")]:
            del sys.modules[name]
        import sysconfig
        sysconfig.get_config_vars()["Py_GIL_DISABLED"] = 1
        try:
            import libspeech
        except ImportError as error:
            print(error)
        """
    )
    message = clean(ended)
    assert "libspeech" in message
    assert "free-threaded" in message


def test_a_build_with_the_gil_imports(run: Run) -> None:
    ended = run("print('libspeech._libspeech' in sys.modules)")
    assert clean(ended) == "True\n"
    assert ended.stderr == ""
