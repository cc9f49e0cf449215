"""Completion: everything that can be typed, in the words of each shell."""

import shutil
import subprocess
from pathlib import Path

import pytest

from groundwire.operations.table import OPERATIONS
from groundwire.surfaces.cli.arguments import build_parser
from groundwire.surfaces.cli.completion import whole_tree
from groundwire.surfaces.cli.completion_bash import bash_script
from groundwire.surfaces.cli.main import main

SHELLS = ("bash", "zsh", "fish", "powershell")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For bash."""
    written = tmp_path_factory.mktemp("completion") / "groundwire.bash"
    written.write_text(bash_script(whole_tree()), "utf-8")
    return written


def completed(script: Path, *words: str, here: Path) -> list[str]:
    """What bash offers for the last word, by its own machinery."""
    run = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; '
        '[[ $(complete -p groundwire) == *"-F _groundwire groundwire" ]] || exit 9; '
        '_groundwire groundwire; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(
        [bash, "--norc", "-c", run, "bash", str(script), "groundwire", *words],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        cwd=here,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("che",), ["check"]),
        (("ref",), ["refs"]),
        (("--ver",), ["--version"]),
        (("daemon", "st"), ["status", "stop"]),
        (("daemon", "logs", "--f"), ["--follow"]),
        (("completion", ""), list(SHELLS)),
        (("check", "--for"), ["--format"]),
        (("check", "--format", "s"), ["sarif"]),
        (("check", "--format", "=", "s"), ["sarif"]),
        (("check", "a.py", "--format", ""), ["text", "json", "sarif", "github"]),
        (("types", "X", "--direction", "sub"), ["subtypes"]),
        (("refs", "--include"), ["--include-declaration"]),
        (("check", "--root", "sr"), ["src"]),
        (("check", "src/a"), []),
        (("nonsense", "--x"), []),
    ],
)
def test_bash_offers_what_can_be_typed(
    words: tuple[str, ...], offered: list[str], script: Path, tmp_path: Path
) -> None:
    (tmp_path / "src").mkdir()
    assert completed(script, *words, here=tmp_path) == offered


def test_bash_offers_every_command(script: Path, tmp_path: Path) -> None:
    offered = completed(script, "", here=tmp_path)
    _, commands = build_parser()
    assert set(offered) >= {*commands.choices, *(operation.command for operation in OPERATIONS.values())}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_in_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    shown = capsys.readouterr().out
    for node in (node for command in whole_tree() for node in command.all()):
        assert node.words[-1] in shown
        for option in node.options:
            plain = [name.lstrip("-") if shell == "fish" else name for name in option.names]
            assert all(name in shown for name in plain)
            assert all(choice in shown for choice in option.choices)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_itself_can_read_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not here")
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    done = subprocess.run([program, "-n"], input=script, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_quotes_in_a_help_do_no_harm(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "fish"]) == 0
    for line in capsys.readouterr().out.split("\n"):
        assert line.replace("\\'", "").count("'") % 2 == 0
