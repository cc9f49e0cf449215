"""The project of ``toy_project`` with a reference cache, whose place outlives the pool."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from groundwire.operations.references.reference_cache import ReferenceCache, reference_cache
from groundwire.pool.cache_settings import CacheSettings
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ZOO

MEGABYTE = 1024 * 1024


def write_project(root: Path, files: Mapping[str, str] = ZOO) -> Path:
    """The files."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return root


def quiet_environment(home: Path) -> dict[str, str]:
    """Variables and a home that are the same on every machine."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(home)}


@asynccontextmanager
async def cached_pool(
    root: Path, store: Path, *, log: ToyLog | None = None, habits: str = "", max_mb: float = 64, **changes: object
) -> AsyncGenerator[Pool]:
    """A pool over what is there, with a cache in ``store`` that has looked at everything."""
    spec = toy_spec("well_read", log, **changes)
    spec = msgspec.structs.replace(spec, environment={**spec.environment, "WELL_READ": habits})
    settings = PoolSettings(cache=CacheSettings(store, int(max_mb * MEGABYTE)))
    home = store.parent / "home"
    async with Pool(root, catalog=toy_catalog(spec), environment=quiet_environment(home), settings=settings) as pool:
        await cache_of(pool).opened
        yield pool


def cache_of(pool: Pool) -> ReferenceCache:
    """The cache, which must be there."""
    cache = reference_cache(pool)
    assert cache is not None
    return cache
