"""All of a symbol at once: what it is, its source, who calls it, where it is used. All parts are about one world.

A part that cannot be had does not spoil the others: the answer says which and why. Above: ``table``. Below: the
questions of ``inspect``, ``source``, ``hierarchy`` and ``navigate``.
"""

from typing import NamedTuple

from groundwire.client.ask import Reply
from groundwire.errors import CapabilityMissing, GroundwireError, NoSuchSymbol, RequestTimeout, Wire
from groundwire.operations.answer import Answer, Status, T, worst
from groundwire.operations.arguments import Page, Target
from groundwire.operations.navigation.hierarchy import CallsHeard, calls_at, shown_calls
from groundwire.operations.navigation.inspect import HOVER, hover_at
from groundwire.operations.navigation.navigate import REFERENCES, references_at
from groundwire.operations.navigation.places import Places, count_by_file
from groundwire.operations.navigation.source import definition_source_at
from groundwire.operations.navigation.targets import DOCUMENT_SYMBOL, AskAt, ask_at
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import Asking, Heard
from groundwire.operations.results.found import SymbolSource
from groundwire.operations.results.hierarchy import Calls, Exploration, FileCount, MissingPart, References
from groundwire.protocol.lsp import Location, Position

_CALLERS_SHOWN = Page(limit=10)
_MOST_FILES = 5


class _Parts(NamedTuple):
    """What was heard; None for what could not be had."""

    text: str | None
    source: SymbolSource | None
    calls: CallsHeard | None
    references: list[Location] | None
    missing: tuple[MissingPart, ...]


@operation(
    "All about a symbol in one call: type and documentation, source, callers, uses by file.",
    needs=(HOVER, DOCUMENT_SYMBOL, REFERENCES),
    aliases=("explore",),
    command="explore",
)
async def explore_symbol(call: Call, arguments: Target) -> Answer[Exploration]:
    """Everything at once."""

    async def ask(asking: Asking, position: Position) -> Reply[_Parts]:
        parts = _Collector(asking, position)
        text = await parts.ask("text", hover_at)
        source = await parts.ask("source", definition_source_at(call.pool.workspace))
        calls = await parts.ask("callers", calls_at("incoming"))
        references = await parts.ask("references", references_at(include_declaration=False))
        return Reply(_Parts(text, source, calls, references, tuple(parts.missing)), "", parts.world)

    heard = await ask_at(call, arguments, ask)
    return _answer(heard, _exploration(call, heard))


class _Collector:
    """Asks for one part after the other and keeps what was wrong with them."""

    def __init__(self, asking: Asking, position: Position) -> None:
        self._asking = asking
        self._position = position
        self.missing: list[MissingPart] = []
        self.world = asking.session.state.documents.world
        """That before the first question."""

    async def ask(self, part: str, ask: AskAt[T]) -> T | None:
        """One part, or None when it cannot be had."""
        try:
            reply = await ask(self._asking, self._position)
        except (CapabilityMissing, NoSuchSymbol, RequestTimeout, Wire) as error:
            self.missing.append(MissingPart(part=part, status=_status(error), reason=error.message))
            return None
        if reply.incomplete:
            self.missing.append(MissingPart(part=part, status=Status.PARTIAL, reason=reply.incomplete))
        return reply.result


def _status(error: GroundwireError) -> Status:
    if isinstance(error, NoSuchSymbol) and not error.doubt:
        return Status.CONFIRMED  # it is known that there is nothing to tell, such as callers of a constant
    return Status.UNSUPPORTED if isinstance(error, CapabilityMissing) else Status.UNKNOWN


def _exploration(call: Call, heard: Heard[_Parts]) -> Exploration:
    parts, session, workspace = heard.result, heard.asking.session, call.pool.workspace
    callers: Calls | None = None
    if parts.calls is not None:
        callers = shown_calls(parts.calls.incoming or [], _CALLERS_SHOWN, Places(session, workspace))
    references: References | None = None
    if parts.references is not None:
        references = _references(count_by_file(session, workspace, parts.references))
    return Exploration(
        text=parts.text, source=parts.source, callers=callers, references=references, missing=parts.missing
    )


def _references(by_file: dict[str, int]) -> References:
    most = sorted(by_file.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_FILES]
    top = tuple(FileCount(file=file, count=count) for file, count in most)
    return References(total=sum(by_file.values()), files=len(by_file), top_files=top)


def _answer(heard: Heard[_Parts], exploration: Exploration) -> Answer[Exploration]:
    """As good as the worst part; where some parts are known and others are not at all, the whole is partial."""
    unproven = [part for part in exploration.missing if part.status is not Status.CONFIRMED]
    status = worst([part.status for part in unproven]) if unproven else Status.CONFIRMED
    has_some = any(part is not None for part in heard.result[:-1])
    if heard.incomplete or (unproven and has_some):
        status = Status.PARTIAL
    reasons = [heard.incomplete] if heard.incomplete else [f"{part.part}: {part.reason}" for part in unproven]
    return Answer(
        value=exploration,
        status=status,
        reason="; ".join(dict.fromkeys(reasons)),
        servers=(heard.asking.session.options.server,),
        note=heard.note,
    )
