"""Which extensions are installed."""

import sys
import zipfile
from pathlib import Path

import pytest

from groundwire.extensions.discovery import find_candidates, may_be_any
from tests.extensions.installed import describe, install_module


def test_a_package_with_entry_points_of_the_group_is_found_with_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    install_module(tmp_path, "gw_found", "extension = 'here'\n", version="2.5")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (found,) = [each for each in find_candidates() if each.name == "gw_found"]
    assert (found.distribution, found.version, found.load()) == ("gw_found", "2.5", "here")


def test_packages_without_such_entry_points_cost_no_closer_look(tmp_path: Path):
    other = tmp_path / "other-1.dist-info"
    other.mkdir()
    (other / "entry_points.txt").write_text("[console_scripts]\na = b:c\n", "utf-8")
    (tmp_path / "bare-1.dist-info").mkdir()
    assert not may_be_any([str(tmp_path), str(tmp_path / "gone"), ""])
    assert find_candidates([str(tmp_path)]) == []


def test_an_archive_on_the_path_is_looked_into(tmp_path: Path):
    archive = tmp_path / "packages.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("a.py", "")
    assert may_be_any([str(archive)])


def test_they_come_in_the_order_of_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    describe(tmp_path, "gw-two", "1", {"gw_b": "m:x", "gw_a": "m:x"})
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert [each.name for each in find_candidates() if each.distribution == "gw-two"] == ["gw_a", "gw_b"]
