"""Routes are kept for a moment, and never longer than what they depend on stays as it is."""

from pathlib import Path

import msgspec
import pytest

from groundwire.errors import LanguageNotEnabled, ServerUnavailable
from groundwire.pool.pool import Pool
from groundwire.pool.route_cache import RouteCache
from groundwire.pool.routing import Route
from groundwire.pool.settings import PoolSettings
from groundwire.workspace.changes import ChangeKind, FileChange
from tests.fakes.toy_servers import toy_catalog, toy_spec

pytestmark = pytest.mark.anyio

FILE = Path("/w/a.toy")
ALL = frozenset[str]()


class Finder:
    """Counts how often a route is looked for."""

    def __init__(self, tmp_path: Path) -> None:
        (tmp_path / "a.toy").write_text("")
        self._route = Pool(tmp_path, catalog=toy_catalog(toy_spec("well_read"))).route(tmp_path / "a.toy")
        self.count = 0

    def __call__(self, path: Path, only: frozenset[str]) -> Route:
        self.count += 1
        return msgspec.structs.replace(self._route, file=path)


def cache(now: list[float]) -> RouteCache:
    def kind_of(file: Path) -> str | None:
        return None if file.stem.startswith("odd") else file.suffix

    return RouteCache(lambda file: file.suffix == ".toy", kind_of, clock=lambda: now[0])


async def test_a_route_is_found_once_and_again_after_a_few_seconds(tmp_path: Path):
    now, find = [0.0], Finder(tmp_path)
    routes = cache(now)
    routes.get(FILE, ALL, find)
    routes.get(FILE, ALL, find)
    assert find.count == 1
    now[0] = 6.0
    routes.get(FILE, ALL, find)
    assert find.count == 2


@pytest.mark.parametrize(
    ("change", "finds"),
    [
        (FileChange("/w/a.toy", ChangeKind.CHANGED), 1),
        (FileChange("/w/b.toy", ChangeKind.CREATED), 2),
        (FileChange("/w/b.toy", ChangeKind.DELETED), 2),
        (FileChange("/w/toy.cfg", ChangeKind.CHANGED), 2),
    ],
)
async def test_only_the_text_of_sources_leaves_routes_as_they_are(tmp_path: Path, change: FileChange, finds: int):
    find = Finder(tmp_path)
    routes = cache([0.0])
    routes.get(FILE, ALL, find)
    routes.saw([change])
    routes.get(FILE, ALL, find)
    assert find.count == finds


async def test_other_servers_are_another_route(tmp_path: Path):
    find = Finder(tmp_path)
    routes = cache([0.0])
    routes.get(FILE, ALL, find)
    routes.get(FILE, frozenset({"well_read"}), find)
    assert find.count == 2


@pytest.mark.parametrize(
    ("other", "finds"),
    [
        pytest.param("/w/b.toy", 1, id="beside it"),
        pytest.param("/w/sub/b.toy", 2, id="in another directory"),
        pytest.param("/w/b.tool", 2, id="of another kind"),
        pytest.param("/w/odd.toy", 2, id="like no other"),
    ],
)
async def test_files_of_one_kind_in_one_directory_are_taken_care_of_alike(tmp_path: Path, other: str, finds: int):
    find = Finder(tmp_path)
    routes = cache([0.0])
    assert routes.get(FILE, ALL, find).file == FILE
    assert routes.get(Path(other), ALL, find).file == Path(other)
    assert find.count == finds


async def test_what_was_found_for_another_file_is_kept_no_longer_than_that(tmp_path: Path):
    now, find = [0.0], Finder(tmp_path)
    routes = cache(now)
    routes.get(FILE, ALL, find)
    now[0] = 4.0
    routes.get(Path("/w/b.toy"), ALL, find)
    now[0] = 6.0
    routes.get(Path("/w/b.toy"), ALL, find)
    assert find.count == 2


async def test_a_file_that_the_configuration_leaves_out_is_left_out_beside_one_that_is_served(tmp_path: Path):
    left_out = LanguageNotEnabled("left out by the configuration")
    settings = PoolSettings(refusal=lambda file: left_out if file.name == "b.toy" else None)
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec("well_read")), settings=settings) as pool:
        assert pool.route(tmp_path / "a.toy").primary is not None
        with pytest.raises(LanguageNotEnabled):
            pool.route(tmp_path / "b.toy")


async def test_what_is_refused_is_looked_for_again():
    tries: list[Path] = []

    def find(path: Path, only: frozenset[str]) -> Route:
        tries.append(path)
        raise ServerUnavailable(f"nobody for {path} of {only}")

    routes = cache([0.0])
    for _ in range(2):
        with pytest.raises(ServerUnavailable):
            routes.get(FILE, ALL, find)
    assert len(tries) == 2
