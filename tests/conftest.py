"""What every test shares: the asyncio backend for the anyio plugin, and how hard properties are tried."""

import pytest

from tests.thoroughness import load_profile

load_profile()


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio: it is the only loop groundwire runs on."""
    return "asyncio"
