"""Two worlds have the same state exactly when they hold the same files, however they came to."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.cache.world import World
from groundwire.pool.watcher import DEFAULT_SKIP


def every(_: str) -> bool:
    return True


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("a.py", "b.py", "below/c.py", "web/d.ts"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"# {name}\n", "utf-8")
    return root


def scanned(root: Path) -> World:
    world = World(str(root), DEFAULT_SKIP, every)
    assert world.scan({})
    return world


def _write(root: Path) -> None:
    (root / "a.py").write_text("changed\n", "utf-8")


def _swap(root: Path) -> None:
    one, other = (root / "a.py").read_bytes(), (root / "b.py").read_bytes()
    (root / "a.py").write_bytes(other)
    (root / "b.py").write_bytes(one)


def _remove(root: Path) -> None:
    (root / "b.py").unlink()


def _rename(root: Path) -> None:
    (root / "b.py").rename(root / "e.py")


def _add(root: Path) -> None:
    (root / "new").mkdir()
    (root / "new/f.py").touch()


def _link(root: Path) -> None:
    (root / "linked.py").symlink_to("a.py")


def _same_size_and_time(root: Path) -> None:
    before = (root / "a.py").stat()
    (root / "a.py").write_text("# b.py\n", "utf-8")
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


CHANGES = [_write, _swap, _remove, _rename, _add, _link, _same_size_and_time]


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_another_state_whether_told_or_found(root: Path, change: Callable[[Path], None]) -> None:
    told = scanned(root)
    before = told.state(every)
    remembered = dict(told.unsaved)
    change(root)
    told.look_again([str(root / name) for name in ("a.py", "b.py", "e.py", "new/f.py", "linked.py")])
    found = World(str(root), DEFAULT_SKIP, every)
    found.scan({path: known for path, known in remembered.items() if known is not None})
    assert told.state(every) == found.state(every) == scanned(root).state(every)
    assert told.state(every) != before


def test_a_change_put_back_is_the_state_from_before(root: Path) -> None:
    world = scanned(root)
    before, text = world.state(every), (root / "a.py").read_bytes()
    _write(root)
    world.look_again([str(root / "a.py")])
    assert world.state(every) != before
    (root / "a.py").write_bytes(text)
    world.look_again([str(root / "a.py")])
    assert world.state(every) == before


def test_the_same_files_elsewhere_are_the_same_state(root: Path, tmp_path: Path) -> None:
    root.rename(tmp_path / "moved")
    moved = scanned(tmp_path / "moved").state(every)
    (tmp_path / "moved").rename(root)
    assert moved == scanned(root).state(every)


def test_only_relevant_kinds_count(root: Path) -> None:
    world = scanned(root)
    python = world.state(lambda kind: kind == ".py")
    (root / "web/d.ts").write_text("changed", "utf-8")
    world.look_again([str(root / "web/d.ts")])
    assert world.state(lambda kind: kind == ".py") == python


@pytest.mark.parametrize("text", ['include "../outside.h"', "from ../../ import x"])
def test_a_file_that_leads_out_makes_its_kind_unknown(root: Path, text: str) -> None:
    (root / "a.py").write_text(text, "utf-8")
    world = scanned(root)
    assert world.state(every) is None
    assert world.state(lambda kind: kind == ".ts") is not None


def test_a_file_that_leads_within_is_known(root: Path) -> None:
    (root / "below/c.py").write_text('include "../a.py"', "utf-8")
    assert scanned(root).state(every) is not None


def test_what_lies_below_tools_does_not_count_but_is_noticed_to_be_there(root: Path) -> None:
    world = scanned(root)
    before = world.state(every)
    (root / "below/node_modules").mkdir()
    (root / "below/node_modules/x.py").touch()
    world.look_again([str(root / "below/node_modules/x.py")])
    assert world.state(every) == before
    assert world.look_for_tools()
    assert world.tool_directories() == {"below/node_modules"}
    assert not world.look_for_tools()


def test_a_scan_that_is_stopped_says_so(root: Path) -> None:
    world = World(str(root), DEFAULT_SKIP, every)
    world.is_stopped = True
    assert not world.scan({})
    assert not world.unsaved
