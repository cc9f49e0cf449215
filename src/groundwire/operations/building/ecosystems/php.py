"""PHP: PHPUnit with its JUnit report; built by the syntax of every file.

Above: ``ecosystems``. Below: ``compiler_lines``, ``junit``.
"""

import re

from groundwire.errors import CapabilityMissing
from groundwire.operations.building.compiler_lines import read_lines
from groundwire.operations.building.junit import Case, JUnit
from groundwire.operations.building.model import Ecosystem, Plan, Step, Wanted
from groundwire.operations.files.workspace_files import WorkspaceFiles

_CHECK = (
    '$bad = 0; foreach (explode("\\0", file_get_contents($argv[1])) as $f) { '
    "try { token_get_all(file_get_contents($f), TOKEN_PARSE); } "
    'catch (ParseError $e) { $bad = 1; echo "$f:{$e->getLine()}: error: {$e->getMessage()}\\n"; } } exit($bad);'
)
_SYNTAX = re.compile(r"^(?P<file>[^\n]+?):(?P<line>\d+): error: (?P<message>.*)$")
_OWN = "vendor/bin"


def build(wanted: Wanted) -> Plan:
    """Nothing is loaded: each file is only parsed."""
    chosen, names = wanted.paths or (wanted.root,), wanted.reports / "files"
    walked = (file for path in chosen for file in ((path,) if path.is_file() else WorkspaceFiles(path)))
    files = [str(file) for file in walked if file.suffix == ".php"]
    if not files:
        raise CapabilityMissing("there are no PHP files here", hint="Give a path that holds some.")
    names.write_text("\0".join(files), "utf-8", errors="surrogateescape")
    php = wanted.project.programs.find("php", install="Install PHP, and put it on the path.")
    words = (str(php), "-r", _CHECK, "--", str(names))
    step = Step(
        tool="php",
        words=words,
        directory=wanted.root,
        read=read_lines(_SYNTAX),
        checks="syntax",
        report="what the parser says",
    )
    return Plan(steps=(step,))


def test(wanted: Wanted) -> Plan:
    """The project's own PHPUnit, else the user's."""
    install = "Install it: composer require --dev phpunit/phpunit"
    phpunit = wanted.project.programs.find("phpunit", own=_OWN, install=install)
    report = wanted.reports / "phpunit.xml"
    named = ("--filter", re.escape(wanted.test.rpartition("::")[2]) + "$") if wanted.test else ()
    paths = tuple(wanted.relative(path) for path in wanted.paths) or _everything(wanted)
    step = Step(
        tool="phpunit",
        words=(str(phpunit), "--colors=never", "--log-junit", str(report), *named, *paths),
        directory=wanted.root,
        read=JUnit(named=_named).of_file(report),
        is_test=True,
        report="JUnit XML of phpunit",
    )
    return Plan(steps=(step,))


def _everything(wanted: Wanted) -> tuple[str, ...]:
    """A project that does not say where its tests are has to be told."""
    if any((wanted.root / name).is_file() for name in ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")):
        return ()
    return next(((name,) for name in ("tests", "test") if (wanted.root / name).is_dir()), ())


def _named(case: Case) -> str:
    return f"{case.class_name}::{case.name}" if case.class_name else case.name


PHP = Ecosystem(
    id="php",
    languages=("php",),
    markers=("composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"),
    suffixes=frozenset({".php"}),
    build=build,
    test=test,
    needs_marker=False,
)
