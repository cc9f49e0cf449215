"""make: every recipe is a command line of the project, so that the Makefile must be trusted.

Above: ``native``. Below: ``compiler_lines``, ``tap``.
"""

from groundwire.operations.building.compiler_lines import GNU, LINKER, problems_in, read_lines
from groundwire.operations.building.model import Plan, Ran, Reading, Step, Wanted
from groundwire.operations.building.sources import Sources
from groundwire.operations.building.tap import tap_reading
from groundwire.registry.markers import first_marker

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


def make_plan(wanted: Wanted, target: str) -> Plan:
    """The default target, or the one named. Raises Untrusted."""
    programs, name = wanted.project.programs, first_marker(wanted.root, MAKEFILES) or MAKEFILES[-1]
    programs.require_trusted_lines(wanted.root / name, "recipes")
    words = (str(programs.find("make")), *((target,) if target else ()))
    step = Step(
        tool="make",
        words=words,
        directory=wanted.root,
        read=_read_tests if target else read_lines(GNU, LINKER),
        is_test=bool(target),
        report="what make prints",
    )
    return Plan(steps=(step,))


def _read_tests(ran: Ran, sources: Sources) -> Reading:
    """Whoever prints TAP can be read; of others it is known what the compiler said, and how it ended."""
    found = tap_reading(ran.stdout, sources)
    if found is not None:
        return found
    problems = tuple(problems_in(ran.text, sources, GNU, LINKER))
    return Reading(problems=problems, doubt="what its recipes print does not tell which tests ran")
