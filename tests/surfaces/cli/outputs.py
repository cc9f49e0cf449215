"""Runs a command line and gives what it said."""

import json
from typing import cast

import pytest

from groundwire.surfaces.cli.main import main


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status and the output."""
    status = main(arguments)
    return status, capsys.readouterr().out


def run_json(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    """The exit status and the one object that was written."""
    status, out = run(*arguments, "--json", capsys=capsys)
    return status, cast("dict[str, object]", json.loads(out))
