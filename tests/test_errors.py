"""The exception tree: its kinds are the contract, its drawing is true, and what it shows has one shape."""

import ast
import inspect
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from groundwire import errors
from groundwire.errors import GroundwireError, MessageTooLarge, ServerError, Wire

KINDS = [
    "ServerUnavailable",
    "ServerStarting",
    "LanguageNotEnabled",
    "NoServerForExtension",
    "FileNotFound",
    "NotAFile",
    "FileTooLarge",
    "OutsideWorkspace",
    "NoSuchSymbol",
    "AmbiguousSymbol",
    "InvalidArgument",
    "RequestTimeout",
    "SessionDead",
    "CapabilityMissing",
    "EditConflict",
    "PermissionDenied",
    "PhaseViolation",
    "Untrusted",
    "Wire",
    "Internal",
]


def descendants(base: type[GroundwireError]) -> Iterator[type[GroundwireError]]:
    for error in base.__subclasses__():
        yield error
        yield from descendants(error)


ALL = [error for error in descendants(GroundwireError) if error.__module__ == errors.__name__]
PLAIN = [error for error in ALL if error not in (MessageTooLarge, ServerError)]


def test_every_kind_of_the_contract_is_declared_exactly_once() -> None:
    declared = Counter(error.kind for error in ALL if "kind" in vars(error))
    assert declared == Counter(KINDS)


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_the_kind_is_the_name_of_the_class_or_of_an_ancestor(error: type[GroundwireError]) -> None:
    assert error.kind in {ancestor.__name__ for ancestor in error.__mro__}


def drawn() -> list[tuple[str, int]]:
    """Names and depths in the drawing of the module's docstring."""
    drawing = inspect.getdoc(errors) or ""
    lines = re.findall(r"^    ([│├└─ ]*)([A-Z]\w+)", drawing, flags=re.MULTILINE)
    return [(name, len(branches) // 4) for branches, name in lines]


def test_the_drawing_shows_every_class_at_its_place() -> None:
    parents: list[str] = []
    shown: dict[str, str] = {}
    for name, level in drawn():
        parents = [*parents[:level], name]
        shown[name] = parents[level - 1] if level else ""
    real = {error.__name__: error.__bases__[0].__name__ for error in ALL}
    assert shown == {"GroundwireError": "", **real}


def test_the_drawing_is_in_the_order_of_the_classes() -> None:
    tree = ast.parse(inspect.getsource(errors))
    defined = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    assert [name for name, _ in drawn()] == defined


@pytest.mark.parametrize("error", PLAIN, ids=lambda error: error.__name__)
def test_what_is_shown_has_one_shape(error: type[GroundwireError]) -> None:
    shown = error("what happened", hint="what to do").as_dict()
    assert shown == {"ok": False, "error": "what happened", "kind": error.kind, "hint": "what to do"}


@pytest.mark.parametrize("error", PLAIN, ids=lambda error: error.__name__)
def test_the_hint_of_the_class_is_shown_when_none_is_given(error: type[GroundwireError]) -> None:
    raised = error("what happened")
    assert raised.hint == error.default_hint
    assert ("hint" in raised.as_dict()) is bool(error.default_hint)


def test_no_hint_is_shown_when_it_is_empty() -> None:
    assert "hint" not in errors.FileNotFound("gone", hint="").as_dict()


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_a_hint_is_a_sentence(error: type[GroundwireError]) -> None:
    hint = error.default_hint
    assert hint == "" or (hint[0].isupper() and hint.endswith("."))


@pytest.mark.parametrize("error", ALL, ids=lambda error: error.__name__)
def test_every_class_says_what_it_is(error: type[GroundwireError]) -> None:
    assert (error.__doc__ or "").endswith(".")


def test_as_text_it_is_the_message() -> None:
    assert str(errors.NotAFile("a is no file", hint="Name one.")) == "a is no file"


def test_a_refused_message_tells_its_size_and_the_limit() -> None:
    error = MessageTooLarge(5_000_000, 1_000)
    assert (error.size, error.limit, error.kind) == (5_000_000, 1_000, "Wire")
    assert error.message == "a message of 5,000,000 bytes was refused (limit 1,000)"
    assert error.hint == MessageTooLarge.default_hint


def test_a_failure_of_the_server_keeps_its_code_and_message() -> None:
    error = ServerError(-32801, "content modified", method="textDocument/hover", data=b"{}")
    assert isinstance(error, Wire)
    assert (error.code, error.server_message, error.data) == (-32801, "content modified", b"{}")
    assert error.as_dict() == {
        "ok": False,
        "error": "textDocument/hover: content modified (-32801)",
        "kind": "Wire",
        "code": -32801,
    }


def test_a_failure_whose_method_is_not_known_names_none() -> None:
    assert ServerError(-1, "broken").message == "broken (-1)"
