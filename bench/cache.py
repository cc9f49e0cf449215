"""What the reference cache costs and saves, over a made project with ty: a warm hit, a hit with no server running, the
look at a large workspace after a restart, and the size of ten thousand entries.

    python -m bench.cache [--files 2000] [--large 50000] [--rounds 200] [--json]

Ends with status 1 if an answer from the cache was not the server's, or a target was missed.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import zlib
from pathlib import Path

import msgspec

from groundwire.cache.content import Known
from groundwire.cache.store import Store
from groundwire.cache.world import World
from groundwire.operations.answer import Answer
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.references.cache_scope import is_wanted
from groundwire.operations.references.cached_references import FROM_CACHE
from groundwire.operations.references.reference_cache import reference_cache
from groundwire.operations.results.found import Locations
from groundwire.operations.runner import perform
from groundwire.pool.cache_settings import CacheSettings
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from groundwire.pool.watcher import DEFAULT_SKIP

MEGABYTE = 1024 * 1024
WARM_HIT_MS, SCAN_S, ENTRIES, ENTRIES_MB = 5.0, 1.0, 10_000, 20.0
ASKED = FindReferences(symbol="library.py::Widget.save")
PER_DIRECTORY = 25


def write_project(root: Path, files: int) -> None:
    """A class, and files that use it."""
    root.mkdir(parents=True)
    (root / "library.py").write_text("class Widget:\n    def save(self) -> int:\n        return 1\n", "utf-8")
    for number in range(files):
        directory = root / f"part{number // PER_DIRECTORY:04}"
        directory.mkdir(exist_ok=True)
        use = "from library import Widget\n\nWidget().save()\n" if number % 20 == 0 else f"value = {number}\n"
        (directory / f"module{number}.py").write_text(use * 3, "utf-8")


async def opened(root: Path, store: Path) -> Pool:
    """A pool with a cache that has looked at everything."""
    settings = PoolSettings(cache=CacheSettings(store, 64 * MEGABYTE))
    pool = Pool(root, only=frozenset({"ty"}), environment=os.environ, settings=settings)
    cache = reference_cache(pool)
    if cache is not None:
        await cache.opened
    return pool


async def timed(pool: Pool) -> tuple[float, Answer[Locations]]:
    """The answer, and how many milliseconds it took."""
    began = time.perf_counter()
    answer = await perform(pool, find_references, ASKED, wait_s=120.0)
    return (time.perf_counter() - began) * 1000, answer


async def measure_hits(root: Path, store: Path, rounds: int) -> dict[str, float]:
    """Against the server itself, which answers the same question warm."""
    async with await opened(root, store) as pool:
        cold, asked = await timed(pool)
        cache = reference_cache(pool)
        if cache is not None:
            await cache.written()
        hits = [await timed(pool) for _ in range(rounds)]
    plain = Pool(root, only=frozenset({"ty"}), environment=os.environ)
    async with plain:
        await timed(plain)
        bare = [await timed(plain) for _ in range(20)]
    began = time.perf_counter()
    async with await opened(root, store) as pool:
        _, again = await timed(pool)
        restarted = (time.perf_counter() - began) * 1000
    wrong = [each for _, each in [*hits, (0, again)] if each.value != asked.value or FROM_CACHE not in each.note]
    return {
        "first answer, server started, ms": cold,
        "warm server p50, ms": statistics.median(each for each, _ in bare),
        "warm hit p50, ms": statistics.median(each for each, _ in hits),
        "warm hit p95, ms": sorted(each for each, _ in hits)[int(rounds * 0.95)],
        "restart to answer, no server, ms": restarted,
        "wrong": float(len(wrong)),
    }


def measure_scan(root: Path, store: Path) -> dict[str, float]:
    """The look after a restart, with everything as it is remembered."""
    kept = Store(store, 64 * MEGABYTE)
    first = World(str(root), DEFAULT_SKIP, is_wanted)
    began = time.perf_counter()
    first.scan({})
    cold = time.perf_counter() - began
    os.utime(root)
    time.sleep(2.1)  # what was only just written is not trusted to have settled
    kept.write({}, _settled(root, first))
    again = World(str(root), DEFAULT_SKIP, is_wanted)
    began = time.perf_counter()
    again.scan(kept.files())
    warm = time.perf_counter() - began
    return {"files": float(len(again)), "first look, s": cold, "look after a restart, s": warm}


def _settled(root: Path, world: World) -> dict[str, Known | None]:
    again = World(str(root), DEFAULT_SKIP, is_wanted)
    again.scan({path: known for path, known in world.unsaved.items() if known is not None})
    return {**world.unsaved, **again.unsaved}


def measure_size(store: Path) -> dict[str, float]:
    """Entries of twenty uses in eight files each."""
    kept = Store(store, 64 * MEGABYTE)
    bodies: dict[bytes, bytes] = {}
    for number in range(ENTRIES):
        uses = {
            f"src/package{number % 97}/module{number * 7 % 1009 + each}.py": [
                (number % 401 + 3 * each + line, 8, number % 401 + 3 * each + line, 15) for line in range(3 - each % 2)
            ]
            for each in range(8)
        }
        bodies[number.to_bytes(20)] = zlib.compress(msgspec.msgpack.encode(uses))
    kept.write(bodies)
    return {"entries": float(ENTRIES), "size, MB": sum(f.stat().st_size for f in store.parent.iterdir()) / MEGABYTE}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--large", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary).resolve()
        write_project(top / "project", given.files)
        write_project(top / "large", given.large)
        hits = asyncio.run(measure_hits(top / "project", top / "hits" / "references.db", given.rounds))
        scan = measure_scan(top / "large", top / "scan" / "references.db")
        size = measure_size(top / "size" / "references.db")
    figures = {**hits, **scan, **size}
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:36} {value:12,.2f}")
    is_met = hits["warm hit p50, ms"] < WARM_HIT_MS and scan["look after a restart, s"] < SCAN_S
    return 0 if is_met and size["size, MB"] < ENTRIES_MB and not hits["wrong"] else 1


if __name__ == "__main__":
    sys.exit(main())
