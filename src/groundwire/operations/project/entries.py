"""Where the programs of a project begin, as its manifests say it: scripts, main files, executables. Pure.

Above: ``project_overview``. Below: ``results_project``.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple, cast

from groundwire.operations.results.project import EntryPoint

_GO_MAIN = re.compile(r"^package main\b", re.MULTILINE)
_GO_MAIN_FUNCTION = re.compile(r"^func main\(\)", re.MULTILINE)
_JAVA_MAIN = re.compile(r"<mainClass>\s*([\w.$]+)\s*</mainClass>")
_GRADLE_MAIN = re.compile(r"""\bmainClass(?:Name)?(?:\.set\(|\s*=\s*)\s*["']([\w.$]+)["']""")
_OUTPUT_EXE = re.compile(r"<OutputType>\s*(?:Win)?Exe\s*</OutputType>", re.IGNORECASE)
_WEB_SDK = re.compile(r"""Sdk=["']Microsoft\.NET\.Sdk\.(?:Web|Worker)["']""")
_MIX_MODULE = re.compile(r"\bmod:\s*\{\s*([\w.]+)|\bmain_module:\s*([\w.]+)")
_SWIFT_PROGRAM = re.compile(r"\.executableTarget\(\s*name:\s*\"([^\"]+)\"")
_CMAKE_PROGRAM = re.compile(r"^\s*add_executable\s*\(\s*([\w.+-]+)(?!\s+(?:IMPORTED|ALIAS)\b)", re.MULTILINE)
_GEM_PROGRAM = re.compile(r"\.executables\s*(?:=|<<)\s*(.+)")
_QUOTED = re.compile(r"""["']([\w.-]+)["']""")

Table = Mapping[str, object]


class Manifest(NamedTuple):
    """``names`` are all files of the project."""

    name: str
    text: str
    names: Collection[str]

    @property
    def directory(self) -> str:
        """With a slash at its end, or empty."""
        return self.name.rpartition("/")[0] + "/" if "/" in self.name else ""

    def point(self, name: str, kind: str, target: object) -> EntryPoint:
        return EntryPoint(name=name, kind=kind, target=str(target), manifest=self.name)

    def beside(self, path: str) -> str:
        """A file named from here, as the project names it, be it there or not."""
        return self.directory + path.removeprefix("./")


def entry_points(manifests: Mapping[str, str], names: Collection[str]) -> tuple[EntryPoint, ...]:
    """Of all manifests, in their order, and then what the names of files say by themselves."""
    found = [point for name, text in manifests.items() for point in _of_manifest(Manifest(name, text, names))]
    return tuple(dict.fromkeys((*found, *_by_name(names))))


def _of_manifest(manifest: Manifest) -> Iterator[EntryPoint]:
    path = PurePosixPath(manifest.name)
    read = _READERS.get(path.name) or _READERS.get(f"*{path.suffix}")
    if read is None:
        return
    try:
        yield from read(manifest)
    except (ValueError, RecursionError, configparser.Error):  # its own tools will say what is wrong with it
        return


def _by_name(names: Collection[str]) -> Iterator[EntryPoint]:
    for name in names:
        package, _, last = name.rpartition("/")
        if last == "__main__.py" and package:
            module = package.removeprefix("src/").replace("/", ".")
            yield EntryPoint(name=f"python -m {module}", kind="module", target=name, manifest=name)


def _python(manifest: Manifest) -> Iterator[EntryPoint]:
    data = cast("Table", tomllib.loads(manifest.text))
    project, poetry = _at(data, "project"), _at(data, "tool", "poetry")
    for table in (_at(project, "scripts"), _at(project, "gui-scripts"), _at(poetry, "scripts")):
        for name, target in table.items():
            said = _at(table, name).get("reference", target)
            yield manifest.point(name, "script", said)


def _setup(manifest: Manifest) -> Iterator[EntryPoint]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(manifest.text)
    for group in ("console_scripts", "gui_scripts"):
        for line in parser.get("options.entry_points", group, fallback="").splitlines():
            name, sign, target = line.partition("=")
            if sign:
                yield manifest.point(name.strip(), "script", target.strip())


def _node(manifest: Manifest) -> Iterator[EntryPoint]:
    data = _json(manifest.text)
    package = str(data.get("name") or manifest.directory.rstrip("/") or "package")
    programs = data.get("bin")
    if isinstance(programs, str):
        yield manifest.point(package.rpartition("/")[2], "script", manifest.beside(programs))
    for name, target in _at(data, "bin").items():
        yield manifest.point(name, "script", manifest.beside(str(target)))
    for key in ("main", "module"):
        if isinstance(data.get(key), str):
            yield manifest.point(package, key, manifest.beside(str(data[key])))


def _php(manifest: Manifest) -> Iterator[EntryPoint]:
    programs = _json(manifest.text).get("bin")
    for each in [programs] if isinstance(programs, str) else cast("list[object]", programs or []):
        yield manifest.point(str(each).rpartition("/")[2], "script", manifest.beside(str(each)))


def _rust(manifest: Manifest) -> Iterator[EntryPoint]:
    data = cast("Table", tomllib.loads(manifest.text))
    package = str(_at(data, "package").get("name", ""))
    programs = data.get("bin")
    declared = cast("list[Table]", programs) if isinstance(programs, list) else []
    for each in declared:
        name = str(each.get("name", package))
        yield manifest.point(name, "program", manifest.beside(str(each.get("path", f"src/bin/{name}.rs"))))
    own, others = manifest.beside("src/main.rs"), manifest.beside("src/bin/")
    if package and own in manifest.names and not any(each.get("path") == "src/main.rs" for each in declared):
        yield manifest.point(package, "program", own)
    for name in manifest.names:
        if name.startswith(others) and name.endswith(".rs") and "/" not in name.removeprefix(others):
            yield manifest.point(PurePosixPath(name).stem, "program", name)
    library = manifest.beside("src/lib.rs")
    if package and library in manifest.names:
        yield manifest.point(package, "library", library)


def _go(manifest: Manifest) -> Iterator[EntryPoint]:
    if _GO_MAIN.search(manifest.text) and _GO_MAIN_FUNCTION.search(manifest.text):
        directory = manifest.directory.rstrip("/")
        yield manifest.point(directory.rpartition("/")[2] or "main", "program", manifest.name)


def _matches(pattern: re.Pattern[str], kind: str) -> Callable[[Manifest], Iterator[EntryPoint]]:
    def read(manifest: Manifest) -> Iterator[EntryPoint]:
        for match in pattern.finditer(manifest.text):
            name = next(filter(None, match.groups()))
            yield manifest.point(name, kind, name)

    return read


def _dotnet(manifest: Manifest) -> Iterator[EntryPoint]:
    if _OUTPUT_EXE.search(manifest.text) or _WEB_SDK.search(manifest.text):
        main = manifest.beside("Program.cs")
        yield manifest.point(
            PurePosixPath(manifest.name).stem, "program", main if main in manifest.names else manifest.name
        )


def _ruby(manifest: Manifest) -> Iterator[EntryPoint]:
    for line in _GEM_PROGRAM.findall(manifest.text):
        for name in _QUOTED.findall(str(line)):
            files = [manifest.beside(f"{directory}/{name}") for directory in ("exe", "bin")]
            yield manifest.point(name, "script", next((file for file in files if file in manifest.names), name))


def _dart(manifest: Manifest) -> Iterator[EntryPoint]:
    main, programs = manifest.beside("lib/main.dart"), manifest.beside("bin/")
    if main in manifest.names:
        yield manifest.point("app", "main", main)
    for name in manifest.names:
        if name.startswith(programs) and name.endswith(".dart") and "/" not in name.removeprefix(programs):
            yield manifest.point(PurePosixPath(name).stem, "program", name)


_READERS: Mapping[str, Callable[[Manifest], Iterator[EntryPoint]]] = {
    "pyproject.toml": _python,
    "setup.cfg": _setup,
    "package.json": _node,
    "composer.json": _php,
    "Cargo.toml": _rust,
    "*.go": _go,
    "pom.xml": _matches(_JAVA_MAIN, "main"),
    "build.gradle": _matches(_GRADLE_MAIN, "main"),
    "build.gradle.kts": _matches(_GRADLE_MAIN, "main"),
    "mix.exs": _matches(_MIX_MODULE, "main"),
    "Package.swift": _matches(_SWIFT_PROGRAM, "program"),
    "CMakeLists.txt": _matches(_CMAKE_PROGRAM, "program"),
    "*.csproj": _dotnet,
    "*.fsproj": _dotnet,
    "*.gemspec": _ruby,
    "pubspec.yaml": _dart,
}


def _json(text: str) -> Table:
    data: object = json.loads(text.removeprefix("\ufeff"))
    return cast("Table", data) if isinstance(data, dict) else {}


def _at(table: Table, *keys: str) -> Table:
    """A table within a table; empty where there is none."""
    for key in keys:
        inner = table.get(key)
        table = cast("Table", inner) if isinstance(inner, dict) else {}
    return table
