"""Documents that are kept open until they are closed: their servers stay warm for them and notice what concerns them.

Above: ``table``. Below: ``pool.pinned``, ``client.sync``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.client.disk import read_source
from groundwire.client.sync import close_file, sync_file, uri_of
from groundwire.errors import GroundwireError, InvalidArgument, RequestTimeout
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import FileArguments
from groundwire.operations.files.paths import existing_file, located, shortened, shown_path
from groundwire.operations.operation import Call, operation
from groundwire.operations.results.workspace import ClosedDocument, OpenedDocument
from groundwire.pool.routing import Chosen


class OpenDocument(FileArguments, frozen=True):
    """A file that is there."""

    language_id: Annotated[str, Meta(description="What it is taken to be written in; only checked.")] = ""
    text: Annotated[str | None, Meta(description="What the file is taken to hold; only checked.")] = None


@operation(
    "Have the language servers of a file open it and keep it open until close_document. Not needed before other tools.",
    effect="manages",
    command="open",
)
async def open_document(call: Call, arguments: OpenDocument) -> Answer[OpenedDocument]:
    """Open and pin it.

    ``text`` that differs from the disk is refused. Every answer is about what is on disk, whoever wrote it last; a
    buffer that only one server knows of would make its answers about something that no other tool, no build and no
    other server sees, without any of them saying so.
    """
    pool = call.pool
    pool.refresh()
    file = existing_file(Path(arguments.file_path), pool.workspace)
    route = pool.route(file)
    _require_language(arguments.language_id, route.language, file)
    _require_same(arguments.text, read_source(file, pool.settings.max_file_size), file)
    pool.pinned.require_room(file)
    failures = await asyncio.gather(*(_open(call, each, file, route.language) for each in route.chosen))
    told = [each.spec.id for each, failure in zip(route.chosen, failures, strict=True) if failure is None]
    failed = [failure for failure in failures if failure is not None]
    if failed and not told:
        raise failed[0]
    value = OpenedDocument(
        file=shown_path(file, pool.workspace), language=route.language, already_open=file in pool.pinned
    )
    pool.pinned.pin(file, route.language, route.chosen)
    names = (each.spec.id for each in route.chosen)
    doubts = [
        f"{name}: {failure.message}" for name, failure in zip(names, failures, strict=True) if failure is not None
    ]
    doubts += route.missing
    status = Status.PARTIAL if doubts else Status.CONFIRMED
    return Answer(value=value, status=status, reason="; ".join(doubts), servers=tuple(told))


@operation(
    "Close a document that open_document keeps open, or that a server has open.", effect="manages", command="close"
)
async def close_document(call: Call, arguments: FileArguments) -> Answer[ClosedDocument]:
    """Close it everywhere; the file itself may be gone already."""
    pool = call.pool
    pool.refresh()
    file = located(Path(arguments.file_path), pool.workspace)
    was_pinned, uri = pool.pinned.unpin(file), uri_of(file)
    holders: list[str] = []
    for session in (instance.session for instance in pool.instances()):
        if session.life == "ready" and session.state.documents.get(uri) is not None:
            close_file(session, uri)  # as news, so that whoever asks about it at this moment asks again
            holders.append(session.options.server)
    value = ClosedDocument(file=shown_path(file, pool.workspace), closed=was_pinned or bool(holders))
    return Answer(value=value, status=Status.CONFIRMED, servers=tuple(holders))


async def _open(call: Call, chosen: Chosen, file: Path, language: str) -> GroundwireError | None:
    """Tell one server; why that failed, if it did."""
    try:
        session = await call.pool.instance(chosen).ready(call.deadline)
        call.pool.refresh()
        sync_file(session, file, language)
    except TimeoutError:
        return RequestTimeout(f"{chosen.spec.id} is still starting")
    except GroundwireError as error:
        return error
    return None


def _require_language(given: str, found: str, file: Path) -> None:
    if given and given != found:
        hint = f"The endings of a language are set by [languages.{given}] extensions in the configuration."
        raise InvalidArgument(f"{file.name} is taken to be {found}, not {shortened(given)}", hint=hint)


def _require_same(given: str | None, on_disk: str, file: Path) -> None:
    if given is None or given == on_disk:
        return
    line = _first_difference(given.splitlines(), on_disk.splitlines())
    hint = "Write the file first: every answer is about what is on disk."
    raise InvalidArgument(f"the text differs from {file.name} on disk, from line {line} on", hint=hint)


def _first_difference(one: Sequence[str], other: Sequence[str]) -> int:
    same = next((number for number, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return 1 + (min(len(one), len(other)) if same is None else same)
