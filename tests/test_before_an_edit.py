"""The page about what is asked before an edit: every command on it prints what it says."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs/before-an-edit.md"
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "pricing.py": "def total(prices: list[int]) -> int:\n    return sum(prices)\n\n\n"
    "def largest(prices: list[int]) -> int:\n    return max(prices)\n",
    "cart.py": "from pricing import largest, total\n\n\ndef summary(prices: list[int]) -> str:\n"
    '    return f"{total(prices)} (largest {largest(prices)})"\n',
    "invoice.py": "from pricing import total\n\n\ndef invoice(prices: list[int]) -> int:\n    return total(prices)\n",
    "tests/test_pricing.py": "from pricing import total\n\n\ndef test_total() -> None:\n"
    "    assert total([1, 2]) == 3\n",
}
CONFIGURATION = '[languages.python]\nservers = ["ty"]\nlinters = []\n'


def examples() -> list[tuple[str, str]]:
    """Each command, and what it prints."""
    blocks = PAGE.read_text("utf-8").split("```\n")[1::2]
    taken_apart = (block.removeprefix("$ ").partition("\n") for block in blocks)
    return [(command, printed) for command, _, printed in taken_apart]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / "shop" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / name).write_text(text, "utf-8")
    (tmp_path / "home/groundwire").mkdir(parents=True)
    (tmp_path / "home/groundwire/config.toml").write_text(CONFIGURATION, "utf-8")
    return tmp_path / "shop"


def test_the_page_has_examples() -> None:
    assert [command.split()[1] for command, _ in examples()] == [
        *("preview", "preview", "safe-edit", "blast-radius", "tests-for")
    ]


@pytest.mark.parametrize(("command", "printed"), examples())
def test_a_command_of_the_page_prints_what_it_says(root: Path, command: str, printed: str) -> None:
    home = str(root.parent / "home")
    program, *words = shlex.split(command)
    assert program == "groundwire"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "groundwire", *words],
        cwd=root,
        env={**os.environ, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert (done.stdout, done.stderr) == (printed, "")
    assert {name: (root / name).read_text("utf-8") for name in FILES} == FILES
