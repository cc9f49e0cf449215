"""Packages that are installed, replaced or removed are noticed, and nothing else is taken for that."""

import shutil
from pathlib import Path

import pytest

from groundwire.pool.installed import Installed, nested_packages
from groundwire.pool.tree import OpenGate, Tree
from groundwire.workspace.changes import ChangeKind, FileChange


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site-packages"
    (site / "six").mkdir(parents=True)
    return site


def test_a_package_that_comes_or_goes_is_noticed_until_it_is_looked_at(site: Path) -> None:
    installed = Installed(lambda: [str(site)])
    assert not installed.has_changed()
    (site / "attrs").mkdir()
    assert installed.has_changed()
    assert installed.has_changed()
    installed.look()
    assert not installed.has_changed()
    (site / "attrs").rmdir()
    assert installed.has_changed()


def test_a_package_that_another_takes_the_place_of_is_noticed(site: Path) -> None:
    installed = Installed(lambda: [str(site)])
    (site / "new").mkdir()
    (site / "six").rename(site / ".old")
    (site / "new").rename(site / "six")
    assert installed.has_changed()


@pytest.mark.parametrize("name", ["__pycache__", ".cache"])
def test_a_cache_beside_the_packages_is_no_news(site: Path, name: str) -> None:
    installed = Installed(lambda: [str(site)])
    (site / name).mkdir()
    assert not installed.has_changed()


def test_a_place_that_comes_or_goes_is_noticed(site: Path) -> None:
    later = site.parent / "later"
    installed = Installed(lambda: [str(later), str(site)])
    later.mkdir()
    assert installed.has_changed()
    installed.look()
    shutil.rmtree(later)
    assert installed.has_changed()


def test_the_record_of_an_installer_tells_of_what_is_replaced_below(tmp_path: Path) -> None:
    packages, record = tmp_path / "node_modules", tmp_path / "node_modules/.package-lock.json"
    (packages / "@types/node").mkdir(parents=True)
    record.write_text("1")
    installed = Installed(lambda: [str(packages), str(record)])
    record.write_text("22")
    assert installed.has_changed()


def test_packages_of_a_scope_are_noticed_where_no_record_tells_of_them(tmp_path: Path) -> None:
    packages = tmp_path / "node_modules"
    (packages / "@types/node").mkdir(parents=True)
    installed = Installed(lambda: [str(packages)])
    (packages / "@types/react").mkdir()
    assert installed.has_changed()


def test_only_links_out_of_the_packages_are_names_of_sources(tmp_path: Path) -> None:
    packages = tmp_path / "node_modules"
    for name in ("node_modules/@own", "node_modules/.store/lib", "packages/b/src", "packages/c"):
        (tmp_path / name).mkdir(parents=True)
    (packages / "b").symlink_to("../packages/b")
    (packages / "@own/c").symlink_to("../../packages/c")
    (packages / "lib").symlink_to(".store/lib")
    links = Installed(lambda: [str(packages)]).links
    assert links.other_names(str(tmp_path / "packages/b/src/x.ts")) == [str(packages / "b/src/x.ts")]
    assert links.other_names(str(tmp_path / "packages/c/x.ts")) == [str(packages / "@own/c/x.ts")]
    assert links.other_names(str(packages / ".store/lib/x.js")) == []


def test_directories_with_a_manifest_are_packages_of_their_own(tmp_path: Path) -> None:
    for name in ("package.json", "packages/a/package.json", "packages/b/src/x.ts", "packages/b/package.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    tree = Tree(str(tmp_path), frozenset(), OpenGate())
    tree.compare(tree.root)
    assert sorted(nested_packages(tree.root)) == [str(tmp_path / "packages/a"), str(tmp_path / "packages/b")]
    assert nested_packages(None) == []


@pytest.mark.parametrize(("path", "expected"), [("/p/packages/a/package.json", True), ("/p/a.ts", False)])
def test_a_manifest_that_changes_means_that_there_may_be_other_places(path: str, expected: bool) -> None:
    assert Installed(list).needs_look([FileChange(path, ChangeKind.CREATED)]) is expected
