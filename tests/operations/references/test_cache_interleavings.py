"""Whatever happens to the files between questions, a cached answer is the one that a server gives at that moment."""

import os
from pathlib import Path

import pytest

from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.references.cached_references import FROM_CACHE
from groundwire.operations.results.found import Locations
from groundwire.pool.pool import Pool
from tests.operations.cache_moves import Moves
from tests.operations.cached_zoo import cache_of, cached_pool, write_project
from tests.operations.toy_project import ask

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

STEPS = int(os.environ.get("GROUNDWIRE_TEST_CACHE_STEPS", "100"))
"""Of each of four seeds."""
NAMES = ("one", "two", "three")
TEXTS = (
    "def one()\n",
    "def two()\n    use one(1)\n",
    "def three()\n    use two(1)\n    use one(2)\n",
    "class One\n    def one()\n        use three()\n",
    "# nothing\n",
)


async def outcome(pool: Pool, given: dict[str, object]) -> Answer[Locations] | str:
    try:
        return await ask(pool, find_references, **given)
    except GroundwireError as error:
        return type(error).__name__


@pytest.mark.parametrize("seed", range(4))
async def test_every_answer_is_the_one_that_a_server_without_a_cache_gives(tmp_path: Path, seed: int) -> None:
    root = write_project(tmp_path / "project", {f"{name}.toy": TEXTS[index] for index, name in enumerate(NAMES)})
    moves = Moves(root, seed, TEXTS, ".toy")
    store = tmp_path / "state" / "references.db"
    steps, hits = STEPS, 0
    while steps > 0:
        life = min(steps, 60)  # then both are started anew
        steps -= life
        async with cached_pool(root, store) as cached, Pool(root, catalog=cached.catalog) as plain:
            for step in range(life):
                hits += await _compare(cached, plain, moves)
                if step % 3:  # else the next question comes while the answer is being written
                    await cache_of(cached).written()
    assert hits > STEPS // 20  # else nothing was shown


async def _compare(cached: Pool, plain: Pool, moves: Moves) -> bool:
    move = moves.change()
    file, name = moves.some_symbol({name: f"def {name}(" for name in NAMES})
    given: dict[str, object] = {"symbol": f"{file}::{name}", "include_declaration": moves.perhaps()}
    answers = [await outcome(cached, given), await outcome(plain, given)]
    values = [answer if isinstance(answer, str) else (answer.value, answer.status) for answer in answers]
    assert values[0] == values[1], (move, given)
    return not isinstance(answers[0], str) and FROM_CACHE in answers[0].note
