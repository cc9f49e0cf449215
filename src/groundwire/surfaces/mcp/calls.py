"""One call of a tool, from its name to its result, be it that there is none and why.

Above: ``server``. Below: ``profiles``, ``edge``, ``shown``, ``progress``, ``operations.runner``.
"""

from collections.abc import Mapping

from groundwire.errors import GroundwireError, SessionDead
from groundwire.operations.path_arguments import arguments_as_meant, arguments_from
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.confinement import require_inside
from groundwire.surfaces.mcp.connection import Peer
from groundwire.surfaces.mcp.edge import typed
from groundwire.surfaces.mcp.profiles import Profile
from groundwire.surfaces.mcp.progress import Report, telling
from groundwire.surfaces.mcp.shown import Output, Shown, as_text, show_error, show_json, show_text

_LOOK_FIRST = "Look at the files before you do it again: an edit is written as a whole or not at all."


class Caller:
    """Calls tools of one profile over one pool."""

    def __init__(self, pool: Pool, profile: Profile, output: Output, peer: Peer | None = None) -> None:
        self._pool = pool
        self._peer = peer or Peer()
        self._profile = profile
        self._output: Output = output

    def must_ask(self, name: str, given: Mapping[str, object]) -> bool:
        """Whether a person has to agree first."""
        asked = self._pool.settings.asked
        if not asked:
            return False
        try:
            operation, _, _ = self._profile.find(name).bind(given)
        except GroundwireError:  # it is told to who calls
            return False
        return not asked.isdisjoint((operation.name, *operation.aliases))

    async def call(
        self, name: str, given: Mapping[str, object], report: Report | None = None, *, request: str | int | None = None
    ) -> Shown:
        """The result. Raises nothing."""
        try:
            return self._with_notes(await typed(name, self._call(name, given, report, request)))
        except GroundwireError as error:
            return show_error(error)

    async def _call(
        self, name: str, given: Mapping[str, object], report: Report | None, request: str | int | None
    ) -> Shown:
        operation, arguments, max_chars = self._profile.find(name).bind(given)
        if operation.effect == "writes" and request in self._peer.repeated:
            raise SessionDead(f"{name} was cut off while it ran, and may have written", hint=_LOOK_FIRST)
        if self._peer.here is not None:
            arguments = arguments_from(arguments, self._peer.here)
        # Before it is looked at where they lead, which must be what is asked about.
        arguments = arguments_as_meant(arguments, self._pool.workspace)
        if self._profile.is_confined:
            require_inside(arguments, self._pool.workspace)
        async with telling(self._pool, operation.name, report) as progress:
            answer = await perform(self._pool, operation, arguments, progress=progress, client=self._peer.kept)
        if self._output == "json":
            return show_json(answer)
        return show_text(as_text(operation, answer, max_chars=max_chars, speak=self._profile.name_of))

    def _with_notes(self, shown: Shown) -> Shown:
        """What the client should know, once, and only where it is read."""
        if not self._peer.notes or self._output == "json":
            return shown
        notes = tuple(f"Note: {note}" for note in self._peer.notes)
        self._peer.notes.clear()
        return shown._replace(texts=(*shown.texts, *notes))
