"""Files that something else than the tool at hand has changed: a shell, a formatter, a person, another agent.

Above: ``handler``. Below: ``journal`` (which files), ``pool.ignored`` (which of them are nobody's business).
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.operations.files.workspace_files import is_below_tools
from groundwire.operations.reporting.dependents import Edited
from groundwire.pool.ignored import IgnoreFile, is_ignored, read_ignore_file
from groundwire.pool.outputs import OUTPUT_NAMES, is_output
from groundwire.pool.pool import Pool
from groundwire.surfaces.hooks.edited_files import edit_on_disk

MOST_CHECKED = 20
_MOST_LOOKED_AT = 200
_AT_A_TIME = 20


class Changed(NamedTuple):
    """``more`` files may have changed beside these, and were not looked at."""

    edits: tuple[Edited, ...] = ()
    more: int = 0


def is_served(pool: Pool, file: Path) -> bool:
    """Whether a language server takes care of the file."""
    try:
        return bool(pool.route(file).chosen)
    except GroundwireError:
        return False


async def find_changed(pool: Pool, paths: Sequence[str], is_news: Callable[[Edited], bool]) -> Changed:
    """Of the files, the latest first, those that a server takes care of, git does not ignore, and are news."""
    files = [Path(path) for path in paths]
    known = [file for file in files if file.is_relative_to(pool.workspace) and pool.catalog.language_of(file)]
    known = await asyncio.to_thread(_without_outputs, known, pool.workspace)
    looked_at, found = known[:_MOST_LOOKED_AT], list[Edited]()
    for start in range(0, len(looked_at), _AT_A_TIME):
        served = [file for file in looked_at[start : start + _AT_A_TIME] if is_served(pool, file)]
        read = await asyncio.to_thread(_read, served, pool.workspace, pool.settings.max_file_size)
        found += [edit for edit in read if is_news(edit)]
        if len(found) >= MOST_CHECKED:
            rest = len(found) - MOST_CHECKED + len(known) - start - _AT_A_TIME
            return Changed(tuple(found[:MOST_CHECKED]), max(rest, 0))
    return Changed(tuple(found), len(known) - len(looked_at))


def _without_outputs(files: Sequence[Path], workspace: Path) -> list[Path]:
    """A build may make thousands: none of them takes the place of a source."""
    verdicts: dict[Path, bool] = {}

    def is_made(directory: Path) -> bool:
        if directory not in verdicts:
            verdicts[directory] = is_output(str(directory))
        return verdicts[directory]

    return [file for file in files if not any(map(is_made, _named_like_outputs(file, workspace)))]


def _named_like_outputs(file: Path, workspace: Path) -> Iterator[Path]:
    return (path for path in _way_to(file, workspace) if path.name in OUTPUT_NAMES and path != file)


def _read(files: Sequence[Path], workspace: Path, max_size: int) -> list[Edited]:
    rules: dict[Path, IgnoreFile | None] = {}
    wanted = (file for file in files if not _is_kept_out(file, workspace, rules))
    read = (edit_on_disk(file, max_size) for file in wanted)
    return [edit for edit in read if edit is not None]


def _is_kept_out(file: Path, workspace: Path, known: dict[Path, IgnoreFile | None]) -> bool:
    """Whether it, or a directory above it, is ignored by git or belongs to a tool."""
    if is_below_tools(file.relative_to(workspace)):
        return True
    rules: tuple[IgnoreFile, ...] = ()
    for path in _way_to(file, workspace):
        directory = path.parent
        if directory not in known:
            known[directory] = read_ignore_file(directory)
        own = known[directory]
        rules = (*rules, own) if own is not None else rules
        if is_ignored(path, rules, is_directory=path != file):
            return True
    return False


def _way_to(file: Path, workspace: Path) -> Iterator[Path]:
    path = workspace
    for part in file.relative_to(workspace).parts:
        path /= part
        yield path
