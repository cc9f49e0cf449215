"""What a language's own checker says of projects, from its command line: the files, lines and words of their errors.
Above: ``test_agent_runs``.

The projects lie side by side in one directory. A checker that takes long to start looks at all of them at once.
"""

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.real.agent_project import State, go_files, python_files, rust_files, typescript_files
from tests.real.conftest import servers_directory

Error = tuple[str, int, str]
Errors = frozenset[Error]
Check = Callable[[Path, Mapping[str, str]], Mapping[str, Errors]]
"""What is wrong with each project in a directory, by its name."""

_CONCISE = re.compile(r"^(?P<file>[^:\n(]+):(?P<line>\d+):\d+: error(?P<says>.*)", re.MULTILINE)
_TSC = re.compile(r"^(?P<file>[^\n(]+)\((?P<line>\d+),\d+\): error(?P<says>.*)", re.MULTILINE)
_GO = re.compile(r"^(?:vet: )?(?:\./)?(?P<file>[^:\n#]+\.go):(?P<line>\d+):\d+: (?P<says>.*)", re.MULTILINE)


@dataclass(frozen=True)
class Checker:
    """How a project is written down for a server, and what its checker says of such projects."""

    config: Mapping[str, str]
    files: Callable[[State], dict[str, str]]
    check: Check


def _run(command: list[str], root: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, cwd=root, env=dict(environment), capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


def _matched(pattern: re.Pattern[str], text: str) -> Errors:
    return frozenset((found["file"], int(found["line"]), found["says"]) for found in pattern.finditer(text))


def _one_by_one(check: Callable[[Path, Mapping[str, str]], Errors]) -> Check:
    def check_all(directory: Path, environment: Mapping[str, str]) -> Mapping[str, Errors]:
        return {root.name: check(root, environment) for root in directory.iterdir()}

    return check_all


def _by_project(errors: Iterable[Error]) -> Mapping[str, Errors]:
    """Of errors whose files begin with the name of the project they are in."""
    found: defaultdict[str, set[Error]] = defaultdict(set)
    for path, line, says in errors:
        project, _, file = path.partition("/")
        found[project].add((file, line, says))
    return {project: frozenset(each) for project, each in found.items()}


def _ty(root: Path, environment: Mapping[str, str]) -> Errors:
    return _matched(
        _CONCISE, _run(["ty", "check", "--output-format", "concise", "--color", "never"], root, environment)
    )


def _pyright(directory: Path, environment: Mapping[str, str]) -> Mapping[str, Errors]:
    apart = [{"root": root.name} for root in directory.iterdir()]
    (directory / "pyrightconfig.json").write_text(json.dumps({"executionEnvironments": apart}), "utf-8")
    said: Any = json.loads(_run(["pyright", "--outputjson"], directory, environment))
    return _by_project(
        (Path(each["file"]).relative_to(directory).as_posix(), each["range"]["start"]["line"] + 1, each["message"])
        for each in said["generalDiagnostics"]
        if each["severity"] == "error"
    )


def _tsc(directory: Path, environment: Mapping[str, str]) -> Mapping[str, Errors]:
    (directory / "tsconfig.json").write_text(_tsconfig("*/src"), "utf-8")
    said = _run([_tsc_program(), "-p", ".", "--pretty", "false"], directory, environment)
    return _by_project(_matched(_TSC, said))


def _tsc_program() -> str:
    """The compiler that is written in Go: the same errors in a tenth of the time."""
    return str(servers_directory() / "ts7" / "bin" / "tsc")


def _go(root: Path, environment: Mapping[str, str]) -> Errors:
    return _matched(_GO, _run(["go", "build", "-gcflags=-e", "./..."], root, environment))


def _cargo(root: Path, environment: Mapping[str, str]) -> Errors:
    # Never one directory for all: cargo takes projects of the same name for one another and looks at times only.
    own = {**environment, "CARGO_TARGET_DIR": str(root / "target")}
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


def _tsconfig(sources: str) -> str:
    return (
        '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        f'"target": "es2022", "lib": ["es2022"], "noEmit": true, "types": []}}, "include": ["{sources}"]}}\n'
    )


_PYTHON = {"pyproject.toml": '[project]\nname = "runs"\nversion = "1"\nrequires-python = ">=3.11"\n'}
_TYPESCRIPT = {"package.json": '{"name": "runs", "version": "1.0.0"}\n', "tsconfig.json": _tsconfig("src")}
_CARGO = {"Cargo.toml": '[package]\nname = "runs"\nversion = "0.1.0"\nedition = "2021"\n'}

CHECKERS: Mapping[str, Checker] = {
    "ty": Checker(_PYTHON, python_files, _one_by_one(_ty)),
    "pyright": Checker(_PYTHON, python_files, _pyright),
    "typescript-language-server": Checker(_TYPESCRIPT, typescript_files, _tsc),
    "tsc": Checker(_TYPESCRIPT, typescript_files, _tsc),
    "gopls": Checker({"go.mod": "module example.com/runs\n\ngo 1.21\n"}, go_files, _one_by_one(_go)),
    "rust-analyzer": Checker(_CARGO, rust_files, _one_by_one(_cargo)),
}
