import pytest

from groundwire.surfaces.hooks.patches import Patch, read_patch
from tests.surfaces.hooks.payloads import PATCH


def test_all_files_of_a_patch_are_named_in_their_order() -> None:
    assert read_patch(PATCH) == Patch(("src/a.py", "src/b.py", "src/new.py", "src/gone.py"), is_whole=True)


def test_an_update_of_one_file_writes_no_whole_file() -> None:
    assert read_patch("*** Begin Patch\n*** Update File: a.py\n@@\n-1\n+2\n*** End Patch") == Patch(("a.py",), False)


def test_a_new_file_is_a_whole_one() -> None:
    assert read_patch("*** Add File: a.py\n+1") == Patch(("a.py",), True)


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
    assert read_patch(text) == Patch(("my file.py",), False)


@pytest.mark.parametrize("line", ["+*** Add File: b.py", "-*** Delete File: b.py", " *** Update File: b.py"])
def test_lines_of_a_file_that_look_like_headers_are_none(line: str) -> None:
    assert read_patch(f"*** Update File: a.py\n@@\n{line}\n") == Patch(("a.py",), False)


def test_a_file_that_is_named_twice_is_told_once() -> None:
    assert read_patch("*** Update File: a.py\n@@\n+1\n*** Update File: a.py\n@@\n+2") == Patch(("a.py",), False)


@pytest.mark.parametrize(
    "text", ["", "ls -l", "*** Begin Patch\n*** End Patch", "*** Update File:", "*** Add File:   \n"]
)
def test_a_text_without_a_header_is_no_patch(text: str) -> None:
    assert read_patch(text) is None
