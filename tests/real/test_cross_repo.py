"""A library and another repository that uses it, tied together as its language does that: uses there are proven.

Not tied together, they are not known, and never said to be none. The library's server answers for both.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.impact.cross_repo import get_cross_repo_references
from groundwire.operations.results.impact import CrossRepoReferences
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment

WAIT_S = 120.0

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


@dataclass(frozen=True)
class Pair:
    """``ties`` are files of the consumer that lead to the library, ``{library}`` in them is its place."""

    library: dict[str, str]
    consumer: dict[str, str]
    ties: dict[str, str]
    symbol: str
    file: str
    user: str
    lines: tuple[int, ...]
    """Of the uses in ``user``, imports included where they name the symbol."""


_PYTHON = Pair(
    {
        "shapes/__init__.py": "",
        "shapes/area.py": "def area(width: int) -> int:\n    return width\n",
        "pyproject.toml": "",
    },
    {
        "app.py": "from shapes.area import area\n\n\ndef main() -> int:\n    return area(2)\n",
        "own.py": "def area(name: str) -> str:\n    return name\n\n\nprint(area('x'))\n",
    },
    {"pyrightconfig.json": '{"extraPaths": ["{library}"]}\n'},
    "area",
    "shapes/area.py",
    "app.py",
    (1, 5),
)
_TYPESCRIPT = Pair(
    {
        "src/area.ts": "export function area(width: number): number {\n  return width;\n}\n",
        "tsconfig.json": '{"compilerOptions": {"strict": true, "lib": ["es2022"], "types": []}, "include": ["src"]}\n',
        "package.json": '{"name": "shapes"}\n',
    },
    {
        "src/app.ts": 'import { area } from "shapes/area";\n\nexport const total = area(2);\n',
        "src/own.ts": "function area(name: string): string {\n  return name;\n}\n\nexport const own = area('x');\n",
        "package.json": '{"name": "app"}\n',
    },
    {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"noEmit": true, "lib": ["es2022"], "types": [], "paths": {"shapes/*": ["{library}/src/*"]}}, '
        '"include": ["src"]}\n'
    },
    "area",
    "src/area.ts",
    "src/app.ts",
    (1, 3),
)
_GO = Pair(
    {
        "go.mod": "module example.test/shapes\n\ngo 1.19\n",
        "area.go": "package shapes\n\nfunc Area(w int) int { return w }\n",
    },
    {
        "app.go": 'package app\n\nimport "example.test/shapes"\n\nvar Total = shapes.Area(2)\n',
        "own/own.go": 'package own\n\nfunc Area(name string) string { return name }\n\nvar Own = Area("x")\n',
    },
    {
        "go.mod": "module example.test/app\n\ngo 1.19\n\nrequire example.test/shapes v0.0.0\n\n"
        "replace example.test/shapes => {library}\n"
    },
    "Area",
    "area.go",
    "app.go",
    (5,),
)
PAIRS = {"pyright": _PYTHON, "typescript-language-server": _TYPESCRIPT, "gopls": _GO}


def laid_out(root: Path, files: dict[str, str], library: Path) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.replace("{library}", str(library)), "utf-8")
    return root.resolve()


async def uses(pool: Pool, pair: Pair, consumer: Path) -> Answer[CrossRepoReferences]:
    given = {"symbol": pair.symbol, "file_path": pair.file, "consumer_roots": [str(consumer)]}
    return await perform(pool, get_cross_repo_references, get_cross_repo_references.parse(given), wait_s=WAIT_S)


async def uses_in_a_repository_that_leads_to_the_library_are_proven_and_others_of_that_name_are_none(
    pool: Pool, pair: Pair, consumer: Path
) -> None:
    answer = await uses(pool, pair, consumer)
    other = answer.value.repositories[1]
    found = [(Path(place.file).name, place.line) for place in other.references]
    assert found == [(Path(pair.user).name, line) for line in pair.lines], other
    assert (other.status, other.reason, answer.status) == (Status.CONFIRMED, "", Status.CONFIRMED)


async def a_repository_that_does_not_lead_to_the_library_is_not_known_and_names_the_places(
    pool: Pool, pair: Pair, consumer: Path
) -> None:
    answer = await uses(pool, pair, consumer)
    other = answer.value.repositories[1]
    assert (other.status, other.total, bool(other.reason)) == (Status.UNKNOWN, 0, True), other
    assert {Path(place.file).name for place in other.unproven} >= {Path(pair.user).name}
    assert answer.status is Status.PARTIAL


@pytest.mark.parametrize("server", PAIRS, indirect=True)
async def test_uses_in_a_repository_are_proven_where_it_leads_to_the_library_and_not_known_where_it_does_not(
    server: str, tmp_path: Path
) -> None:
    pair, environment = PAIRS[server], server_environment(server)
    library = laid_out(tmp_path / "library", pair.library, tmp_path)
    tied = laid_out(tmp_path / "consumer", {**pair.consumer, **pair.ties}, library)
    untied = laid_out(tmp_path / "stranger", pair.consumer, library)
    async with Pool(library, only=frozenset({server}), environment=environment) as pool:
        await uses_in_a_repository_that_leads_to_the_library_are_proven_and_others_of_that_name_are_none(
            pool, pair, tied
        )
        assert list(pool.folders) == [library]
        await a_repository_that_does_not_lead_to_the_library_is_not_known_and_names_the_places(pool, pair, untied)
