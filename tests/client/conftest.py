"""The client is tested on virtual time; tests with real processes say otherwise."""

from collections.abc import Callable
from asyncio import AbstractEventLoop

import pytest
from tests.fakes.virtual_time import VIRTUAL_TIME


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], AbstractEventLoop]]]:
    """Asyncio on a clock that jumps."""
    return VIRTUAL_TIME
