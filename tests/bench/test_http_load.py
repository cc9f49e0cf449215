"""The load on the HTTP service, for seconds only: nothing of time is asserted, only that nothing fails or is lost."""

import shutil
from pathlib import Path

import pytest

from bench.arena import environment
from bench.http_load import Given, measure, restart
from bench.http_stage import Stage, standing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.skipif(
        shutil.which("ty", path=environment()["PATH"]) is None,
        reason="ty is not installed: run scripts/install-servers",
    ),
]


WORKSPACES = 3
SECONDS = 4.0


def test_no_call_of_either_era_fails_under_load_and_a_restart_loses_no_directory_and_no_client(tmp_path: Path) -> None:
    """One front and its daemons for all: they take longer to start than to be tried."""
    with standing(tmp_path, WORKSPACES) as stage:
        for is_modern in (False, True):
            _no_call_fails_under_load(stage, is_modern=is_modern)
        _a_restart_under_load_loses_no_directory_and_no_client(stage)


def _no_call_fails_under_load(stage: Stage, *, is_modern: bool) -> None:
    given = Given(clients=9, rate=5.0, seconds=SECONDS, workspaces=WORKSPACES, is_modern=is_modern)
    found = measure(given, stage)
    assert found["failures"] == []
    assert found["calls"] == pytest.approx(9 * 5 * SECONDS, abs=9)


def _a_restart_under_load_loses_no_directory_and_no_client(stage: Stage) -> None:
    given = Given(clients=9, rate=5.0, seconds=6.0, workspaces=WORKSPACES, is_modern=False)
    found = restart(given, stage)
    assert found["failures"] == []
    assert found["moves_acknowledged"]
    lost = found["connections_lost"]
    assert isinstance(lost, int)
    assert lost >= given.clients
