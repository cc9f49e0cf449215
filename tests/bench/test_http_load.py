"""The load on the HTTP service, for seconds only: nothing of time is asserted, only that nothing fails or is lost."""

import shutil
from pathlib import Path

import pytest

from bench.arena import environment
from bench.http_load import Given, measure, restart

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.skipif(
        shutil.which("ty", path=environment()["PATH"]) is None,
        reason="ty is not installed: run scripts/install-servers",
    ),
]


@pytest.mark.parametrize("is_modern", [False, True], ids=["sessions", "modern"])
def test_no_call_fails_under_load(tmp_path: Path, *, is_modern: bool) -> None:
    given = Given(clients=9, rate=5.0, seconds=4.0, workspaces=3, is_modern=is_modern)
    found = measure(given, tmp_path)
    assert found["failures"] == []
    assert found["calls"] == pytest.approx(9 * 5 * 4, abs=9)


def test_a_restart_under_load_loses_no_directory_and_no_client(tmp_path: Path) -> None:
    given = Given(clients=9, rate=5.0, seconds=6.0, workspaces=3, is_modern=False)
    found = restart(given, tmp_path)
    assert found["failures"] == []
    assert found["moves_acknowledged"]
    lost = found["connections_lost"]
    assert isinstance(lost, int)
    assert lost >= given.clients
