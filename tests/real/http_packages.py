"""The packages of others that try the HTTP service: where they are, and what happens when they are missing.

``scripts/install-servers`` brings them. Above: ``test_http_clients``, ``test_conformance``.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.real.conftest import servers_directory, why_unavailable

PACKAGES = "mcp-over-http"


def require_packages() -> None:
    """Skips with the reason; fails where the machine claims to have everything."""
    missing = why_unavailable(PACKAGES)
    if missing:
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)


def modules() -> Path:
    """Where node finds them."""
    return servers_directory() / "npm" / PACKAGES / "node_modules"


def run_node(
    words: Sequence[str | Path],
    *,
    seconds: float,
    given: str = "",
    allowed: Sequence[int] = (0,),
    environment: Mapping[str, str] | None = None,
) -> str:
    """What a script prints that is run with the node they need."""
    node = servers_directory() / PACKAGES / "bin" / "node"
    done = subprocess.run(
        [node, *words],
        input=given,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env={**os.environ, "NODE_COMPILE_CACHE": str(servers_directory() / "node-cache"), **(environment or {})},
    )
    assert done.returncode in allowed, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout
