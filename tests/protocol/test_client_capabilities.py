"""What we declare, and that each of it is something we do."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import msgspec
import pytest

from groundwire.client.inbound import Inbound
from groundwire.client.options import SessionOptions
from groundwire.client.state import SessionState
from groundwire.protocol.capabilities import PROVIDERS, ServerCapabilities
from groundwire.protocol.client_capabilities import CLIENT_CAPABILITIES, client_capabilities
from groundwire.protocol.lsp import Registration


def at(*path: str) -> object:
    outer, *inner = path
    found = CLIENT_CAPABILITIES[outer]
    for name in inner:
        found = cast("Mapping[str, object]", found)[name]
    return found


def section(*path: str) -> Mapping[str, object]:
    return cast("Mapping[str, object]", at(*path))


@pytest.fixture
def inbound() -> Inbound:
    options = SessionOptions(server="any", root=Path("/w"))
    return Inbound(options, SessionState(options), lambda: 0.0, windows=False)


def is_known(inbound: Inbound, method: str, params: object, caplog: pytest.LogCaptureFixture) -> bool:
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        inbound.asked(method, msgspec.Raw(msgspec.json.encode(params)))
    return "unknown request" not in caplog.text


def test_an_unknown_request_is_told_from_a_known_one(inbound: Inbound, caplog: pytest.LogCaptureFixture) -> None:
    assert not is_known(inbound, "workspace/nobody/refresh", None, caplog)


def refreshes() -> list[str]:
    declared = section("workspace").items()
    names = [name for name, options in declared if isinstance(options, dict) and "refreshSupport" in options]
    return [f"workspace/{'diagnostic' if name == 'diagnostics' else name}/refresh" for name in names]


@pytest.mark.parametrize("method", refreshes())
def test_every_refresh_that_is_declared_is_answered(
    method: str, inbound: Inbound, caplog: pytest.LogCaptureFixture
) -> None:
    assert is_known(inbound, method, None, caplog)


@pytest.mark.parametrize(
    ("declared", "method", "params"),
    [
        (("workspace", "configuration"), "workspace/configuration", {"items": []}),
        (("workspace", "workspaceFolders"), "workspace/workspaceFolders", None),
        (("window", "workDoneProgress"), "window/workDoneProgress/create", {"token": 1}),
        (("window", "showDocument"), "window/showDocument", {"uri": "file:///w/a"}),
        (("window", "showMessage"), "window/showMessageRequest", {"type": 3, "message": "?"}),
        (("workspace", "didChangeWatchedFiles"), "client/registerCapability", {"registrations": []}),
        (("workspace", "didChangeWatchedFiles"), "client/unregisterCapability", {"unregisterations": []}),
    ],
)
def test_every_request_that_is_declared_is_answered(
    declared: tuple[str, ...], method: str, params: object, inbound: Inbound, caplog: pytest.LogCaptureFixture
) -> None:
    assert at(*declared) not in (None, False)
    assert is_known(inbound, method, params, caplog)


def capability_of(method: str) -> str:
    named = {
        "textDocument/prepareCallHierarchy": "callHierarchy",
        "textDocument/prepareTypeHierarchy": "typeHierarchy",
    }
    return named.get(method, method.rpartition("/")[2])


@pytest.mark.parametrize("method", PROVIDERS)
def test_what_may_be_registered_is_honoured_and_what_is_honoured_is_declared(method: str) -> None:
    kind = method.partition("/")[0]
    declared = section(kind, capability_of(method))
    assert declared["dynamicRegistration"] is True
    capabilities = ServerCapabilities()
    capabilities.register(Registration("1", method))
    assert capabilities.supports(method)


def test_nothing_of_documents_is_declared_that_no_question_asks_for() -> None:
    ours = {capability_of(method) for method in PROVIDERS} | {"synchronization", "publishDiagnostics"}
    assert set(section("textDocument")) <= ours


def test_only_requests_are_listed_as_retried() -> None:
    retried = cast("list[str]", at("general", "staleRequestSupport", "retryOnContentModified"))
    assert len(set(retried)) == len(retried)
    tokens = {"textDocument/semanticTokens/full", "textDocument/semanticTokens/range"}
    assert set(retried) == (PROVIDERS.keys() - {"textDocument/semanticTokens"}) | tokens


def test_saves_are_declared_and_what_happens_before_them_is_not() -> None:
    sync = section("textDocument", "synchronization")
    assert (sync["didSave"], sync["willSave"], sync["willSaveWaitUntil"]) == (True, False, False)


def test_every_encoding_that_is_offered_can_be_read() -> None:
    for encoding in cast("list[str]", at("general", "positionEncodings")):
        assert ServerCapabilities({"positionEncoding": encoding}).position_encoding == encoding


def test_versions_and_related_documents_are_asked_for() -> None:
    assert section("textDocument", "publishDiagnostics")["versionSupport"] is True
    assert section("textDocument", "diagnostic")["relatedDocumentSupport"] is True


def test_it_is_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(CLIENT_CAPABILITIES)) == CLIENT_CAPABILITIES


def test_experimental_capabilities_are_added_only_when_a_server_wants_them() -> None:
    assert "experimental" not in client_capabilities()
    assert "experimental" not in client_capabilities({})
    assert client_capabilities({"serverStatusNotification": True})["experimental"] == {"serverStatusNotification": True}


def test_adding_experimental_capabilities_leaves_the_common_ones_alone() -> None:
    client_capabilities({"x": True})["window"] = {}
    assert "experimental" not in CLIENT_CAPABILITIES
    assert client_capabilities()["window"] == CLIENT_CAPABILITIES["window"]
