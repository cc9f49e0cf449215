"""Workspace edits planned over known texts: in order, against planned content, and refused where they do not fit."""

import msgspec
import pytest

from groundwire import errors
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.lsp import decode
from groundwire.protocol.lsp_edits import WorkspaceEdit
from groundwire.protocol.workspace_edits import (
    ChangeText,
    CreateFile,
    DeleteFile,
    KnownText,
    RenameFile,
    Step,
    documents_needed,
    plan_workspace_edit,
)

A, B, C = "file:///w/a.py", "file:///w/b.py", "file:///w/c.py"


def text_edit(line: int, start: int, end: int, new_text: str) -> dict[str, object]:
    span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"range": span, "newText": new_text}


def change(uri: str, *edits: dict[str, object], version: int | None = None) -> dict[str, object]:
    return {"textDocument": {"uri": uri, "version": version}, "edits": list(edits)}


def create(uri: str, **options: bool) -> dict[str, object]:
    return {"kind": "create", "uri": uri, "options": options}


def rename(old: str, new: str, **options: bool) -> dict[str, object]:
    return {"kind": "rename", "oldUri": old, "newUri": new, "options": options}


def delete(uri: str, **options: bool) -> dict[str, object]:
    return {"kind": "delete", "uri": uri, "options": options}


def workspace_edit(*changes: dict[str, object]) -> WorkspaceEdit:
    return decode(msgspec.json.encode({"documentChanges": changes}), WorkspaceEdit)


def plan(known: dict[str, str], *changes: dict[str, object]) -> list[Step]:
    documents = {uri: KnownText(text) for uri, text in known.items()}
    return plan_workspace_edit(workspace_edit(*changes), documents, "utf-16")


def test_changes_by_file_become_one_step_each():
    sent = {"changes": {A: [text_edit(0, 0, 1, "x"), text_edit(0, 2, 3, "z")], B: [text_edit(0, 0, 0, "!")]}}
    edit = decode(msgspec.json.encode(sent), WorkspaceEdit)
    assert documents_needed(edit) == {A, B}
    assert plan_workspace_edit(edit, {A: KnownText("abc"), B: KnownText("b", 7)}, "utf-8") == [
        ChangeText(A, content_hash("abc"), "xbz"),
        ChangeText(B, content_hash("b"), "!b"),
    ]


def test_a_document_known_under_another_spelling_is_found():
    steps = plan({"file:///c:/a%20b.py": "a"}, change("file:///C%3A/a b.py", text_edit(0, 0, 1, "x")))
    assert steps == [ChangeText("file:///C%3A/a b.py", content_hash("a"), "x")]


def test_an_edit_for_another_version_is_refused_naming_both():
    edit = workspace_edit(change(A, text_edit(0, 0, 0, "x"), version=4))
    with pytest.raises(errors.EditConflict, match=r"version 4 .* at 5"):
        plan_workspace_edit(edit, {A: KnownText("a", 5)}, "utf-16")


@pytest.mark.parametrize(("edit_version", "known"), [(4, 4), (None, 4), (4, None), (None, None)])
def test_an_edit_for_this_version_or_for_none_is_taken(edit_version: int | None, known: int | None):
    edit = workspace_edit(change(A, text_edit(0, 0, 0, "x"), version=edit_version))
    steps = plan_workspace_edit(edit, {A: KnownText("a", known)}, "utf-16")
    assert steps == [ChangeText(A, content_hash("a"), "xa")]


def test_a_text_nobody_gave_is_asked_for_by_name():
    with pytest.raises(errors.EditConflict, match=B):
        plan({A: "a"}, change(B, text_edit(0, 0, 0, "x")))


def test_an_edit_that_changes_nothing_is_no_step():
    assert plan({A: "a"}, change(A, text_edit(0, 0, 1, "a")), change(A)) == []


def test_a_created_file_is_edited_from_empty():
    changes = [create(B), change(B, text_edit(0, 0, 0, "new"))]
    assert documents_needed(workspace_edit(*changes)) == {B}
    assert plan({}, *changes) == [CreateFile(B), ChangeText(B, content_hash(""), "new")]


def test_creating_a_file_that_exists_is_refused_unless_the_edit_says_what_then():
    with pytest.raises(errors.EditConflict, match="exists"):
        plan({B: "old"}, create(B))
    assert plan({B: "old"}, create(B, overwrite=True), change(B, text_edit(0, 0, 0, "n"))) == [
        CreateFile(B, overwrite=True),
        ChangeText(B, content_hash(""), "n"),
    ]
    assert plan({B: "old"}, create(B, ignoreIfExists=True), change(B, text_edit(0, 0, 0, "n"))) == [
        CreateFile(B, ignore_if_exists=True),
        ChangeText(B, content_hash("old"), "nold"),
    ]


def test_overwriting_wins_over_ignoring():
    steps = plan({B: "old"}, create(B, overwrite=True, ignoreIfExists=True), change(B, text_edit(0, 0, 0, "n")))
    assert steps[1] == ChangeText(B, content_hash(""), "n")


def test_a_renamed_file_is_edited_under_its_new_name():
    changes = [change(A, text_edit(0, 0, 1, "x")), rename(A, B), change(B, text_edit(1, 0, 1, "y"))]
    assert documents_needed(workspace_edit(*changes)) == {A, B}
    assert plan({A: "a\nb"}, *changes) == [
        ChangeText(A, content_hash("a\nb"), "x\nb"),
        RenameFile(A, B),
        ChangeText(B, content_hash("x\nb"), "x\ny"),
    ]


def test_files_of_a_renamed_directory_move_along():
    changes = [rename("file:///w/old", "file:///w/new/"), change("file:///w/new/m/a.py", text_edit(0, 0, 0, "x"))]
    assert documents_needed(workspace_edit(*changes)) == {"file:///w/old/m/a.py", "file:///w/new/"}
    known = {"file:///w/old/m/a.py": "a", "file:///w/older.py": "o"}
    assert plan(known, *changes)[1] == ChangeText("file:///w/new/m/a.py", content_hash("a"), "xa")
    with pytest.raises(errors.EditConflict):
        plan(known, *changes, change("file:///w/old/m/a.py", text_edit(0, 0, 0, "x")))


def test_files_can_swap_their_names():
    swap = [
        rename(A, C),
        rename(B, A),
        rename(C, B),
        change(A, text_edit(0, 0, 0, "1")),
        change(B, text_edit(0, 0, 0, "2")),
    ]
    assert documents_needed(workspace_edit(*swap)) == {A, B, C}
    assert plan({A: "a", B: "b"}, *swap)[3:] == [
        ChangeText(A, content_hash("b"), "1b"),
        ChangeText(B, content_hash("a"), "2a"),
    ]


def test_renaming_onto_a_file_is_refused_unless_the_edit_says_what_then():
    edit_b = change(B, text_edit(0, 0, 0, "x"))
    with pytest.raises(errors.EditConflict, match=B):
        plan({A: "a", B: "b"}, rename(A, B))
    assert plan({A: "a", B: "b"}, rename(A, B, overwrite=True), edit_b)[1] == ChangeText(B, content_hash("a"), "xa")
    assert plan({A: "a", B: "b"}, rename(A, B, ignoreIfExists=True), edit_b)[1] == ChangeText(
        B, content_hash("b"), "xb"
    )


def test_a_deleted_file_cannot_be_edited():
    assert plan({A: "a"}, delete(A, recursive=True, ignoreIfNotExists=True)) == [DeleteFile(A, True, True)]
    with pytest.raises(errors.EditConflict, match="no such text"):
        plan({A: "a"}, delete(A), change(A, text_edit(0, 0, 0, "x")))
    with pytest.raises(errors.EditConflict, match="no such text"):
        plan({A: "a"}, delete("file:///w"), change(A, text_edit(0, 0, 0, "x")))


def test_a_deleted_file_can_be_created_again():
    steps = plan({A: "a"}, delete(A), create(A), change(A, text_edit(0, 0, 0, "x")))
    assert steps == [DeleteFile(A), CreateFile(A), ChangeText(A, content_hash(""), "x")]


def test_two_edits_of_one_file_are_taken_when_they_can_be_read_in_one_way_only():
    steps = plan({A: "a\nb"}, change(A, text_edit(1, 0, 1, "y")), change(A, text_edit(0, 0, 1, "x")))
    assert steps == [ChangeText(A, content_hash("a\nb"), "a\ny"), ChangeText(A, content_hash("a\ny"), "x\ny")]


def test_two_edits_of_one_file_are_refused_when_they_can_be_read_in_two_ways():
    with pytest.raises(errors.EditConflict, match="two ways"):
        plan({A: "a\nb"}, change(A, text_edit(0, 0, 0, "import x\n")), change(A, text_edit(1, 0, 1, "y")))


def test_overlapping_edits_inside_a_workspace_edit_are_refused():
    with pytest.raises(errors.EditConflict, match="overlap"):
        plan({A: "abc"}, change(A, text_edit(0, 0, 2, "x"), text_edit(0, 1, 3, "y")))


def test_an_empty_edit_is_an_empty_plan():
    assert plan_workspace_edit(WorkspaceEdit(), {}, "utf-16") == []
    assert documents_needed(WorkspaceEdit()) == set()
