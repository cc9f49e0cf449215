"""The reference cache over a real server: whatever is done to a project whose uses depend on types, star imports,
re-exports and modules that take one another's place, an answer is the one that a server without a cache gives.
"""

import os
import shutil
from pathlib import Path

import pytest

from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.references.cached_references import FROM_CACHE
from groundwire.operations.results.found import Locations
from groundwire.operations.runner import perform
from groundwire.pool.cache_settings import CacheSettings
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from tests.operations.cache_moves import Moves
from tests.operations.cached_zoo import cache_of, write_project
from tests.real.installed import environment_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

SERVER = "ty"
STEPS = int(os.environ.get("GROUNDWIRE_TEST_CACHE_STEPS", "60"))
WAIT_S = 60.0
PROJECT = {
    "a.py": "class A:\n    def save(self) -> int:\n        return 1\n\n\n"
    "class B:\n    def save(self) -> int:\n        return 2\n",
    "b.py": "from a import A, B\n\n\ndef make() -> A:\n    return A()\n\n\nmade = A()\n",
    "c.py": "from b import make, made\n\nmake().save()\nmade.save()\n",
    "d.py": "from a import *\n\nA().save()\n",
    "e.py": "from d import A as Other\n\nOther().save()\n",
}
TEXTS = (
    *PROJECT.values(),
    "from a import A, B\n\n\ndef make() -> B:\n    return B()\n\n\nmade = B()\n",
    "from a import B as A, A as B\n\n\ndef make() -> A:\n    return A()\n\n\nmade = B()\n",
    "from b import *\n\nmake().save()\n",
    "class A:\n    def other(self) -> int:\n        return 3\n",
    "# nothing\n",
)


def environment_without_packages(directory: Path) -> dict[str, str]:
    """Nothing is kept where packages lie outside the workspace, as those of the environment of the tests do: here the
    server is all there is of it.
    """
    environment = environment_of(SERVER)
    program = shutil.which(SERVER, path=environment["PATH"])
    assert program is not None
    directory.mkdir()
    (directory / SERVER).symlink_to(program)
    del environment["PATH"]
    environment.pop("VIRTUAL_ENV", None)
    return {**environment, "PATH": f"{directory}:/usr/bin:/bin"}


def pool_of(root: Path, environment: dict[str, str], cache: CacheSettings | None = None) -> Pool:
    settings = PoolSettings(cache=cache)
    return Pool(root, only=frozenset({SERVER}), environment=environment, settings=settings)


async def outcome(pool: Pool, given: dict[str, object]) -> Answer[Locations] | str:
    try:
        return await perform(pool, find_references, find_references.parse(given), wait_s=WAIT_S)
    except GroundwireError as error:
        return type(error).__name__


async def test_every_answer_is_the_one_that_a_server_without_a_cache_gives(tmp_path: Path) -> None:
    environment = environment_without_packages(tmp_path / "bin")
    root = write_project(tmp_path / "project", PROJECT)
    moves, store = Moves(root, 1, TEXTS, ".py"), CacheSettings(tmp_path / "state" / "references.db", 10_000_000)
    hits, steps = 0, STEPS
    while steps > 0:
        async with pool_of(root, environment, store) as cached, pool_of(root, environment) as plain:
            await cache_of(cached).opened
            for _ in range(min(steps, 30)):
                steps -= 1
                hits += await compare(cached, plain, moves)
                await cache_of(cached).written()
    assert hits > STEPS // 20


async def compare(cached: Pool, plain: Pool, moves: Moves) -> bool:
    move = moves.change()
    file, name = moves.some_symbol({"A.save": "class A:\n    def save", "B.save": "class B", "make": "def make"})
    given: dict[str, object] = {"symbol": f"{file}::{name}"}
    first, second = await outcome(cached, given), await outcome(plain, given)
    if isinstance(first, str) or isinstance(second, str):
        assert first == second, (move, given)
        return False
    if first.status is second.status is Status.CONFIRMED:
        assert first.value == second.value, (move, given, first.note)
    return FROM_CACHE in first.note


async def test_another_type_in_another_file_is_noticed_though_no_changed_file_names_the_symbol(tmp_path: Path) -> None:
    environment = environment_without_packages(tmp_path / "bin")
    root = write_project(tmp_path / "project", PROJECT)
    given: dict[str, object] = {"symbol": "a.py::A.save"}
    async with pool_of(root, environment, CacheSettings(tmp_path / "state" / "references.db", 10_000_000)) as pool:
        await cache_of(pool).opened
        first = await outcome(pool, given)
        await cache_of(pool).written()
        again = await outcome(pool, given)
        (root / "b.py").write_text(TEXTS[len(PROJECT)], "utf-8")
        after = await outcome(pool, given)
    assert isinstance(first, Answer)
    assert isinstance(again, Answer)
    assert isinstance(after, Answer)
    assert again.value == first.value
    assert FROM_CACHE in again.note
    assert after.value.total < first.value.total
