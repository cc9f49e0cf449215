"""Go: ``go build`` and ``go test -json``.

Above: ``ecosystems``. Below: ``compiler_lines``, ``go_events``.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

from groundwire.operations.building.compiler_lines import ANY, read_lines
from groundwire.operations.building.ecosystems.go_events import live_event, read_events
from groundwire.operations.building.model import NOTHING_SEEN, Ecosystem, Plan, Ran, Reading, Step, Wanted
from groundwire.operations.building.sources import Sources
from groundwire.operations.files.workspace_files import WorkspaceFiles

_INSTALL = "Install Go (https://go.dev/dl), and put it on the path."
_NO_PACKAGES = "matched no packages"
_MOST_LISTED = 6
_USE = re.compile(r"^use\s*(?:\(([^)]*)\)|(\S+))", re.MULTILINE)
_TEST_FUNCTION = re.compile(r"^func ((?:Test|Example|Fuzz)\w*)\(", re.MULTILINE)


def build(wanted: Wanted) -> Plan:
    """Everything is compiled; what it makes is not kept."""
    go = wanted.project.programs.find("go", install=_INSTALL)
    chosen = packages(wanted)
    words = (str(go), "build", "-o", os.devnull, *chosen)
    step = Step(tool="go build", words=words, directory=wanted.root, read=_reader(len(chosen)))
    return Plan(steps=(step,), note=_left_out(wanted))


def _reader(patterns: int) -> Callable[[Ran, Sources], Reading]:
    """Of so many patterns one may well match nothing; all of them must not."""

    def read(ran: Ran, sources: Sources) -> Reading:
        reading = read_lines(ANY)(ran, sources)
        is_nothing = not reading.problems and ran.text.count(_NO_PACKAGES) >= patterns
        return NOTHING_SEEN if is_nothing else reading

    return read


def test(wanted: Wanted) -> Plan:
    """Of a file of tests, those that it declares."""
    go = wanted.project.programs.find("go", install=_INSTALL)
    words = (str(go), "test", "-json", *_selection(wanted), *packages(wanted))
    step = Step(
        tool="go test",
        words=words,
        directory=wanted.root,
        read=read_events(wanted.root, _modules(wanted.root)),
        is_test=True,
        report="the events of go test -json",
        live=live_event,
    )
    return Plan(steps=(step,), note=_left_out(wanted))


def packages(wanted: Wanted) -> tuple[str, ...]:
    """A directory with all below it, a file as its package."""
    if not wanted.paths:
        return tuple(f"{name.rstrip('/')}/..." for name in _modules(wanted.root))
    return tuple(dict.fromkeys(_package(wanted, path) for path in wanted.paths))


def _modules(root: Path) -> tuple[str, ...]:
    """The directories of the modules that belong together: those that a ``go.work`` uses, else the one of the root."""
    try:
        text = re.sub(r"//.*", "", (root / "go.work").read_text("utf-8", "replace"))
    except OSError:
        return (".",)
    lists = [one or many for many, one in _USE.findall(text)]
    names = (word.strip('"`') for each in lists for word in each.split())
    return tuple(name if name.startswith((".", "/")) else f"./{name}" for name in names) or (".",)


def _left_out(wanted: Wanted) -> str:
    """Directories with a module of their own: no pattern reaches into them."""
    if wanted.paths:
        return ""
    used = {(wanted.root / name).resolve() for name in _modules(wanted.root)}
    files = (file for file in WorkspaceFiles(wanted.root) if file.name == "go.mod" and file.parent not in used)
    inner = [wanted.relative(file.parent) for file in files if file.parent != wanted.root]
    return f"modules of their own were left out: {', '.join(inner[:_MOST_LISTED])}" if inner else ""


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
