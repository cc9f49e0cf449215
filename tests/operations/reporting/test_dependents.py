"""Names that are gone and have to be looked for as text."""

import asyncio
from pathlib import Path

import pytest

from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Dependents, Edited, find_dependents
from groundwire.operations.reporting.remembered import DependentsMemory
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import LanguageSpec
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import zoo

pytestmark = pytest.mark.anyio

FILES = {
    "lib.toy": "def f(what)\n\ndef shout(d)\n    use f(d)\n",
    "member.toy": "def two(p)\n    p.y = p.x\n",
    "caller.toy": "def one()\n    use f(1)\n",
    "importer.toy": "import lib f\n",
    "other.toy": "def f_other(d)\n    use shout(d)\n",
}


def call_of(pool: Pool) -> Call:
    return Call(pool, asyncio.get_running_loop().time() + 20.0)


async def test_a_short_member_that_is_gone_is_looked_for_where_it_is_one(tmp_path: Path):
    before, after = "class Point\n    int x\n    int y\n", "class Point\n    int y\n"
    async with zoo(tmp_path, files={**FILES, "point.toy": before}) as pool:
        point = pool.workspace / "point.toy"
        point.write_text(after, "utf-8")
        dependents = await find_dependents(call_of(pool), [Edited(point, before, after)])
        assert "member.toy" in {file.name for file in dependents.files}


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("def shout(d)\n", {"caller.toy", "importer.toy", "other.toy"}),
        ("def f(what)\n\ndef shout(e)\n    use f(e)\n", {"other.toy"}),
    ],
)
async def test_a_short_name_is_looked_for_where_it_was_declared_and_is_called_or_imported(
    after: str, found: set[str], tmp_path: Path
):
    async with zoo(tmp_path, files=FILES) as pool:
        library = pool.workspace / "lib.toy"
        library.write_text(after, "utf-8")
        dependents = await find_dependents(call_of(pool), [Edited(library, FILES["lib.toy"], after)])
        assert {file.name for file in dependents.files} == found


@pytest.mark.parametrize("before", [None, FILES["lib.toy"]], ids=["never looked at", "known"])
async def test_who_imports_a_file_that_is_gone_is_found_though_its_name_is_short(before: str | None, tmp_path: Path):
    files = {**FILES, "a.toy": FILES["lib.toy"], "star.toy": "from a import *\n", "end.toy": "from star import f\n"}
    async with zoo(tmp_path, files=files) as pool:
        (pool.workspace / "a.toy").unlink()
        dependents = await find_dependents(call_of(pool), [Edited(pool.workspace / "a.toy", before, None)])
        assert {"star.toy", "end.toy"} <= {file.name for file in dependents.files}
        assert bool(dependents.doubt) is (before is None)


async def test_where_directories_are_imported_those_beside_and_those_who_import_it_depend_on_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    files = {
        "lib/gone.toy": "def helper()\n",
        "lib/beside.toy": "def two()\n    use helper()\n",
        "main.toy": 'import "sample/lib"\n',
        "other.toy": 'import "sample/gone"\n',
    }
    async with zoo(tmp_path, files=files) as pool:
        monkeypatch.setitem(pool.catalog.languages, "toy", LanguageSpec(extensions=(".toy",), imports_directories=True))
        (pool.workspace / "lib/gone.toy").unlink()
        dependents = await find_dependents(call_of(pool), [Edited(pool.workspace / "lib/gone.toy", None, None)])
        assert {file.name for file in dependents.files} >= {"beside.toy", "main.toy"}


async def test_who_imports_a_file_that_nobody_knew_is_found_though_the_server_does_not_tell_in_time(tmp_path: Path):
    async with zoo(tmp_path, "withholds=textDocument/references", FILES) as pool:
        library, now = pool.workspace / "lib.toy", asyncio.get_running_loop().time()
        dependents = await find_dependents(Call(pool, now + 1.0), [Edited(library, None, FILES["lib.toy"])])
        assert [file.name for file in dependents.files] == ["importer.toy"]
        assert dependents.doubt == (
            "what lib.toy was before is not known; there was no time left to find out who uses what is in lib.toy"
        )


async def test_who_asked_a_module_in_vain_for_what_it_imports_now_depends_on_that(tmp_path: Path):
    files = {
        "pkg.toy": "def own()\n",
        "asks.toy": "from pkg import helper\n",
        "listed.toy": "from pkg import (\n    own,\n    helper,\n)\n",
        "star.toy": "from pkg import *\n",
        "through.toy": "from star import helper\n",
        "other.toy": "from elsewhere import helper\n",
        "importer.toy": "from pkg import own\n",
    }
    after = "from impl import helper\n\n" + files["pkg.toy"]
    async with zoo(tmp_path, files=files) as pool:
        package = pool.workspace / "pkg.toy"
        package.write_text(after, "utf-8")
        dependents = await find_dependents(call_of(pool), [Edited(package, files["pkg.toy"], after)])
        assert {file.name for file in dependents.files} == {"asks.toy", "listed.toy", "through.toy"}


async def test_who_names_what_is_gone_is_not_behind_the_many_who_use_the_rest(tmp_path: Path):
    before, after = "from impl import helper\ndef own()\n", "def own()\n"
    users = {f"user{number}.toy": "def one()\n    use own()\n" for number in range(20)}
    async with zoo(tmp_path, files={**users, "pkg.toy": before, "zz.toy": "from pkg import helper\n"}) as pool:
        package = pool.workspace / "pkg.toy"
        package.write_text(after, "utf-8")
        dependents = await find_dependents(call_of(pool), [Edited(package, before, after)])
        assert {"zz.toy", "user0.toy"} <= {file.name for file in dependents.files}
        assert "zz.toy" in {file.name for file in dependents.files[:3]}


async def test_of_many_files_that_a_shell_changed_servers_are_asked_about_some_and_that_is_said(tmp_path: Path):
    files = {f"changed{number:02}.toy": f"def made{number:02}()\n" for number in range(30)}
    callers = {f"caller{number:02}.toy": f"def one()\n    use made{number:02}()\n" for number in range(30)}
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, files={**files, **callers}, log=log) as pool:
        edits = [Edited(pool.workspace / name, None, text) for name, text in files.items()]
        dependents = await find_dependents(call_of(pool), edits)
        assert {file.name for file in dependents.files} == {f"caller{number:02}.toy" for number in range(10)}
        assert log.count("textDocument/references") == 10
        assert dependents.doubt == (
            "what changed00.toy and 29 more were before is not known; who uses what is in them was asked for 10 of them"
        )


async def test_what_an_edit_broke_is_looked_at_with_every_edit_until_it_is_mended():
    memory, edited, other, user = DependentsMemory(), Path("a.toy"), Path("b.toy"), Path("user.toy")
    memory.remember([Edited(edited, "", "x")], Dependents((user,)))
    memory.broken(user)
    memory.remember([Edited(edited, "x", "")], Dependents(()))
    assert memory.of([edited]) == memory.of([other]) == [user]
    memory.mended(user)
    assert memory.of([edited]) == []


async def test_of_many_broken_files_the_latest_are_looked_at():
    memory = DependentsMemory()
    for number in range(30):
        memory.broken(Path(f"{number}.toy"))
    assert memory.of([]) == [Path(f"{number}.toy") for number in range(29, 9, -1)]
