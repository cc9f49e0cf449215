"""Documentation and editing context with real servers and real tools: true, and from where they say.

Both are asked for in one life of a server, the context first: one that has just started knows the least of callers.
"""

from pathlib import Path

import pytest

from groundwire.errors import NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.navigation.documentation import GetSymbolDocumentation, get_symbol_documentation
from groundwire.operations.navigation.editing_context import GetEditingContext, get_editing_context
from groundwire.operations.results.context import ContextSymbol, Documentation, EditingContext
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(200)]

WAIT_S = 90.0

PYTHON = {
    "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
    "store.py": 'import json\n\n\ndef keep(value: int) -> str:\n    """Keeps a value."""\n    return json.dumps(1)\n',
    "use.py": "from store import keep\n\n\ndef main() -> str:\n    return keep(1)\n",
    "tests/test_store.py": "from store import keep\n\n\ndef test_keep() -> None:\n    assert keep(1)\n",
}
TYPESCRIPT = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true, "lib": ["es2022"], "types": []}, '
    '"include": ["src"]}\n',
    "package.json": '{"name": "sample", "version": "1.0.0"}\n',
    "src/store.ts": '/** Keeps a value. */\nexport function keep(value: number): string {\n  return "kept";\n}\n',
    "src/use.ts": 'import { keep } from "./store";\n\nexport function main(): string {\n  return keep(1);\n}\n',
    "src/store.test.ts": 'import { keep } from "./store";\n\nexport function check(): string {\n  return keep(2);\n}\n',
}
GO = {
    "go.mod": "module example.test/sample\n\ngo 1.19\n",
    "store.go": 'package sample\n\n// keep keeps a value.\nfunc keep(value int) string {\n\treturn ""\n}\n',
    "use.go": "package sample\n\nfunc Main() string {\n\treturn keep(1)\n}\n",
    "store_test.go": 'package sample\n\nimport "testing"\n\nfunc TestKeep(t *testing.T) {\n\tkeep(2)\n}\n',
}
PROJECTS = {
    "ty": (PYTHON, "store.py"),
    "pyright": (PYTHON, "store.py"),
    "typescript-language-server": (TYPESCRIPT, "src/store.ts"),
    "gopls": (GO, "store.go"),
}


def write(files: dict[str, str], root: Path) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


async def documented(pool: Pool, **given: str) -> Documentation:
    asked = get_symbol_documentation.parse(given)
    answer = await perform(pool, get_symbol_documentation, asked, wait_s=WAIT_S)
    assert answer.status is Status.CONFIRMED, answer.reason
    return answer.value


async def context(pool: Pool, file: str, etag: str = "") -> EditingContext:
    asked = GetEditingContext(file_path=file, if_none_match=etag)
    answer = await perform(pool, get_editing_context, asked, wait_s=WAIT_S)
    assert answer.status is Status.CONFIRMED, answer.reason
    return answer.value


def files_of(keep: ContextSymbol) -> tuple[set[str], set[str]]:
    assert keep.callers is not None
    return (
        {caller.file for caller in keep.callers.non_test_callers},
        {caller.file for caller in keep.callers.test_callers},
    )


async def what_the_project_says_of_its_own_symbol_is_given(pool: Pool, server: str) -> None:
    found = await documented(pool, symbol=f"{PROJECTS[server][1]}::keep")
    assert "keeps a value." in found.doc.casefold()
    assert "keep(value" in found.signature
    assert found.source == ("toolchain" if server == "gopls" else "server")


async def an_editing_context_is_true_and_its_etag_ends_with_a_new_caller(pool: Pool, server: str) -> None:
    files, file = PROJECTS[server]
    others = [name for name in files if name.rpartition("/")[2].startswith("use")]
    first = await context(pool, file)
    keep = next(symbol for symbol in first.symbols if symbol.name == "keep")
    assert "keep(value" in keep.signature
    tests = {name for name in files if "test" in name}
    assert files_of(keep) == (set(others), tests)
    assert [statement.line for statement in first.imports] == ([1] if file.endswith(".py") else [])
    second = await context(pool, file, first.etag)
    second = second if second.not_modified else await context(pool, file, second.etag)
    assert second.not_modified
    more = others[0].replace("use", "more")
    (pool.workspace / more).write_text(files[others[0]].replace("main", "more").replace("Main", "More"), "utf-8")
    third = await context(pool, file, second.etag)
    assert not third.not_modified
    assert files_of(next(symbol for symbol in third.symbols if symbol.name == "keep"))[0] == {*others, more}


@pytest.mark.parametrize("server", PROJECTS, indirect=True)
async def test_an_editing_context_is_true_and_its_etag_ends_with_a_new_caller_and_what_the_project_says_is_given(
    server: str, tmp_path: Path
) -> None:
    write(PROJECTS[server][0], tmp_path)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        await an_editing_context_is_true_and_its_etag_ends_with_a_new_caller(pool, server)
        await what_the_project_says_of_its_own_symbol_is_given(pool, server)


@pytest.mark.parametrize("server", ["gopls"], indirect=True)
async def test_go_doc_knows_libraries_and_changes_on_disk(server: str, tmp_path: Path) -> None:
    write(GO, tmp_path)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        found = await documented(pool, symbol="fmt.Println", language_id="go")
        assert (found.source, found.signature) == ("toolchain", "func Println(a ...any) (n int, err error)")
        (tmp_path / "store.go").write_text(GO["store.go"].replace("keeps a value", "keeps two values"), "utf-8")
        assert "keeps two values" in (await documented(pool, symbol="keep", file_path="store.go")).doc
        with pytest.raises(NoSuchSymbol):
            await perform(
                pool, get_symbol_documentation, GetSymbolDocumentation(symbol="fmt.Nothing", language_id="go")
            )


@pytest.mark.parametrize("server", ["ty"], indirect=True)
async def test_a_symbol_of_a_library_is_documented_by_pydoc(server: str, tmp_path: Path) -> None:
    write(PYTHON, tmp_path)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        found = await documented(pool, symbol="json.dumps")
        assert (found.source, found.language) == ("toolchain", "python")
