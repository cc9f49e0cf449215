"""Asking a server about texts that are not on disk: it is had for oneself, shown them, asked, and put back.

Nobody else is answered meanwhile (``client.interlude``), and putting back happens whatever goes wrong: an error, a
deadline, a cancelled task. Proof that the server is back: the lease ends only after each document's text *as told*
equals what the disk holds, and a server takes what it is told in order, so that whatever is asked later is answered for
the disk. A server that ends in the middle is started anew, from the disk. Above: ``evaluation``. Below:
``client.shown``, ``client.diagnose``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.client.diagnose import diagnose
from groundwire.client.session import Session
from groundwire.client.shown import ShownText, shown
from groundwire.client.sync import sync_file, uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Finding
from groundwire.operations.diagnostics.findings import Part, part_of
from groundwire.operations.speculation.unseen import doubtful
from groundwire.operations.speculation.virtual_texts import VirtualFile
from groundwire.pool.instance import Instance

_MOST_ROUNDS = 8
"""How often the texts are shown again because somebody who had asked before told the server what the disk holds."""


_SEES_TEXTS = frozenset({"pull", "command"})
"""A server that answers when asked goes by what it was told of all files. One that publishes may have read other files
from the disk: clangd does."""


class Lease(msgspec.Struct, frozen=True):
    """What one server said of each file with the texts in place; of some nothing, and why."""

    session: Session
    found: Mapping[Path, Part] = {}
    reason: str = ""
    doubtful: Mapping[Path, frozenset[Finding]] = {}
    """Of what was found, what may be wrong: the server may not believe in a new file."""

    @property
    def may_go_by_disk(self) -> bool:
        """Whether the server may have read the edited files from the disk where others use them."""
        settle = self.session.options.settle
        if settle.scope == "file" or settle.sees_shown_texts:
            return False
        return any(part.evidence not in _SEES_TEXTS for part in self.found.values())


class _Found(NamedTuple):
    part: Part
    doubtful: frozenset[Finding]


async def findings_with(
    instance: Instance, texts: Sequence[VirtualFile], languages: Mapping[Path, str], files: Sequence[Path], until: float
) -> Lease:
    """The findings of ``files`` with the texts in place. ``languages``: of files that the server is chosen for."""
    session: Session = instance.session
    try:
        async with AsyncExitStack() as lease:
            async with asyncio.timeout_at(until):
                await instance.ready(until)
                await lease.enter_async_context(session.interlude.on())
            found = await _asked(session, texts, languages, files, until)
    except TimeoutError:
        return Lease(session, reason=f"{session.options.server}: others kept the server busy all the time")
    except GroundwireError as error:
        return Lease(session, reason=f"{session.options.server}: {error.message}")
    if found is None:
        return Lease(session, reason=f"{session.options.server}: files kept changing while they were checked")
    doubts = {file: own for file, (_, own) in found.items() if own}
    return Lease(session, {file: part for file, (part, _) in found.items()}, doubtful=doubts)


async def _asked(
    session: Session, texts: Sequence[VirtualFile], languages: Mapping[Path, str], files: Sequence[Path], until: float
) -> dict[Path, _Found] | None:
    """None: somebody disturbed it all the time, or a file is not what it was."""
    wanted = [_shown_text(each, languages.get(each.file, "")) for each in texts]
    new = [each.file for each in texts if not each.is_on_disk]
    for _ in range(_MOST_ROUNDS):
        _open(session, [each.file for each in texts if each.is_on_disk], languages)
        with shown(session, wanted) as world:
            _open(session, [file for file in files if session.state.documents.get(uri_of(file)) is None], languages)
            found = await asyncio.gather(*(_findings(session, file, new, until) for file in files))
            is_undisturbed = session.state.documents.world == world
        if not all(_is_back(session, each) for each in texts):
            return None
        if is_undisturbed or session.now() >= until:
            kept = {file: each for file, each in zip(files, found, strict=True) if each is not None}
            return kept if is_undisturbed else None
    return None


def _shown_text(each: VirtualFile, language: str) -> ShownText:
    """One that is to be gone is shown as empty: no server can be told that a file on disk is not there."""
    return ShownText(each.file, each.after or "", is_gone=not each.is_on_disk, language=language)


def _open(session: Session, files: Sequence[Path], languages: Mapping[Path, str]) -> None:
    """As they are on disk. Those that the server does not know by their names are not its business."""
    for file in files:
        language = languages.get(file, "") or session.options.languages.get(file.suffix, "")
        if language:
            sync_file(session, file, language)


async def _findings(session: Session, file: Path, new: Sequence[Path], until: float) -> _Found | None:
    """In people's terms right away: the document is another one as soon as it is put back, and so are its lines."""
    document = session.state.documents.get(uri_of(file))
    if document is None:
        return None
    found = await diagnose(session, document, until, save_checks=False)
    part = part_of(found, session.state.capabilities.position_encoding)
    return _Found(part, await doubtful(session, document, part.findings, new, until))


def _is_back(session: Session, each: VirtualFile) -> bool:
    """Whether the server was last told what the disk held before."""
    if session.life != "ready":
        return True
    document = session.state.documents.get(uri_of(each.file))
    if document is None:
        return True  # closed: from then on it goes by the disk
    return document.text == each.before
