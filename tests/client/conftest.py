"""The client is tested on virtual time; tests with real processes say otherwise."""

from asyncio import AbstractEventLoop
from collections.abc import Callable

import pytest

from tests.fakes.virtual_time import VIRTUAL_TIME


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], AbstractEventLoop]]]:
    """Asyncio on a clock that jumps."""
    return VIRTUAL_TIME
