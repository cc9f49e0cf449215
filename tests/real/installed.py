"""Any server that the tests install, by name: where it is found, or that it is not.

Above: tests that ask the servers of the scenarios and those of the table the same. Below: ``conftest``.
"""

import os

import pytest

from groundwire.registry.catalog import load_catalog
from groundwire.registry.install.installing import present_installation
from tests.real.conftest import managed_environment, pins, server_environment, why_unavailable
from tests.real.rows import ROWS


def is_in_the_table(server: str) -> bool:
    """Whether it is one that ``groundwire install`` brings, and not one of the scenarios."""
    return server not in ROWS and server in pins()["managed"]


def environment_of(server: str) -> dict[str, str]:
    """Where it is found. Skips the test when it is not, and fails it where everything is claimed to be there."""
    if is_in_the_table(server):
        environment = managed_environment()
        is_there = present_installation(load_catalog().servers[server], environment) is not None
        missing = "" if is_there else f"{server} is not installed: run scripts/install-servers"
    else:
        environment, missing = server_environment(server), why_unavailable(server)
    if missing:
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    return environment
