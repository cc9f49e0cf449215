"""What to know before a file is edited, as text.

Above: ``answers``. Below: ``page``, ``verdict``, ``wording``.
"""

from collections.abc import Iterator

from groundwire.operations.answer import Answer
from groundwire.operations.results.context import Caller, ContextSymbol, EditingContext, ImportStatement
from groundwire.render.page import Page, Section, prose
from groundwire.render.verdict import found, shown
from groundwire.render.wording import on_one_line, source_line

_MOST_CHARS = 200


def editing_context_page(answer: Answer[EditingContext]) -> Page:
    """Imports, then every symbol with its callers and what it calls."""
    context = answer.value
    if context.not_modified:
        return Page(shown(answer, f"{context.file} not modified: what was answered under etag {context.etag} holds"))
    etag = prose(f"etag: {context.etag}") if context.etag else Section((), 0)
    imports = Section([(_import(each),) for each in context.imports], len(context.imports), title="Imports:")
    blocks = [tuple(_symbol(symbol)) for symbol in context.symbols]
    title = "Symbols:" if context.imports else ""
    symbols = Section(blocks, context.total, context.offset, title)
    return Page(found(answer, context.total, "symbol", f" in {context.file}"), (etag, imports, symbols))


def _import(statement: ImportStatement) -> str:
    return f"  {statement.line}  {on_one_line(statement.text, _MOST_CHARS)}"


def _symbol(symbol: ContextSymbol) -> Iterator[str]:
    signature = source_line(symbol.signature, _MOST_CHARS)
    lines = f"[{symbol.start_line}-{symbol.end_line}]"
    yield f"  {symbol.line}:{symbol.column}  {symbol.kind} {symbol.path} {lines}  {signature}".rstrip()
    if symbol.callers is not None:
        yield from (f"    caller  {_end(caller)}" for caller in symbol.callers.non_test_callers)
        yield from (f"    test    {_end(caller)}" for caller in symbol.callers.test_callers)
        if symbol.callers.hidden:
            yield f"    +{symbol.callers.hidden:,} more callers"
    yield from (f"    calls   {_end(callee)}" for callee in symbol.callees or ())


def _end(caller: Caller) -> str:
    name = f"{caller.kind} {caller.name}".strip()
    times = f"{caller.count:,} times" if caller.count > 1 else ""
    parts = (f"{caller.file}:{caller.line}:{caller.column}", name, times, source_line(caller.text, _MOST_CHARS))
    return "  ".join(filter(None, parts))
