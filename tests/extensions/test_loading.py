"""Loading an extension: what is wrong with one concerns it alone."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from groundwire.errors import InvalidArgument
from groundwire.extending import Extension
from groundwire.extensions.choice import Choice
from groundwire.extensions.contract import Offering
from groundwire.extensions.discovery import Candidate
from groundwire.extensions.loading import Extension as Loaded
from groundwire.extensions.loading import load_extensions


def load(made: object, *, choice: Choice | None = None) -> Loaded:
    return load_extensions([Candidate("toy", "gw-toy", "1.0", lambda: made)], choice or Choice())[0]


def _import_error() -> object:
    raise ImportError("No module named 'nowhere'")


def _exit() -> object:
    sys.exit("enough")


def test_an_entry_point_is_an_extension_or_makes_one():
    offering = Extension(api=1)
    for made in (offering, lambda: offering):
        loaded = load(made)
        assert (loaded.state, loaded.reason, loaded.offering) == ("loaded", "", offering)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (_import_error, "ImportError: No module named 'nowhere'"),
        (_exit, "SystemExit: enough"),
        (lambda: None, "its entry point gives NoneType, not an Extension of groundwire.extending"),
        (Extension(api=2), "it is made for version 2 of the contract, and this groundwire has 1"),
        (
            Extension(api=1, servers=cast("list[Path]", ["a.server.toml"])),
            "it names a file by 'a.server.toml', which is no Path",
        ),
        (Offering(api=1, operations=cast("list[object]", 3)), "TypeError: Value after * must be an iterable, not int"),
        (cast("Callable[[], object]", Extension), "TypeError: Extension.__init__() missing 1 required keyword-only"),
    ],
)
def test_what_cannot_be_loaded_is_left_out_with_the_reason(made: object, reason: str):
    loaded = load(made)
    assert (loaded.state, loaded.offering) == ("failed", None)
    assert loaded.reason.startswith(reason)


def test_one_that_raises_while_it_is_imported_leaves_the_others_as_they_are():
    offering = Extension(api=1)
    candidates = [
        Candidate("broken", "gw-broken", "1", _import_error),
        Candidate("whole", "gw-whole", "1", lambda: offering),
    ]
    assert [each.state for each in load_extensions(candidates, Choice())] == ["failed", "loaded"]


def test_of_two_with_one_name_the_first_is_loaded():
    offering = Extension(api=1)
    candidates = [Candidate("same", name, "1", lambda: offering) for name in ("gw-one", "gw-two")]
    first, second = load_extensions(candidates, Choice())
    assert first.offering is offering
    assert (second.state, second.reason) == ("failed", "gw-one has an extension of the same name")


def test_what_is_switched_off_is_not_even_imported():
    loaded = load(_import_error, choice=Choice(disabled={"toy": "you said so"}))
    assert (loaded.state, loaded.reason) == ("off", "you said so")


def test_a_thing_that_cannot_be_taken_is_noted_and_the_others_are_taken():
    loaded = load(Extension(api=1))
    with loaded.offers("operation", "good"):
        pass
    with loaded.offers("operation", "bad"):
        raise InvalidArgument("it is bad")
    with loaded.offers("skill", "gone"):
        raise FileNotFoundError("no such folder")
    assert list(loaded.added) == [("operation", "good")]
    assert [(each.name, each.reason) for each in loaded.left_out.values()] == [
        ("bad", "it is bad"),
        ("gone", "no such folder"),
    ]
