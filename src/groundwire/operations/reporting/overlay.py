"""What was wrong in files before an edit: the servers that know them are shown the old content for a moment.

The disk is not touched. Whoever wants to ask meanwhile waits (``client.interlude``); what changes on disk meanwhile is
noticed, and then nothing is known. Above: ``edit_report``, ``change_past``. Below: ``client.shown``, ``findings``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from groundwire.client.diagnose import Findings, diagnose
from groundwire.client.session import Session
from groundwire.client.shown import ShownText, shown
from groundwire.client.sync import sync_file, uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Finding, Status
from groundwire.operations.diagnostics.findings import Part, merged, part_of
from groundwire.operations.operation import Call
from groundwire.pool.instance import Instance


class Past(ShownText, frozen=True):
    """A file's content before an edit."""


class Before(msgspec.Struct, frozen=True):
    """What was found in a file. What ``unknown_sources`` find goes by the disk, and is not among it."""

    findings: tuple[Finding, ...]
    unknown_sources: frozenset[str] = frozenset()


async def findings_before(call: Call, past: Sequence[Past], files: Sequence[Path]) -> dict[Path, Before]:
    """The findings of each file with the old content in place; a file of which that is not proven is left out."""
    by_server: dict[Instance, list[Path]] = {}
    servers: dict[Path, int] = {}
    for file in files:
        running = _running(call, file)
        servers[file] = len(running)
        for instance in running:
            by_server.setdefault(instance, []).append(file)
    answers = await asyncio.gather(*(_ask(call, instance, past, own) for instance, own in by_server.items()))
    parts: dict[Path, list[tuple[Part, Session]]] = {}
    for found in answers:
        for file, answer in found.items():
            parts.setdefault(file, []).append(answer)
    return {file: _merged(own) for file, own in parts.items() if len(own) == servers[file]}


def _running(call: Call, file: Path) -> list[Instance]:
    """The servers that take care of a file and run; none unless all do."""
    try:
        chosen = call.pool.route(file).chosen
    except GroundwireError:
        return []
    by_key = {(each.chosen.spec.id, each.chosen.root): each for each in call.pool.instances()}
    found = [by_key.get((each.spec.id, each.root)) for each in chosen]
    running = [each for each in found if each is not None and each.has_started and each.is_usable]
    return running if len(running) == len(chosen) else []


async def _ask(
    call: Call, instance: Instance, past: Sequence[Past], files: Sequence[Path]
) -> Mapping[Path, tuple[Part, Session]]:
    session: Session = instance.session
    if not all(each.file.suffix in session.options.languages for each in past if _concerns(instance, each.file)):
        return {}  # it knows the file by more than its ending, and could not be shown it
    try:
        async with session.interlude.on():
            with shown(session, past) as world:
                asked = [_document_findings(session, file, call.deadline) for file in files]
                found = await asyncio.gather(*asked)
                # Now: positions are those of the text that is shown, and mean nothing once it is put back.
                encoding = session.state.capabilities.position_encoding
                parts = [part_of(each, encoding) for each in found]
                is_undisturbed = session.state.documents.world == world
    except GroundwireError:  # it has ended: nothing is known of its past
        return {}
    proven = {file: (part, session) for file, part in zip(files, parts, strict=True) if part.status is Status.CONFIRMED}
    return proven if is_undisturbed else {}


def _concerns(instance: Instance, file: Path) -> bool:
    """Whether the server may have anything to do with the file; only the language of another one rules that out."""
    languages = instance.session.options.languages
    return file.is_relative_to(instance.chosen.root) and (file.suffix in languages or not file.suffix)


async def _document_findings(session: Session, file: Path, deadline: float) -> Findings:
    document = session.state.documents.get(uri_of(file))
    if document is None:
        document = sync_file(session, file, session.options.languages.get(file.suffix, ""))
    return await diagnose(session, document, deadline, save_checks=False)


def _merged(found: Sequence[tuple[Part, Session]]) -> Before:
    checks = (session.options.settle.save_check for _, session in found)
    unknown = frozenset(source for check in checks if check for source in check.sources)
    return Before(merged([part for part, _ in found]), unknown)
