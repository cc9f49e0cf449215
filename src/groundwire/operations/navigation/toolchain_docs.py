"""What a language's own tools say of a symbol: ``go doc`` and ``pydoc``, run so that no code of the project runs.

``go doc`` reads sources. ``pydoc`` imports what it documents, so it sees the standard library and installed packages
only: the workspace is neither its directory nor on its path. Above: ``documentation``. Below: ``program_output``,
``documented_text``, ``pydoc_child``.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from groundwire.operations.operation import Call
from groundwire.operations.program_output import Ran, run_program
from groundwire.operations.text.documented_text import Parts, parse_go_doc, parse_pydoc
from groundwire.operations.waiting import Waiting
from groundwire.registry.binaries import executables_named
from groundwire.registry.environments import find_environment

TOOLCHAINS: Mapping[str, str] = {"go": "go doc", "python": "pydoc"}
"""Language → what is asked."""

_MOST_CHARS = 20_000
_LONGEST_NAME = 300
_PYDOC = Path(__file__).with_name("pydoc_child.py")
_GO_NAME = re.compile(r"\w[\w./~-]*")
_PYTHON_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_EFFECTIVE_MODULES = frozenset({"antigravity", "this", "idlelib", "turtledemo", "test"})
"""Modules of the standard library that do something when they are imported."""
_GO_VARIABLES = {"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOVCS": "*:off", "CGO_ENABLED": "0"}
"""Nothing is downloaded, and no program is run that the project names."""
_UNSET_FOR_PYTHON = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "BROWSER", "DISPLAY")


class ToolchainDoc(msgspec.Struct, frozen=True):
    """What it said; ``doubt`` says why it could not be asked, or not to the end. Neither: it knows no such symbol."""

    signature: str = ""
    doc: str = ""
    doubt: str = ""

    @property
    def is_known(self) -> bool:
        """Whether it said anything."""
        return bool(self.signature or self.doc)


async def toolchain_doc(call: Call, language: str, symbol: str, file: Path | None) -> ToolchainDoc:
    """Ask the tools of a language; ``file`` tells the package in which Go looks for what is not qualified."""
    if len(symbol) > _LONGEST_NAME:
        return ToolchainDoc()
    with Waiting(call, lambda: f"asking {TOOLCHAINS[language]} for {symbol}"):
        return await (_go_doc(call, symbol, file) if language == "go" else _pydoc(call, symbol, file))


async def _go_doc(call: Call, symbol: str, file: Path | None) -> ToolchainDoc:
    name = symbol.replace("(*", "").replace("(", "").replace(")", "")
    if not _GO_NAME.fullmatch(name):
        return ToolchainDoc()
    go = _program(call, "go")
    if go is None:
        return ToolchainDoc(doubt="there is no go that may be run")
    directory = file.parent if file is not None else call.pool.workspace
    environment = {**os.environ, **_GO_VARIABLES}
    # Of the package at hand everything, exported or not. Else the name says of which package, which may be any.
    for question in (("-u", ".", name), (name,)):
        ran = await run_program((str(go), "doc", "-c", *question), directory, environment, call.deadline)
        if ran.doubt or ran.code == 0:
            return _told(ran, parse_go_doc)
    return ToolchainDoc()


async def _pydoc(call: Call, symbol: str, file: Path | None) -> ToolchainDoc:
    parts = symbol.split(".")
    is_harmless = "__main__" not in parts and parts[0] not in _EFFECTIVE_MODULES
    if not _PYTHON_NAME.fullmatch(symbol) or not is_harmless or _is_own_module(parts[0], call.pool.workspace, file):
        return ToolchainDoc()
    environment = {name: value for name, value in os.environ.items() if name not in _UNSET_FOR_PYTHON}
    command = (str(_python(call, file)), "-I", "-S", "-B", str(_PYDOC), symbol)
    # Any directory but one of the project's; isolated, it is not on the path in any case.
    ran = await run_program(command, Path(Path(sys.executable).anchor), environment, call.deadline)
    return _told(ran, parse_pydoc) if ran.doubt or ran.code == 0 else ToolchainDoc()


def _told(ran: Ran, parse: Callable[[str], Parts]) -> ToolchainDoc:
    if not ran.text.strip():
        return ToolchainDoc(doubt=ran.doubt)
    signature, doc = parse(ran.text)
    if len(doc) > _MOST_CHARS:
        doc = f"{doc[:_MOST_CHARS]}\n… and {len(doc) - _MOST_CHARS:,} more characters"
    return ToolchainDoc(signature, doc, ran.doubt)


def _is_own_module(name: str, workspace: Path, file: Path | None) -> bool:
    """Whether the project has a module of that name: an installed copy of it may be another than the one at hand."""
    inner = [above for above in file.parents if above.is_relative_to(workspace)] if file is not None else []
    places = {workspace, workspace / "src", workspace / "lib", *inner}
    return any((place / name).is_dir() or (place / f"{name}.py").is_file() for place in places)


def _python(call: Call, file: Path | None) -> Path:
    """The interpreter of the project's environment where that may be run, else the user's, else our own."""
    root = file.parent if file is not None else call.pool.workspace
    own = find_environment(root, call.pool.workspace, os.environ)
    if own is not None and not call.pool.settings.program_gate(own.python):
        return own.python
    return _program(call, "python3") or _program(call, "python") or Path(sys.executable)


def _program(call: Call, name: str) -> Path | None:
    """The first on the path that may be run."""
    gate = call.pool.settings.program_gate
    return next((program for program in _on_path(name) if not gate(program)), None)


def _on_path(name: str) -> Iterator[Path]:
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        if Path(entry).is_absolute():
            yield from executables_named(Path(entry), name)
