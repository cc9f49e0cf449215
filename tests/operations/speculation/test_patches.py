"""Patches applied to texts in memory: where they fit, and what is said where they do not."""

import pytest

from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.speculation.patches import parse_patch, patched

HEAD = "--- a/x\n+++ b/x\n"


def applied(text: str, hunks: str) -> str:
    (file,) = parse_patch(HEAD + hunks)
    return patched(text, file.hunks, file.new)


@pytest.mark.parametrize(
    ("text", "hunks", "after"),
    [
        ("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\n"),
        ("a\r\nb\r\n", "@@ -2 +2,2 @@\n-b\n+B\n+C\n", "a\r\nB\r\nC\r\n"),
        ("x\nx\na\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "x\nx\na\nB\n"),
        ("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n", "a\nB\n"),
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n", "a\nB"),
        ("a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
        ("a\nb\n", "@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n", "a\nb"),
        ("a\nb\n", "@@ -1,0 +2 @@\n+between\n", "a\nbetween\nb\n"),
        ("a\nb\nc\nd\n", "@@ -1 +1,2 @@\n-a\n+A\n+A2\n@@ -4 +5 @@\n-d\n+D\n", "A\nA2\nb\nc\nD\n"),
    ],
)
def test_a_patch_changes_what_it_says(text: str, hunks: str, after: str):
    assert applied(text, hunks) == after


def test_files_that_are_new_or_gone_have_one_name_only():
    new, gone = parse_patch("--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")
    assert ((new.old, new.new), (gone.old, gone.new)) == (("", "n"), ("g", ""))
    assert (patched("", new.hunks, "n"), patched("x\n", gone.hunks, "g")) == ("x\n", "")


def test_a_hunk_that_does_not_fit_is_named():
    with pytest.raises(EditConflict, match="hunk 1 of x does not fit") as refusal:
        applied("other\n", "@@ -1 +1 @@\n-a\n+b\n")
    assert refusal.value.hint


@pytest.mark.parametrize(
    "patch", ["", "nothing", f"{HEAD}@@ -1,3 +1,3 @@\n a\n", f"{HEAD}@@ -1 +1 @@\n?a\n", "GIT binary patch\n"]
)
def test_what_is_no_patch_is_refused(patch: str):
    with pytest.raises(InvalidArgument):
        parse_patch(patch)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("plain.py", "plain.py"),
        ("a b.py\t", "a b.py"),
        ('"b/\\303\\274ber.py"', "über.py"),
        ('"b/a\\tb\\"c\\\\d.py"', 'a\tb"c\\d.py'),
    ],
)
def test_a_name_is_read_as_git_writes_it(written: str, name: str):
    quoted = written if written.startswith('"') else f"b/{written}"
    (file,) = parse_patch(f"--- /dev/null\n+++ {quoted}\n@@ -0,0 +1 @@\n+x\n")
    assert file.new == name


def test_an_empty_file_that_is_new_or_gone_is_not_passed_over():
    patch = (
        "diff --git a/pkg/__init__.py b/pkg/__init__.py\nnew file mode 100644\nindex 0000000..e69de29\n"
        "diff --git a/old.py b/old.py\ndeleted file mode 100644\nindex e69de29..0000000\n"
        "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n"
    )
    files = [(file.old, file.new, len(file.hunks)) for file in parse_patch(patch)]
    assert files == [("", "pkg/__init__.py", 0), ("old.py", "", 0), ("", "x", 1)]


def test_a_copy_leaves_the_file_that_it_is_of():
    (file,) = parse_patch("diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n")
    assert (file.old, file.new, file.keeps_old) == ("a", "b", True)


def test_a_binary_file_under_another_name_is_refused():
    patch = "diff --git a/a b/b\nrename from a\nrename to b\nindex 1..2\nBinary files a/a and b/b differ\n"
    with pytest.raises(InvalidArgument, match="binary"):
        parse_patch(patch)
