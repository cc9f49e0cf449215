"""C# and its relatives: ``dotnet build``, ``dotnet test`` with its TRX report.

Above: ``ecosystems``. Below: ``compiler_lines``, ``reports``, ``sources``.
"""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import Element

from groundwire.operations.building.compiler_lines import MSVC, problems_in, read_lines
from groundwire.operations.building.model import Counts, Ecosystem, Plan, Problem, Ran, Reading, Step, Wanted
from groundwire.operations.building.reports import Unreadable, message_of, read_xml, unread
from groundwire.operations.building.sources import Sources, problem_at

_INSTALL = "Install the .NET SDK (https://dot.net), and put dotnet on the path."
_FRAME = re.compile(r" in (?P<file>[^\n]+?):line (?P<line>\d+)")
_ALONE = ("-nodeReuse:false", "-p:UseSharedCompilation=false")
"""No compiler is left running for the next build."""
_SPACE = "{http://microsoft.com/schemas/VisualStudio/TeamTest/2010}"


def build(wanted: Wanted) -> Plan:
    """The solution or project at hand."""
    dotnet = wanted.project.programs.find("dotnet", install=_INSTALL)
    words = (str(dotnet), "build", "--nologo", *_ALONE)
    return Plan(steps=(Step(tool="dotnet build", words=words, directory=wanted.root, read=read_lines(MSVC)),))


def test(wanted: Wanted) -> Plan:
    """One report for each project of tests."""
    dotnet = wanted.project.programs.find("dotnet", install=_INSTALL)
    names = [wanted.test] if wanted.test else [path.stem for path in wanted.paths if path.suffix == ".cs"]
    chosen = ("--filter", "|".join(f"FullyQualifiedName~{name}" for name in names)) if names else ()
    results = wanted.reports / "trx"
    words = (str(dotnet), "test", "--nologo", "--logger", "trx", "--results-directory", str(results), *chosen, *_ALONE)
    step = Step(
        tool="dotnet test",
        words=words,
        directory=wanted.root,
        read=_read_trx(results),
        is_test=True,
        report="TRX of dotnet test",
    )
    return Plan(steps=(step,))


def _read_trx(results: Path) -> Callable[[Ran, Sources], Reading]:
    def read(ran: Ran, sources: Sources) -> Reading:
        errors = tuple(problems_in(ran.text, sources, MSVC))
        files = sorted(results.glob("**/*.trx"))
        if not files:
            return Reading(problems=errors) if errors else unread("it wrote no report")
        try:
            return trx_reading([read_xml(file) for file in files], sources)
        except Unreadable as why:
            return unread(why)

    return read


def trx_reading(roots: list[Element], sources: Sources) -> Reading:
    """All of the reports as one."""
    results = [each for root in roots for each in root.iter(f"{_SPACE}UnitTestResult")]
    outcomes = [each.get("outcome", "") for each in results]
    problems = [_failed(each, sources) for each in results if each.get("outcome") == "Failed"]
    passed = outcomes.count("Passed")
    counts = Counts(passed=passed, failed=len(problems), skipped=len(results) - passed - len(problems))
    return Reading(problems=tuple(problems), counts=counts)


def _failed(result: Element, sources: Sources) -> Problem:
    text = result.findtext(f".//{_SPACE}StackTrace", "")
    message = result.findtext(f".//{_SPACE}Message", "")
    return problem_at(sources.first(text, (_FRAME,)), message_of(message) or "it failed", result.get("testName", ""))


DOTNET = Ecosystem(
    id="dotnet",
    languages=("csharp", "fsharp", "vb"),
    markers=("*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"),
    suffixes=frozenset({".cs", ".fs", ".vb"}),
    build=build,
    test=test,
)
