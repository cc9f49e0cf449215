"""What a server offers: from the start and registered since, for which documents, and how it wants to be told."""

import msgspec
import pytest

from groundwire.protocol.capabilities import PROVIDERS, ServerCapabilities, SyncKind
from groundwire.protocol.lsp import Registration
from groundwire.protocol.positions import PositionEncoding

HOVER = "textDocument/hover"
PULL = "textDocument/diagnostic"


def registration(identifier: str, method: str, options: object = None) -> Registration:
    raw = msgspec.Raw(msgspec.json.encode(options)) if options is not None else msgspec.Raw()
    return Registration(identifier, method, raw)


def registered(method: str, *options: object) -> ServerCapabilities:
    capabilities = ServerCapabilities()
    for number, each in enumerate(options):
        capabilities.register(registration(str(number), method, each))
    return capabilities


def selecting(*selector: object) -> ServerCapabilities:
    return registered(HOVER, {"documentSelector": list(selector)})


@pytest.mark.parametrize("method", PROVIDERS)
def test_every_provider_can_be_offered_from_the_start(method: str) -> None:
    assert ServerCapabilities({PROVIDERS[method]: True}).supports(method)
    assert not ServerCapabilities({PROVIDERS[method]: False}).supports(method)
    assert not ServerCapabilities({PROVIDERS[method]: None}).supports(method)
    assert not ServerCapabilities().supports(method)


@pytest.mark.parametrize("method", PROVIDERS)
def test_every_provider_can_be_registered_later(method: str) -> None:
    assert registered(method, None).supports(method)


def test_an_empty_object_is_an_offer() -> None:
    assert ServerCapabilities({"hoverProvider": {}}).supports(HOVER)


def test_a_method_nobody_knows_is_offered_by_registration_only() -> None:
    assert not ServerCapabilities({"customProvider": True}).supports("custom/method")
    assert registered("custom/method", None).supports("custom/method")


def test_what_is_answered_to_initialize_is_taken_over_and_registrations_stay() -> None:
    capabilities = registered(HOVER, None)
    capabilities.adopt({"renameProvider": True})
    assert capabilities.supports(HOVER)
    assert capabilities.supports("textDocument/rename")


def test_a_registration_ends_with_its_id() -> None:
    capabilities = registered(HOVER, None)
    removed = capabilities.unregister("0")
    assert removed is not None
    assert removed.method == HOVER
    assert not capabilities.supports(HOVER)


def test_unregistering_what_is_not_registered_is_no_harm() -> None:
    capabilities = registered(HOVER, None)
    assert capabilities.unregister("unknown") is None
    assert capabilities.supports(HOVER)


def test_unregistering_leaves_what_was_offered_from_the_start() -> None:
    capabilities = ServerCapabilities({"hoverProvider": True})
    capabilities.register(registration("1", HOVER))
    capabilities.unregister("1")
    assert capabilities.supports(HOVER)


def test_one_of_two_registrations_of_a_method_may_go() -> None:
    capabilities = registered(HOVER, None, None)
    capabilities.unregister("0")
    assert capabilities.supports(HOVER)


def test_a_repeated_id_replaces_the_registration_before() -> None:
    capabilities = registered(HOVER, {"documentSelector": [{"language": "go"}]})
    capabilities.register(registration("0", HOVER, {"documentSelector": [{"language": "python"}]}))
    assert capabilities.supports(HOVER, path="/w/a.py", language="python")
    assert not capabilities.supports(HOVER, path="/w/a.go", language="go")
    capabilities.unregister("0")
    assert not capabilities.supports(HOVER)


def test_registering_in_and_out_several_times_ends_with_the_last_word() -> None:
    capabilities = ServerCapabilities()
    for _ in range(3):
        capabilities.register(registration("1", HOVER))
        capabilities.unregister("1")
    capabilities.register(registration("1", HOVER))
    assert capabilities.supports(HOVER)


def test_everything_new_is_counted() -> None:
    capabilities = ServerCapabilities()
    counts = [capabilities.changed]
    capabilities.adopt({})
    counts.append(capabilities.changed)
    capabilities.register(registration("1", HOVER))
    counts.append(capabilities.changed)
    capabilities.unregister("1")
    counts.append(capabilities.changed)
    assert counts == sorted(set(counts))


@pytest.mark.parametrize(
    ("selector", "takes"),
    [
        ({"language": "python"}, True),
        ({"language": "go"}, False),
        ({"scheme": "file"}, True),
        ({"scheme": "untitled"}, False),
        ({"scheme": None, "language": "python", "pattern": None}, True),
        ({"scheme": "file", "language": "python"}, True),
        ({"scheme": "untitled", "language": "python"}, False),
        ({"pattern": "**/*.py"}, True),
        ({"pattern": "**/*.{ts,py}"}, True),
        ({"pattern": "**/*.go"}, False),
        ({"pattern": "/w/src/*.py"}, True),
        ({"pattern": "/w/*.py"}, False),
        ({"language": "python", "pattern": "**/*.go"}, False),
        ({"notebook": "jupyter-notebook", "language": "python"}, False),
        ({}, True),
        ("python", True),
        ("*", True),
        ("go", False),
    ],
)
def test_a_selector_takes_the_documents_it_names(selector: object, takes: bool) -> None:
    assert selecting(selector).supports(HOVER, path="/w/src/a.py", language="python") is takes


def test_one_entry_of_a_selector_is_enough() -> None:
    assert selecting({"language": "go"}, {"language": "python"}).supports(HOVER, path="/w/a.py", language="python")


def test_an_empty_selector_takes_no_document() -> None:
    assert not selecting().supports(HOVER, path="/w/a.py", language="python")


@pytest.mark.parametrize("options", [None, {}, {"documentSelector": None}])
def test_no_selector_takes_every_document(options: object) -> None:
    assert registered(HOVER, options).supports(HOVER, path="/w/a.py", language="python")


def test_without_a_document_every_selector_does() -> None:
    assert selecting({"language": "go"}).supports(HOVER)


def test_a_selector_given_from_the_start_counts_too() -> None:
    capabilities = ServerCapabilities({"hoverProvider": {"documentSelector": [{"language": "go"}]}})
    assert capabilities.supports(HOVER, path="/w/a.go", language="go")
    assert not capabilities.supports(HOVER, path="/w/a.py", language="python")


def test_options_are_those_of_the_first_offer() -> None:
    capabilities = ServerCapabilities({"renameProvider": {"prepareProvider": True}})
    capabilities.register(registration("1", "textDocument/rename", {"prepareProvider": False}))
    assert capabilities.options("textDocument/rename") == {"prepareProvider": True}
    assert capabilities.options(HOVER) == {}
    assert ServerCapabilities({"renameProvider": True}).options("textDocument/rename") == {}


def test_options_may_come_with_a_registration() -> None:
    assert registered("textDocument/rename", {"prepareProvider": True}).options("textDocument/rename") == {
        "prepareProvider": True
    }


def test_pulling_is_not_offered_without_a_provider() -> None:
    assert ServerCapabilities().pull_identifiers("/w/a.py", "python") == ()


def test_pulling_may_be_offered_without_an_identifier() -> None:
    assert ServerCapabilities({"diagnosticProvider": {}}).pull_identifiers("/w/a.py", "python") == (None,)


def test_identifiers_from_the_start_and_registered_ones_are_all_pulled_each_once() -> None:
    capabilities = ServerCapabilities({"diagnosticProvider": {"identifier": "static"}})
    for number, identifier in enumerate(["types", "lint", "types", "static"]):
        capabilities.register(registration(str(number), PULL, {"identifier": identifier}))
    assert capabilities.pull_identifiers("/w/a.py", "python") == ("static", "types", "lint")


def test_only_identifiers_for_the_document_are_pulled() -> None:
    capabilities = registered(
        PULL,
        {"identifier": "py", "documentSelector": [{"language": "python"}]},
        {"identifier": "go", "documentSelector": [{"language": "go"}]},
        {"identifier": None},
    )
    assert capabilities.pull_identifiers("/w/a.py", "python") == ("py", None)


def test_a_late_registration_of_pulling_counts_from_then_on() -> None:
    capabilities = ServerCapabilities({"textDocumentSync": 2})
    assert capabilities.pull_identifiers("/w/a.py", "python") == ()
    capabilities.register(registration("late", PULL, {"identifier": "types"}))
    assert capabilities.pull_identifiers("/w/a.py", "python") == ("types",)
    capabilities.unregister("late")
    assert capabilities.pull_identifiers("/w/a.py", "python") == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_the_encoding_is_the_one_the_server_chose(encoding: PositionEncoding) -> None:
    assert ServerCapabilities({"positionEncoding": encoding}).position_encoding == encoding


@pytest.mark.parametrize("chosen", [None, "utf-7", 8, ["utf-8"]])
def test_the_encoding_is_utf_16_when_nothing_usable_was_chosen(chosen: object) -> None:
    assert ServerCapabilities({"positionEncoding": chosen}).position_encoding == "utf-16"


@pytest.mark.parametrize(
    ("sync", "kind", "opens", "save"),
    [
        (None, "none", False, "none"),
        (0, "none", False, "none"),
        (1, "full", True, "plain"),
        (2, "incremental", True, "plain"),
        ({}, "none", False, "none"),
        ({"openClose": True}, "none", True, "none"),
        ({"openClose": True, "change": 1}, "full", True, "none"),
        ({"openClose": True, "change": 2, "save": True}, "incremental", True, "plain"),
        ({"openClose": False, "change": 2}, "incremental", False, "none"),
        ({"change": 2}, "incremental", True, "none"),
        ({"openClose": True, "change": None}, "none", True, "none"),
        ({"openClose": True, "change": 9}, "none", True, "none"),
        ({"openClose": True, "save": False}, "none", True, "none"),
        ({"openClose": True, "save": {}}, "none", True, "plain"),
        ({"openClose": True, "save": {"includeText": False}}, "none", True, "plain"),
        ({"openClose": True, "save": {"includeText": True}}, "none", True, "with-text"),
    ],
)
def test_how_documents_are_told_of_is_read_from_a_number_or_an_object(
    sync: object, kind: SyncKind, opens: bool, save: str
) -> None:
    capabilities = ServerCapabilities({"textDocumentSync": sync})
    assert (capabilities.sync_kind, capabilities.wants_open_close, capabilities.save) == (kind, opens, save)


def test_how_documents_are_told_of_may_be_registered() -> None:
    capabilities = ServerCapabilities()
    capabilities.register(registration("1", "textDocument/didOpen", {"documentSelector": None}))
    capabilities.register(registration("2", "textDocument/didChange", {"syncKind": 2}))
    capabilities.register(registration("3", "textDocument/didSave", {"includeText": True}))
    assert capabilities.wants_open_close
    assert capabilities.sync_kind == "incremental"
    assert capabilities.save == "with-text"
    for identifier in "123":
        capabilities.unregister(identifier)
    assert (capabilities.wants_open_close, capabilities.sync_kind, capabilities.save) == (False, "none", "none")


def test_a_registered_save_without_options_is_plain() -> None:
    assert registered("textDocument/didSave", None).save == "plain"


def test_the_text_is_saved_along_when_one_of_several_wants_it() -> None:
    capabilities = ServerCapabilities({"textDocumentSync": {"save": True}})
    capabilities.register(registration("1", "textDocument/didSave", {"includeText": True}))
    assert capabilities.save == "with-text"


def test_opening_that_is_registered_counts_although_the_object_says_nothing_of_it() -> None:
    capabilities = ServerCapabilities({"textDocumentSync": {"save": True}})
    capabilities.register(registration("1", "textDocument/didOpen"))
    assert capabilities.wants_open_close


@pytest.mark.parametrize(
    ("folders", "wants"),
    [
        ({"supported": True, "changeNotifications": True}, True),
        ({"supported": True, "changeNotifications": "some-id"}, True),
        ({"supported": True}, False),
        ({"changeNotifications": True}, False),
        (None, False),
    ],
)
def test_folders_are_told_of_when_the_server_takes_them_and_wants_to_know(folders: object, wants: bool) -> None:
    assert ServerCapabilities({"workspace": {"workspaceFolders": folders}}).workspace_folders is wants


def test_commands_of_all_offers_are_known() -> None:
    capabilities = ServerCapabilities({"executeCommandProvider": {"commands": ["a", "b"]}})
    capabilities.register(registration("1", "workspace/executeCommand", {"commands": ["b", "c", 4]}))
    assert capabilities.commands() == {"a", "b", "c"}


@pytest.mark.parametrize("provider", [None, True, {}, {"commands": None}])
def test_no_commands_are_known_when_none_are_named(provider: object) -> None:
    assert ServerCapabilities({"executeCommandProvider": provider}).commands() == frozenset()


def test_it_tells_how_much_it_holds() -> None:
    assert repr(registered(HOVER, None, None)) == "<ServerCapabilities 0 static, 2 registered>"


TOKENS = "textDocument/semanticTokens"


@pytest.mark.parametrize(
    ("options", "full", "is_range"),
    [
        ({"full": True, "range": True}, True, True),
        ({"full": {"delta": True}, "range": False}, True, False),
        ({"range": {}}, False, True),
        ({}, False, False),
    ],
)
def test_semantic_tokens_are_offered_in_one_form_or_both(options: object, full: bool, is_range: bool) -> None:
    for offered in (ServerCapabilities({"semanticTokensProvider": options}), registered(TOKENS, options)):
        assert (offered.supports(f"{TOKENS}/full"), offered.supports(f"{TOKENS}/range")) == (full, is_range)


def test_semantic_tokens_that_nobody_offers_are_not_offered_in_any_form() -> None:
    assert not ServerCapabilities().supports(f"{TOKENS}/full")
