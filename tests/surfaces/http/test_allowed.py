"""Which directories may be worked in."""

import os
from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument, OutsideWorkspace
from groundwire.surfaces.http.allowed import Allowed


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """``root/below`` is allowed, ``secret`` beside it and ``root-too`` are not."""
    for name in ("root/below/deep", "secret", "root-too"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "root" / "file").touch()
    return tmp_path.resolve()


@pytest.fixture
def allowed(base: Path) -> Allowed:
    return Allowed([base / "root"])


def test_a_root_and_what_is_below_it_is_allowed(allowed: Allowed, base: Path) -> None:
    assert allowed.default == base / "root"
    for named in ("root", "root/below", "root/below/deep/", "root/./below", "root/below/deep/.."):
        assert allowed.resolve(f"{base}/{named}") == Path(os.path.realpath(base / named))


@pytest.mark.parametrize(
    "named", ["secret", "root-too", "root/..", "root/../secret", "", "nowhere", "root/below/../../x"]
)
def test_what_is_outside_is_refused_alike_whether_it_is_there_or_not(allowed: Allowed, base: Path, named: str) -> None:
    with pytest.raises(OutsideWorkspace, match="is not allowed"):
        allowed.resolve(f"{base}/{named}")


@pytest.mark.parametrize("named", ["/", "/etc", "/etc/passwd", "/proc/self/cwd", "/nowhere/at/all"])
def test_the_rest_of_the_machine_is_refused(allowed: Allowed, named: str) -> None:
    with pytest.raises(OutsideWorkspace):
        allowed.resolve(named)


def test_a_link_out_of_the_root_is_refused_and_one_within_is_followed(allowed: Allowed, base: Path) -> None:
    (base / "root" / "out").symlink_to(base / "secret")
    (base / "root" / "in").symlink_to("below")
    (base / "way").symlink_to(base / "root" / "below")
    for named in ("root/out", "root/in/../out", "root/out/../secret"):
        with pytest.raises(OutsideWorkspace):
            allowed.resolve(f"{base}/{named}")
    assert allowed.resolve(f"{base}/root/in") == base / "root" / "below"
    assert allowed.resolve(f"{base}/way") == base / "root" / "below"


def test_links_that_go_round_in_a_circle_are_refused(allowed: Allowed, base: Path) -> None:
    (base / "root" / "a").symlink_to("b")
    (base / "root" / "b").symlink_to("a")
    with pytest.raises((InvalidArgument, FileNotFound, OutsideWorkspace)):
        allowed.resolve(f"{base}/root/a")


def test_a_root_that_is_a_link_allows_what_it_leads_to(base: Path) -> None:
    (base / "link").symlink_to(base / "root")
    assert Allowed([base / "link"]).resolve(f"{base}/link/below") == base / "root" / "below"


@pytest.mark.parametrize(
    "named",
    [
        "",
        "relative",
        "./x",
        "~",
        "{root}\0",
        "{root}/\0/x",
        "{root}\n",
        "{root}\x7f",
        "/{root}",
        "x" * 5000,
        "{root}/" + "x" * 5000,
        "{root}/\ud800",
    ],
)
def test_what_is_no_absolute_path_is_refused(allowed: Allowed, base: Path, named: str) -> None:
    with pytest.raises(InvalidArgument):
        allowed.resolve(named.replace("{root}", str(base / "root")))


def test_a_name_longer_than_names_can_be_is_refused(allowed: Allowed, base: Path) -> None:
    with pytest.raises((InvalidArgument, FileNotFound)):
        allowed.resolve(f"{base}/root/{'x' * 300}")


def test_a_file_and_what_is_missing_are_told_apart_within(allowed: Allowed, base: Path) -> None:
    with pytest.raises(InvalidArgument, match="not a directory"):
        allowed.resolve(f"{base}/root/file")
    with pytest.raises(FileNotFound):
        allowed.resolve(f"{base}/root/missing")


def test_the_workspace_is_the_repository_round_the_directory(allowed: Allowed, base: Path) -> None:
    deep = base / "root" / "below" / "deep"
    assert allowed.workspace_of(deep) == deep
    (base / "root" / "below" / ".git").mkdir()
    assert allowed.workspace_of(deep) == base / "root" / "below"


def test_the_workspace_is_never_more_than_is_allowed(base: Path) -> None:
    (base / ".git").mkdir()
    deep = base / "root" / "below" / "deep"
    assert Allowed([base / "root"]).workspace_of(deep) == base / "root"
    assert Allowed([base / "root", deep]).workspace_of(deep) == deep
    assert Allowed([base, deep]).workspace_of(deep) == base
    with pytest.raises(OutsideWorkspace):
        Allowed([deep]).workspace_of(base)


def test_without_a_root_there_is_no_allow_list() -> None:
    with pytest.raises(InvalidArgument):
        Allowed([])
