"""What a language's own checker says of a project, from its command line: the files, lines and words of its errors.
Above: ``test_agent_runs``.
"""

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.real.agent_project import State, go_files, python_files, rust_files, typescript_files
from tests.real.conftest import servers_directory

Errors = frozenset[tuple[str, int, str]]

_CONCISE = re.compile(r"^(?P<file>[^:\n(]+):(?P<line>\d+):\d+: error(?P<says>.*)", re.MULTILINE)
_TSC = re.compile(r"^(?P<file>[^\n(]+)\((?P<line>\d+),\d+\): error(?P<says>.*)", re.MULTILINE)
_GO = re.compile(r"^(?:vet: )?(?:\./)?(?P<file>[^:\n#]+\.go):(?P<line>\d+):\d+: (?P<says>.*)", re.MULTILINE)


@dataclass(frozen=True)
class Checker:
    """How a project is written down for a server, and what its checker says of it."""

    config: Mapping[str, str]
    files: Callable[[State], dict[str, str]]
    check: Callable[[Path, Mapping[str, str]], Errors]


def _run(command: list[str], root: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, cwd=root, env=dict(environment), capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


def _matched(pattern: re.Pattern[str], text: str) -> Errors:
    return frozenset((found["file"], int(found["line"]), found["says"]) for found in pattern.finditer(text))


def _ty(root: Path, environment: Mapping[str, str]) -> Errors:
    return _matched(
        _CONCISE, _run(["ty", "check", "--output-format", "concise", "--color", "never"], root, environment)
    )


def _pyright(command: str) -> Callable[[Path, Mapping[str, str]], Errors]:
    def check(root: Path, environment: Mapping[str, str]) -> Errors:
        said: Any = json.loads(_run([command, "--outputjson"], root, environment))
        found = said["generalDiagnostics"]
        return frozenset(
            (Path(each["file"]).relative_to(root).as_posix(), each["range"]["start"]["line"] + 1, each["message"])
            for each in found
            if each["severity"] == "error"
        )

    return check


def _tsc(root: Path, environment: Mapping[str, str]) -> Errors:
    return _matched(_TSC, _run([_tsc_program(), "-p", ".", "--pretty", "false"], root, environment))


def _tsc_program() -> str:
    """The compiler that is written in Go: the same errors in a tenth of the time."""
    return str(servers_directory() / "ts7" / "bin" / "tsc")


def _go(root: Path, environment: Mapping[str, str]) -> Errors:
    return _matched(_GO, _run(["go", "build", "-gcflags=-e", "./..."], root, environment))


def _cargo(root: Path, environment: Mapping[str, str]) -> Errors:
    own = {**environment, "CARGO_TARGET_DIR": str(root / "target" / "oracle")}
    lines = _run(["cargo", "check", "--offline", "--message-format", "json"], root, own).splitlines()
    told: list[Any] = [json.loads(line) for line in lines if line.startswith("{")]
    messages = [each["message"] for each in told if each.get("reason") == "compiler-message"]
    return frozenset(
        (span["file_name"], span["line_start"], each["message"])
        for each in messages
        if each["level"] == "error"
        for span in each["spans"]
        if span["is_primary"]
    )


_PYTHON = {"pyproject.toml": '[project]\nname = "runs"\nversion = "1"\nrequires-python = ">=3.11"\n'}
_TYPESCRIPT = {
    "package.json": '{"name": "runs", "version": "1.0.0"}\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
    '"target": "es2022", "noEmit": true, "types": []}, "include": ["src"]}\n',
}
_CARGO = {"Cargo.toml": '[package]\nname = "runs"\nversion = "0.1.0"\nedition = "2021"\n'}

CHECKERS: Mapping[str, Checker] = {
    "ty": Checker(_PYTHON, python_files, _ty),
    "pyright": Checker(_PYTHON, python_files, _pyright("pyright")),
    "typescript-language-server": Checker(_TYPESCRIPT, typescript_files, _tsc),
    "tsc": Checker(_TYPESCRIPT, typescript_files, _tsc),
    "gopls": Checker({"go.mod": "module example.com/runs\n\ngo 1.21\n"}, go_files, _go),
    "rust-analyzer": Checker(_CARGO, rust_files, _cargo),
}
