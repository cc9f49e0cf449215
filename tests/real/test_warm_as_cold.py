"""A server that runs says what one says that has just started: files, directories, links, packages and the set-up of a
project come, change, move and go at random, and after every turn both are asked about every file.
"""

import json
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

pytestmark = pytest.mark.anyio

WAIT_S = 60.0
TURNS = 20
NAMES = ("a", "b", "c")
DIRECTORIES = ("p", "q", "p/r")
SITE = ".venv/lib/python3.12/site-packages"


@dataclass(frozen=True)
class Language:
    """How its projects are made and changed."""

    endings: Sequence[str]
    set_up: dict[str, str]
    settings: dict[str, tuple[str, ...]]
    """What the files of its set-up may hold."""
    bodies: tuple[str, ...]
    index: str
    package: str
    installed: tuple[dict[str, str], ...]


OPTIONS: dict[str, object] = {"noEmit": True, "types": [], "lib": ["es5"], "module": "preserve"}


def _configured(*, is_strict: bool) -> str:
    return json.dumps({"compilerOptions": {**OPTIONS, "strict": is_strict}})


PYTHON = Language(
    endings=(".py", ".py", ".pyi"),
    set_up={
        "pyproject.toml": '[project]\nname = "x"\nversion = "1"\n',
        ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.12.0\n",
        ".venv/bin/python": "",
        f"{SITE}/py.typed": "",
    },
    settings={"ty.toml": ('[rules]\nunresolved-import = "ignore"\n', "")},
    bodies=(
        "",
        "from {directory} import {name}\nx = {name}\n",
        "from {directory}.{name} import f\nf(1)\n",
        "import lib\nlib.f(1)\n",
        "from . import a\n",
        "def f(a: int) -> None: ...\n",
        "def f(a: str) -> None: ...\n",
    ),
    index="__init__.py",
    package=f"{SITE}/lib",
    installed=tuple({"__init__.py": f"def f(a: {kind}) -> None: ...\n", "py.typed": ""} for kind in ("int", "str")),
)
TYPESCRIPT = Language(
    endings=(".ts", ".ts", ".d.ts"),
    set_up={"package.json": "{}", "tsconfig.json": json.dumps({"compilerOptions": OPTIONS})},
    settings={"tsconfig.json": tuple(_configured(is_strict=is_strict) for is_strict in (True, False))},
    bodies=(
        "export {{}};\n",
        "import {{ f as g }} from './{name}';\ng(1);\n",
        "import {{ f as g }} from '../{directory}/{name}';\ng(1);\n",
        "import * as m from 'lib';\nm.f(1);\n",
        "export * from './{name}';\n",
        "const z = (x) => x;\nz(1);\nexport function f(a: number): void {{}}\n",
        "export function f(a: string): void {{}}\n",
    ),
    index="index.ts",
    package="node_modules/lib",
    installed=tuple(
        {"package.json": '{"name": "lib", "types": "i.d.ts"}', "i.d.ts": f"export function f(a: {kind}): void;\n"}
        for kind in ("number", "string")
    ),
)
ROWS = {"ty": PYTHON, "tsc": TYPESCRIPT}


class Project:
    """A project that changes at random."""

    def __init__(self, root: Path, language: Language, seed: int) -> None:
        self.root = root
        self._language = language
        self._random = random.Random(seed)
        self._write("", language.set_up)
        for _ in range(6):
            self._write_one()

    def files(self) -> list[Path]:
        """Those that are asked about, relative to the root."""
        every = (path.relative_to(self.root) for path in self.root.rglob(f"*{self._language.endings[0]}"))
        own = (path for path in every if path.parts[0] in ("p", "q") and "link" not in path.parts)
        return sorted(path for path in own if (self.root / path).is_file())

    def turn(self) -> list[str]:
        """Some changes; what they were."""
        ways: Sequence[Callable[[], None]] = [
            *[self._write_one] * 5, *[self._delete_one] * 2, self._rename_one, self._move_directory, self._set_up,
            self._install, self._make_index, self._link,
        ]  # fmt: skip
        chosen = self._random.choices(ways, k=self._random.choice((1, 1, 1, 2, 4)))
        for way in chosen:
            way()
        return [way.__name__ for way in chosen]

    def _write(self, where: str, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.root / where / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def _write_one(self) -> None:
        draw = self._random.choice
        body = draw(self._language.bodies).format(name=draw(NAMES), directory=draw(DIRECTORIES).replace("/", "."))
        if self._language is TYPESCRIPT:
            body = body.replace("p.r", "p/r")
        self._write(draw(DIRECTORIES), {draw(NAMES) + draw(self._language.endings): body})

    def _delete_one(self) -> None:
        if files := self.files():
            (self.root / self._random.choice(files)).unlink()

    def _rename_one(self) -> None:
        if files := self.files():
            file = self.root / self._random.choice(files)
            file.rename(file.with_name(self._random.choice(NAMES) + file.suffix))

    def _move_directory(self) -> None:
        here, there = (self.root / name for name in self._random.sample(DIRECTORIES, 2))
        if here.is_dir() and not there.exists() and here not in there.parents:
            there.parent.mkdir(parents=True, exist_ok=True)
            here.rename(there)
        elif here.is_dir():
            shutil.rmtree(here)

    def _set_up(self) -> None:
        self._write("", {name: self._random.choice(texts) for name, texts in self._language.settings.items()})

    def _install(self) -> None:
        package = self.root / self._language.package
        if package.exists():
            shutil.rmtree(package)
        else:
            self._write(self._language.package, self._random.choice(self._language.installed))

    def _make_index(self) -> None:
        body = "" if self._language is PYTHON else "export * from './a';\n"
        self._write(self._random.choice(DIRECTORIES), {self._language.index: body})

    def _link(self) -> None:
        link = self.root / "q/link"
        if link.is_symlink():
            link.unlink()
        elif link.parent.is_dir():
            link.symlink_to("../p")


async def told(pool: Pool, files: Sequence[Path]) -> dict[str, list[tuple[int, str]]]:
    if not files:
        return {}
    found = await check_files(pool, files, wait_s=WAIT_S)
    assert found.status is Status.CONFIRMED, found.reason
    return {file.file: sorted((each.line, each.message) for each in file.diagnostics) for file in found.value}


@pytest.mark.parametrize("server", ROWS)
async def test_a_server_that_runs_says_what_one_says_that_has_just_started(
    server: str, tmp_path: Path, round_number: int
) -> None:
    project = Project(tmp_path, ROWS[server], seed=round_number)

    def opened() -> Pool:
        return Pool(tmp_path, only=frozenset({server}), environment=server_environment(server))

    async with opened() as running:
        await told(running, project.files())
        for number in range(TURNS):
            changes = project.turn()
            now = await told(running, project.files())
            async with opened() as fresh:
                assert now == await told(fresh, project.files()), f"turn {number}: {changes}"
