"""Language servers started ahead of the first edit, beside everything else.

Above: ``handler``. Below: ``operations.survey``, ``pool``.
"""

import asyncio
import contextlib
from collections.abc import Iterable
from pathlib import Path

from groundwire.errors import GroundwireError
from groundwire.operations.files.survey import survey
from groundwire.pool.pool import Pool

_MOST_LANGUAGES = 4
_MOST_ENTRIES = 20_000


async def warm_up(pool: Pool) -> None:
    """Start what the languages with most files need, each at one place."""
    pool.prewarm()
    found = await asyncio.to_thread(survey, pool.workspace, pool.catalog, most_entries=_MOST_ENTRIES, most_samples=1)
    source = [each for each in found.languages if not pool.catalog.is_data(each.language)]
    start_servers(pool, (each.samples[0] for each in source[:_MOST_LANGUAGES]))


def start_servers(pool: Pool, files: Iterable[Path]) -> None:
    """Those of the files. One that cannot be started says so when it is needed."""
    for file in files:
        with contextlib.suppress(GroundwireError):
            for chosen in pool.route(file).chosen:
                pool.instance(chosen)
