"""A file that is written again in the second in which it was compiled is noticed."""

import os
from pathlib import Path

import pytest

from groundwire.operations.building.same_second import has_stale_bytecode, has_unseen_change

SECOND = 1_700_000_000


def written(file: Path, at: float) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    os.utime(file, ns=(0, int(at * 10) * 100_000_000))


@pytest.mark.parametrize(
    ("compiled", "source", "is_stale"),
    [
        (SECOND + 0.3, SECOND + 0.5, True),
        (SECOND + 0.5, SECOND + 0.3, False),
        (SECOND + 0.9, SECOND + 1.1, False),
        (SECOND + 5, SECOND, False),
    ],
)
@pytest.mark.parametrize("name", ["a.cpython-311.pyc", "a.cpython-311-pytest-9.2.0.pyc"])
def test_bytecode_is_stale_when_its_source_is_younger_within_the_same_second(
    name: str, compiled: float, source: float, is_stale: bool, tmp_path: Path
) -> None:
    written(tmp_path / "inner/__pycache__" / name, compiled)
    written(tmp_path / "inner/a.py", source)
    assert has_stale_bytecode(tmp_path) is is_stale


def test_a_source_of_the_second_of_a_manifest_may_be_overlooked(tmp_path: Path) -> None:
    written(tmp_path / "lib/a.ex", SECOND + 0.7)
    pattern, suffixes = "_build/*/manifest", frozenset({".ex"})
    assert not has_unseen_change(tmp_path, suffixes, pattern)
    written(tmp_path / "_build/test/manifest", SECOND + 0.2)
    assert has_unseen_change(tmp_path, suffixes, pattern)
    written(tmp_path / "lib/a.ex", SECOND + 1)
    assert not has_unseen_change(tmp_path, suffixes, pattern)
