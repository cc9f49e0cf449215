"""The servers that files of some languages need, each once a root, and why a language has none.

Above: ``starting``, ``workspace_folders``. Below: ``survey``, ``pool``.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import GroundwireError, LanguageNotEnabled, NoServerForExtension
from groundwire.operations.files.survey import LanguageFound
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen


class Wanted(NamedTuple):
    """A server, and a file to show it: several load nothing before they have seen one."""

    chosen: Chosen
    sample: Path
    language: str


class Needed(NamedTuple):
    """What there is, and by language why there is not more."""

    servers: list[Wanted]
    refusals: Mapping[str, GroundwireError]

    @property
    def missed(self) -> dict[str, GroundwireError]:
        """Without languages for which no server is known, or wanted: nobody is missed there."""
        unmissed = (NoServerForExtension, LanguageNotEnabled)
        return {language: why for language, why in self.refusals.items() if not isinstance(why, unmissed)}


def needed_servers(pool: Pool, languages: Iterable[LanguageFound]) -> Needed:
    """By the files that stand for each directory of each language."""
    found: dict[tuple[str, Path], Wanted] = {}
    refusals: dict[str, GroundwireError] = {}
    for language in languages:
        for sample in language.samples:
            try:
                route = pool.route(sample)
            except GroundwireError as error:
                refusals[language.language] = error
                break
            for chosen in route.chosen:
                found.setdefault((chosen.spec.id, chosen.root), Wanted(chosen, sample, language.language))
    return Needed(list(found.values()), refusals)
