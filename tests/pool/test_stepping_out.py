"""What files name out of their root."""

from pathlib import Path

import pytest

from groundwire.pool.stepping_out import SteppingOut
from groundwire.protocol.capabilities import ServerCapabilities
from groundwire.workspace.documents import Documents

ROOT = Path("/home/me/repo/app")


def shown(*texts: str) -> Documents:
    documents = Documents(ServerCapabilities())
    for number, text in enumerate(texts):
        documents.sync(f"file://{ROOT}/src/{number}.ts", text, "typescript", 0.0)
    return documents


@pytest.mark.parametrize(
    ("text", "directories", "files"),
    [
        pytest.param("import '../other'", [], [], id="in the root"),
        pytest.param('import "../../lib/index"', ["/home/me/repo/lib"], [], id="beside the root"),
        pytest.param("import '../../lib'", ["/home/me/repo/lib"], ["lib", "lib.ts"], id="a package beside the root"),
        pytest.param("import '../../../x'", ["/home/me/x"], ["../x", "../x.ts"], id="further up"),
        pytest.param("see ../../lib/index", [], [], id="in a sentence"),
        pytest.param("join('../..')", [], [], id="what holds the root"),
    ],
)
def test_names_that_lead_out_of_the_root_are_found(text: str, directories: list[str], files: list[str]) -> None:
    named = SteppingOut(ROOT, [".ts"])
    named.look(shown(text))
    assert sorted(named.directories) == directories
    assert sorted(named.files) == [str(Path("/home/me/repo", file).resolve()) for file in files]


def test_what_was_named_once_stays_and_what_is_new_is_added() -> None:
    named = SteppingOut(ROOT, [".ts"])
    named.look(shown("import '../../a/x'"))
    named.look(shown("nothing", "import '../../b/x'", "nothing"))
    assert named.directories == {"/home/me/repo/a", "/home/me/repo/b"}
