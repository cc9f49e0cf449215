"""One call of a tool, from its name to its result, be it that there is none and why.

Above: ``server``. Below: ``profiles``, ``edge``, ``shown``, ``progress``, ``operations.runner``.
"""

from collections.abc import Mapping

from mcp_types import CallToolResult

from groundwire.errors import GroundwireError
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.confinement import require_inside
from groundwire.surfaces.mcp.edge import typed
from groundwire.surfaces.mcp.profiles import Profile
from groundwire.surfaces.mcp.progress import Report, telling
from groundwire.surfaces.mcp.shown import Output, as_text, show_error, show_json, show_text


class Caller:
    """Calls tools of one profile over one pool."""

    def __init__(self, pool: Pool, profile: Profile, output: Output) -> None:
        self._pool = pool
        self._profile = profile
        self._output: Output = output

    async def call(self, name: str, given: Mapping[str, object], report: Report | None = None) -> CallToolResult:
        """The result. Raises nothing."""
        try:
            return await typed(name, self._call(name, given, report))
        except GroundwireError as error:
            return show_error(error)

    async def _call(self, name: str, given: Mapping[str, object], report: Report | None) -> CallToolResult:
        operation, arguments, max_chars = self._profile.find(name).bind(given)
        if self._profile.is_confined:
            require_inside(arguments, self._pool.workspace)
        async with telling(self._pool, operation.name, report) as progress:
            answer = await perform(self._pool, operation, arguments, progress=progress)
        if self._output == "json":
            return show_json(answer)
        return show_text(as_text(operation, answer, max_chars=max_chars, speak=self._profile.name_of))
