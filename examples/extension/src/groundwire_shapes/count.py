"""An operation: how many shapes of each kind a file holds, as its language server sees it."""

from collections import Counter
from typing import Annotated

from msgspec import Meta

from groundwire.extending import Answer, Arguments, Call, Page, Result, Section, list_symbols, operation, shown


class CountShapes(Arguments, frozen=True):
    """Which file."""

    file_path: Annotated[str, Meta(description="File of shapes, relative to the workspace.")]


class ShapeCount(Result, frozen=True):
    """Shapes by kind, most frequent first."""

    file: str
    shapes: dict[str, int]


@operation("How many shapes of each kind a file holds.", needs=("textDocument/documentSymbol",))
async def count_shapes(call: Call, arguments: CountShapes) -> Answer[ShapeCount]:
    """Built on another operation: what that cannot prove, this one does not claim."""
    heard = await list_symbols.run(call, list_symbols.parse({"file_path": arguments.file_path}))
    kinds = Counter(symbol.name for symbol in heard.value.symbols)
    counted = ShapeCount(file=heard.value.file, shapes=dict(kinds.most_common()))
    return Answer(value=counted, status=heard.status, reason=heard.reason, servers=heard.servers)


def shape_count_page(answer: Answer[ShapeCount]) -> Page:
    """A line for each kind, below how far it is proven."""
    counts = answer.value.shapes
    lines = [(f"  {number} {kind}",) for kind, number in counts.items()]
    return Page(shown(answer, f"Shapes of {answer.value.file}"), (Section(lines, len(lines)),))
