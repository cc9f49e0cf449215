"""Which new files are old ones under another name."""

from pathlib import Path

from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.renames import find_renames

LINES = [f"line {number}" for number in range(10)]


def text(*numbers: int) -> str:
    return "".join(f"{LINES[number]}\n" for number in numbers)


def new(name: str, content: str) -> Edited:
    return Edited(Path(name), "", content)


def gone(name: str, content: str) -> Edited:
    return Edited(Path(name), content, None)


def renames(*edits: Edited) -> dict[str, str]:
    return {file.name: old.file.name for file, old in find_renames(edits).items()}


def test_a_file_that_kept_most_of_its_lines_was_renamed() -> None:
    assert renames(new("b.py", text(0, 1, 2, 9)), gone("a.py", text(0, 1, 2, 3))) == {"b.py": "a.py"}


def test_a_file_with_other_lines_or_another_ending_is_new() -> None:
    assert renames(new("b.py", text(5, 6, 7, 0)), gone("a.py", text(0, 1, 2, 3))) == {}
    assert renames(new("b.ts", text(0, 1)), gone("a.py", text(0, 1))) == {}


def test_the_most_alike_go_together_and_each_only_once() -> None:
    edits = (new("x.py", text(0, 1, 2)), new("y.py", text(0, 1, 2, 3)), gone("a.py", text(0, 1, 2, 3)))
    assert renames(*edits) == {"y.py": "a.py"}


def test_files_that_were_edited_or_are_empty_are_no_renames() -> None:
    edited = Edited(Path("e.py"), text(0), text(0, 1))
    assert renames(edited, new("n.py", ""), gone("g.py", ""), gone("h.py", text(0, 1))) == {}
