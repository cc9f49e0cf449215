"""What happened to each file, and the lines in which it changed."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.edits.diff import blocks, lines_of, unified_diff
from groundwire.edits.report import ChangedFile
from tests.edits.projects import Project, text_edit

texts = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\r\n", "e\r", "\n", "\u2028\n"]), max_size=30).map("".join)


def told(changes: list[ChangedFile], project: Project) -> list[tuple[str, str, str | None, str | None]]:
    return [
        (str(each.path.relative_to(project.root)), each.kind, each.before_text, each.after_text) for each in changes
    ]


def test_each_file_is_told_of_once_with_what_it_was_and_is(project: Project):
    project.put("a.py", "a\n")
    project.put("b.py", "b\n")
    project.put("c.py", "c\n")
    project.put("d.bin", b"\0")
    applied = project.apply(
        project.change("a.py", text_edit(0, 0, 1, "x")),
        project.rename("b.py", "moved.py"),
        project.change("moved.py", text_edit(0, 0, 1, "y")),
        project.create("new.py"),
        project.change("new.py", text_edit(0, 0, 0, "n\n")),
        project.delete("c.py"),
        project.rename("d.bin", "e.bin"),
    )
    assert told(applied.changes, project) == [
        ("a.py", "changed", "a\n", "x\n"),
        ("moved.py", "renamed", "b\n", "y\n"),
        ("new.py", "created", None, "n\n"),
        ("c.py", "deleted", "c\n", None),
        ("e.bin", "renamed", None, None),
    ]
    assert applied.changes[1].old_path == project / "b.py"
    assert [change.lines for change in applied.changes] == [(1, 1), (1, 1), (1, 0), (0, 1), (0, 0)]


def test_a_file_deleted_and_made_again_is_changed(project: Project):
    project.put("a.py", "a")
    applied = project.apply(
        project.delete("a.py"), project.create("a.py"), project.change("a.py", text_edit(0, 0, 0, "b"))
    )
    assert told(applied.changes, project) == [("a.py", "changed", "a", "b")]


def test_a_file_made_and_deleted_again_never_was(project: Project):
    assert project.apply(project.create("a.py"), project.delete("a.py")).changes == []


def test_a_file_overwritten_by_a_rename_is_gone_and_the_other_renamed(project: Project):
    project.put("a.py", "a")
    project.put("b.py", "b")
    changes = project.apply(project.rename("a.py", "b.py", overwrite=True)).changes
    assert [(change.path.name, change.kind) for change in changes] == [("b.py", "deleted"), ("b.py", "renamed")]


def test_a_renamed_directory_is_told_with_what_changed_in_it(project: Project):
    project.put("old/a.py", "a")
    changes = project.apply(project.change("old/a.py", text_edit(0, 0, 1, "b")), project.rename("old", "new")).changes
    assert [(change.old_path, change.path, change.kind) for change in changes] == [
        (project / "old/a.py", project / "new/a.py", "renamed"),
        (project / "old", project / "new", "renamed"),
    ]


def test_a_directory_renamed_and_then_deleted_is_gone(project: Project):
    project.put("a.py", "a")
    project.put("d/c.py", "c")
    changes = project.apply(project.rename("d", "a.py", overwrite=True), project.delete("a.py", recursive=True)).changes
    assert {(change.path.name, change.kind) for change in changes} >= {("a.py", "deleted"), ("d", "deleted")}
    assert {change.kind for change in changes} == {"deleted"}


def test_a_diff_names_files_from_the_root(project: Project):
    project.put("d/a.py", "1\n2\n3\n4\n5\n")
    plan = project.plan(project.change("d/a.py", text_edit(4, 0, 1, "five")))
    shown = "--- a/d/a.py\n+++ b/d/a.py\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n"
    assert plan.changes[0].diff(project.root) == shown


def test_a_created_and_a_deleted_file_have_nothing_on_the_other_side(project: Project):
    project.put("a.py", "a\n")
    plan = project.plan(project.delete("a.py"), project.create("b.py"), project.change("b.py", text_edit(0, 0, 0, "b")))
    assert [change.diff(project.root) for change in plan.changes] == [
        "--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        "--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+b\n\\ No newline at end of file\n",
    ]


@given(texts, texts)
def test_the_blocks_are_just_the_lines_that_make_one_text_of_the_other(before: str, after: str):
    old, new = lines_of(before), lines_of(after)
    made: list[str] = []
    at = 0
    for old_from, old_to, new_from, new_to in blocks(old, new):
        made += [*old[at:old_from], *new[new_from:new_to]]
        at = old_to
    assert [*made, *old[at:]] == new


@given(texts, texts)
def test_a_diff_applied_to_the_one_text_gives_the_other(before: str, after: str):
    shown = unified_diff(before, after, old_name="a", new_name="b").split("\n")[2:-1]
    old, made, at = [line.rstrip("\r\n") for line in lines_of(before)], list[str](), 0
    for line in shown:
        if header := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
            start = int(header[1]) - (header[2] != "0")
            made, at = [*made, *old[at:start]], start
        elif line.startswith((" ", "-")):
            assert line[1:] == old[at]
            at += 1
        if line.startswith((" ", "+")):
            made.append(line[1:])
    assert [*made, *old[at:]] == [line.rstrip("\r\n") for line in lines_of(after)]


def test_a_long_diff_is_cut_and_says_so():
    shown = unified_diff("", "x\n" * 1000, old_name="a", new_name="b", max_lines=10).splitlines()
    assert (len(shown), shown[-1]) == (11, "… and 993 more lines")


@pytest.mark.parametrize("lines", [["x"], ["x", "y", "z"]])
def test_huge_differences_take_no_time(lines: list[str]):
    before = "".join(f"{line}\n" for line in lines * 30_000)
    after = "".join(f"{line}!\n{line}\n" for line in lines * 30_000)
    begin = time.process_time()
    unified_diff(before, after, old_name="a", new_name="b")
    assert time.process_time() - begin < 2


def test_few_lines_that_are_far_apart_in_a_long_text_are_few_lines_in_the_difference():
    lines = [f"line {number}\n" for number in range(5_000)]
    changed = ["first\n", *lines[1:-1], "last\n"]
    assert blocks(lines, changed) == [(0, 1, 0, 1), (4_999, 5_000, 4_999, 5_000)]
