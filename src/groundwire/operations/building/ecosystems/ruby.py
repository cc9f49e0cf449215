"""Ruby: RSpec with its JSON, Minitest by what it prints; built by the syntax of every file.

Above: ``ecosystems``. Below: ``reports``, ``sources``.
"""

import re
from collections.abc import Callable
from pathlib import Path

from groundwire.errors import CapabilityMissing
from groundwire.operations.building.compiler_lines import read_lines
from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import (
    as_object,
    json_reader,
    message_of,
    number_of,
    objects,
    text_of,
)
from groundwire.operations.building.sources import FRAME, Sources, Spot, problem_at
from groundwire.operations.files.workspace_files import WorkspaceFiles

_INSTALL = "Install Ruby, and put it on the path."
_REQUIRE = 'while (f = ARGV.shift) && f != "--"; require File.expand_path(f); end'
_CHECK = (
    'bad = false; File.read(ARGV[0]).split("\\0").each { |f| begin; RubyVM::InstructionSequence.compile_file(f); '
    "rescue SyntaxError => e; bad = true; puts e.message; end }; exit(bad ? 1 : 0)"
)
_SYNTAX = re.compile(r"^(?P<file>[^\s:][^:\n]*\.\w+):(?P<line>\d+): (?P<message>(?:syntax error|.*unexpected).*)$")
_BLOCK = re.compile(
    r"^ +\d+\) (?P<kind>Failure|Error):\n(?P<name>\S+)(?: \[(?P<file>.+?):(?P<line>\d+)\])?:\n"
    r"(?P<body>.*?)(?=^ +\d+\) |^\d+ runs)",
    re.MULTILINE | re.DOTALL,
)
_SUMMARY = re.compile(r"^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips", re.MULTILINE)


def build(wanted: Wanted) -> Plan:
    """Nothing is loaded: each file is only compiled."""
    files, names = _files(wanted, lambda file: file.suffix == ".rb"), wanted.reports / "files"
    if not files:
        raise CapabilityMissing("there are no Ruby files here", hint="Give a path that holds some.")
    names.write_text("\0".join(map(str, files)), "utf-8", errors="surrogateescape")
    ruby = wanted.project.programs.find("ruby", install=_INSTALL)
    step = Step(
        tool="ruby",
        words=(str(ruby), "-e", _CHECK, str(names)),
        directory=wanted.root,
        read=read_lines(_SYNTAX),
        checks="syntax",
        report="what the parser says",
    )
    return Plan(steps=(step,))


def test(wanted: Wanted) -> Plan:
    """RSpec where there are specs."""
    if not _has_specs(wanted):
        return Plan(steps=(_minitest(wanted),))
    others = [] if wanted.paths else sorted({wanted.relative(file.parent) for file in _files(wanted, _is_minitest)})
    note = f"tests of Minitest were left out: {', '.join(others)}" if others else ""
    return Plan(steps=(_rspec(wanted),), note=note)


def _is_minitest(file: Path) -> bool:
    is_named_so = file.name.endswith("_test.rb") or (file.name.startswith("test_") and file.suffix == ".rb")
    return is_named_so and file.name != "test_helper.rb"


def _has_specs(wanted: Wanted) -> bool:
    if wanted.paths:
        return any(path.name.endswith("_spec.rb") or path.name == "spec" for path in wanted.paths)
    return (wanted.root / "spec").is_dir() or (wanted.root / ".rspec").is_file()


def _rspec(wanted: Wanted) -> Step:
    report = wanted.reports / "rspec.json"
    named = ("--example", wanted.test) if wanted.test else ()
    paths = tuple(wanted.relative(path) for path in wanted.paths)
    options = ("--no-color", "--format", "progress", "--format", "json", "--out", str(report))
    words = (*_command(wanted, "rspec"), *options, *named, *paths)
    return Step(
        tool="rspec",
        words=words,
        directory=wanted.root,
        read=json_reader(report, rspec_reading),
        is_test=True,
        report="JSON of rspec",
    )


def _command(wanted: Wanted, name: str) -> tuple[str, ...]:
    """By Bundler where the project locks its gems."""
    programs = wanted.project.programs
    bundle = programs.look_for("bundle") if (wanted.root / "Gemfile.lock").is_file() else None
    if bundle is not None:
        return (str(bundle), "exec", name)
    return (str(programs.find(name, install=f"Install it: gem install {name}")),)


def rspec_reading(report: dict[str, object], sources: Sources) -> Reading:
    """What went wrong outside of examples is only counted."""
    examples = objects(report.get("examples"))
    problems = [_failed_example(each, sources) for each in examples if each.get("status") == "failed"]
    outside = number_of(as_object(report.get("summary")).get("errors_outside_of_examples_count"))
    messages = report.get("messages")
    if outside:
        said = "\n".join(map(str, messages)) if isinstance(messages, list) else "an error outside of examples"  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  whatever it holds is shown
        problems.append(problem_at(sources.first(said), message_of(said)))
    passed = sum(each.get("status") == "passed" for each in examples)
    skipped = sum(each.get("status") == "pending" for each in examples)
    return Reading(problems=tuple(problems), counts=Counts(passed=passed, failed=len(problems), skipped=skipped))


def _failed_example(example: dict[str, object], sources: Sources) -> Problem:
    error = as_object(example.get("exception"))
    trace = error.get("backtrace")
    text = "\n".join(map(str, trace)) if isinstance(trace, list) else ""  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  as above
    name, file = text_of(example.get("full_description")), sources.own(text_of(example.get("file_path")))
    spot = sources.first(text) or Spot(file, number_of(example.get("line_number")))
    return problem_at(spot, message_of(text_of(error.get("message"))) or "it failed", name)


def _minitest(wanted: Wanted) -> Step:
    files = _files(wanted, _is_minitest)
    if not files:
        raise CapabilityMissing("there are no tests here", hint="Tests are in files named *_test.rb or *_spec.rb.")
    named = ("-n", f"/{re.escape(wanted.test.rpartition('#')[2])}$/") if wanted.test else ()
    names = (wanted.relative(file) for file in files)
    words = (*_ruby(wanted), "-Ilib", "-Itest", "-e", _REQUIRE, *names, "--", *named)
    return Step(
        tool="minitest",
        words=words,
        directory=wanted.root,
        read=read_minitest,
        is_test=True,
        report="what minitest prints",
    )


def _ruby(wanted: Wanted) -> tuple[str, ...]:
    if (wanted.root / "Gemfile.lock").is_file():
        return _command(wanted, "ruby")
    return (str(wanted.project.programs.find("ruby", install=_INSTALL)),)


def _files(wanted: Wanted, is_meant: Callable[[Path], bool]) -> list[Path]:
    chosen = wanted.paths or (wanted.root,)
    files = (file for path in chosen for file in ((path,) if path.is_file() else WorkspaceFiles(path)))
    return [file for file in files if is_meant(file)]


def read_minitest(ran: Ran, sources: Sources) -> Reading:
    """The numbered blocks and the last line."""
    summary = _SUMMARY.search(ran.text)
    if summary is None:
        return Reading(doubt="it did not say how many tests it ran")
    runs, failures, errors, skips = map(int, summary.groups())
    problems = tuple(_failed(match, sources) for match in _BLOCK.finditer(ran.text))
    counts = Counts(passed=runs - failures - errors - skips, failed=failures + errors, skipped=skips)
    return Reading(problems=problems, counts=counts)


def _failed(match: re.Match[str], sources: Sources) -> Problem:
    body = match["body"]
    named = sources.own(match["file"]) if match["file"] else ""
    spot = Spot(named, int(match["line"])) if named else sources.first(body, (FRAME,))
    spoken = [line for line in body.splitlines() if not FRAME.match(line.strip())]
    return problem_at(spot, message_of("\n".join(spoken)) or "it failed", match["name"])


RUBY = Ecosystem(
    id="ruby",
    languages=("ruby",),
    markers=("Gemfile", "*.gemspec", "Rakefile", ".rspec", "spec/spec_helper.rb", "test/test_helper.rb"),
    suffixes=frozenset({".rb"}),
    build=build,
    test=test,
    needs_marker=False,
)
