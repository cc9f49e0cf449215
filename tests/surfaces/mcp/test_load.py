"""Large answers and many calls at once: what is ours to do stays little, and nobody waits for what is none of his.

Costs are counted in the processor time of this process, without its language server, so that a busy machine and a slow
server do not matter; and against plain work of the same size, so that a slow machine does not either.
"""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.results.found import Locations
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.shown import as_text, show_text
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import zoo
from tests.surfaces.mcp.conversations import client_of, text_of, until

pytestmark = pytest.mark.anyio

RESULTS = 10_000
FILES = 100
BUDGET = 20_000
TRIES = 7
CALL_IN_PLAIN = 36
RENDERING_IN_PLAIN = 8
"""How many times the plainest formatting of the same places may take, half as much again as it does. Rendering alone
takes three times as much in a new process, and five times in one that has rendered much else before: the interpreter
has then adapted itself to all of it."""

QUICK = 99
FIRST_WORD = {"line": 1, "column": 1, "include_declaration": True}


def used_everywhere() -> dict[str, str]:
    uses = "    use fish(value)\n" * (RESULTS // FILES)
    callers = {f"pond{number}.toy": f"def swim{number}(value)\n{uses}" for number in range(FILES)}
    return {"fish.toy": "def fish(value)\n", **callers}


PLACES = tuple(
    Place(file=f"pond{number // FILES}.toy", line=number, column=9, end_line=number, end_column=13, text="use fish(it)")
    for number in range(RESULTS)
)


class Cost(NamedTuple):
    """Milliseconds of processor time, at best: whatever else happens only adds to them."""

    ours: float
    plain: float


async def cost(work: Callable[[], Awaitable[object]]) -> Cost:
    """Of the work, and of formatting the places, in turn."""
    ours: list[float] = []
    plain: list[float] = []
    gc.collect()
    gc.freeze()  # what other tests have left behind is nobody's cost here
    for _ in range(TRIES):
        began = time.process_time()
        await work()
        between = time.process_time()
        plainest = "\n".join(f"{each.file}:{each.line}:{each.column}: {each.text.strip()}" for each in PLACES)
        plain.append((time.process_time() - between) * 1000)
        ours.append((between - began) * 1000)
        assert plainest
    gc.unfreeze()
    return Cost(min(ours), min(plain))


async def test_ten_thousand_references_cost_us_little_and_keep_within_the_budget(tmp_path: Path) -> None:
    wanted = {"symbol": "fish", "limit": RESULTS, "max_chars": BUDGET}
    texts: list[str] = []
    async with zoo(tmp_path, files=used_everywhere()) as pool, client_of(pool) as client:

        async def ask() -> None:
            texts.append(text_of(await client.call_tool("find_references", wanted)))

        taken = await cost(ask)
    assert taken.ours < CALL_IN_PLAIN * taken.plain, taken
    assert all(text.startswith(f"{RESULTS:,} references in {FILES} files (confirmed") for text in texts), texts[0][:99]
    assert all(BUDGET - 200 < len(text) <= BUDGET for text in texts)


async def test_rendering_takes_no_more_than_a_few_times_the_plainest_way() -> None:
    found = Locations(locations=PLACES, total=RESULTS, files=FILES)
    answer = Answer(value=found, status=Status.CONFIRMED, servers=("toy",))

    async def render() -> None:
        assert show_text(as_text(find_references, answer, max_chars=BUDGET)).texts

    taken = await cost(render)
    assert taken.ours < RENDERING_IN_PLAIN * taken.plain, taken


async def test_of_a_hundred_calls_to_one_server_none_waits_for_the_slow_one(tmp_path: Path) -> None:
    log, root = ToyLog(tmp_path / "log"), tmp_path / "project"
    root.mkdir()
    quick = [f"quick{number}" for number in range(QUICK)]
    for name in ("slow", "last", *quick):
        (root / f"{name}.toy").write_text(f"{name}\n")
    spec = toy_spec("slow_for_one_file", log)
    spec = msgspec.structs.replace(spec, environment={**spec.environment, "SLOW_AFTER": str(QUICK + 1)})
    async with Pool(root, catalog=toy_catalog(spec)) as pool, client_of(pool) as client:

        async def ask(name: str) -> str:
            return text_of(await client.call_tool("find_references", {"file_path": f"{name}.toy", **FIRST_WORD}))

        slow = asyncio.create_task(ask("slow"))
        await until(lambda: log.count("textDocument/references") == 1)
        texts = await asyncio.gather(*(ask(name) for name in quick))
        assert not slow.done()
        texts += [await ask("last"), await slow]
    assert all(text.startswith("1 reference in 1 file (confirmed") for text in texts), texts[:2]
