"""Servers that are limited to the packages in use, in a workspace of many packages: what they say is true, what
may be missing is said to be, and no file is touched.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.indexing import content_of
from bench.many_packages import package_name, write_packages
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.editing.rename import rename_symbol
from groundwire.operations.editing.symbol_edits import safe_delete_symbol
from groundwire.operations.navigation.inspect import inspect_symbol
from groundwire.operations.navigation.navigate import find_references, go_to_definition
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.results.found import Locations
from groundwire.operations.speculation.preview_edit import preview_edit
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from tests.operations.toy_project import ask
from tests.real.installed import environment_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

SERVERS = ("ty", "pyright", "basedpyright")
PACKAGES, MODULES, THRESHOLD = 40, 6, 120
FIRST, FAR = f"{package_name(3)}/module_001.py", f"{package_name(20)}/module_001.py"
WRONG = "from package_035.module_001 import Thing1\n\nThing1('text')\n"
USER = f"{package_name(30)}/user.py"
"""Beyond every limit, and not beyond the whole."""
LONELY, FAR_USER = f"{package_name(3)}/lonely.py", f"{package_name(30)}/far.py"
LONELY_TEXT = "def only_far(given: int) -> int:\n    return given\n"
FAR_USER_TEXT = "from package_003 import lonely\n\nlonely.only_far(1)\n"
WAIT_S = 90.0


@asynccontextmanager
async def many(
    tmp_path: Path, server: str, more: str = "", files: dict[str, str] | None = None
) -> AsyncGenerator[Pool]:
    """Opened as its configuration says, which is the user's: the workspace itself holds none."""
    root, config = (tmp_path / "many").resolve(), tmp_path / "config"
    write_packages(root, PACKAGES, MODULES)
    for package in (3, 20):
        (root / package_name(package) / "wrong.py").write_text(WRONG, "utf-8")
    (root / USER).write_text("from package_003.module_001 import Thing1\n", "utf-8")
    for name, text in (files or {}).items():
        (root / name).write_text(text, "utf-8")
    (config / "groundwire").mkdir(parents=True)
    (config / "groundwire" / "config.toml").write_text(f"[indexing]\nthreshold = {THRESHOLD}\n{more}\n", "utf-8")
    environment = {**environment_of(server), "XDG_CONFIG_HOME": str(config), "XDG_STATE_HOME": str(tmp_path / "state")}
    before = content_of(root)
    async with open_pool(root, only=frozenset({server}), environment=environment) as pool:
        yield pool
    assert content_of(root) == before


async def wrong_in(pool: Pool, package: int) -> tuple[Status, int]:
    """What is said of a file with one error in it."""
    found = await check_files(pool, [pool.workspace / package_name(package) / "wrong.py"], wait_s=WAIT_S)
    errors = [each for file in found.value for each in file.diagnostics if each.severity == "error"]
    return found.status, len(errors)


async def uses_of(pool: Pool, file: str) -> Answer[Locations]:
    await check_files(pool, [pool.workspace / file], wait_s=WAIT_S)
    return await ask(pool, find_references, file_path=file, symbol="Thing1", limit=1000)


def files_in(answer: Answer[Locations]) -> set[str]:
    return {place.file for place in answer.value.locations}


async def findings_are_confirmed_wherever_they_are_and_uses_are_partial(pool: Pool) -> None:
    assert await wrong_in(pool, 3) == (Status.CONFIRMED, 1)
    near = await uses_of(pool, FIRST)
    assert near.status is Status.PARTIAL
    assert "indexing.selective = false" in near.reason
    assert files_in(near) >= {f"{package_name(3)}/module_002.py"}
    assert USER not in files_in(near)
    assert await wrong_in(pool, 20) == (Status.CONFIRMED, 1)
    far = await uses_of(pool, FAR)
    assert far.status is Status.PARTIAL
    assert f"{package_name(20)}/module_002.py" in files_in(far), "the limit has moved there"
    assert await wrong_in(pool, 3) == (Status.CONFIRMED, 1)


async def what_follows_names_is_confirmed_and_what_searches_is_not(pool: Pool) -> None:
    user = f"{package_name(3)}/wrong.py"
    await check_files(pool, [pool.workspace / user], wait_s=WAIT_S)
    defined = await ask(pool, go_to_definition, file_path=user, line=3, text="Thing1")
    assert defined.status is Status.CONFIRMED
    assert {place.file for place in defined.value.locations} == {f"{package_name(35)}/module_001.py"}
    hover = await ask(pool, inspect_symbol, file_path=user, line=3, text="Thing1")
    assert hover.status is Status.CONFIRMED
    found = await ask(pool, find_symbol, query="Thing7")
    assert found.status is Status.PARTIAL
    renamed = await ask(pool, rename_symbol, file_path=FIRST, symbol="Thing1", new_name="Renamed")
    assert renamed.status is Status.PARTIAL
    assert "indexing.selective" in renamed.reason


async def nor_is_safe_to_change_what_is_used_only_beyond(pool: Pool) -> None:
    await check_files(pool, [pool.workspace / LONELY], wait_s=WAIT_S)
    for old, new in (("only_far", "renamed"), ("given: int", "given: str")):
        preview = await ask(pool, preview_edit, file_path=LONELY, old_text=old, new_text=new)
        assert preview.value.verdict != "safe", (old, preview.status, preview.reason)
    with pytest.raises(GroundwireError):
        await ask(pool, safe_delete_symbol, file_path=LONELY, symbol="only_far")


@pytest.mark.parametrize("server", SERVERS)
async def test_what_is_found_or_named_is_confirmed_and_what_searches_is_not_nor_is_safe_to_change_what_is_used_beyond(
    tmp_path: Path, server: str
):
    """One life of a server, whose limit moves with the questions and never reaches the far user."""
    async with many(tmp_path, server, files={LONELY: LONELY_TEXT, FAR_USER: FAR_USER_TEXT}) as pool:
        await findings_are_confirmed_wherever_they_are_and_uses_are_partial(pool)
        await what_follows_names_is_confirmed_and_what_searches_is_not(pool)
        await nor_is_safe_to_change_what_is_used_only_beyond(pool)


@pytest.mark.parametrize("server", SERVERS)
async def test_it_is_switched_off_by_one_key(tmp_path: Path, server: str):
    async with many(tmp_path, server, "selective = false") as pool:
        uses = await uses_of(pool, FIRST)
        assert (uses.status, uses.reason) == (Status.CONFIRMED, "")
        assert USER in files_in(uses)


async def test_where_the_project_configures_the_server_itself_it_is_not_limited(tmp_path: Path):
    async with many(tmp_path, "pyright", files={"pyrightconfig.json": "{}"}) as pool:
        uses = await uses_of(pool, FIRST)
        assert (uses.status, uses.reason) == (Status.CONFIRMED, "")
        assert USER in files_in(uses)
