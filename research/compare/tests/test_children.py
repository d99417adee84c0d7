from __future__ import annotations

import sys

import pytest
from compare.children import ChildFailed, run, run_together

BUSY = """
import json, os, sys, time
end = time.process_time() + 0.2
while time.process_time() < end:
    pass
json.dump({"given": sys.stdin.read(), "variable": os.environ["COMPARED"]}, sys.stdout)
"""


def test_the_answer_and_the_processor_time():
    finished = run([sys.executable, "-c", BUSY], {"COMPARED": "yes"}, "words")
    assert finished.report == {"given": "words", "variable": "yes"}
    assert 0.2 <= finished.cpu_s <= finished.wall_s * 1.1
    assert 5 < finished.peak_rss_mb < 1000


def test_the_last_words_of_a_failure():
    script = "import sys; print('warning', file=sys.stderr); print('error[invalid_request]: no AMX (request 01a2-ff)', file=sys.stderr); sys.exit(3)"
    with pytest.raises(ChildFailed, match="^no AMX$") as failure:
        run([sys.executable, "-c", script], {})
    assert not failure.value.crashed


def test_a_crash_is_told_apart():
    with pytest.raises(ChildFailed) as failure:
        run([sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"], {})
    assert failure.value.crashed


TOGETHER = """
import json, os, sys, time
given = sys.stdin.readline().strip()
loaded = time.monotonic()
print("ready", flush=True)
sys.stdin.readline()
json.dump({"given": given, "loaded": loaded, "start": time.monotonic()}, sys.stdout)
"""


def test_no_process_begins_before_all_are_ready():
    finished = run_together([sys.executable, "-c", TOGETHER], {}, "words", 3)
    reports = [process.report for process in finished]
    assert [report["given"] for report in reports] == ["words"] * 3
    assert min(report["start"] for report in reports) >= max(report["loaded"] for report in reports)
    assert all(process.cpu_s > 0 and process.peak_rss_mb > 1 for process in finished)


def test_one_that_fails_ends_all():
    script = "import sys; sys.stdin.readline(); print('RuntimeError: no memory', file=sys.stderr); sys.exit(1)"
    with pytest.raises(ChildFailed, match="^RuntimeError: no memory$"):
        run_together([sys.executable, "-c", script], {}, "words", 2)
