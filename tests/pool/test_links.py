"""Names that files have because links lead to them."""

from pathlib import Path

import pytest

from groundwire.pool.links import Links
from groundwire.workspace.changes import ChangeKind, FileChange


def linked(root: Path, links: dict[str, str]) -> Links:
    for link, target in links.items():
        (root / target).mkdir(parents=True, exist_ok=True)
        (root / link).parent.mkdir(parents=True, exist_ok=True)
        (root / link).symlink_to(root / target)
    return Links(str(root / link) for link in links)


@pytest.mark.parametrize(
    ("links", "path", "expected"),
    [
        pytest.param({"app/shared": "shared"}, "shared/x.py", ["app/shared/x.py"], id="through a directory"),
        pytest.param({"app/shared": "shared"}, "shared", ["app/shared"], id="the directory itself"),
        pytest.param({"app/shared": "shared"}, "shared2/x.py", [], id="a name that only begins alike"),
        pytest.param({"a/s": "s", "b/s": "s"}, "s/x.py", ["a/s/x.py", "b/s/x.py"], id="through several"),
        pytest.param({"a/s": "s", "s/t": "t"}, "t/x.py", ["s/t/x.py", "a/s/t/x.py"], id="through two in a row"),
        pytest.param({"a/up": "a"}, "a/x.py", [], id="a loop is not followed"),
        pytest.param({}, "a/x.py", [], id="no link"),
    ],
)
def test_a_file_has_the_names_by_which_links_lead_to_it(
    tmp_path: Path, links: dict[str, str], path: str, expected: list[str]
) -> None:
    found = linked(tmp_path, links).other_names(str(tmp_path / path))
    assert found == [str(tmp_path / name) for name in expected]


def test_a_link_to_a_file_is_another_name_of_it(tmp_path: Path) -> None:
    (tmp_path / "real.py").touch()
    (tmp_path / "link.py").symlink_to("real.py")
    assert Links([str(tmp_path / "link.py")]).other_names(str(tmp_path / "real.py")) == [str(tmp_path / "link.py")]


def test_what_is_gone_still_has_its_other_names(tmp_path: Path) -> None:
    links = linked(tmp_path, {"app/shared": "shared"})
    gone = FileChange(str(tmp_path / "shared/x.py"), ChangeKind.DELETED)
    assert links.seen_through([gone]) == [FileChange(str(tmp_path / "app/shared/x.py"), ChangeKind.DELETED)]


def test_links_that_lead_to_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a/to_b").symlink_to(tmp_path / "b")
    (tmp_path / "b/to_a").symlink_to(tmp_path / "a")
    found = Links([str(tmp_path / "a/to_b"), str(tmp_path / "b/to_a")]).other_names(str(tmp_path / "a/x"))
    assert found[0] == str(tmp_path / "b/to_a/x")
    assert len(found) == 3
