"""The edge of this surface: whatever fails leaves it as one of our own errors, and the log has the rest.

Above: ``calls``, ``server``. Below: ``errors``.
"""

import logging
from collections.abc import Awaitable
from typing import TypeVar

from groundwire.errors import GroundwireError, Internal

log = logging.getLogger(__name__)

T = TypeVar("T")


async def typed(doing: str, work: Awaitable[T]) -> T:
    """What the work gives. Raises nothing but a GroundwireError, beside being cancelled."""
    try:
        return await work
    except GroundwireError:
        raise
    except Exception as error:
        log.exception("%s failed", doing[:200])
        raise Internal(f"{type(error).__name__} in {doing[:200]}") from error
