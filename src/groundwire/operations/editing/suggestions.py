"""What one server offers for a file or a part of it, asked about the findings that are proven for the present content.

Above: ``fixes``. Below: ``code_actions``, ``client.diagnose``, ``question``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.client.diagnose import diagnose
from groundwire.errors import GroundwireError
from groundwire.operations.arguments import FileRange
from groundwire.operations.editing.code_actions import CODE_ACTION, ask_actions
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, Heard, ask_server
from groundwire.operations.serving.late_offers import require_offer
from groundwire.operations.text.text_ranges import is_whole, wire_range
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp import Range
from groundwire.protocol.lsp_actions import OfferedAction
from groundwire.protocol.lsp_diagnostics import Diagnostic

_SHARE_FOR_FINDINGS = 0.75
_MOST_PLACES = 50
"""More findings than this are not asked about one by one; the answer says so."""
_QUICK_FIX = ("quickfix",)
_SOURCE = "source"


class SuggestFixes(FileRange, frozen=True):
    """A file or a part of it, and what kinds of fixes are wanted."""

    line: Annotated[int, Meta(ge=0, description="One line, not a range.")] = 0
    kinds: Annotated[
        tuple[str, ...], Meta(description="quickfix, refactor, source… A whole file: quickfix if not given.")
    ] = ()


class Suggestion(NamedTuple):
    """An action, the part of the file that it was offered for, and the content and world."""

    offered: OfferedAction
    where: Range
    hash: str
    world: int


class _Place(NamedTuple):
    """A part of the file, what was found there, and the kinds that are wanted."""

    where: Range
    findings: tuple[Diagnostic, ...]
    kinds: tuple[str, ...]


async def ask_for_fixes(
    call: Call, chosen: Chosen, file: Path, language: str, wanted: SuggestFixes
) -> Heard[list[Suggestion]] | GroundwireError:
    """The answer of one server, or why there is none."""
    if wanted.line:
        wanted = msgspec.structs.replace(wanted, start_line=wanted.line, end_line=wanted.line)

    async def ask(asking: Asking) -> tuple[Reply[list[Suggestion]], str]:
        return await _ask(asking, wanted), ""

    try:
        return await ask_server(call, chosen, file, language, ask, is_movable=is_whole(wanted))
    except GroundwireError as error:
        return error


async def _ask(asking: Asking, wanted: SuggestFixes) -> Reply[list[Suggestion]]:
    session, world, content = asking.session, asking.session.state.documents.world, asking.document.hash
    await require_offer(asking, CODE_ACTION)
    now = session.now()
    found = await diagnose(session, asking.document, now + (asking.deadline - now) * _SHARE_FOR_FINDINGS)
    doubts = [] if found.proof == "confirmed" else [f"what is wrong in the file is not all known: {found.reason}"]
    places = _places(asking, wanted, found.diagnostics)
    if len(places) > _MOST_PLACES:
        doubts.append(f"only the first {_MOST_PLACES} of {len(places)} places with findings were asked about")
    suggestions: dict[bytes, Suggestion] = {}
    for place in places[:_MOST_PLACES]:
        reply = await ask_actions(asking, place.where, place.findings, place.kinds)
        doubts += [reply.incomplete] if reply.incomplete else []
        for offered in reply.result:
            suggestions.setdefault(bytes(offered.raw), Suggestion(offered, place.where, content, world))
    return Reply(list(suggestions.values()), doubts[0] if doubts else "", world)


def _places(asking: Asking, wanted: SuggestFixes, findings: Sequence[Diagnostic]) -> list[_Place]:
    """A part that was named is asked about as it is; of a whole file, each place where something was found."""
    whole = wire_range(wanted, asking.document.lines, asking.encoding)
    if not is_whole(wanted):
        return [_Place(whole, _touching(whole, findings), wanted.kinds)]
    source = tuple(kind for kind in wanted.kinds if kind.partition(".")[0] == _SOURCE)
    others = tuple(kind for kind in wanted.kinds if kind not in source)
    places = [_Place(whole, tuple(findings), source)] if source else []
    if source and not others:
        return places
    ranges = dict.fromkeys(finding.range for finding in findings)
    return [*places, *(_Place(each, _touching(each, findings), others or _QUICK_FIX) for each in ranges)]


def _touching(where: Range, findings: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(each for each in findings if each.range.start <= where.end and where.start <= each.range.end)
