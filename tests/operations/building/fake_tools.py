"""Tools that do as they are told: programs on a path of their own, and projects that mean them."""

import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from groundwire.pool.pool import Pool

PASSED = '<testsuite><testcase classname="t" name="a" file="test_a.py"/></testsuite>'
FAILED = (
    '<testsuite><testcase classname="t" name="a" file="test_a.py"><failure message="no">test_a.py:2: in a</failure>'
    "</testcase></testsuite>"
)
FILES = {"pytest.ini": "[pytest]\n", "test_a.py": "def test_a():\n    assert 1\n"}


def tool(directory: Path, name: str, body: str) -> Path:
    """A program in Python; ``report`` is the file that it is told to write."""
    head = (
        f"#!{sys.executable}\nimport os, sys, time\n"
        'report = sys.argv[sys.argv.index("--junit-xml") + 1] if "--junit-xml" in sys.argv else ""\n'
    )
    program = directory / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(head + body, "utf-8")
    program.chmod(0o755)
    return program


def reporting(report: str, code: int) -> str:
    """A body that writes a report and exits with a code."""
    return f"open(report, 'w').write({report!r})\nsys.exit({code})\n"


@asynccontextmanager
async def project(tmp_path: Path, body: str, files: Mapping[str, str] = FILES) -> AsyncGenerator[Pool]:
    """A project of pytest whose pytest is a program with that body."""
    tool(tmp_path / "bin", "pytest", body)
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    environment = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path)}
    async with Pool(root, environment=environment) as pool:
        yield pool
