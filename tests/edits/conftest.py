"""A project to edit, and a disk that need not be waited for."""

import os
from pathlib import Path

import pytest

from tests.edits.projects import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "project"
    root.mkdir()
    return Project(root)


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Thousands of files are written here, and no machine is switched off meanwhile. What was synced is told."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    return synced
