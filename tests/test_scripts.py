"""What the scripts decide by themselves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent


def python_that_takes(directory: Path, seconds: float, name: str = "python3") -> Path:
    directory.mkdir(exist_ok=True)
    program = directory / name
    program.write_text(f"#!/bin/sh\necho {seconds}\n", "utf-8")
    program.chmod(0o755)
    return program


def fastest_python(*directories: Path) -> str:
    environment = {**os.environ, "PATH": os.pathsep.join(map(str, directories))}
    words = [sys.executable, str(REPOSITORY / "scripts/fastest-python")]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def test_the_tests_run_on_the_python_that_is_fastest(tmp_path: Path) -> None:
    python_that_takes(tmp_path / "a", 0.000_002)
    best = python_that_takes(tmp_path / "b", 0.000_001, f"python3.{sys.version_info.minor}")
    assert fastest_python(tmp_path / "a", tmp_path / "b") == str(best)


@pytest.mark.parametrize("taken", [1000.0, float("nan")])
def test_and_on_the_one_at_hand_where_no_other_is_faster(tmp_path: Path, taken: float) -> None:
    python_that_takes(tmp_path / "a", taken)
    assert fastest_python(tmp_path / "a", tmp_path / "no such directory") == sys.executable


def test_and_so_they_do_where_another_cannot_be_run(tmp_path: Path) -> None:
    python_that_takes(tmp_path / "a", 0).write_text("#!/bin/sh\nexit 1\n", "utf-8")
    assert fastest_python(tmp_path / "a") == sys.executable
