"""Whether a Python project is sound: by the checker that it configures, else by the syntax of every file.

Above: ``python``. Below: ``compiler_lines``, ``reports``, ``programs``.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import CapabilityMissing
from groundwire.operations.building.compiler_lines import ANY, GNU, read_lines
from groundwire.operations.building.model import (
    NOTHING_SEEN,
    Checked,
    Plan,
    Problem,
    Project,
    Ran,
    Reading,
    Step,
    Wanted,
)
from groundwire.operations.building.reports import (
    Unreadable,
    as_object,
    number_of,
    objects,
    parsed_json,
    text_of,
    unread,
)
from groundwire.operations.building.sources import Sources
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.registry.markers import directories_up, first_marker, shown

_STAND_ALONE = frozenset({"basedpyright", "pyright", "ruff", "ty"})
"""They find the project's environment without being part of it."""
_NO_FILES = "No Python files found"
_CHILD = Path(__file__).parent.parent / "python_syntax_child.py"


class Checker(NamedTuple):
    """One that a project may configure."""

    name: str
    markers: tuple[str, ...]
    options: tuple[str, ...]
    read: Callable[[Ran, Sources], Reading]
    checks: Checked = "types"
    takes_all_by_default: bool = False


def _read_pyright(ran: Ran, sources: Sources) -> Reading:
    try:
        report = as_object(parsed_json(ran.stdout))
    except Unreadable as why:
        return unread(why)
    if as_object(report.get("summary")).get("filesAnalyzed") == 0:
        return NOTHING_SEEN
    found = [each for each in objects(report.get("generalDiagnostics")) if each.get("severity") == "error"]
    problems = [_of_range(each, text_of(each.get("file")), sources) for each in found]
    return Reading(problems=tuple(problems), text=_listed(problems))


def _of_range(each: dict[str, object], file: str, sources: Sources) -> Problem:
    start = as_object(as_object(each.get("range")).get("start"))
    rule = text_of(each.get("rule"))
    return Problem(
        message=f"{text_of(each.get('message'))}{f' [{rule}]' if rule else ''}",
        file=sources.shown(file),
        line=number_of(start.get("line")) + 1,
        column=number_of(start.get("character")) + 1,
    )


def _read_ruff(ran: Ran, sources: Sources) -> Reading:
    try:
        found = objects(parsed_json(ran.stdout))
    except Unreadable as why:
        return unread(why)
    if not found and _NO_FILES in ran.text:
        return NOTHING_SEEN
    problems = [
        Problem(
            message=f"{text_of(each.get('message'))} [{text_of(each.get('code')) or 'invalid-syntax'}]",
            file=sources.shown(text_of(each.get("filename"))),
            line=number_of(as_object(each.get("location")).get("row")),
            column=number_of(as_object(each.get("location")).get("column")),
        )
        for each in found
    ]
    return Reading(problems=tuple(problems), text=_listed(problems))


def _listed(problems: Sequence[Problem]) -> str:
    return "\n".join(f"{each.file}:{each.line}:{each.column}: error: {each.message}" for each in problems)


def _read_ty(ran: Ran, sources: Sources) -> Reading:
    text = ran.text.replace(": error[", ": error: [")
    return read_lines(GNU)(Ran(exit_code=ran.exit_code, stdout=ran.stdout, text=text), sources)


_PYRIGHT = ("pyrightconfig.json", "pyproject.toml:tool.pyright")
CHECKERS = (
    Checker(
        "mypy",
        ("mypy.ini", ".mypy.ini", "pyproject.toml:tool.mypy"),
        ("--no-error-summary", "--show-column-numbers", "--no-pretty", "--no-color-output"),
        read_lines(GNU),
    ),
    Checker(
        "basedpyright",
        ("pyproject.toml:tool.basedpyright",),
        ("--outputjson",),
        _read_pyright,
        takes_all_by_default=True,
    ),
    Checker("pyright", _PYRIGHT, ("--outputjson",), _read_pyright, takes_all_by_default=True),
    Checker(
        "ty",
        ("ty.toml", "pyproject.toml:tool.ty"),
        ("check", "--output-format", "concise"),
        _read_ty,
        takes_all_by_default=True,
    ),
    Checker(
        "ruff",
        ("ruff.toml", ".ruff.toml", "pyproject.toml:tool.ruff"),
        ("check", "--no-fix", "--output-format", "json"),
        _read_ruff,
        "lint",
        takes_all_by_default=True,
    ),
)
"""Type checkers first: they find most."""


def check(wanted: Wanted) -> Plan:
    """By the first checker that is configured and there."""
    missing: list[str] = []
    for checker in CHECKERS:
        marker = _configured(wanted.project, checker)
        if not marker:
            continue
        program = _program(wanted.project, checker.name)
        if program is not None:
            return Plan(steps=(_step(wanted, checker, program),), note=_note(checker, marker, missing))
        missing.append(f"{checker.name} is configured ({shown(marker)}) and not installed")
    return Plan(steps=(_syntax(wanted),), note="; ".join(missing))


def _program(project: Project, name: str) -> Path | None:
    found = project.programs.python_tool(name)
    return found or (project.programs.look_for(name) if name in _STAND_ALONE else None)


def _configured(project: Project, checker: Checker) -> str:
    above = directories_up(project.root, project.workspace)
    return next((found for each in above if (found := first_marker(each, checker.markers))), "") or _in_tox(
        project, checker
    )


def _in_tox(project: Project, checker: Checker) -> str:
    """mypy is also configured in ``setup.cfg``."""
    file = project.root / "setup.cfg"
    is_there = file.is_file() and f"[{checker.name}]" in file.read_text("utf-8", "replace")
    return "setup.cfg" if is_there else ""


def _note(checker: Checker, marker: str, missing: Sequence[str]) -> str:
    return "; ".join([*missing, f"checked by {checker.name}, which the project configures ({shown(marker)})"])


def _step(wanted: Wanted, checker: Checker, program: Path) -> Step:
    paths = tuple(wanted.relative(path) for path in wanted.paths)
    everything = () if checker.takes_all_by_default or _says_what(wanted.root) else (".",)
    words = (str(program), *checker.options, *(paths or everything))
    return Step(
        tool=checker.name,
        words=words,
        directory=wanted.root,
        read=checker.read,
        checks=checker.checks,
        report=f"the findings of {checker.name}",
        environment={"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )


def _says_what(root: Path) -> bool:
    """Whether mypy's own configuration says what is to be checked."""
    return first_marker(root, ("pyproject.toml:tool.mypy.files", "pyproject.toml:tool.mypy.packages")) is not None


def _syntax(wanted: Wanted) -> Step:
    """The names go by a file: there may be more than a command line holds."""
    files, names = _sources(wanted), wanted.reports / "files"
    if not files:
        raise CapabilityMissing("there are no Python files here", hint="Give a path that holds some.")
    names.write_text("\0".join(map(str, files)), "utf-8", errors="surrogateescape")
    words = (str(wanted.project.programs.python()), "-I", "-S", "-B", str(_CHILD), str(names))
    return Step(
        tool="python",
        words=words,
        directory=wanted.root,
        read=read_lines(ANY),
        report="what the compiler says",
        checks="syntax",
    )


def _sources(wanted: Wanted) -> list[Path]:
    chosen = wanted.paths or (wanted.root,)
    files = (file for path in chosen for file in ((path,) if path.is_file() else WorkspaceFiles(path)))
    return [file for file in files if file.suffix in (".py", ".pyi")]
