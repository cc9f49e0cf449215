"""A thousand files created by another process while questions are asked: each later answer reflects them."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from groundwire.operations.answer import FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.real.conftest import server_environment, why_unavailable
from tests.real.file_maker import IN_A_DIRECTORY, filled

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(400), pytest.mark.slow]

COUNT = 1000
STEP = 100
STEPWISE = 500
"""So many are made step by step, the rest while questions are asked."""
AHEAD = 20
WAIT_S = 90.0
SCRIPTED = "chaos_requires"


@dataclass(frozen=True)
class Language:
    """How a file is made, and how another uses it. ``{n}`` is its number, ``{d}`` that of its directory."""

    path: str
    text: str
    probe: str
    uses: str
    """What the probe holds for each file that it uses."""
    begins: str = ""
    imports: str = ""
    """What it holds for each above that."""
    files: dict[str, str] = field(default_factory=dict[str, str])

    def probing(self, *numbers: int) -> str:
        """A probe that uses these files."""
        return self.begins + "".join(filled(each, number) for each in (self.imports, self.uses) for number in numbers)


PYTHON = Language(
    path="made/d{d}/m{n}.py",
    text="VALUE_{n}: int = {n}\n",
    probe="probe.py",
    uses="from made.d{d}.m{n} import VALUE_{n} as v{n}\n",
    files={"pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n'},
)
TYPESCRIPT = Language(
    path="src/made/d{d}/m{n}.ts",
    text="export const value{n}: number = {n};\n",
    probe="src/probe.ts",
    uses='export {{ value{n} }} from "./made/d{d}/m{n}";\n'.replace("{{", "{").replace("}}", "}"),
    files={
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"noEmit": true, "lib": ["es2022"], "types": []}, "include": ["src"]}\n',
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
    },
)
GO = Language(
    path="made/d{d}/m{n}.go",
    text="package made\n\nconst Made{n} = {n}\n",
    probe="probe.go",
    uses="var _ = made{n}.Made{n}\n",
    begins="package main\n\n",
    imports='import made{n} "example.test/sample/made/d{d}"\n',
    files={
        "go.mod": "module example.test/sample\n\ngo 1.19\n",
        "main.go": "package main\n\nfunc main() {}\n",
        # Packages that are there already: of one that is not, no error names the file that is missing.
        **{filled("made/d{d}/made.go", number): "package made\n" for number in range(0, COUNT + 1, IN_A_DIRECTORY)},
    },
)
TOY = Language(path="made/d{d}/m{n}.toy", text="{n}\n", probe="probe.toy", uses="require m{n}\n")
LANGUAGES = {SCRIPTED: TOY, "ty": PYTHON, "pyright": PYTHON, "tsc": TYPESCRIPT, "gopls": GO}


class Maker:
    """The other process. ``made`` is how many files are there for certain."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output = process.stdin, process.stdout
        self.made = 0
        self._listening = asyncio.ensure_future(self._listen())
        self._news = asyncio.Event()

    def order(self, total: int) -> None:
        """Have it create up to so many, and go on meanwhile."""
        self._input.write(f"{total}\n".encode())

    async def wait_for(self, total: int) -> None:
        """Until so many are there."""
        async with asyncio.timeout(60):
            while self.made < total:
                self._news.clear()
                await self._news.wait()

    async def _listen(self) -> None:
        while line := await self._output.readline():
            self.made = int(line) + 1
            self._news.set()

    async def stop(self) -> None:
        """No more files."""
        self._input.close()
        await self._listening


@asynccontextmanager
async def maker_of(language: Language, root: Path) -> AsyncGenerator[Maker]:
    script = Path(__file__).parent / "file_maker.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(script),
        str(root),
        language.path,
        language.text,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    maker = Maker(process)
    try:
        yield maker
    finally:
        await maker.stop()
        assert await process.wait() == 0


def pool_of(server: str, root: Path) -> Pool:
    """A pool with just this server."""
    if server == SCRIPTED:
        return Pool(root, catalog=toy_catalog(toy_spec(SCRIPTED)))
    return Pool(root, only=frozenset({server}), environment=server_environment(server))


@pytest.fixture(params=list(LANGUAGES))
def server(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    missing = "" if name == SCRIPTED else why_unavailable(name)
    if missing:
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    return name


class Workspace:
    """The project, the language it is in, and the pool that is asked about it."""

    def __init__(self, pool: Pool, language: Language) -> None:
        self._pool = pool
        self._language = language
        for name, text in language.files.items():
            self._write(name, text)

    async def ask(self, *numbers: int) -> FileFindings:
        """Check a probe that uses these files."""
        self._write(self._language.probe, self._language.probing(*numbers))
        answer = await check_files(self._pool, [Path(self._language.probe)], wait_s=WAIT_S)
        return answer.value[0]

    def _write(self, name: str, text: str) -> None:
        path = self._pool.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def errors(found: FileFindings) -> list[str]:
    return [finding.message for finding in found.diagnostics if finding.severity == "error"]


def assert_clean(found: FileFindings) -> None:
    assert errors(found) == []
    assert found.status is Status.CONFIRMED, found.reason


async def test_a_thousand_files_of_another_process_are_seen_by_every_later_question(
    server: str, tmp_path: Path
) -> None:
    language = LANGUAGES[server]
    async with maker_of(language, tmp_path) as maker, pool_of(server, tmp_path) as pool:
        workspace = Workspace(pool, language)
        await make_step_by_step(maker, workspace)
        assert await make_all_the_while(maker, workspace) >= (COUNT - STEPWISE) // AHEAD
        assert_clean(await workspace.ask(*range(COUNT)))
        (last,) = errors(await workspace.ask(*range(COUNT + 1)))[:1]
        assert str(COUNT) in last


async def make_step_by_step(maker: Maker, workspace: Workspace) -> None:
    """What is not there is missed; what another question overlapped with, too, is seen afterwards."""
    for made in range(0, STEPWISE, STEP):
        number = made + STEP - 1
        missing = await workspace.ask(number)
        assert missing.status is Status.CONFIRMED, missing.reason
        assert any(str(number) in message for message in errors(missing))
        maker.order(made + STEP)
        await workspace.ask(number)  # while they are made, any answer is right
        await maker.wait_for(made + STEP)
        assert_clean(await workspace.ask(number, made))


async def make_all_the_while(maker: Maker, workspace: Workspace) -> int:
    """The file made last before each question is in its answer, while more are made. Tells how often it asked."""
    asked = 0
    while maker.made < COUNT:
        known = maker.made
        maker.order(min(known + AHEAD, COUNT))
        found = await workspace.ask(known - 1, known // 2)
        if found.status is not Status.UNKNOWN:
            assert errors(found) == [], found
        else:
            assert found.reason
        await maker.wait_for(known + 1)
        asked += 1
    return asked
