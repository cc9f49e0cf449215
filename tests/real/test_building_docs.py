"""The page about builds and tests: every command on it prints what it says."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.operations.building.ecosystems.table import ECOSYSTEMS
from tests.real.toolchains import require, tool_environment

PAGE = Path(__file__).parents[2] / "docs/build-and-test.md"
FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n\n[tool.mypy]\nfiles = ["calc.py"]\n',
    "calc.py": "def add(a: int, b: int) -> int:\n    return a - b\n\n\n"
    "def double(a: int) -> int:\n    return str(a) * 2\n",
    "tests/test_calc.py": "from calc import add, double\n\n\ndef test_add():\n    assert add(2, 2) == 4\n\n\n"
    'def test_double():\n    assert double(2) == "22"\n',
}


def examples() -> list[tuple[str, str]]:
    """Each command, and what it prints."""
    blocks = PAGE.read_text("utf-8").split("```\n")[1::2]
    taken_apart = (block.removeprefix("$ ").partition("\n") for block in blocks)
    return [(command, printed) for command, _, printed in taken_apart]


def test_the_page_has_examples() -> None:
    assert [command.split()[1] for command, _ in examples()] == ["test", "test", "build"]


def test_the_page_has_every_ecosystem() -> None:
    table = PAGE.read_text("utf-8").partition("| | build | test |")[2].partition("\n\n")[0].casefold()
    names = {"csharp": "c#", "cpp": "c++"}
    missing = [each.id for each in ECOSYSTEMS if names.get(each.languages[0], each.languages[0]) not in table]
    assert missing == []


@pytest.mark.parametrize(("command", "printed"), examples())
def test_a_command_of_the_page_prints_what_it_says(tmp_path: Path, command: str, printed: str) -> None:
    require("python")
    root, home = tmp_path / "shop", str(tmp_path / "home")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    program, *words = shlex.split(command)
    assert program == "groundwire"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "groundwire", *words],
        cwd=root,
        env={**tool_environment(), "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert (done.stdout, done.stderr) == (printed, "")
