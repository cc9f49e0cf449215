"""Where the cache of a workspace lies, and that it can be switched off."""

from pathlib import Path

from groundwire.pool.opening import open_pool


def _environment(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), "PATH": "", "XDG_STATE_HOME": str(home / "state"), **more}


def test_each_workspace_has_a_file_of_its_own_with_the_users_records(tmp_path: Path) -> None:
    places: list[Path] = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        cache = open_pool(tmp_path / name, environment=_environment(tmp_path)).settings.cache
        assert cache is not None
        places.append(cache.path)
    assert places[0] != places[1]
    assert all(place.is_relative_to(tmp_path / "state" / "groundwire" / "cache") for place in places)
    assert not (tmp_path / "state").exists()  # nothing is written before there is something to keep


def test_it_can_be_switched_off_and_limited(tmp_path: Path) -> None:
    off = open_pool(tmp_path, environment=_environment(tmp_path, GROUNDWIRE_CACHE__ENABLED="false"))
    small = open_pool(tmp_path, environment=_environment(tmp_path, GROUNDWIRE_CACHE__MAX_MB="2"))
    assert off.settings.cache is None
    assert small.settings.cache is not None
    assert small.settings.cache.max_bytes == 2 * 1024 * 1024
