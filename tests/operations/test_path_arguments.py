"""Names of files as seen from a directory."""

from pathlib import Path

from groundwire.operations.arguments import TargetPage
from groundwire.operations.diagnostics.get_diagnostics import GetDiagnostics
from groundwire.operations.path_arguments import arguments_from, given_from
from groundwire.operations.speculation.compare_edits import CompareEdits, GivenAlternative
from groundwire.operations.speculation.preview_edit import PreviewEdit

HERE = Path("/home/part")


def test_arguments_that_name_files_are_seen_from_the_directory_and_others_are_left_alone() -> None:
    given = {"file_path": "a.py", "symbol": "a.py", "file_paths": ["b.py", "/c.py"], "limit": 3, "path": ""}
    assert given_from(given, HERE) == {
        "file_path": "/home/part/a.py",
        "symbol": "a.py",
        "file_paths": ["/home/part/b.py", "/c.py"],
        "limit": 3,
        "path": "",
    }


def test_arguments_of_an_operation_keep_their_type_and_those_that_name_nothing_are_the_same() -> None:
    assert arguments_from(TargetPage(file_path="a.py", line=1), HERE) == TargetPage(file_path="/home/part/a.py", line=1)
    several = arguments_from(GetDiagnostics(file_paths=("a.py", "../b.py")), HERE)
    assert several.file_paths == ("/home/part/a.py", "/home/part/../b.py")
    silent = TargetPage(symbol="shout")
    assert arguments_from(silent, HERE) is silent


def test_files_within_edits_are_seen_from_there_too_and_their_texts_are_not_touched() -> None:
    edit = {"file_path": "a.py", "old_text": "path", "new_text": "b.py"}
    seen = {**edit, "file_path": "/home/part/a.py"}
    assert arguments_from(PreviewEdit(edits=(edit,)), HERE).edits == (seen,)
    alternatives = CompareEdits(alternatives=(GivenAlternative(edits=(edit,)), GivenAlternative(patch="--- a.py")))
    found = arguments_from(alternatives, HERE).alternatives
    assert [each.edits for each in found] == [(seen,), ()]
    assert found[1].patch == "--- a.py"
