"""How much groundwire logs.

Above: ``table``. Below: the standard logging.
"""

import logging
from typing import Annotated, get_args

from msgspec import Meta

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.servers import LevelChange, LogLevel

LOGGER = "groundwire"
"""The root of all our loggers."""

_LEVELS: dict[LogLevel, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO + 5,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL + 10,
    "emergency": logging.CRITICAL + 20,
}
"""The eight of MCP, as the standard library counts: what it has no name for lies between or above."""


class SetLogLevel(Arguments, frozen=True):
    """How much."""

    level: Annotated[LogLevel, Meta(description=f"Least grave to log: {', '.join(get_args(LogLevel))}.")]


@operation(
    "Set how much groundwire logs, for as long as this process runs.",
    effect="manages",
    command="log-level",
)
async def set_log_level(call: Call, arguments: SetLogLevel) -> Answer[LevelChange]:  # noqa: ARG001  it needs no pool
    """Of this process only: no file is written, and others keep theirs."""
    logger = logging.getLogger(LOGGER)
    old = _named(logger.getEffectiveLevel())
    logger.setLevel(_LEVELS[arguments.level])
    return Answer(value=LevelChange(old_level=old, level=arguments.level), status=Status.CONFIRMED)


def _named(number: int) -> LogLevel:
    """The name of what is logged at such a level: everything that is at least as grave."""
    graver: list[LogLevel] = [level for level, least in _LEVELS.items() if least >= number]
    return graver[0] if graver else "emergency"
