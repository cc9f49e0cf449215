"""Go: ``go build`` and ``go test -json``.

Above: ``ecosystems``. Below: ``compiler_lines``, ``go_events``.
"""

import os
import re
from pathlib import Path

from groundwire.operations.building.compiler_lines import ANY, read_lines
from groundwire.operations.building.ecosystems.go_events import live_event, read_events
from groundwire.operations.building.model import Ecosystem, Plan, Step, Wanted

_INSTALL = "Install Go (https://go.dev/dl), and put it on the path."
_TEST_FUNCTION = re.compile(r"^func ((?:Test|Example|Fuzz)\w*)\(", re.MULTILINE)


def build(wanted: Wanted) -> Plan:
    """Everything is compiled; what it makes is not kept."""
    go = wanted.project.programs.find("go", install=_INSTALL)
    words = (str(go), "build", "-o", os.devnull, *packages(wanted))
    return Plan(steps=(Step(tool="go build", words=words, directory=wanted.root, read=read_lines(ANY)),))


def test(wanted: Wanted) -> Plan:
    """Of a file of tests, those that it declares."""
    go = wanted.project.programs.find("go", install=_INSTALL)
    words = (str(go), "test", "-json", *_selection(wanted), *packages(wanted))
    step = Step(
        tool="go test",
        words=words,
        directory=wanted.root,
        read=read_events(wanted.root),
        is_test=True,
        report="the events of go test -json",
        live=live_event,
    )
    return Plan(steps=(step,))


def packages(wanted: Wanted) -> tuple[str, ...]:
    """A directory with all below it, a file as its package."""
    if not wanted.paths:
        return ("./...",)
    return tuple(dict.fromkeys(_package(wanted, path) for path in wanted.paths))


def _package(wanted: Wanted, path: Path) -> str:
    directory = path if path.is_dir() else path.parent
    name = os.path.relpath(directory, wanted.root).replace(os.sep, "/")
    inner = "." if name == "." else f"./{name}"
    return f"{inner}/..." if path.is_dir() else inner


def _selection(wanted: Wanted) -> tuple[str, ...]:
    if wanted.test:
        return ("-run", "/".join(f"^{re.escape(part.replace(' ', '_'))}$" for part in wanted.test.split("/")))
    files = [path for path in wanted.paths if path.name.endswith("_test.go")]
    if not files or len(files) != len(wanted.paths):
        return ()
    names = [name for file in files for name in _TEST_FUNCTION.findall(file.read_text("utf-8", "replace"))]
    return ("-run", f"^({'|'.join(names)})$") if names else ()


GO = Ecosystem(
    id="go",
    languages=("go",),
    markers=("go.work", "go.mod"),
    suffixes=frozenset({".go"}),
    build=build,
    test=test,
)
