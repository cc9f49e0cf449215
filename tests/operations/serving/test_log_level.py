"""How much is logged, by the names of MCP."""

import logging
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.results.servers import LogLevel
from groundwire.operations.serving.log_level import LOGGER, set_log_level
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def unchanged_log_level() -> Iterator[None]:
    """Put back what the tests set."""
    logger = logging.getLogger(LOGGER)
    before = logger.level
    yield
    logger.setLevel(before)


async def test_each_level_is_set_and_told_as_the_old_one_by_the_next(tmp_path: Path) -> None:
    levels: tuple[LogLevel, ...] = get_args(LogLevel)
    async with zoo(tmp_path) as pool:
        await ask(pool, set_log_level, level="debug")
        for old, level in pairwise(levels):
            changed = (await ask(pool, set_log_level, level=level)).value
            assert (changed.old_level, changed.level) == (old, level)


@pytest.mark.parametrize(("level", "shown"), [("debug", True), ("notice", False), ("error", False)])
async def test_our_loggers_obey(tmp_path: Path, level: str, shown: bool) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, set_log_level, level=level)
    assert logging.getLogger("groundwire.pool.pool").isEnabledFor(logging.INFO) is shown


def test_another_level_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InvalidArgument, match="level"):
        set_log_level.parse({"level": "loud"})
    with pytest.raises(InvalidArgument, match="level"):
        set_log_level.parse({})
