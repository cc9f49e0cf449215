"""C and C++: CMake and ctest in the build directory that there is, or make.

Nothing is configured into the source tree: a project without a build directory has to be configured by its user. Above:
``ecosystems``. Below: ``compiler_lines``, ``junit``.
"""

import re
from pathlib import Path

from groundwire.errors import CapabilityMissing
from groundwire.operations.building.compiler_lines import GNU, LINKER, MSVC, read_lines
from groundwire.operations.building.ecosystems.make import MAKEFILES, make_plan
from groundwire.operations.building.junit import Case, JUnit
from groundwire.operations.building.model import Ecosystem, Plan, Step, Wanted
from groundwire.operations.building.sources import FRAME, LINE_IN_PARENTHESES, Sources, Spot
from groundwire.registry.markers import first_marker

_INSTALL = "Install CMake, and put it on the path."
_CACHE = "CMakeCache.txt"
_USUAL = ("build", "build/*", "cmake-build-*", "out/build/*", "builds/*", "_build", ".build", "out")
_ERROR_AT = re.compile(r"^CMake Error at (?P<file>[^:\n]+):(?P<line>\d+)(?P<message>.*)$")


def build(wanted: Wanted) -> Plan:
    """CMake's build directory, else make."""
    if not (wanted.root / "CMakeLists.txt").is_file():
        return make_plan(wanted, "")
    directory, note = build_directory(wanted)
    return Plan(steps=(_cmake_step(wanted, directory),), note=note)


def test(wanted: Wanted) -> Plan:
    """What ctest would run is built first: it would else test what the sources were."""
    if not (wanted.root / "CMakeLists.txt").is_file():
        return make_plan(wanted, _test_target(wanted.root))
    directory, note = build_directory(wanted)
    if any(path != wanted.root and not (path / _CACHE).is_file() for path in wanted.paths):
        note = "; ".join(filter(None, (note, "ctest knows no paths: all of its tests were run")))
    return Plan(steps=(_cmake_step(wanted, directory), _ctest_step(wanted, directory)), note=note)


def build_directory(wanted: Wanted) -> tuple[Path, str]:
    """The one that was given, else the latest of those that there are. Raises CapabilityMissing."""
    given = next((path for path in wanted.paths if (path / _CACHE).is_file()), None)
    if given is not None:
        return given, ""
    places = {cache.parent for usual in _USUAL for cache in wanted.root.glob(f"{usual}/{_CACHE}")}
    found = sorted(places, key=lambda place: (-(place / _CACHE).stat().st_mtime, place))
    if not found:
        raise CapabilityMissing(
            "the project has not been configured: no build directory of CMake was found",
            hint="Configure it: cmake -S . -B build; or give a build directory as path.",
        )
    if len(found) == 1:
        return found[0], ""
    return found[0], f"of {len(found)} build directories the one configured last, {wanted.relative(found[0])}"


def _cmake_step(wanted: Wanted, directory: Path) -> Step:
    """A build directory holds command lines: one that came with the project must be trusted."""
    wanted.project.programs.require_trusted_lines(directory / _CACHE, "the build")
    cmake = wanted.project.programs.find("cmake", install=_INSTALL)
    return Step(
        tool="cmake",
        words=(str(cmake), "--build", str(directory)),
        directory=wanted.root,
        read=read_lines(GNU, MSVC, _ERROR_AT, LINKER),
        report="what the compiler prints",
        bases=(directory,),
    )


def _ctest_step(wanted: Wanted, directory: Path) -> Step:
    ctest = wanted.project.programs.find("ctest", install=_INSTALL)
    report = wanted.reports / "ctest.xml"
    named = ("-R", f"^{re.escape(wanted.test)}$") if wanted.test else ()
    options = ("--test-dir", str(directory), "--output-on-failure", "--output-junit", str(report))
    return Step(
        tool="ctest",
        words=(str(ctest), *options, *named),
        directory=wanted.root,
        read=JUnit(_spot).of_file(report),
        is_test=True,
        report="JUnit XML of ctest",
        bases=(directory,),
    )


def _spot(sources: Sources, case: Case) -> Spot | None:
    """``assert``, GoogleTest, Catch2, doctest, Boost.Test: all name file and line, in one of two ways."""
    return sources.first(case.text, (FRAME, LINE_IN_PARENTHESES))


def _test_target(root: Path) -> str:
    makefile = root / (first_marker(root, MAKEFILES) or MAKEFILES[0])
    text = makefile.read_text("utf-8", "replace")
    rule = r"^(?:[\w./-]+ +)*{}(?: +[\w./-]+)* *:(?!=)"
    target = next((name for name in ("check", "test") if re.search(rule.format(name), text, re.MULTILINE)), "")
    if not target:
        raise CapabilityMissing("the Makefile has no target named test or check", hint="Name what runs the tests so.")
    return target


NATIVE = Ecosystem(
    id="c",
    languages=("c", "cpp", "objective-c", "cuda"),
    markers=("CMakeLists.txt", *MAKEFILES),
    suffixes=frozenset({".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"}),
    build=build,
    test=test,
    shared_markers=frozenset(MAKEFILES),
    is_outermost=True,
)
