"""A watched directory, once for every way of watching."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.watched import Watched, by_inotify, by_scan, out_of_watches

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture(
    params=[pytest.param(by_inotify, marks=needs_linux), by_scan, pytest.param(out_of_watches, marks=needs_linux)]
)
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    root = tmp_path / "root"
    root.mkdir()
    held = Watched(root, request.param)
    yield held
    held.close()
