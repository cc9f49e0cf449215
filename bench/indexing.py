"""What limiting a server to the packages in use saves in a very large workspace: with and without, in one run.

    python -m bench.indexing [--server ty] [--packages 200] [--modules 100] [--rounds 3] [--json]

Every start is a cold one: a pool and a server of its own. What a server needs for its start alone is seen in a small
workspace, which holds little more than the packages in use; the rest is due to the size of the large one.
Above: the command line. Below: ``arena`` (where servers are), ``many_packages``, ``report``.
"""

import argparse
import asyncio
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from bench.arena import environment
from bench.many_packages import package_name, write_packages
from bench.report import markdown
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.pool.scope import IndexingSettings
from groundwire.pool.settings import PoolSettings

_WAIT_S = 300.0
_SMALL = 14
"""Packages: the one that is asked about, number ten, and those that it imports."""
_TIME_TARGET, _MEMORY_TARGET = 0.25, 0.5


@dataclass(frozen=True)
class Cost:
    """Of one cold start: until all directories were watched, which is the same either way, then until the findings of
    a file were confirmed, then until its uses were found.
    """

    watching_s: float
    findings_s: float
    findings_mb: float
    uses_s: float
    uses_mb: float


async def measure(server: str, root: Path, *, is_selective: bool, asks_uses: bool) -> Cost:
    """Start, check one file, and look for the uses of a class in it."""
    settings = PoolSettings(
        indexing=IndexingSettings(selective=is_selective), request_timeout=_WAIT_S, start_timeout=_WAIT_S
    )
    file = root / package_name(10) / "module_001.py"
    async with Pool(root, only=frozenset({server}), environment=environment(), settings=settings) as pool:
        began = time.perf_counter()
        pool.refresh()
        watching_s = time.perf_counter() - began
        began = time.perf_counter()
        found = await check_files(pool, [file], wait_s=_WAIT_S)
        findings_s, findings_mb = time.perf_counter() - began, _memory(pool)
        if found.status is not Status.CONFIRMED:
            raise RuntimeError(f"{server} did not confirm its findings: {found.reason}")
        if not asks_uses:
            return Cost(watching_s, findings_s, findings_mb, 0.0, 0.0)
        began = time.perf_counter()
        asked = FindReferences(file_path=str(file), symbol="Thing1", limit=10_000)
        uses = await perform(pool, find_references, asked, wait_s=_WAIT_S)
        uses_s = time.perf_counter() - began
        if (uses.status is Status.PARTIAL) != is_selective:
            raise RuntimeError(f"{server} said {uses.status} of its uses: {uses.reason}")
        return Cost(watching_s, findings_s, findings_mb, uses_s, _memory(pool))


def _memory(pool: Pool) -> float:
    return sum(pool.seats.memory_mb().values())


def content_of(root: Path) -> str:
    """All names and all bytes below a directory, as one number."""
    digest = hashlib.sha256()
    for part in _parts(root):
        digest.update(part)
    return digest.hexdigest()


def _parts(root: Path) -> Iterator[bytes]:
    for file in sorted(root.rglob("*")):
        yield str(file.relative_to(root)).encode()
        if file.is_file():
            yield file.read_bytes()


async def compare(server: str, root: Path, small: Path, rounds: int, *, asks_uses: bool) -> dict[str, Cost]:
    """Medians, taken in turn."""
    ways = {"limited": (root, True), "whole": (root, False), "small": (small, False)}
    costs: dict[str, list[Cost]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (place, is_selective) in ways.items():
            costs[name].append(await measure(server, place, is_selective=is_selective, asks_uses=asks_uses))
    return {name: _median(taken) for name, taken in costs.items()}


def _median(costs: Sequence[Cost]) -> Cost:
    rows = [asdict(cost) for cost in costs]
    return Cost(**{name: median(row[name] for row in rows) for name in rows[0]})


def table(found: Mapping[str, Cost]) -> str:
    """For people."""
    limited, whole, small = (asdict(found[name]) for name in ("limited", "whole", "small"))
    named = {
        "watching_s": ("all directories watched", "s", ""),
        "findings_s": ("first confirmed findings", "s", f"< {_TIME_TARGET:.0%}"),
        "findings_mb": ("memory then", "MB", f"< {_MEMORY_TARGET:.0%}"),
        "uses_s": ("uses of a class", "s", ""),
        "uses_mb": ("memory then", "MB", ""),
    }
    rows = [
        (
            what,
            *(f"{costs[key]:.2f} {unit}" for costs in (small, whole, limited)),
            f"{limited[key] / whole[key]:.0%}",
            target,
        )
        for key, (what, unit, target) in named.items()
        if whole[key]
    ]
    return markdown(("what", "small workspace", "large, whole", "large, packages in use", "ratio", "target"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when a file of the workspace has changed."""
    parser = argparse.ArgumentParser(prog="python -m bench.indexing", description="Selective indexing.")
    parser.add_argument("--server", default="ty")
    parser.add_argument("--packages", type=int, default=200)
    parser.add_argument("--modules", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-uses", action="store_true", help="only findings")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory:
        root = Path(directory).resolve() / "many"
        small = root.with_name("small")
        write_packages(root, int(given.packages), int(given.modules))
        write_packages(small, _SMALL, int(given.modules))
        before = content_of(root)
        found = asyncio.run(compare(str(given.server), root, small, int(given.rounds), asks_uses=not given.no_uses))
        is_same = content_of(root) == before
    costs = {name: asdict(cost) for name, cost in found.items()}
    print(json.dumps(costs, indent=2) if given.json else table(found))
    print("no file of the workspace has changed" if is_same else "FILES OF THE WORKSPACE HAVE CHANGED", file=sys.stderr)
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
