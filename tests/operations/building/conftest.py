"""A directory with the files that recorded outputs name, and who finds them there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.operations.building.sources import Sources

SourcesOf = Callable[..., Sources]


@pytest.fixture
def sources_of(tmp_path: Path) -> SourcesOf:
    """Makes empty files below the workspace, and the sources for it."""

    def make(*names: str) -> Sources:
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
        return Sources(tmp_path.resolve(), [tmp_path.resolve()])

    return make
