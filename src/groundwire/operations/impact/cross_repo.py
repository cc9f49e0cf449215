"""Uses of a symbol in other directories than the one it is declared in: consumers of a library, each by itself.

A consumer is added as a folder of the workspace, with its own trust and boundaries, and removed again. Wherever the
name stands in its code, the server of that place is asked where it leads: to the symbol, elsewhere, or it cannot tell.
So it does not matter which servers look across folders. Above: ``table``. Below: ``cross_repo_folders``,
``impact_text``, ``navigate``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.client.disk import read_source
from groundwire.client.session import IS_WINDOWS
from groundwire.errors import GroundwireError, NoSuchSymbol
from groundwire.operations.answer import Answer, Place, Status, worst
from groundwire.operations.arguments import TargetPage
from groundwire.operations.files.paths import shown_path
from groundwire.operations.impact.code_words import TextHit, find_words
from groundwire.operations.impact.cross_repo_folders import borrowed_folders
from groundwire.operations.impact.users import AT_ONCE
from groundwire.operations.navigation.navigate import REFERENCES, definitions_at, references_at
from groundwire.operations.navigation.places import Places, locations_of
from groundwire.operations.navigation.targets import ask_at, ask_symbols, name_position
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import Asking, Heard, ask_about
from groundwire.operations.results.impact import CrossRepoReferences, RepositoryUses
from groundwire.operations.text.quoted_lines import import_statements
from groundwire.operations.waiting import Waiting
from groundwire.protocol.lsp import Location, Position
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol, innermost, walk
from groundwire.protocol.uris import is_file_uri, uri_key, uri_to_path

_MOST_ASKED = 400
PRIMARY = "primary"
Verdict = Literal["use", "other", "unknown"]


class FindCrossRepo(TargetPage, frozen=True, kw_only=True):
    """A symbol, and where else it may be used."""

    consumer_roots: Annotated[tuple[str, ...], Meta(min_length=1, description="Directories that may use it.")]


class _Own(NamedTuple):
    """The symbol as its own server knows it."""

    symbol: Symbol
    definitions: list[Location]
    uses: list[Location]


@operation(
    "Where a symbol is used in other repositories or directories; they are added and removed again.",
    needs=(REFERENCES,),
    command="cross-repo",
)
async def get_cross_repo_references(call: Call, arguments: FindCrossRepo) -> Answer[CrossRepoReferences]:
    """Its own repository first, then each consumer."""
    heard = await ask_at(call, arguments, _ask_own)
    async with borrowed_folders(call.pool, arguments.consumer_roots) as folders:
        primary = _primary(call, heard, folders, arguments)
        consumers = [await _Consumer(call, heard, folder).uses(arguments) for folder in folders]
    repositories = (primary, *consumers)
    found = CrossRepoReferences(
        symbol=heard.result.symbol.dotted, repositories=repositories, total=sum(each.total for each in repositories)
    )
    reasons = [f"{each.repo}: {each.reason}" for each in repositories if each.reason]
    status = worst(each.status for each in repositories)
    is_mixed = status is not Status.CONFIRMED and any(each.status is Status.CONFIRMED for each in repositories)
    return Answer(
        value=found,
        status=Status.PARTIAL if is_mixed else status,
        reason="; ".join(reasons),
        servers=(heard.asking.session.options.server,),
        note=heard.note,
    )


async def _ask_own(asking: Asking, position: Position) -> Reply[_Own]:
    symbols = await ask_symbols(asking)
    meant = next((each for each in walk(symbols.result) if name_position(each, asking) == position), None)
    defined = await definitions_at(asking, position)
    uses = await references_at(include_declaration=False)(asking, position)
    meant = meant or innermost(symbols.result, position.line)
    if meant is None:
        raise NoSuchSymbol("there is no symbol at this place", hint="Name the symbol, or a place on its name.")
    own = Location(asking.document.uri, meant.selection)
    return symbols.then(defined.then(uses.having(_Own(meant, [own, *defined.result], uses.result))))


def _primary(call: Call, heard: Heard[_Own], consumers: Sequence[Path], page: TargetPage) -> RepositoryUses:
    """A consumer may well be a part of the workspace: what is in there is told of it alone."""
    own = [use for use in heard.result.uses if not any(_is_in(use, folder) for folder in consumers)]
    found = locations_of(heard.asking.session, call.pool.workspace, own, page)
    return RepositoryUses(
        repo=PRIMARY,
        status=Status.PARTIAL if heard.incomplete else Status.CONFIRMED,
        reason=heard.incomplete,
        references=found.locations,
        total=found.total,
    )


def _is_in(place: Location, folder: Path) -> bool:
    return is_file_uri(place.uri) and Path(uri_to_path(place.uri, windows=IS_WINDOWS)).is_relative_to(folder)


class _Consumer:
    """One directory that may use the symbol."""

    def __init__(self, call: Call, heard: Heard[_Own], folder: Path) -> None:
        self._call = call
        self._name = heard.result.symbol.path[-1]
        self._definitions = {(uri_key(each.uri), each.range.start) for each in heard.result.definitions}
        self._languages = heard.asking.session.options.languages
        self._folder = folder
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._problems: dict[str, None] = {}

    async def uses(self, page: TargetPage) -> RepositoryUses:
        """What is proven to be a use, and what only bears the name."""
        with Waiting(self._call, lambda: f"looking for {self._name} in {self._folder.name}"):
            found = await asyncio.to_thread(find_words, [self._folder], [self._name], self._languages)
            asked = found.hits[:_MOST_ASKED]
            verdicts = await asyncio.gather(*map(self._judge, asked))
            used = [hit for hit, verdict in zip(asked, verdicts, strict=True) if verdict == "use"]
            proven = await self._with_other_names(used) if used else []
        unknown = [hit for hit, verdict in zip(asked, verdicts, strict=True) if verdict == "unknown"]
        unproven = self._places([*unknown, *found.hits[_MOST_ASKED:]])
        reason = self._reason(len(unproven), found.doubt)
        status = Status.CONFIRMED if not reason else Status.PARTIAL if proven else Status.UNKNOWN
        return RepositoryUses(
            repo=shown_path(self._folder, self._call.pool.workspace),
            status=status,
            reason=reason,
            references=tuple(proven[page.offset : page.offset + page.limit]),
            total=len(proven),
            unproven=tuple(unproven[: page.limit]),
            unproven_total=len(unproven),
        )

    def _reason(self, unproven: int, doubt: str) -> str:
        if not unproven:
            return doubt
        problem = next(iter(self._problems), "its server does not see the declaration from there")
        return f"of {unproven} {'place' if unproven == 1 else 'places'} that name it nobody could tell: {problem}"

    def _places(self, hits: Sequence[TextHit]) -> list[Place]:
        return [hit.place(self._call.pool.workspace) for hit in hits]

    async def _judge(self, hit: TextHit) -> Verdict:
        """Where the name leads from there."""

        async def put(asking: Asking) -> tuple[Reply[Verdict], str]:
            lines = asking.document.lines
            if hit.line > lines.line_count or not lines.line(hit.line - 1)[hit.column - 1 :].startswith(hit.word):
                return Reply("unknown", "it has changed meanwhile", asking.session.state.documents.world), ""
            position = lines.to_wire(hit.line, hit.column, asking.encoding)
            reply = await definitions_at(asking, position)
            return reply.having(self._verdict(reply.result)), ""

        async with self._slots:
            try:
                heard = await ask_about(self._call, hit.file, put, is_movable=False)
            except GroundwireError as error:
                self._problems[error.message] = None
                return "unknown"
        if heard.result == "use" or not self._doubt(heard):
            return heard.result
        self._problems[heard.incomplete] = None
        return "unknown"

    def _doubt(self, heard: Heard[Verdict]) -> str:
        """Why it may mean something else; whether a server looks into other folders does not matter here."""
        primary = self._call.pool.route(heard.asking.file).primary
        if primary is None:
            return heard.incomplete
        blind = self._call.pool.folders.blind_spot(primary.spec.id, primary.spec.languages, self._folder)
        return "" if heard.incomplete == blind else heard.incomplete

    async def _with_other_names(self, used: Sequence[TextHit]) -> list[Place]:
        """The uses, and those under another name, of which the server of the first may know."""

        async def put(asking: Asking) -> tuple[Reply[list[Location]], str]:
            position = asking.document.lines.to_wire(used[0].line, used[0].column, asking.encoding)
            return await references_at(include_declaration=False)(asking, position), ""

        places = {(place.file, place.line, place.column): place for place in self._places(used)}
        try:
            heard = await ask_about(self._call, used[0].file, put, is_movable=False)
        except GroundwireError as error:
            self._problems[error.message] = None
            return list(places.values())
        shown = Places(heard.asking.session, self._call.pool.workspace)
        for location in heard.result:
            if _is_in(location, self._folder):
                place = shown.place(location.uri, location.range)
                places.setdefault((place.file, place.line, place.column), place)
        return [places[key] for key in sorted(places)]

    def _verdict(self, definitions: Sequence[Location]) -> Verdict:
        """That it means something else is believed of what the consumer itself declares, and of what stands elsewhere
        in the very file of the symbol; any other file may only pass it on, or describe it."""
        if any((uri_key(each.uri), each.range.start) in self._definitions for each in definitions):
            return "use"
        files = {uri for uri, _ in self._definitions}
        is_other = all(uri_key(each.uri) in files or self._is_declared_here(each) for each in definitions)
        return "other" if definitions and is_other else "unknown"

    def _is_declared_here(self, place: Location) -> bool:
        """Whether the consumer declares it; an import that leads nowhere is no declaration."""
        if not _is_in(place, self._folder):
            return False
        file = Path(uri_to_path(place.uri, windows=IS_WINDOWS))
        language = self._languages.get(file.suffix, "")
        try:
            lines = Lines(read_source(file, self._call.pool.settings.max_file_size))
        except GroundwireError:  # then nobody knows what stands there
            return False
        imported = {
            number + row for number, text in import_statements(lines, language) for row in range(text.count("\n") + 1)
        }
        return place.range.start.line not in imported
