"""What operations change in this process is put back."""

import logging
from collections.abc import Iterator

import pytest

from groundwire.operations.serving.log_level import LOGGER


@pytest.fixture(autouse=True)
def unchanged_log_level() -> Iterator[None]:
    """One of the questions sets it."""
    logger = logging.getLogger(LOGGER)
    before = logger.level
    yield
    logger.setLevel(before)
