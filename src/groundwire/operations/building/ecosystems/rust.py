"""Rust: ``cargo build`` and ``cargo test``; the compiler's messages as JSON, the tests' as they are printed.

Above: ``ecosystems``. Below: ``reports``, ``sources``.
"""

import re
import tomllib
from pathlib import Path

from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import (
    Unreadable,
    as_object,
    message_of,
    number_of,
    objects,
    parsed_json,
    text_of,
)
from groundwire.operations.building.sources import Sources, Spot, problem_at

_INSTALL = "Install Rust (https://rustup.rs), and put cargo on the path."
_RESULT = re.compile(r"^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored;", re.MULTILINE)
_SECTION = re.compile(r"^---- (?P<name>.+?)(?: - should panic)? stdout ----$", re.MULTILINE)
_PANIC = re.compile(r"panicked at (?:'(?P<old>.*?)', )?(?P<file>[^\s:']+\.rs):(?P<line>\d+):(?P<column>\d+)", re.DOTALL)
_DOC_TEST = re.compile(r"^(?P<file>.+?\.rs) - .*\(line (?P<line>\d+)\)")
_FAILED = re.compile(r"^test (?P<name>.+?)(?: - should panic)? \.\.\. FAILED$", re.MULTILINE)
_END = re.compile(r"^(?:failures:|test result:|stack backtrace:|note: run with)", re.MULTILINE)


def build(wanted: Wanted) -> Plan:
    """The package that is meant, or all of the workspace."""
    cargo = wanted.project.programs.find("cargo", install=_INSTALL)
    members, note = _members(wanted)
    words = (str(cargo), "build", "--message-format=json", *members)
    step = Step(
        tool="cargo build",
        words=words,
        directory=wanted.root,
        read=_read_build,
        report="the messages of cargo",
        live=_live,
    )
    return Plan(steps=(step,), note=note)


def test(wanted: Wanted) -> Plan:
    """Also what comes after a failure."""
    cargo = wanted.project.programs.find("cargo", install=_INSTALL)
    targets, names, note = _selection(wanted)
    options = ("--no-fail-fast", "--message-format=json")
    words = (str(cargo), "test", *options, *targets, *(("--", *names) if names else ()))
    step = Step(
        tool="cargo test",
        words=words,
        directory=wanted.root,
        read=_read_test,
        is_test=True,
        report="what cargo test prints",
        live=_live,
    )
    return Plan(steps=(step,), note=note)


def _members(wanted: Wanted) -> tuple[tuple[str, ...], str]:
    """Where the root of a workspace is a package itself, cargo would take only that one."""
    try:
        manifest = as_object(tomllib.loads((wanted.root / "Cargo.toml").read_text("utf-8", "replace")))
    except (OSError, ValueError):  # cargo will say what is wrong with it
        return (), ""
    if wanted.paths or "workspace" not in manifest:
        return (), ""
    chosen = as_object(manifest["workspace"]).get("default-members")
    if isinstance(chosen, list):
        members = ", ".join(map(str, chosen))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  whatever it holds is shown
        return (), f"only the default members of the workspace: {members}"
    return ("--workspace",), ""


def _selection(wanted: Wanted) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Targets for files of tests, and names: a module's tests begin with its name."""
    places = [_place_of(wanted, path) for path in wanted.paths]
    targets = tuple(dict.fromkeys(target for target, _ in places if target))
    names = tuple(name for _, name in places if name)
    words = tuple(word for target in targets for word in target)
    if wanted.test:
        exactly = ("--exact",) if "::" in wanted.test else ()
        return words or _members(wanted)[0], (wanted.test, *exactly), _members(wanted)[1]
    if len(places) > 1 and not (all(target for target, _ in places) or all(name for _, name in places)):
        # Names would choose among the tests of the targets, and targets leave out those that have the names.
        return (), (), "cargo cannot choose these files together: all tests were run"
    return words or _members(wanted)[0], names, _members(wanted)[1]


def _place_of(wanted: Wanted, path: Path) -> tuple[tuple[str, ...], str]:
    """The words of a target, or the beginning of names; neither where cargo has no word for it."""
    if not path.is_file() or path.suffix != ".rs":
        return (), ""
    match Path(wanted.relative(path)).with_suffix("").parts:
        case ("tests", name, *_):
            return ("--test", name), ""
        case ("src", "bin", name, *_):
            return ("--bin", name), ""
        case ("src", "lib"):
            return ("--lib",), ""
        case ("src", "main"):
            return ("--bins",), ""
        case ("src", *inner):
            return (), f"{'::'.join(part for part in inner if part != 'mod')}::"
        case _:
            return (), ""


def _live(line: str) -> str:
    return "" if line.startswith("{") else line


def _read_build(ran: Ran, sources: Sources) -> Reading:
    problems = _compiler_errors(ran.stdout, sources)
    return Reading(problems=tuple(problems), text=_for_people(ran))


def _read_test(ran: Ran, sources: Sources) -> Reading:
    text = "\n".join(line for line in ran.stdout.splitlines() if not line.startswith("{"))
    results = [tuple(map(int, match.groups())) for match in _RESULT.finditer(text)]
    errors = _compiler_errors(ran.stdout, sources)
    failures = libtest_failures(text, sources)
    failed = max(sum(result[1] for result in results), len(failures))
    counts = Counts(
        passed=sum(result[0] for result in results), failed=failed, skipped=sum(result[2] for result in results)
    )
    return Reading(
        problems=(*errors, *failures),
        counts=counts,
        doubt="it printed more than can be kept" if ran.is_cut else "",
        text=_for_people(ran),
    )


def libtest_failures(text: str, sources: Sources) -> list[Problem]:
    """Each with where it panicked."""
    sections: dict[str, str] = {}
    pieces = _SECTION.split(text)
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        end = _END.search(body)
        sections.setdefault(name, body[: end.start()] if end else body)
    names = dict.fromkeys([*_FAILED.findall(text), *sections])
    return [_failure(name, sections.get(name, ""), sources) for name in names]


def _failure(name: str, body: str, sources: Sources) -> Problem:
    panic = _PANIC.search(body)
    message = message_of(body) or "it failed"
    if panic is None:
        doc = _DOC_TEST.match(name)
        spot = Spot(sources.own(doc["file"]) or doc["file"], int(doc["line"])) if doc else sources.first(body)
        return problem_at(spot, message, name)
    said = panic["old"] or body[panic.end() :].lstrip(":\n")
    file = sources.own(panic["file"]) or panic["file"]
    own = Spot(file, int(panic["line"]), int(panic["column"]))
    if not sources.own(panic["file"]):  # a panic in a library: the first of the user's frames, where there is a trace
        own = sources.first(body[panic.end() :]) or own
    return problem_at(own, message_of(said) or message, name)


def _compiler_errors(stdout: str, sources: Sources) -> list[Problem]:
    found: dict[Problem, None] = {}
    for line in stdout.splitlines():
        if not line.startswith("{"):
            continue
        try:
            told = as_object(parsed_json(line))
        except Unreadable:  # a brace that a test has printed
            continue
        message = as_object(told.get("message"))
        if told.get("reason") == "compiler-message" and message.get("level") == "error" and message.get("spans"):
            found[_compiler_error(message, sources)] = None
    return list(found)


def _compiler_error(message: dict[str, object], sources: Sources) -> Problem:
    spans = objects(message.get("spans"))
    span = next((each for each in spans if each.get("is_primary")), spans[0])
    code = text_of(as_object(message.get("code")).get("code"))
    return Problem(
        message=f"{text_of(message.get('message'))}{f' [{code}]' if code else ''}",
        file=sources.shown(text_of(span.get("file_name"))),
        line=number_of(span.get("line_start")),
        column=number_of(span.get("column_start")),
    )


def _for_people(ran: Ran) -> str:
    """The messages as the compiler would have printed them, and all else as it was."""
    shown: list[str] = []
    for line in ran.text.splitlines():
        if not line.startswith('{"reason":'):
            shown.append(line)
            continue
        try:
            shown.append(text_of(as_object(as_object(parsed_json(line)).get("message")).get("rendered")).rstrip("\n"))
        except Unreadable:
            continue
    return "\n".join(line for line in shown if line.strip())


RUST = Ecosystem(
    id="rust",
    languages=("rust",),
    markers=("Cargo.toml",),
    suffixes=frozenset({".rs"}),
    build=build,
    test=test,
)
