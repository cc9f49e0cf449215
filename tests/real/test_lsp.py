"""Real servers through ``groundwire lsp``: diagnostics are about the content as it is, saved or not, and questions are
answered as the server itself answers them.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from groundwire.client.session import Session
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.real.installed import environment_of
from tests.real.rows import ROWS, Edit
from tests.real.test_scenarios import Project, pool_for
from tests.surfaces.lsp.editor import editor

WAIT_S = 120.0
SERVERS = ("ty", "typescript-language-server", "gopls", "clangd")

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


def is_named(diagnostics: list[Any], needle: str) -> bool:
    return any(needle in f"{each['message']} {each.get('code')}" for each in diagnostics)


def broken(project: Project, edit: Edit) -> str:
    return (project.root / edit.file).read_text(encoding="utf-8").replace(edit.old, edit.new)


def write_from_elsewhere(path: Path, text: str) -> None:
    """Another process writes the file."""
    program = "import sys; open(sys.argv[1], 'w', encoding='utf-8').write(sys.argv[2])"
    subprocess.run([sys.executable, "-E", "-S", "-c", program, str(path), text], check=True)


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> str:
    """Each of them in turn."""
    name = str(request.param)
    environment_of(name)
    return name


async def test_findings_are_about_the_present_content_saved_or_not(tmp_path: Path, server: str):
    row, project = ROWS[server], Project(ROWS[server], tmp_path)
    own, cross = row.own_break, row.cross_break
    assert cross is not None
    async with pool_for(server, tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.open(own.file)
        client.open(row.user)
        assert await client.diagnostics(own.file, version=1) == []
        assert await client.diagnostics(row.user, version=1) == []
        client.change(own.file, broken(project, own))
        unsaved = client.diagnostics(own.file, version=2)
        on_disk = check_files(pool, [Path(own.file)], wait_s=WAIT_S)
        found, checked = await asyncio.gather(unsaved, on_disk)
        assert is_named(found, row.own_needle)
        assert checked.status is Status.CONFIRMED, checked.reason
        assert checked.value[0].diagnostics == ()
        client.change(own.file, row.files[own.file])
        assert await client.diagnostics(own.file, version=3) == []
        said = len(client.published(row.user))
        write_from_elsewhere(tmp_path / cross.file, broken(project, cross))
        await client.until(lambda: any(each["diagnostics"] for each in client.published(row.user)[said:]))
        assert is_named(client.published(row.user)[-1]["diagnostics"], row.cross_needle)
        write_from_elsewhere(tmp_path / cross.file, row.files[cross.file])
        await client.until(lambda: client.published(row.user)[-1]["diagnostics"] == [])


async def test_answers_are_those_of_the_server_itself(tmp_path: Path, server: str):
    row = ROWS[server]
    Project(row, tmp_path)
    assert row.references is not None
    file, word = row.references
    text = row.files[file]
    line = next(number for number, each in enumerate(text.splitlines()) if word in each)
    position = {"line": line, "character": text.splitlines()[line].index(word) + 1}
    context = {"includeDeclaration": True}
    asked = {"definition": {}, "references": {"context": context}, "hover": {}, "rename": {"newName": "Surface"}}
    async with pool_for(server, tmp_path) as pool, editor(pool) as client:
        await client.initialize()
        client.open(file)
        for method, more in asked.items():
            about = {"textDocument": {"uri": client.uri(file)}, "position": position, **more}
            through = await client.ask(f"textDocument/{method}", **about)
            direct = await raw_answer(session_of(pool), f"textDocument/{method}", about)
            assert sorted_places(through) == sorted_places(direct), method
            if method == "references":
                assert len(through) == row.reference_count


async def test_two_languages_are_served_by_one_entry(tmp_path: Path):
    servers = ("ty", "typescript-language-server")
    environment = environment_of("ty") if environment_of("typescript-language-server") else {}
    for name in servers:
        Project(ROWS[name], tmp_path)
    async with Pool(tmp_path, only=frozenset(servers), environment=environment) as pool, editor(pool) as client:
        await client.initialize()
        for name in servers:
            edit = ROWS[name].own_break
            client.open(edit.file)
            assert await client.diagnostics(edit.file, version=1) == []
            client.change(edit.file, ROWS[name].files[edit.file].replace(edit.old, edit.new))
            assert is_named(await client.diagnostics(edit.file, version=2), ROWS[name].own_needle)
        found = await client.ask("workspace/symbol", query="greet")
        assert {Path(each["location"]["uri"]).name for each in found if each["name"].startswith("greet")} == {
            "main.py",
            "main.ts",
        }


def session_of(pool: Pool) -> Session:
    (instance,) = pool.instances()
    return instance.session


async def raw_answer(session: Session, method: str, params: Any) -> Any:
    return json.loads(bytes(await session.request(method, params, timeout=WAIT_S)))


def sorted_places(value: object) -> object:
    """Without the versions, which are the server's own, and in an order of ours where it has none."""
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return {key: sorted_places(each) for key, each in members.items() if key != "version"}
    if isinstance(value, list):
        return sorted((sorted_places(each) for each in cast("list[object]", value)), key=json.dumps)
    return value
