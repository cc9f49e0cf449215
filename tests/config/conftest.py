"""The project of the tests of the configuration."""

from pathlib import Path

import pytest

from tests.config.projects import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)
