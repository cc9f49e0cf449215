"""What every test shares: the asyncio backend for the anyio plugin."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio: it is the only loop groundwire runs on."""
    return "asyncio"
