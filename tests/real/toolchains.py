"""Where the build and test tools are that scripts/install-toolchains brings, and what happens when one is missing."""

import os
import shutil
import tomllib
from pathlib import Path
from typing import cast

import pytest

from tests.real.conftest import servers_directory

_PINS = Path(__file__).with_name("toolchains.toml")


def toolchains_directory() -> Path:
    """Where they are put."""
    return servers_directory() / "toolchains"


def tool_environment() -> dict[str, str]:
    """Nothing of ours: neither our virtual environment nor what our own tests are run with."""
    into = toolchains_directory()
    places = [into / "bin", into / "python/bin"]
    own = {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS", "PYTEST_PLUGINS"}
    kept = {name: value for name, value in os.environ.items() if name not in own}
    quick = {"MAVEN_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", "GOTOOLCHAIN": "local"}
    return {**kept, **quick, "PATH": os.pathsep.join([*map(str, places), os.environ["PATH"]])}


def require(toolchain: str) -> None:
    """Skip, with the reason; fail where the machine claims to have everything."""
    table = cast("dict[str, object]", tomllib.loads(_PINS.read_text("utf-8"))["toolchains"][toolchain])
    path = os.pathsep.join([str(toolchains_directory() / "npm/node_modules/.bin"), tool_environment()["PATH"]])
    lacking = [name for name in cast("list[str]", table["programs"]) if shutil.which(name, path=path) is None]
    if not lacking:
        return
    missing = f"not installed: {', '.join(lacking)}; run scripts/install-toolchains"
    if table["expected"] and os.environ.get("CI") == "true":
        pytest.fail(missing)
    pytest.skip(missing)
