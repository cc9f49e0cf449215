"""The commands of the test tools, type checker and linter of JavaScript.

Above: ``node``. Below: ``jest_json``, ``junit``, ``reports``.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from groundwire.config.jsonc import parse
from groundwire.operations.building.compiler_lines import MSVC, problems_in
from groundwire.operations.building.jest_json import jest_reading, mocha_reading
from groundwire.operations.building.junit import Case, JUnit
from groundwire.operations.building.model import NOTHING_SEEN, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.programs import NODE_BIN
from groundwire.operations.building.reports import (
    Unreadable,
    as_object,
    json_reader,
    number_of,
    objects,
    parsed_json,
    text_of,
    unread,
)
from groundwire.operations.building.sources import Sources, Spot

Words = tuple[str, ...]
_WATCHING = frozenset({"--watch", "-w", "--ui"})
_MOCHA_REPORTER = ("--reporter", "-R", "--reporter-option", "--reporter-options", "-O")
_TAKE_A_FILE = (["--import"], ["--require"], ["-r"], ["--loader"], ["--config"], ["-c"])
_NODE_CAUSE = re.compile(r"^\s*(?:\[?cause\]?: )", re.MULTILINE)


def _program(wanted: Wanted, name: str, package: str = "") -> str:
    install = f"Install it: npm install --save-dev {package or name}"
    return str(wanted.project.programs.find(name, own=NODE_BIN, install=install))


def _full_name(wanted: Wanted) -> str:
    """As it is shown, or as the tools have it: the names of the suites before it, with only a space between."""
    return wanted.test.replace(" > ", " ")


def _pattern(wanted: Wanted) -> str:
    return re.escape(_full_name(wanted)).replace("\\ ", " ")


def _paths(wanted: Wanted) -> Words:
    return tuple(wanted.relative(path) for path in wanted.paths)


def _given(wanted: Wanted, words: Words, ours: Words, alone: frozenset[str]) -> Words:
    """The words of the script but for the options that we give ourselves (``ours``, each with its value) and what keeps
    a tool running (``alone``); also but for its files, where others are asked for."""
    kept: list[str] = []
    is_value = False
    for word in words:
        if is_value and not word.startswith("-"):
            is_value = False
            continue
        name = re.split(r"[=.]", word, maxsplit=1)[0] if word.startswith("-") else word
        is_value = word in ours
        if name not in ours and word not in alone:
            kept.append(word)
    while wanted.paths and kept and _is_file(wanted, kept[-1]) and kept[-2:-1] not in _TAKE_A_FILE:
        kept.pop()
    return tuple(kept)


def _inner(words: Words, *commands: str) -> Words:
    """Without the command of the tool itself."""
    return words[1:] if words[:1] and words[0] in commands else words


def _is_file(wanted: Wanted, word: str) -> bool:
    return not word.startswith("-") and ("*" in word or (wanted.root / word).exists())


def vitest_step(wanted: Wanted, given: Words) -> Step:
    """Once, without watching."""
    report = wanted.reports / "vitest.json"
    kept = _given(wanted, _inner(given, "run", "watch", "dev"), ("--reporter", "--outputFile"), _WATCHING)
    named = ("-t", _pattern(wanted)) if wanted.test else ()
    reporters = ("--reporter=default", "--reporter=json", f"--outputFile.json={report}")
    words = (_program(wanted, "vitest"), "run", *kept, *reporters, *named, *_paths(wanted))
    return _test("vitest", words, wanted, json_reader(report, jest_reading))


def jest_step(wanted: Wanted, given: Words) -> Step:
    """Files by their path, directories by a pattern."""
    report = wanted.reports / "jest.json"
    kept = _given(wanted, given, ("--outputFile",), frozenset({"--json", "--ci", "--watch", "--watchAll"}))
    named = ("-t", _pattern(wanted)) if wanted.test else ()
    only_files = bool(wanted.paths) and all(path.is_file() for path in wanted.paths)
    chosen = ("--runTestsByPath", *_paths(wanted)) if only_files else tuple(map(re.escape, _paths(wanted)))
    options = ("--ci", "--json", f"--outputFile={report}", "--testLocationInResults")
    return _test(
        "jest", (_program(wanted, "jest"), *kept, *options, *named, *chosen), wanted, json_reader(report, jest_reading)
    )


def mocha_step(wanted: Wanted, given: Words) -> Step:
    """It ends itself, even when something is left open."""
    report = wanted.reports / "mocha.json"
    named = ("--fgrep", _full_name(wanted)) if wanted.test else ()
    options = ("--reporter", "json", "--reporter-option", f"output={report}", "--no-color")
    kept = _given(wanted, given, _MOCHA_REPORTER, _WATCHING)
    words = (_program(wanted, "mocha"), *kept, *options, *named, *_paths(wanted))
    return _test("mocha", words, wanted, json_reader(report, mocha_reading))


def node_test_step(wanted: Wanted, given: Words) -> Step:
    """The runner that node brings. A script that runs a file without it has that file run as a test."""
    report = wanted.reports / "node.xml"
    options = ["--test-reporter=junit", f"--test-reporter-destination={report}"]
    options += ["--test-reporter=spec", "--test-reporter-destination=stdout"]
    named = (f"--test-name-pattern={_pattern(wanted)}",) if wanted.test else ()
    ours = ("--test-reporter", "--test-reporter-destination", *(("--test-name-pattern",) if wanted.test else ()))
    given = _given(wanted, given, ours, frozenset({"--test", "--watch"}))
    kept = [each for word in given for each in _expanded(wanted, word)]
    node = str(wanted.project.programs.find("node", install="Install Node.js, and put it on the path."))
    words = (node, "--test", *options, *named, *kept, *_paths(wanted))
    return _test("node --test", words, wanted, JUnit(_node_frame, _node_name).of_file(report))


def _expanded(wanted: Wanted, word: str) -> list[str]:
    """As the shell of a script would: not every node does it by itself."""
    found = sorted(wanted.root.glob(word)) if "*" in word and not word.startswith(("-", "/")) else []
    return [wanted.relative(file) for file in found] or [word]


def bun_step(wanted: Wanted, given: Words) -> Step:
    """``bun test`` with its JUnit report."""
    report = wanted.reports / "bun.xml"
    named = ("-t", _pattern(wanted)) if wanted.test else ()
    bun = str(wanted.project.programs.find("bun", install="Install Bun (https://bun.sh), and put it on the path."))
    words = (
        bun,
        "test",
        "--reporter=junit",
        f"--reporter-outfile={report}",
        *_given(wanted, _inner(given, "test"), ("--reporter", "--reporter-outfile"), frozenset({"--watch", "--hot"})),
        *named,
    )
    return _test("bun test", (*words, *_paths(wanted)), wanted, JUnit().of_file(report))


TEST_TOOLS: Mapping[str, Callable[[Wanted, Words], Step]] = {
    "vitest": vitest_step,
    "jest": jest_step,
    "mocha": mocha_step,
    "node": node_test_step,
    "bun": bun_step,
}
"""Known by the first word of a script."""


def _test(tool: str, words: Words, wanted: Wanted, read: Callable[[Ran, Sources], Reading]) -> Step:
    return Step(tool=tool, words=words, directory=wanted.root, read=read, is_test=True, report=f"the report of {tool}")


def _node_frame(sources: Sources, case: Case) -> Spot | None:
    """The cause is what failed; what is before it is where the test was begun."""
    cause = _NODE_CAUSE.split(case.text, maxsplit=1)
    return sources.first(cause[-1]) or sources.first(case.text)


def _node_name(case: Case) -> str:
    return " > ".join([*filter(None, case.suites), case.name])


def tsc_step(wanted: Wanted, config: Path, *, is_whole: bool) -> Step:
    """``is_whole``: with the projects that it refers to, which works only for a configuration without own files."""
    tsc = _program(wanted, "tsc", "typescript")
    words = (tsc, "-b" if is_whole else "-p", str(config), "--noEmit", "--pretty", "false")
    return Step(tool="tsc", words=words, directory=wanted.root, read=read_tsc, report="what tsc prints", checks="types")


_TSC_GLOBAL = re.compile(r"^error (?P<message>TS\d+: .*)$")
_NOT_CHECKED = ("TS5094", "TS6305", "TS6310")
"""Projects that refer to others are checked by what those have written, and we write nothing."""


def read_tsc(ran: Ran, sources: Sources) -> Reading:
    """Errors, but for those that say only that something could not be checked."""
    found = tuple(problems_in(ran.text, sources, MSVC, _TSC_GLOBAL))
    errors = tuple(each for each in found if not each.message.startswith(_NOT_CHECKED))
    if len(errors) == len(found):
        return Reading(problems=errors)
    doubt = "projects that refer to others cannot all be checked without writing their output"
    return Reading(problems=errors, doubt=doubt, excuses_exit=True)


def references_of(config: Path) -> tuple[tuple[str, ...], bool]:
    """The projects that a ``tsconfig.json`` refers to, and whether it has no files of its own besides."""
    try:
        told = as_object(parse(config.read_text("utf-8", "replace")))
    except (OSError, ValueError):  # tsc will say what is wrong with it
        return (), False
    names = tuple(text_of(each.get("path")) for each in objects(told.get("references")))
    has_none = [] in (told.get("files"), told.get("include")) and not (told.get("files") or told.get("include"))
    return names, has_none


def eslint_step(wanted: Wanted) -> Step:
    """Errors only: warnings do not fail a build."""
    eslint = _program(wanted, "eslint")
    words = (eslint, "--format", "json", *(_paths(wanted) or (".",)))
    return Step(
        tool="eslint",
        words=words,
        directory=wanted.root,
        read=read_eslint,
        report="the report of eslint",
        checks="lint",
    )


def read_eslint(ran: Ran, sources: Sources) -> Reading:
    """Its JSON is all that it prints."""
    try:
        files = objects(parsed_json(ran.stdout))
    except Unreadable as why:
        return unread(why)
    if not files:
        return NOTHING_SEEN
    problems = [
        Problem(
            message=f"{text_of(each.get('message'))} [{text_of(each.get('ruleId')) or 'syntax'}]",
            file=sources.shown(text_of(file.get("filePath"))),
            line=number_of(each.get("line")),
            column=number_of(each.get("column")),
        )
        for file in files
        for each in objects(file.get("messages"))
        if each.get("severity") == 2
    ]
    return Reading(
        problems=tuple(problems), text="\n".join(f"{p.file}:{p.line}:{p.column}: {p.message}" for p in problems)
    )
