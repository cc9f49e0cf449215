"""Random histories: the changes reported, applied to what was there before, give exactly what is there now."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.pool.inotify import InotifyWatcher
from groundwire.pool.inotify_queue import KernelQueue
from groundwire.pool.scan import ScanWatcher
from groundwire.pool.tree import OpenGate, Tree
from groundwire.pool.watcher import DEFAULT_SKIP, Watcher
from groundwire.workspace.changes import ChangeKind
from tests.fakes.watch_queues import ForgetfulQueue, LimitedQueue
from tests.thoroughness import examples

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")

Opener = Callable[[str], Watcher]
Step = tuple[str, str, str]

PLACES = ["a", "b", "d", "d/a", "d/e", "d/e/a", "x/y/z", "build/a", "vendor", "vendor/a", ".dot", ".dot/a", "d/.dot"]


def by_inotify(root: str) -> Watcher:
    return InotifyWatcher(root, DEFAULT_SKIP, KernelQueue())


def by_scan(root: str) -> Watcher:
    return ScanWatcher(root, DEFAULT_SKIP)


def with_few_watches(root: str) -> Watcher:
    return InotifyWatcher(root, DEFAULT_SKIP, LimitedQueue(3))


def with_full_queues(root: str) -> Watcher:
    return InotifyWatcher(root, DEFAULT_SKIP, ForgetfulQueue(is_always_full=True))


def contents(root: Path) -> dict[str, str]:
    """What is really there, found in another way than the watchers do."""
    found: dict[str, str] = {}
    for place, directories, files in os.walk(root):
        links = [name for name in directories if (Path(place) / name).is_symlink()]
        directories[:] = [name for name in directories if name not in {*links, "vendor"} and not name.startswith(".")]
        for name in files + links:
            path = Path(place) / name
            found[str(path)] = f"-> {path.readlink()}" if path.is_symlink() else path.read_text()
    return found


class History:
    """Does things to files, and checks after each drain that what was reported is what has happened."""

    def __init__(self, root: Path, opener: Opener) -> None:
        self.root = root
        self.counter = 0
        self.watcher = opener(str(root))
        self.before = contents(root)

    def drain(self) -> None:
        changes = {change.path: change.kind for change in self.watcher.drain()}
        now = contents(self.root)
        files = set(self.before)
        for path, kind in changes.items():
            assert (path in files) == (kind is not ChangeKind.CREATED), (path, kind)
            (files.discard if kind is ChangeKind.DELETED else files.add)(path)
        assert files == set(now)
        different = {path for path in now if path in self.before and now[path] != self.before[path]}
        assert different <= {path for path, kind in changes.items() if kind is ChangeKind.CHANGED}
        self.before = now

    def do(self, step: Step) -> None:
        action, place, other = step
        path = self.root / place
        try:
            if action == "write":
                self.counter += 1
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{self.counter:04}")
            elif action == "mkdir":
                path.mkdir(parents=True)
            elif action == "rename":
                path.rename(self.root / other)
            elif action == "link":
                path.symlink_to(other)
            elif action == "remove":
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            else:
                self.drain()
        except OSError:  # not every step is possible everywhere; then nothing has happened
            assert action != "drain"


ACTIONS = ["write", "write", "write", "mkdir", "rename", "rename", "remove", "link", "drain", "drain"]
STEPS = st.lists(st.tuples(st.sampled_from(ACTIONS), st.sampled_from(PLACES), st.sampled_from(PLACES)), max_size=40)


@pytest.mark.parametrize("opener", [by_inotify, by_scan, with_few_watches, with_full_queues])
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
def test_reported_changes_lead_to_exactly_the_files_that_exist(opener: Opener, steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory) / "root"
        (root / "d" / "e").mkdir(parents=True)
        (root / "d" / "a").write_text("start")
        history = History(root, opener)
        for step in steps:
            history.do(step)
        history.drain()
        history.watcher.close()


STORM = """
import os, pathlib, random, shutil, sys
chance = random.Random(int(sys.argv[1]))
places = ["a", "b/c", "b/d/e", "f/g/h/i", "j/k"]
for number in range(1500):
    path, other = (pathlib.Path(*chance.choice(places).split("/")[: chance.randint(1, 4)]) for _ in "12")
    try:
        match chance.randint(0, 5):
            case 0: path.rename(other)
            case 1: shutil.rmtree(path)
            case 2: path.unlink()
            case _:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(str(number))
    except OSError:
        pass
"""


@pytest.mark.parametrize("opener", [by_inotify, by_scan])
@pytest.mark.parametrize("seed", range(3))
def test_a_storm_in_another_process_while_we_look_leaves_us_with_what_it_left(
    tmp_path: Path, opener: Opener, seed: int
) -> None:
    watcher = opener(str(tmp_path))
    files: set[str] = set()

    def replay() -> None:
        for change in watcher.drain():
            assert (change.path in files) == (change.kind is not ChangeKind.CREATED), change
            (files.discard if change.kind is ChangeKind.DELETED else files.add)(change.path)

    with subprocess.Popen([sys.executable, "-c", STORM, str(seed)], cwd=tmp_path) as storm:
        while storm.poll() is None:
            replay()
    assert storm.returncode == 0
    replay()
    assert files == set(contents(tmp_path))
    watcher.close()


def test_files_whose_names_are_no_utf_8_are_known_while_they_are_there(tmp_path: Path) -> None:
    directory = tmp_path / os.fsdecode(b"caf\xe9")
    directory.mkdir()
    for file in (tmp_path / os.fsdecode(b"a\xff.py"), directory / "b.py", tmp_path / "c.py"):
        file.touch()
    tree = Tree(str(tmp_path), frozenset(), OpenGate())
    tree.compare(tree.root)
    assert set(tree.odd_names) == {str(tmp_path / os.fsdecode(b"a\xff.py")), str(directory / "b.py")}
    (directory / "b.py").unlink()
    directory.rmdir()
    tree.compare(tree.root)
    assert set(tree.odd_names) == {str(tmp_path / os.fsdecode(b"a\xff.py"))}
