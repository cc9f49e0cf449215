"""The first line each way: what is written is read, and whatever else comes is refused in one way."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.daemon.greeting import Greeting, Welcome, dump, read_greeting, read_welcome, relevant
from groundwire.errors import Wire

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
_TEXTS = st.dictionaries(_TEXT, _TEXT)
_GREETINGS = st.builds(
    Greeting,
    conversation=_TEXT,
    root=_TEXT,
    client=_TEXT,
    options=_TEXTS,
    environment=_TEXTS,
    version=_TEXT,
    protocol=st.integers(),
    token=_TEXT,
    notes=st.just(()),
)
_WELCOMES = st.builds(
    Welcome,
    is_welcome=st.booleans(),
    pid=st.integers(),
    version=_TEXT,
    protocol=st.integers(),
    notes=st.lists(_TEXT).map(tuple),
    is_leaving=st.booleans(),
    error=_TEXT,
    hint=_TEXT,
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.sampled_from([*Greeting._fields, *Welcome._fields]), inside),
)


@given(_GREETINGS)
def test_a_greeting_is_one_line_and_comes_back_as_it_was(greeting: Greeting) -> None:
    line = dump(greeting)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert read_greeting(line) == greeting


@given(_WELCOMES)
def test_a_welcome_is_one_line_and_comes_back_as_it_was(welcome: Welcome) -> None:
    line = dump(welcome)
    assert line.count(b"\n") == 1
    assert read_welcome(line) == welcome


@given(_JSON.map(lambda value: json.dumps(value).encode()) | st.binary())
def test_whatever_else_comes_is_read_as_far_as_it_goes_or_refused_as_wire(line: bytes) -> None:
    with contextlib.suppress(Wire):
        read_greeting(line).client.strip()
    with contextlib.suppress(Wire):
        assert read_welcome(line).is_welcome in (True, False)


@pytest.mark.parametrize("line", [b"", b"[]", b"nonsense", b"\xff", b'"text"', b"[" * 100_000])
def test_what_is_no_object_is_refused(line: bytes) -> None:
    with pytest.raises(Wire):
        read_greeting(line)
    with pytest.raises(Wire):
        read_welcome(line)


def test_a_later_version_may_say_more() -> None:
    line = json.dumps({**Greeting("mcp", "/w")._asdict(), "mood": "good"}).encode()
    assert read_greeting(line) == Greeting("mcp", "/w")


def test_nobody_is_welcome_by_mistake() -> None:
    assert not read_welcome(b'{"is_welcome": 1}').is_welcome
    assert not read_welcome(b"{}").is_welcome


def test_of_an_environment_only_what_decides_which_servers_run_is_told() -> None:
    told = relevant({"PATH": "/bin", "SECRET": "x", "GROUNDWIRE_CONFIG": "c", "VIRTUAL_ENV": "v", "TERM": "t"})
    assert told == {"PATH": "/bin", "GROUNDWIRE_CONFIG": "c", "VIRTUAL_ENV": "v"}


def test_what_is_only_about_one_client_or_is_secret_is_not_told() -> None:
    assert relevant({"GROUNDWIRE_OUTPUT": "json", "GROUNDWIRE_TOKEN": "s"}) == {}
