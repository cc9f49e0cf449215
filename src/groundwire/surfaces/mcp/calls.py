"""One call of a tool, from its name to its result. The edge of this surface: whatever fails becomes a result that says
so, and the log has the rest.

Above: ``server``. Below: ``profiles``, ``shown``, ``progress``, ``operations.runner``.
"""

import logging
from collections.abc import Mapping

from mcp_types import CallToolResult

from groundwire.errors import GroundwireError, Internal
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.confinement import require_inside
from groundwire.surfaces.mcp.profiles import Profile
from groundwire.surfaces.mcp.progress import Report, telling
from groundwire.surfaces.mcp.shown import Output, show_answer, show_error

log = logging.getLogger(__name__)


class Caller:
    """Calls tools of one profile over one pool."""

    def __init__(self, pool: Pool, profile: Profile, output: Output) -> None:
        self._pool = pool
        self._profile = profile
        self._output: Output = output

    async def call(self, name: str, given: Mapping[str, object], report: Report | None = None) -> CallToolResult:
        """The result, be it that there is none and why."""
        try:
            return await self._call(name, given, report)
        except GroundwireError as error:
            return show_error(error)
        except Exception as error:  # the edge: the model gets a sentence, the log all of it
            log.exception("%s failed", name[:200])
            return show_error(Internal(f"{type(error).__name__} in {name[:200]}"))

    async def _call(self, name: str, given: Mapping[str, object], report: Report | None) -> CallToolResult:
        operation, arguments = self._profile.find(name).bind(given)
        if self._profile.is_confined:
            require_inside(arguments, self._pool.workspace)
        async with telling(self._pool, operation.name, report) as progress:
            answer = await perform(self._pool, operation, arguments, progress=progress)
        return show_answer(operation, answer, self._output)
