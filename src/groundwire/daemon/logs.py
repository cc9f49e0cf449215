"""The log of a daemon: one file that is put aside when it grows too large, and never a reason to fail.

Above: ``background``. Below: ``house``.
"""

import logging
from logging.handlers import RotatingFileHandler

from groundwire.daemon.house import House

_LARGEST = 1024 * 1024
_KEPT = 2
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _Handler(RotatingFileHandler):
    """A disk that is full, or a directory that is gone, is nobody's business but the log's."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  the name is logging's
        """Goes on without."""


def begin_log(house: House, level: int = logging.INFO) -> None:
    """All that is logged in this process goes there."""
    try:
        handler: logging.Handler = _Handler(
            house.log, maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8", errors="backslashreplace"
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    logging.basicConfig(handlers=[handler], level=level, force=True)
