"""A home for each test that asks for one, which tests of other folders import; what tests change here is put back."""

import logging
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from groundwire.operations.serving.log_level import LOGGER
from tests.daemon.homes import Home


@pytest.fixture
def home(tmp_path: Path) -> Generator[Home]:
    """Whatever it started has ended when the test has, or the test fails."""
    made = Home(tmp_path)
    try:
        yield made
    finally:
        left = made.close()
    assert not left, left


@pytest.fixture(autouse=True)
def unchanged_log_level() -> Iterator[None]:
    """One of the questions that are asked here sets it."""
    logger = logging.getLogger(LOGGER)
    before = logger.level
    yield
    logger.setLevel(before)
