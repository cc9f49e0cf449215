"""Whatever is sent to the service, by its own description of itself, none of it is answered by a failure of its own.

Every operation gets its boundary cases and 25 more by chance, right and wrong ones; with ``--repeat N`` chance goes on
for 45 seconds.
"""

import os
import subprocess
import sys
from typing import cast

import pytest

from groundwire.surfaces.http.openapi import document
from tests.daemon.homes import Home, within
from tests.surfaces.http.front import Front

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

_LONGEST_S = 45
_ENDLESS = ("events", "mcp_get")
"""Streams that end when the reader has had enough: others test them."""


@pytest.fixture
def longest(request: pytest.FixtureRequest) -> list[str]:
    """With a time given, chance begins again until it is over; without, each operation is tried so many times."""
    is_thorough = int(str(request.config.getoption("--repeat", default=1))) > 1
    return ["--max-time", str(_LONGEST_S)] if is_thorough else []


def test_no_request_that_fits_the_description_or_does_not_is_answered_by_a_5xx(
    front: Front, home: Home, longest: list[str]
) -> None:
    home.start()
    assert within(lambda: front.get("/status").json()["workspaces"][0]["is_running"])
    environment = {**os.environ, "NO_COLOR": "1", "HYPOTHESIS_STORAGE_DIRECTORY": str(home.directory / "hypothesis")}
    excluded = [word for name in _ENDLESS for word in ("--exclude-operation-id", name)]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{front.url}/openapi.json"),
            *("--url", front.url, "--header", f"Authorization: Bearer {front.token}"),
            *("--checks", "not_a_server_error", "--phases", "examples,coverage,fuzzing,stateful"),
            *("--max-examples", "25", "--mode", "all", *longest, "--request-timeout", "20", *excluded),
        ],
        cwd=home.directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert front.is_up()
    paths = cast("dict[str, dict[str, object]]", document()["paths"])
    described = sum(len(methods) for path, methods in paths.items() if path != "/openapi.json")  # it is read anyway
    assert f"Selected: {described - len(_ENDLESS)}/{described}" in done.stdout
    assert f"Tested: {described - len(_ENDLESS)}\n" in done.stdout
    for phase in ("Coverage", "Fuzzing"):
        assert f"✅ {phase}\n" in done.stdout, done.stdout
