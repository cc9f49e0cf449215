"""Which tools the servers of a workspace can serve: what none of them offers need not be shown.

Nothing is hidden on a guess: only when the server of every language that the workspace holds runs, and none offers it.
Above: ``server``. Below: ``operations.survey``, ``pool``.
"""

import asyncio

from groundwire.errors import GroundwireError
from groundwire.operations.files.survey import LanguageFound, survey
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.tools import SurfaceTool


class Presence:
    """The servers that are wanted, as far as that has been found out, and those that run."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._wanted: frozenset[str] | None = None
        self._looking: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Find out which servers are wanted, beside everything else, unless that is known."""
        is_known = self._wanted is not None and self._running() <= self._wanted
        if not is_known and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look())

    def stop(self) -> None:
        """Nobody wants to know any more."""
        if self._looking is not None:
            self._looking.cancel()

    def is_served(self, tool: SurfaceTool) -> bool:
        """Whether a server offers it, or may."""
        needs = tool.needs
        ready = {each.chosen.spec.id: each for each in self._pool.instances() if each.session.life == "ready"}
        if not needs or self._wanted is None or not self._wanted or not self._wanted <= ready.keys():
            return True
        offers = (each.session.state.capabilities for each in ready.values())
        return any(offered.supports(method) for offered in offers for method in needs)

    @property
    def version(self) -> tuple[object, ...]:
        """As long as it is the same, so is what can be served."""
        sessions = [instance.session for instance in self._pool.instances()]
        return self._wanted, *((each, each.life, each.state.capabilities.changed) for each in sessions)

    async def _look(self) -> None:
        found = await asyncio.to_thread(survey, self._pool.workspace, self._pool.catalog)
        servers = (self._server_of(language) for language in found.languages)
        self._wanted = frozenset(server for server in servers if server) | self._running()

    def _server_of(self, language: LanguageFound) -> str:
        try:
            primary = self._pool.route(language.samples[0]).primary
        except GroundwireError:  # there is none, so nothing waits for it
            return ""
        return primary.spec.id if primary is not None else ""

    def _running(self) -> frozenset[str]:
        return frozenset(each.chosen.spec.id for each in self._pool.instances() if each.chosen.spec.role == "primary")
