"""The very first question is a search by name, put to a server that has just been started on 300 files: what it does
not find yet is never said not to be there.
"""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.navigation.search import FindSymbol, find_symbol
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.file_maker import filled

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(200)]

COUNT = 300
FAR = 283
"""The number of the file whose symbol is looked for: none of the first that a server would look at."""
WAIT_S = 90.0


@dataclass(frozen=True)
class Language:
    """How a file is made. ``{n}`` is its number, ``{d}`` that of its directory."""

    path: str
    text: str
    name: str
    """Of the symbol in each file."""
    files: dict[str, str] = field(default_factory=dict[str, str])


PYTHON = Language(
    path="made/d{d}/m{n}.py",
    text="class Needle{n}:\n    def thread(self, eye: int) -> int:\n        return eye * {n}\n",
    name="Needle{n}",
    files={"pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n'},
)
TYPESCRIPT = Language(
    path="src/d{d}/m{n}.ts",
    text="export class Needle{n} {\n  thread(eye: number): number {\n    return eye * {n};\n  }\n}\n",
    name="Needle{n}",
    files={
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"noEmit": true, "lib": ["es2022"], "types": []}, "include": ["src"]}\n',
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
    },
)
GO = Language(
    path="d{d}/m{n}.go",
    text="package d{d}\n\ntype Needle{n} struct{}\n\nfunc (n Needle{n}) Thread(eye int) int { return eye * {n} }\n",
    name="Needle{n}",
    files={"go.mod": "module example.test/sample\n\ngo 1.19\n"},
)
LANGUAGES = {
    "basedpyright": PYTHON,
    "pyright": PYTHON,
    "ty": PYTHON,
    "typescript-language-server": TYPESCRIPT,
    "gopls": GO,
}


def write(language: Language, root: Path) -> None:
    for name, text in language.files.items():
        (root / name).write_text(text, "utf-8")
    for number in range(COUNT):
        file = root / filled(language.path, number)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(filled(language.text, number), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("server", LANGUAGES, indirect=True)
async def test_a_search_right_after_the_start_finds_what_is_there_or_says_that_it_may_be(
    server: str, round_number: int, tmp_path: Path
) -> None:
    language = LANGUAGES[server]
    write(language, tmp_path)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        name = filled(language.name, FAR)
        answer = await perform(pool, find_symbol, FindSymbol(query=name), wait_s=WAIT_S)
        found = [symbol.file for symbol in answer.value.symbols if symbol.path.rpartition(".")[2] == name]
        assert found == [filled(language.path, FAR)] or answer.status is not Status.CONFIRMED, answer


@pytest.mark.parametrize("server", ["ty", "typescript-language-server"], indirect=True)
async def test_all_symbols_are_listed_or_the_answer_says_that_they_are_not(server: str, tmp_path: Path) -> None:
    language = LANGUAGES[server]
    write(language, tmp_path)
    async with Pool(tmp_path, only=frozenset({server}), environment=server_environment(server)) as pool:
        answer = await perform(pool, find_symbol, FindSymbol(query="", limit=10_000), wait_s=WAIT_S)
        files = {symbol.file for symbol in answer.value.symbols}
        assert len(files) == COUNT or (answer.status is Status.PARTIAL and server in answer.reason)
