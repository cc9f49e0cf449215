"""A cache that was exported answers elsewhere what nothing there contradicts; whatever else is refused or not given."""

import shutil
import zlib
from pathlib import Path

import msgspec
import pytest

from groundwire.cache.store import seal
from groundwire.errors import FileNotFound, InvalidArgument, NotAFile, OutsideWorkspace, PermissionDenied
from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.references.cache_files import export_cache, import_cache
from groundwire.operations.results.found import Locations
from groundwire.pool.pool import Pool
from tests.operations.cached_zoo import cache_of, cached_pool, write_project
from tests.operations.toy_project import ask

pytestmark = pytest.mark.anyio

IMPORTED = "from the cache, imported"
BARK = {"symbol": "voices.toy::bark"}


async def shout(pool: Pool) -> Answer[Locations]:
    return await ask(pool, find_references, symbol="voices.toy::shout")


async def exported(tmp_path: Path) -> Path:
    """A project and its cache as a file in it."""
    root = write_project(tmp_path / "project")
    async with cached_pool(root, tmp_path / "state" / "references.db") as pool:
        await shout(pool)
        answer = await ask(pool, export_cache, dest_path="kept/cache.gz")
    assert answer.status is Status.CONFIRMED
    assert answer.value.entries == 2
    assert answer.value.file == "kept/cache.gz"
    assert answer.value.size_bytes == (root / "kept/cache.gz").stat().st_size
    return root


async def test_in_another_checkout_an_imported_answer_is_given_and_said_to_be_imported(tmp_path: Path) -> None:
    root = await exported(tmp_path)
    other = tmp_path / "checkout" / "elsewhere"
    shutil.copytree(root, other, copy_function=shutil.copyfile)
    async with cached_pool(other, tmp_path / "other" / "references.db") as pool:
        await ask(pool, find_references, **BARK)  # so that it is known which version of the server there is here
        imported = await ask(pool, import_cache, src_path="kept/cache.gz")
        answer = await shout(pool)
        fresh = await _uncached(pool, other)
    assert imported.value.entries == 2
    assert answer.note == IMPORTED
    assert answer.value == fresh


async def _uncached(pool: Pool, root: Path) -> Locations:
    async with Pool(root, catalog=pool.catalog) as plain:
        return (await shout(plain)).value


async def test_where_a_file_differs_an_imported_answer_is_not_given(tmp_path: Path) -> None:
    root = await exported(tmp_path)
    other = tmp_path / "elsewhere"
    shutil.copytree(root, other, copy_function=shutil.copyfile)
    (other / "lonely.toy").write_text("def nobody()\n    use shout(1)\n", "utf-8")
    async with cached_pool(other, tmp_path / "other" / "references.db") as pool:
        await ask(pool, find_references, **BARK)
        await ask(pool, import_cache, src_path="kept/cache.gz")
        answer = await shout(pool)
        fresh = await _uncached(pool, other)
    assert answer.note == ""
    assert answer.value == fresh


async def test_no_path_of_this_machine_is_in_the_file(tmp_path: Path) -> None:
    root = await exported(tmp_path)
    async with cached_pool(root, tmp_path / "state" / "references.db") as pool:
        bodies = b"".join(body for _, body in cache_of(pool).vault.store.sealed())
    assert str(tmp_path).encode() not in bodies


async def test_a_damaged_file_changes_nothing(tmp_path: Path) -> None:
    root = await exported(tmp_path)
    data = (root / "kept/cache.gz").read_bytes()
    (root / "damaged.gz").write_bytes(data[: len(data) // 2])
    async with cached_pool(root, tmp_path / "state" / "references.db") as pool:
        with pytest.raises(InvalidArgument):
            await ask(pool, import_cache, src_path="damaged.gz")
        assert len(cache_of(pool).vault.store.sealed()) == 2


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("../outside.gz", OutsideWorkspace),
        (".git/cache.gz", PermissionDenied),
        ("below.gz", NotAFile),
        ("cache.json", InvalidArgument),
    ],
)
async def test_it_is_written_only_to_a_file_of_the_workspace(
    tmp_path: Path, path: str, refusal: type[Exception]
) -> None:
    root = write_project(tmp_path / "project")
    (root / "below.gz").mkdir()
    async with cached_pool(root, tmp_path / "state" / "references.db") as pool:
        with pytest.raises(refusal):
            await ask(pool, export_cache, dest_path=path)
    assert not (tmp_path / "outside.gz").exists()


async def test_a_file_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    async with cached_pool(root, tmp_path / "state" / "references.db") as pool:
        with pytest.raises(FileNotFound):
            await ask(pool, import_cache, src_path="missing.gz")


async def test_with_the_cache_switched_off_nothing_is_done_and_that_is_said(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    async with Pool(root) as pool:
        written = await ask(pool, export_cache, dest_path="cache.gz")
        read = await ask(pool, import_cache, src_path="cache.gz")
    assert not written.value.enabled
    assert not read.value.enabled
    assert not (root / "cache.gz").exists()


@pytest.mark.parametrize(
    "body",
    [
        b"no such form",
        zlib.compress(b"no such form"),
        zlib.compress(msgspec.msgpack.encode({"../../secret": [(0, 0, 0, 1)]})),
        zlib.compress(msgspec.msgpack.encode({"lonely.toy": [(-1, 0, 0, 1)]})),
    ],
)
async def test_an_imported_entry_that_nobody_here_would_have_made_is_not_given(tmp_path: Path, body: bytes) -> None:
    root = await exported(tmp_path)
    async with cached_pool(root, tmp_path / "state" / "references.db") as pool:
        before = await _uncached(pool, root)
        vault = cache_of(pool).vault
        vault.replace([(key, seal(key, body)) for key, _ in vault.store.sealed()])
        answer = await shout(pool)
    assert answer.note == ""
    assert answer.value == before
