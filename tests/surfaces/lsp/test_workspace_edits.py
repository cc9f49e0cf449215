"""Edits reach a client with its own versions, and in a form that it takes whole or not at all."""

from pathlib import Path

import pytest

from groundwire.errors import ServerError
from groundwire.protocol.lsp import TextDocumentItem
from groundwire.surfaces.lsp.capabilities import Features
from groundwire.surfaces.lsp.documents import ClientDocuments
from groundwire.surfaces.lsp.json_shapes import Members
from groundwire.surfaces.lsp.workspace_edits import fitted_action, fitted_edit

RICH = Features(document_changes=True, file_operations=frozenset({"rename"}))
EDIT: Members = {"range": {}, "newText": "x"}


def of(uri: str, version: int | None) -> Members:
    return {"textDocument": {"uri": uri, "version": version}, "edits": [EDIT]}


@pytest.fixture
def documents(tmp_path: Path) -> ClientDocuments:
    """One is open, in its version 7."""
    known = ClientDocuments(tmp_path, 1000)
    known.open(TextDocumentItem((tmp_path / "a.toy").as_uri(), "toy", 7, ""))
    return known


def test_versions_are_the_clients_own(documents: ClientDocuments, tmp_path: Path):
    opened, other = (tmp_path / "a.toy").as_uri(), (tmp_path / "b.toy").as_uri()
    edit: Members = {"documentChanges": [of(opened, 100), of(other, 200)]}
    assert fitted_edit(edit, RICH, documents) == {"documentChanges": [of(opened, 7), of(other, None)]}
    assert fitted_action({"title": "t", "edit": edit}, RICH, documents) == {
        "title": "t",
        "edit": {"documentChanges": [of(opened, 7), of(other, None)]},
    }
    assert fitted_action({"title": "t"}, RICH, documents) == {"title": "t"}


def test_an_older_client_gets_the_older_form(documents: ClientDocuments):
    edit: Members = {"documentChanges": [of("a", 1), of("b", 1), of("a", 1)]}
    assert fitted_edit(edit, Features(), documents) == {"changes": {"a": [EDIT, EDIT], "b": [EDIT]}}
    assert fitted_edit({"changes": {"a": [EDIT]}}, Features(), documents) == {"changes": {"a": [EDIT]}}


def test_an_edit_that_the_client_could_apply_only_in_part_is_refused(documents: ClientDocuments):
    rename: Members = {"kind": "rename", "oldUri": "a", "newUri": "b"}
    create: Members = {"kind": "create", "uri": "c"}
    assert fitted_edit({"documentChanges": [rename]}, RICH, documents) == {"documentChanges": [rename]}
    with pytest.raises(ServerError, match="create, rename files"):
        fitted_edit({"documentChanges": [rename, create]}, RICH, documents)
    with pytest.raises(ServerError):
        fitted_edit({"documentChanges": [rename]}, Features(), documents)
