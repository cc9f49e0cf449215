"""When a tangle of files may have ended, and what is told of that, in what order."""

from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import cast

import pytest

from groundwire.client.options import SessionOptions
from groundwire.client.state import SessionState
from groundwire.protocol.capabilities import ServerCapabilities
from groundwire.registry.catalog import load_catalog
from groundwire.workspace.documents import Documents
from groundwire.workspace.outgoing import Outgoing
from groundwire.workspace.rules import SettleRule
from groundwire.workspace.tangles import Tangles

URI, NOTICE = "file:///w/a.go", "file:///w/notice"
SYNC: dict[str, object] = {"textDocumentSync": {"openClose": True, "change": 2, "save": True}}
GOPLS = load_catalog().servers["gopls"].settle
HEAD = (
    '//go:build linux\n\n// Package a is one.\npackage a\n\nimport (\n\t"fmt"\n\tb "sample/b"\n\t. "formatted"\n)\n\n'
)
BODY = "// F says.\nfunc F() { fmt.Println(b.B) }\n"
CHANGED = ["didChange", "didSave"]
ENDED = ["didChange", "NOTICE", "didSave"]


def tangles() -> Tangles:
    assert GOPLS.tangles is not None
    return Tangles(GOPLS.tangles, NOTICE)


def go_documents() -> Documents:
    return Documents(ServerCapabilities(SYNC), GOPLS, tangles())


def told(messages: list[Outgoing]) -> list[str]:
    return ["NOTICE" if NOTICE in str(each.params) else each.method.removeprefix("textDocument/") for each in messages]


def changed(before: str, after: str) -> list[str]:
    documents = go_documents()
    documents.sync(URI, before, "go", 0.0)
    return told(documents.sync(URI, after, "go", 1.0))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('\tb "sample/b"\n', ""),
        ('"sample/b"', '"sample/c"'),
        ('\t. "formatted"\n', ""),
        ('"sample/b"', "`sample/c`"),
        ("//go:build linux\n\n", ""),
        ("linux", "windows"),
        ("package a", "package other"),
        ("package a\n", ""),
        (HEAD, ""),
        ('import (\n\t"fmt"\n\tb "sample/b"\n\t. "formatted"\n)\n', 'import "fmt"\n'),
    ],
)
def test_where_a_bond_goes_a_notice_follows_the_change(old: str, new: str) -> None:
    assert changed(HEAD + BODY, (HEAD + BODY).replace(old, new, 1)) == ENDED


def test_the_only_import_of_a_file_without_declarations_is_a_bond() -> None:
    assert changed('package a\n\nimport _ "sample/b"', "package a\n") == ENDED
    assert changed('package a; import _ "sample/b"', "package a") == ENDED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Println", "Print"),
        ("// F says.\n", ""),
        ('\t"fmt"\n', ""),
        ('"fmt"', '"net/http"'),
        ("// Package a is one.\n", ""),
        ('\tb "sample/b"\n', '\tb "sample/b"\n\tc "sample/c"\n'),
        ('\tb "sample/b"\n\t. "formatted"\n', '\t. "formatted"\n\tb "sample/b"\n'),
        ("// F says.\n", "var x = 1\n"),
    ],
)
def test_any_other_change_ends_none(old: str, new: str) -> None:
    assert changed(HEAD + BODY, (HEAD + BODY).replace(old, new, 1)) == CHANGED


@pytest.mark.parametrize("comment", ["/*\nA\ntype of thing.\n*/\n", "// see a/*.go\n"])
def test_a_comment_before_the_imports_does_not_end_the_head(comment: str) -> None:
    assert changed(comment + HEAD + BODY, comment + (HEAD + BODY).replace('\tb "sample/b"\n', "")) == ENDED


def test_a_text_that_looks_like_an_import_is_none_behind_the_head() -> None:
    text = HEAD + 'var list = []string{\n\t"sample/b",\n}\n'
    assert changed(text, text.replace('\t"sample/b",\n', "")) == CHANGED


def test_a_document_that_is_gone_ends_its_bonds_and_one_that_is_merely_closed_does_not() -> None:
    documents = go_documents()
    documents.sync(URI, HEAD, "go", 0.0)
    assert told(documents.close(URI, is_news=False)) == ["didClose"]
    documents.sync(URI, HEAD, "go", 1.0)
    assert told(documents.close(URI)) == ["didClose", "NOTICE"]


def test_a_server_that_forgets_tangles_by_itself_is_told_nothing() -> None:
    documents = Documents(ServerCapabilities(SYNC), SettleRule())
    documents.sync(URI, HEAD, "go", 0.0)
    assert told(documents.sync(URI, BODY, "go", 1.0)) == CHANGED
    assert told(documents.close(URI)) == ["didClose"]


def test_files_of_its_kind_can_be_in_one_and_its_finding_tells_of_it() -> None:
    assert tangles().concerns("/w/b.go")
    assert not tangles().concerns("/w/go.mod")
    assert tangles().is_told_by("import cycle not allowed")
    assert tangles().is_told_by("error while importing sample/a: import cycle not allowed")
    assert not tangles().is_told_by('could not import b (missing metadata for import of "b")')


@pytest.mark.parametrize("is_any_told", [True, False])
def test_a_closed_file_ends_one_by_losing_a_bond_that_was_seen(is_any_told: bool) -> None:
    known = tangles()
    assert known.closed_may_end("/w/a.go", HEAD + BODY, is_any_told=is_any_told) == is_any_told
    assert not known.closed_may_end("/w/a.go", HEAD, is_any_told=is_any_told)
    assert known.closed_may_end("/w/a.go", "package a\n", is_any_told=is_any_told)
    assert not known.closed_may_end("/w/a.go", HEAD, is_any_told=is_any_told)


def test_a_closed_file_that_is_gone_ends_one_unless_it_is_known_to_have_had_no_bond() -> None:
    known = tangles()
    assert known.closed_may_end("/w/a.go", None, is_any_told=False)
    known.closed_may_end("/w/a.go", HEAD, is_any_told=False)
    assert known.closed_may_end("/w/a.go", None, is_any_told=False)
    known.closed_may_end("/w/a.go", "", is_any_told=False)
    assert not known.closed_may_end("/w/a.go", None, is_any_told=False)


@pytest.mark.parametrize(
    ("root", "uri"),
    [
        (PurePosixPath("/work/a b"), "file:///work/a%20b/vendor/modules.txt"),
        (PureWindowsPath(r"C:\work\x"), "file:///C:/work/x/vendor/modules.txt"),
    ],
)
def test_the_notice_names_a_file_of_the_root(root: PurePath, uri: str) -> None:
    state = SessionState(SessionOptions(server="gopls", root=root, settle=GOPLS))  # pyright: ignore[reportArgumentType]
    assert state.tangles is not None
    events = cast("list[dict[str, object]]", state.tangles.notice.params["changes"])
    assert (state.tangles.notice.method, events) == ("workspace/didChangeWatchedFiles", [{"uri": uri, "type": 2}])
