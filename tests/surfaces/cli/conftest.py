"""A project for the commands that look at whole projects."""

import json
from pathlib import Path

import pytest

from tests.fakes.toy_servers import toy_command


@pytest.fixture
def toy_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose user has one server of their own, and nothing on the path."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "GROUNDWIRE_DATA_DIR", "LLXPRT_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    config = tmp_path / "home/.config/groundwire/config.toml"
    config.parent.mkdir(parents=True)
    command = json.dumps(toy_command("base"))
    config.write_text(f"[servers.toy]\ncommand = {command}\nextensions = ['.toy']\n", "utf-8")
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "a.toy").write_text("wrong\n", "utf-8")
    monkeypatch.chdir(directory)
    return directory
