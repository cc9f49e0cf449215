"""A process that leaves at once has done what it was to do in the end."""

import subprocess
import sys

import pytest

from groundwire import __file__ as package

_ANYTHING_LEFT = """
import atexit, sys, threading
sys.path.insert(0, {sources!r})
from groundwire.leaving import leave
atexit.register(lambda: print("in the end"))
sys.stdout.write("half a line, ")
{before}
leave(3)
"""
_A_THREAD = """
def work():
    threading.main_thread().join()
    print("done", end=", ")
threading.Thread(target=work).start()
"""
_AN_OBJECT = """
class Kept:
    def __del__(self): print("taken apart")
kept = Kept()
"""


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("", "half a line, in the end\n"),
        (_A_THREAD, "half a line, done, in the end\n"),
        (_AN_OBJECT, "half a line, in the end\n"),
    ],
    ids=["nothing", "a thread", "an object"],
)
def test_what_was_to_be_done_is_done_and_nothing_is_taken_apart(before: str, told: str) -> None:
    sources = package.rpartition("groundwire")[0]
    script = _ANYTHING_LEFT.format(sources=sources, before=before)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, told, "")
