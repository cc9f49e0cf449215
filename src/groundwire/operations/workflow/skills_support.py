"""Whether the servers at hand can do what a skill needs: said only as far as it is known.

Above: ``skills_operations``, the MCP prompts. Below: ``survey``, ``pool``, ``skills``.
"""

import asyncio
from collections.abc import Iterable
from typing import Literal, NamedTuple

from groundwire.errors import GroundwireError
from groundwire.operations.files.survey import LanguageFound, survey
from groundwire.operations.workflow.skills import Skill
from groundwire.pool.pool import Pool
from groundwire.protocol.capabilities import PROVIDERS

SupportStatus = Literal["supported", "partial", "unsupported", "unknown"]


class Offers(NamedTuple):
    """What the servers that run offer. ``is_all``: the server of every language of the workspace runs."""

    methods: frozenset[str]
    is_all: bool


class Support(NamedTuple):
    """``partial``: without what is optional. ``unknown``: it may well be supported; not every server has run yet."""

    status: SupportStatus
    missing_required: tuple[str, ...] = ()
    missing_optional: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """As it is shown."""
        missing = ", ".join(self.missing_required or self.missing_optional)
        if self.status == "unknown":
            return f"not known yet: no server that runs offers {missing}, but not all have been started"
        return self.status if not missing else f"{self.status}: no server at hand offers {missing}"


async def find_offers(pool: Pool) -> Offers:
    """Looks at the files of the workspace, and at the servers that run; starts none."""
    ready = {each.chosen.spec.id: each for each in pool.instances() if each.session.life == "ready"}
    offered = [each.session.state.capabilities for each in ready.values()]
    methods = frozenset(method for method in PROVIDERS if any(each.supports(method) for each in offered))
    found = await asyncio.to_thread(survey, pool.workspace, pool.catalog)
    wanted = set(filter(None, (_server_of(pool, language) for language in found.languages)))
    return Offers(methods, bool(ready) and wanted <= ready.keys())


def support_of(skill: Skill, offers: Offers) -> Support:
    """What can be said of a skill."""
    required, optional = _missing(skill.needs, offers), _missing(skill.optional, offers)
    if required and not offers.is_all:
        return Support("unknown", required, optional)
    if required:
        return Support("unsupported", required, optional)
    return Support("partial" if optional and offers.is_all else "supported", (), optional if offers.is_all else ())


def _missing(methods: Iterable[str], offers: Offers) -> tuple[str, ...]:
    return tuple(method for method in methods if method not in offers.methods)


def _server_of(pool: Pool, language: LanguageFound) -> str:
    try:
        primary = pool.route(language.samples[0]).primary
    except GroundwireError:  # there is none, so nothing waits for it
        return ""
    return primary.spec.id if primary is not None else ""
