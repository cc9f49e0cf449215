"""Java and Kotlin: Maven or Gradle, by their wrappers where those are trusted; their JUnit reports of this very run.

Above: ``ecosystems``. Below: ``compiler_lines``, ``junit``.
"""

import re
from collections.abc import Callable
from pathlib import Path

from groundwire.operations.building.compiler_lines import GNU, read_lines
from groundwire.operations.building.junit import JAVA_FRAME, Case, JUnit
from groundwire.operations.building.model import Ecosystem, Plan, Ran, Reading, Step, Wanted
from groundwire.operations.building.sources import Sources, Spot

_MAVEN_ERROR = re.compile(
    r"^\[ERROR\] (?P<file>/?[^\n\[]+?):\[(?P<line>\d+),(?P<column>\d+)\] (?:error: )?(?P<message>.*)$"
)
_KOTLIN_ERROR = re.compile(r"^e: (?:file://)?(?P<file>[^\n]+?):(?:(?P<line>\d+):(?P<column>\d+)|) (?P<message>.+)$")
_OLD_KOTLIN_ERROR = re.compile(r"^e: (?P<file>[^\n]+?): \((?P<line>\d+), (?P<column>\d+)\): (?P<message>.+)$")
_GRADLE = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
_PLACES = tuple(
    f"src/{kind}/{language}" for kind in ("test", "main", "integrationTest") for language in ("java", "kotlin")
)
_ENDINGS = frozenset({".java", ".kt"})


def build(wanted: Wanted) -> Plan:
    """Sources and tests are compiled."""
    if _is_maven(wanted.root):
        return _maven(wanted, ("test-compile",), read_lines(_MAVEN_ERROR, _KOTLIN_ERROR), is_test=False)
    return _gradle(wanted, ("testClasses",), read_lines(_OLD_KOTLIN_ERROR, _KOTLIN_ERROR, GNU), is_test=False)


def test(wanted: Wanted) -> Plan:
    """Their reports lie where the tools put them; what lies there from an earlier run is not read."""
    reader = JUnit(_spot)
    if _is_maven(wanted.root):
        named = _maven_selection(wanted)
        chosen = (f"-Dtest={named}", "-Dsurefire.failIfNoSpecifiedTests=false") if named else ()
        reports = reader.of_fresh(wanted.root, "**/target/surefire-reports/TEST-*.xml")
        return _maven(wanted, ("test", *chosen), _or(reports, _MAVEN_ERROR), is_test=True)
    names = [("--tests", name) for name in _gradle_selection(wanted)]
    # Gradle does not run again what it has run, nor writes its report: what it knows of earlier runs is set aside.
    words = ("--no-build-cache", "cleanTest", "test", "--continue", *(word for pair in names for word in pair))
    reports = reader.of_fresh(wanted.root, "**/build/test-results/**/TEST-*.xml")
    return _gradle(wanted, words, _or(reports, _OLD_KOTLIN_ERROR, _KOTLIN_ERROR, GNU), is_test=True)


def _or(reports: Callable[[Ran, Sources], Reading], *patterns: re.Pattern[str]) -> Callable[[Ran, Sources], Reading]:
    """Where there are no reports, what kept the tests from being compiled."""

    def read(ran: Ran, sources: Sources) -> Reading:
        errors = read_lines(*patterns)(ran, sources) if ran.exit_code else Reading()
        return errors if errors.problems else reports(ran, sources)

    return read


def _is_maven(root: Path) -> bool:
    return (root / "pom.xml").is_file()


def _maven(wanted: Wanted, goals: tuple[str, ...], read: Callable[[Ran, Sources], Reading], *, is_test: bool) -> Plan:
    program, note = _tool(wanted, "mvnw", "mvn", "Install Maven, and put mvn on the path.")
    words = (program, "--batch-mode", "--no-transfer-progress", "-Dstyle.color=never", *goals)
    step = Step(
        tool="mvn", words=words, directory=wanted.root, read=read, is_test=is_test, report="the reports of surefire"
    )
    return Plan(steps=(step,), note=note)


def _gradle(wanted: Wanted, tasks: tuple[str, ...], read: Callable[[Ran, Sources], Reading], *, is_test: bool) -> Plan:
    """Without its daemon, which would outlive us."""
    program, note = _tool(wanted, "gradlew", "gradle", "Install Gradle, and put it on the path.")
    words = (program, "--no-daemon", "--console=plain", *tasks)
    step = Step(
        tool="gradle", words=words, directory=wanted.root, read=read, is_test=is_test, report="the reports of Gradle"
    )
    return Plan(steps=(step,), note=note)


def _tool(wanted: Wanted, wrapper: str, name: str, install: str) -> tuple[str, str]:
    """The wrapper is a program of the project. The user's own tool stands in for one that is not trusted."""
    programs = wanted.project.programs
    trusted = programs.wrapper(wrapper)
    if trusted is not None:
        return str(trusted), ""
    own = programs.own(wrapper, ".")
    if own is None:
        return str(programs.find(name, install=install)), ""
    users = programs.look_for(name)
    if users is None:
        return str(programs.allowed(own)), ""
    return str(users), f"{wrapper} is supplied by the project, which is not trusted: {name} of the path was used"


def _maven_selection(wanted: Wanted) -> str:
    if wanted.test:
        return wanted.test if "#" in wanted.test or "." not in wanted.test else "#".join(wanted.test.rsplit(".", 1))
    return ",".join(_classes(wanted))


def _gradle_selection(wanted: Wanted) -> list[str]:
    if wanted.test:
        name = wanted.test.replace("#", ".")
        return [name if "." in name else f"*{name}"]
    return [f"*{name}" for name in _classes(wanted)]


def _classes(wanted: Wanted) -> list[str]:
    files = (file for path in wanted.paths for file in ((path,) if path.is_file() else sorted(path.rglob("*"))))
    return [file.stem for file in files if file.suffix in _ENDINGS]


def _spot(sources: Sources, case: Case) -> Spot | None:
    """A frame names a class and a file without its directory: the package is the directory."""
    for frame in JAVA_FRAME.finditer(case.text):
        package = frame["symbol"].split(".")[:-2]
        file = sources.find_named(["/".join([*package, frame["file"]]), frame["file"]], _PLACES)
        if file:
            return Spot(file, int(frame["line"]))
    return None


JAVA = Ecosystem(
    id="java",
    languages=("java", "kotlin"),
    markers=("pom.xml", *_GRADLE),
    suffixes=frozenset({".java", ".kt", ".kts"}),
    build=build,
    test=test,
    is_outermost=True,
)
