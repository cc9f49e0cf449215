"""Two real installations, one from PyPI and one from npm: they fetch packages, so they take a while."""

import os
import shutil
from pathlib import Path

import pytest

from groundwire.registry.catalog import load_catalog
from groundwire.registry.install.installing import install
from groundwire.registry.managed import managed_bin_directories
from groundwire.registry.spec import Managed, ServerSpec
from groundwire.registry.versions import version_of
from tests.registry.installers_at_hand import silent

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.timeout(180)]

DOCKERFILE = ServerSpec(
    id="dockerfile-language-server",
    languages=("dockerfile",),
    command=("docker-langserver", "--stdio"),
    version_command=(),
    managed=Managed(
        method="npm", packages=("dockerfile-language-server-nodejs@0.15.0",), commands=("docker-langserver",)
    ),
    verified="from documentation",
)


async def test_ruff_comes_from_pypi_at_its_pin(tmp_path: Path) -> None:
    environment = {**os.environ, "GROUNDWIRE_DATA_DIR": str(tmp_path)}
    done = await install(load_catalog().servers["ruff"], environment, silent)
    (place,) = managed_bin_directories(environment)
    assert version_of(place / "ruff", ("--version",), environment) == done.server.version


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
async def test_a_server_comes_from_npm_at_its_pin(tmp_path: Path) -> None:
    environment = {**os.environ, "GROUNDWIRE_DATA_DIR": str(tmp_path)}
    done = await install(DOCKERFILE, environment, silent)
    package = done.server.path / "node_modules" / "dockerfile-language-server-nodejs" / "package.json"
    assert '"version": "0.15.0"' in package.read_text("utf-8")
    assert (done.server.path / "bin" / "docker-langserver").is_file()
