import pytest

from groundwire.surfaces.hooks.event import Replaced
from groundwire.surfaces.hooks.patches import read_patch
from tests.surfaces.hooks.payloads import PATCH


def _touched(text: str) -> tuple[tuple[str, ...], bool]:
    patch = read_patch(text)
    assert patch is not None
    return patch.files, patch.is_whole


def _replaced(text: str) -> tuple[Replaced, ...]:
    patch = read_patch(text)
    assert patch is not None
    return patch.replaced


def test_all_files_of_a_patch_are_named_in_their_order() -> None:
    assert _touched(PATCH) == (("src/a.py", "src/b.py", "src/new.py", "src/gone.py"), True)


def test_an_update_of_one_file_writes_no_whole_file() -> None:
    assert _touched("*** Begin Patch\n*** Update File: a.py\n@@\n-1\n+2\n*** End Patch") == (("a.py",), False)


def test_a_new_file_is_a_whole_one() -> None:
    assert _touched("*** Add File: a.py\n+1") == (("a.py",), True)


@pytest.mark.parametrize(
    "text",
    [
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: my file.py\n@@\n*** End Patch\nEOF\n",
        "*** Begin Patch\r\n*** Update File: my file.py\r\n@@\r\n+1\r\n*** End Patch\r\n",
        "  *** Begin Patch\n  *** Update File: my file.py  \n@@\n-1",
        "*** Update File: my file.py",
    ],
)
def test_what_is_around_the_headers_and_whether_the_patch_is_complete_does_not_matter(text: str) -> None:
    assert _touched(text) == (("my file.py",), False)


@pytest.mark.parametrize("line", ["+*** Add File: b.py", "-*** Delete File: b.py", " *** Update File: b.py"])
def test_lines_of_a_file_that_look_like_headers_are_none(line: str) -> None:
    assert _touched(f"*** Update File: a.py\n@@\n{line}\n") == (("a.py",), False)


def test_a_file_that_is_named_twice_is_told_once() -> None:
    assert _touched("*** Update File: a.py\n@@\n+1\n*** Update File: a.py\n@@\n+2") == (("a.py",), False)


@pytest.mark.parametrize(
    "text", ["", "ls -l", "*** Begin Patch\n*** End Patch", "*** Update File:", "*** Add File:   \n"]
)
def test_a_text_without_a_header_is_no_patch(text: str) -> None:
    assert read_patch(text) is None


def test_each_piece_of_an_update_says_what_stands_there_in_place_of_what() -> None:
    pieces = "@@ class A:\n def f():\n-    return 1\n+    return 2\n\n@@\n-x = 1\n+x = 2\n+y = 3\n*** End of File\n"
    assert _replaced(
        f"*** Begin Patch\n*** Update File: a.py\n{pieces}*** Update File: b.py\n-1\n+2\n*** End Patch\n"
    ) == (
        Replaced("a.py", "def f():\n    return 1\n\n", "def f():\n    return 2\n\n"),
        Replaced("a.py", "x = 1\n", "x = 2\ny = 3\n"),
        Replaced("b.py", "1\n", "2\n"),
    )


def test_what_replaces_nothing_in_a_file_that_stays_is_left_out() -> None:
    assert _replaced("*** Add File: a.py\n+1\n*** Delete File: b.py\n") == ()
    assert _replaced("*** Update File: a.py\n@@\n 1\n 2\n*** End Patch\n") == ()


def test_what_is_replaced_in_a_file_that_is_moved_goes_by_its_old_name() -> None:
    assert _replaced(PATCH) == (Replaced("src/a.py", "    return 1\n", "    return 2\n"),)
