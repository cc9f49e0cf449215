"""Which files hold command lines that building and testing would run."""

import json
from pathlib import Path

import pytest

from groundwire.operations.building.supplied import supplied_lines


def package(scripts: dict[str, str]) -> str:
    return json.dumps({"name": "x", "scripts": scripts})


@pytest.mark.parametrize(
    ("name", "text", "is_listed"),
    [
        ("Makefile", "all:\n\techo\n", True),
        ("sub/GNUmakefile", "all:\n", True),
        ("gradlew", "#!/bin/sh\n", True),
        ("package.json", package({"test": "sh run.sh"}), True),
        ("package.json", package({"build": "vite build && ./post"}), True),
        ("package.json", package({"test": "vitest run"}), False),
        ("package.json", package({"lint": "sh lint.sh"}), False),
        ("package.json", package({}), False),
        ("package.json", "{", False),
        ("setup.py", "", False),
        ("node_modules/x/package.json", package({"test": "sh run.sh"}), False),
    ],
)
def test_only_files_whose_lines_would_be_run_are_supplied(name: str, text: str, is_listed: bool, tmp_path: Path):
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    assert supplied_lines(tmp_path) == ([file] if is_listed else [])
