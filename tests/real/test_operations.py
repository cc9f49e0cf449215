"""Every operation that reads, put to real servers: the answers are the true ones, and confirmed.

All questions to one server are one test, because its start takes longer than they do. What a server does not offer is
typed, and says what can be asked instead.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, GroundwireError
from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.navigation.completions import get_completions
from groundwire.operations.navigation.decorations import (
    get_code_lenses,
    get_folding_ranges,
    get_inlay_hints,
    get_selection_ranges,
)
from groundwire.operations.navigation.explore import explore_symbol
from groundwire.operations.navigation.hierarchy import callers, find_callers, type_hierarchy
from groundwire.operations.navigation.inspect import get_document_highlights, get_signature_help, inspect_symbol
from groundwire.operations.navigation.navigate import (
    find_references,
    go_to_declaration,
    go_to_definition,
    go_to_implementation,
    go_to_type_definition,
)
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.navigation.symbols import get_symbol_source, go_to_symbol, list_symbols
from groundwire.operations.navigation.tokens import get_semantic_tokens
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.results.hierarchy import Calls
from groundwire.operations.runner import perform
from groundwire.operations.table import OPERATIONS
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.lightened import light_pool
from tests.real.shapes import SAMPLES, Sample

WAIT_S = 120.0

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


class Questions:
    """Questions to one server about its sample, with the places they are about."""

    def __init__(self, pool: Pool, sample: Sample) -> None:
        self._pool = pool
        self.sample = sample
        lines = sample.files[sample.user].splitlines()
        self.line = next(number for number, line in enumerate(lines, start=1) if f"{sample.double}(1" in line)
        self.text = lines[self.line - 1]
        self.double: dict[str, object] = {"symbol": f"{sample.library}::{sample.double}"}
        self.call: dict[str, object] = {"file_path": sample.user, "line": self.line, "text": f"{sample.double}(1"}
        self.second: dict[str, object] = {"file_path": sample.user, "line": self.line, "text": "second"}
        self.call_place = (sample.user, self.line, self.text.index(f"{sample.double}(1") + 1)

    async def ask(self, operation: Operation[A, R], given: Mapping[str, object], *, may_be_partial: bool = False) -> R:
        """The answer, which must be confirmed unless it may be partial."""
        answer: Answer[R] = await perform(self._pool, operation, operation.parse(given), wait_s=WAIT_S)
        assert answer.status is Status.CONFIRMED or may_be_partial, answer.reason
        return answer.value


def place_of(sample: Sample, file: str, before: str, word: str) -> tuple[str, int, int]:
    """Where ``word`` stands behind ``before`` for the first time."""
    lines = enumerate(sample.files[file].splitlines(), start=1)
    return next((file, number, line.index(before) + len(before) + 1) for number, line in lines if before + word in line)


def short(places: Sequence[Place]) -> list[tuple[str, int, int]]:
    return [(place.file, place.line, place.column) for place in places]


def definition(sample: Sample) -> tuple[str, int, int]:
    return next(
        place_of(sample, sample.library, before, f"{sample.double}(")
        for before in ("def ", "function ", "func ", "fn ", "int ")
        if before + f"{sample.double}(" in sample.files[sample.library]
    )


async def symbols_of_a_file(q: Questions) -> None:
    found = await q.ask(list_symbols, {"file_path": q.sample.types, "format": "outline"})
    paths = [symbol.path for symbol in found.symbols]
    assert {"Shape", "Square", f"Square.{q.sample.area}"} <= set(paths)
    assert found.total == len(paths)


async def symbols_of_the_workspace(q: Questions) -> None:
    found = (await q.ask(find_symbol, {"query": q.sample.double})).symbols[0]
    assert (found.file, found.line, found.column) == definition(q.sample)


async def the_place_of_a_path(q: Questions) -> None:
    found = await q.ask(go_to_symbol, {"symbol_path": f"{q.sample.types}::Square.{q.sample.area}"})
    assert q.sample.area in found.locations[0].text


async def the_source(q: Questions) -> None:
    found = await q.ask(get_symbol_source, q.double)
    lines = [line.strip() for line in found.source.splitlines()]
    assert "wice as much" in lines[0]
    assert any(line.startswith(("return amount * times", "amount * times")) for line in lines)


async def the_hover(q: Questions) -> None:
    assert "amount" in (await q.ask(inspect_symbol, q.call)).text


async def the_signature(q: Questions) -> None:
    found = await q.ask(get_signature_help, {**q.call, "text": f"{q.sample.double}(1, "})
    (active,) = [each for each in found.signatures[0].parameters if each.active]
    assert "times" in active.label


async def the_completions(q: Questions) -> None:
    given = {"file_path": q.sample.user, "position_pattern": f"square.{q.sample.area}@@(", "documentation": True}
    found = await q.ask(get_completions, given, may_be_partial=True)
    assert any(each.label.startswith(q.sample.area) and each.kind == "method" for each in found.completions)


async def the_definition(q: Questions) -> None:
    assert short((await q.ask(go_to_definition, q.call)).locations) == [definition(q.sample)]


async def the_declaration(q: Questions) -> None:
    (place,) = (await q.ask(go_to_declaration, q.call)).locations
    assert q.sample.double in place.text


async def the_type(q: Questions) -> None:
    square = f"@@square.{q.sample.area}"
    found = await q.ask(go_to_type_definition, {"file_path": q.sample.user, "position_pattern": square})
    (place,) = found.locations
    assert (place.file, "Square" in place.text) == (q.sample.types, True)


async def the_implementations(q: Questions) -> None:
    found = await q.ask(go_to_implementation, {"symbol": f"{q.sample.types}::Shape"})
    assert any("Square" in place.text for place in found.locations)


async def the_uses(q: Questions) -> None:
    found = await q.ask(find_references, q.double)
    assert (found.total, q.call_place in short(found.locations)) == (q.sample.uses, True)
    assert definition(q.sample) not in short(found.locations)
    everything = await q.ask(find_references, {**q.double, "include_declaration": True})
    assert definition(q.sample) in short(everything.locations)


async def the_highlights(q: Questions) -> None:
    found = await q.ask(get_document_highlights, q.second)
    assert (found.total, found.highlights[0].column) == (2, q.text.index("second") + 1)


def check_callers(q: Questions, calls: Calls | None) -> None:
    assert calls is not None
    sites = [place for call in calls.calls for place in short(call.sites)]
    assert ({call.name for call in calls.calls}, calls.sites) == ({q.sample.area, "total"}, 3)
    assert q.call_place in sites


async def the_calls(q: Questions) -> None:
    check_callers(q, (await q.ask(find_callers, q.double)).incoming)
    total = await q.ask(find_callers, {"symbol": f"{q.sample.user}::total", "direction": "outgoing"})
    assert total.incoming is None
    assert total.outgoing is not None
    assert {call.name for call in total.outgoing.calls} == {q.sample.area, q.sample.double}
    assert q.call_place in [place for call in total.outgoing.calls for place in short(call.sites)]


async def the_callers(q: Questions) -> None:
    found = await q.ask(callers, q.call)
    check_callers(q, found.incoming)
    assert found.outgoing is None


async def the_types(q: Questions) -> None:
    square = await q.ask(type_hierarchy, {"symbol": f"{q.sample.types}::Square"})
    assert square.supertypes is not None
    assert "Shape" in [each.name for each in square.supertypes.types]
    shape = await q.ask(type_hierarchy, {"symbol": f"{q.sample.types}::Shape", "direction": "subtypes"})
    assert shape.subtypes is not None
    assert [each.name for each in shape.subtypes.types] == ["Square"]


async def the_hints(q: Questions) -> None:
    found = await q.ask(get_inlay_hints, {"file_path": q.sample.user, "start_line": q.line, "end_line": q.line})
    columns = {hint.label.rstrip(":="): hint.column for hint in found.hints}
    assert columns["amount"] == q.text.index("(1") + 2
    assert {hint.line for hint in found.hints} == {q.line}


async def the_tokens(q: Questions) -> None:
    part = await q.ask(get_semantic_tokens, {"file_path": q.sample.user, "start_line": q.line, "end_line": q.line})
    (token,) = [token for token in part.tokens if token.text == q.sample.double]
    assert (token.type, token.line, token.column) == ("function", *q.call_place[1:])
    assert {token.line for token in part.tokens} == {q.line}
    assert (await q.ask(get_semantic_tokens, {"file_path": q.sample.user})).total > part.total


async def the_folds(q: Questions) -> None:
    line = definition(q.sample)[1]
    found = await q.ask(get_folding_ranges, {"file_path": q.sample.library})
    assert any(fold.start_line == line for fold in found.ranges)


async def the_selections(q: Questions) -> None:
    found = await q.ask(get_selection_ranges, q.second)
    spans = [((each.line, each.column), (each.end_line, each.end_column)) for each in found.ranges]
    assert found.total >= 3
    assert all(inner[0] >= outer[0] and inner[1] <= outer[1] for inner, outer in pairwise(spans))
    assert spans[0][0][0] == spans[0][1][0] == q.line


async def the_lenses(q: Questions) -> None:
    found = await q.ask(get_code_lenses, {"file_path": q.sample.user})
    assert all(lens.title for lens in found.lenses)


async def everything(q: Questions) -> None:
    found = await q.ask(explore_symbol, q.double)
    assert found.missing == ()
    check_callers(q, found.callers)
    assert found.references is not None
    assert found.references.total == q.sample.uses
    assert found.source is not None
    assert found.source.symbol == q.sample.double
    assert "amount" in (found.text or "")


CHECKS: dict[str, Callable[[Questions], Awaitable[None]]] = {
    "list_symbols": symbols_of_a_file,
    "find_symbol": symbols_of_the_workspace,
    "go_to_symbol": the_place_of_a_path,
    "get_symbol_source": the_source,
    "inspect_symbol": the_hover,
    "get_signature_help": the_signature,
    "get_completions": the_completions,
    "go_to_definition": the_definition,
    "go_to_declaration": the_declaration,
    "go_to_type_definition": the_type,
    "go_to_implementation": the_implementations,
    "find_references": the_uses,
    "get_document_highlights": the_highlights,
    "find_callers": the_calls,
    "callers": the_callers,
    "type_hierarchy": the_types,
    "get_inlay_hints": the_hints,
    "get_semantic_tokens": the_tokens,
    "get_folding_ranges": the_folds,
    "get_selection_ranges": the_selections,
    "get_code_lenses": the_lenses,
    "explore_symbol": everything,
}


FIRST_ABOUT_PLACES = ("callers", "go_to_implementation", "explore_symbol")
"""They are put all at once, before the server has even been started."""


async def failure(q: Questions, name: str) -> str:
    """What is wrong with the answers of one operation; empty when nothing is."""
    try:
        await CHECKS[name](q)
    except CapabilityMissing as error:
        return "" if name in q.sample.lacks and error.hint else f"{name}: {error.message}"
    except (AssertionError, GroundwireError) as error:
        return f"{name}: {error}"
    return f"{name} is offered after all" if name in q.sample.lacks else ""


def write(sample: Sample, root: Path) -> None:
    for name, text in sample.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace("{root}", str(root)), encoding="utf-8")


@asynccontextmanager
async def questions(server: str, pool_of_it: Pool) -> AsyncGenerator[Questions]:
    """To a server that has not even been started."""
    write(SAMPLES[server], pool_of_it.workspace)
    async with pool_of_it as pool:
        yield Questions(pool, SAMPLES[server])


@pytest.mark.parametrize("server", SAMPLES, indirect=True)
async def test_the_very_first_questions_and_every_operation_afterwards_get_the_true_answer(
    server: str, tmp_path: Path
) -> None:
    pool = Pool(tmp_path, only=frozenset({server}), environment=server_environment(server))
    async with questions(server, pool) as q:
        first = await asyncio.gather(*(failure(q, name) for name in FIRST_ABOUT_PLACES))
        later = [await failure(q, name) for name in CHECKS]
    assert "\n".join(filter(None, [f"first: {each}" if each else "" for each in first] + later)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("server", SAMPLES, indirect=True)
async def test_a_search_by_name_before_any_file_was_opened_gets_the_true_answer(server: str, tmp_path: Path) -> None:
    async with questions(server, light_pool(tmp_path, server)) as q:
        assert await failure(q, "find_symbol") == ""


def test_every_operation_is_put_to_at_least_two_servers() -> None:
    assert set(CHECKS) <= set(OPERATIONS)
    for name in CHECKS:
        assert sum(name not in sample.lacks for sample in SAMPLES.values()) >= 2, name
