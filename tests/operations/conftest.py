"""A workspace of its own for each test."""

import sys
from pathlib import Path

import pytest

from tests.operations.workspaces import Workspace


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Empty, and nothing beside groundwire."""
    made = Workspace(tmp_path, python=sys.executable)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gw/python"))
    return made
