"""What every test shares: the asyncio backend for the anyio plugin, how hard properties are tried, and that no test
writes to the user's own records.
"""

import gc
import logging
import os
from collections.abc import Generator

import pytest

from tests.thoroughness import load_profile

load_profile()

_TAKE_LONG = frozenset({"chaos", "real"})

gc.set_threshold(10_000, 20, 20)  # ten thousand tests are half a million objects, and all of them stay


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, those that take long come first: in the end none waits for another."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path.parent.name not in _TAKE_LONG)


def pytest_collection_finish() -> None:
    """What was collected is no rubbish, and need not be looked through again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio: it is the only loop groundwire runs on."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _log_level_as_it_was() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]  pytest uses it
    """An operation sets it for the whole process."""
    logger = logging.getLogger("groundwire")
    before = logger.level
    yield
    logger.setLevel(before)


@pytest.fixture(autouse=True, scope="session")
def _audit_log_of_the_tests(  # pyright: ignore[reportUnusedFunction]  pytest uses it
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    os.environ["GROUNDWIRE_AUDIT_LOG"] = str(tmp_path_factory.getbasetemp() / "audit.jsonl")
    os.environ["GROUNDWIRE_CACHE__ENABLED"] = "false"  # who tests the cache gives it a place
