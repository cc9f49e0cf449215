"""The documentation of a symbol: what the language's own tools say of it, or what its server shows.

The tools come first where a name says enough for them; a bare name is first looked for in the project, whose symbols
the server knows as they are now. Above: ``table``. Below: ``toolchain_docs``, ``inspect``, ``targets``.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from groundwire.errors import GroundwireError, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import Target
from groundwire.operations.files.paths import existing_file, shortened
from groundwire.operations.files.survey import survey
from groundwire.operations.navigation.inspect import HOVER, hover_at
from groundwire.operations.navigation.targets import ask_at
from groundwire.operations.navigation.toolchain_docs import TOOLCHAINS, toolchain_doc
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import answer_of
from groundwire.operations.results.context import Documentation
from groundwire.operations.text.documented_text import parse_hover
from groundwire.registry.detect import detect_language

_OTHER_NAMES = {"golang": "go", "py": "python", "python3": "python"}


class GetSymbolDocumentation(Target, frozen=True):
    """A symbol, by name or place, and its language where that is not clear."""

    language_id: Annotated[str, Meta(description="Language of the symbol, such as python or go.")] = ""
    format: Annotated[Literal["text", "markdown"], Meta(description="markdown: the signature as a block of code.")] = (
        "text"
    )


@operation(
    "Documentation of a symbol: by the language's own tools (go doc, pydoc), else by its server.",
    needs=(HOVER,),
    command="docs",
)
async def get_symbol_documentation(call: Call, arguments: GetSymbolDocumentation) -> Answer[Documentation]:
    """What a symbol is for."""
    subject = await _subject_of(call, arguments)
    sources = _Sources(call, arguments, subject)
    for ask in sources.in_order():
        answer = await ask()
        if answer is not None:
            return _formatted(answer, arguments)
    raise sources.failure()


class _Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What the tools are asked for: a name without the file, the file if one is named, and the languages to try."""

    name: str
    file: Path | None = None
    is_in_file: bool = False
    """The name is that of a symbol of the file, and of nothing else."""
    languages: tuple[str, ...] = ()


async def _subject_of(call: Call, arguments: GetSymbolDocumentation) -> _Subject:
    before, mark, after = arguments.symbol.strip().partition("::")
    is_in_file = bool(mark) and _is_file(call.pool.workspace / before)
    name = after if is_in_file else arguments.symbol.strip()
    named = before if is_in_file else arguments.file_path
    file = existing_file(Path(named), call.pool.workspace) if named else None
    language = arguments.language_id.strip().casefold()
    if not language and file is not None:
        language = detect_language(call.pool.catalog, file)[0] or ""
    languages: tuple[str, ...] = (_OTHER_NAMES.get(language, language),) if language else ()
    if not languages and name:
        seen = await asyncio.to_thread(survey, call.pool.workspace, call.pool.catalog)
        languages = tuple(found.language for found in seen.languages)
    return _Subject(
        name=name, file=file, is_in_file=is_in_file, languages=tuple(each for each in languages if each in TOOLCHAINS)
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no name that a file could have: too long, for one
        return False


class _Sources:
    """Who can be asked, the best first, and why each that was asked did not know."""

    def __init__(self, call: Call, arguments: GetSymbolDocumentation, subject: _Subject) -> None:
        self._call = call
        self._arguments = arguments
        self._subject = subject
        self._error: GroundwireError | None = None
        self._doubts: list[str] = []

    def in_order(self) -> list[Callable[[], Awaitable[Answer[Documentation] | None]]]:
        """Each gives nothing where it does not know."""
        subject, is_place = self._subject, bool(self._arguments.line or self._arguments.position_pattern)
        tools = [] if is_place or not subject.name else [self._toolchain(each) for each in self._tools()]
        is_qualified = "." in subject.name or "/" in subject.name
        has_package = subject.file is not None and subject.languages == ("go",)
        return [*tools, self._server] if is_qualified or has_package else [self._server, *tools]

    def _tools(self) -> list[str]:
        # What is in a file of the project is not installed, and an installed copy of it would be another.
        return [each for each in self._subject.languages if each != "python" or not self._subject.is_in_file]

    def _toolchain(self, language: str) -> Callable[[], Awaitable[Answer[Documentation] | None]]:
        async def ask() -> Answer[Documentation] | None:
            name = self._subject.name
            found = await toolchain_doc(self._call, language, name, self._subject.file)
            if not found.is_known:
                self._doubts += [found.doubt] if found.doubt else []
                return None
            doc = Documentation(
                symbol=name, language=language, source="toolchain", signature=found.signature, doc=found.doc
            )
            status = Status.PARTIAL if found.doubt else Status.CONFIRMED
            return Answer(value=doc, status=status, reason=found.doubt, servers=(TOOLCHAINS[language],))

        return ask

    async def _server(self) -> Answer[Documentation] | None:
        names = set(Target.__struct_fields__)
        given = {name: value for name, value in msgspec.structs.asdict(self._arguments).items() if name in names}
        try:
            heard = await ask_at(self._call, Target(**given), hover_at)
        except InvalidArgument:
            raise
        except GroundwireError as error:
            self._error = error
            return None
        if not heard.result.strip():
            server = heard.asking.session.options.server
            self._error = NoSuchSymbol(f"{server} has no documentation of this", doubt=heard.incomplete)
            return None
        signature, doc = parse_hover(heard.result)
        shown = Documentation(
            symbol=self._subject.name or signature.partition("\n")[0],
            language=heard.asking.document.language,
            source="server",
            signature=signature,
            doc=doc,
        )
        return answer_of(heard, shown)

    def failure(self) -> GroundwireError:
        """The server's own words, and why the tools may know what it does not."""
        error = self._error or NoSuchSymbol(f"there is no documentation of {shortened(self._subject.name)}")
        if not isinstance(error, NoSuchSymbol) or error.doubt or not self._doubts:
            return error
        return NoSuchSymbol(error.message, hint=error.hint, doubt="; ".join(self._doubts))


def _formatted(answer: Answer[Documentation], arguments: GetSymbolDocumentation) -> Answer[Documentation]:
    doc = answer.value
    if arguments.format == "text" or not doc.signature:
        return answer
    fenced = f"```{doc.language}\n{doc.signature}\n```"
    return msgspec.structs.replace(answer, value=msgspec.structs.replace(doc, signature=fenced))
