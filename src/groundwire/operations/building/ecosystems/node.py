"""JavaScript and TypeScript: which tool a project means, by its script, what is installed, and what it configures.

A script that is one plain command of a known tool stands for that tool with the words of the script; any other script
is a command line of the project. Above: ``ecosystems``. Below: ``node_package``, ``node_tools``.
"""

from pathlib import Path

from groundwire.errors import CapabilityMissing
from groundwire.operations.building.compiler_lines import GNU, MSVC, read_lines
from groundwire.operations.building.ecosystems.node_package import Package
from groundwire.operations.building.ecosystems.node_tools import (
    TEST_TOOLS,
    eslint_step,
    node_test_step,
    references_of,
    tsc_step,
)
from groundwire.operations.building.model import Counts, Ecosystem, Plan, Project, Ran, Reading, Step, Wanted
from groundwire.operations.building.programs import NODE_BIN
from groundwire.operations.building.sources import Sources
from groundwire.operations.building.tap import tap_reading
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.registry.markers import directories_up, first_marker

_ESLINT = (
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.cjs",
    "eslint.config.ts",
    ".eslintrc*",
    "package.json:eslintConfig",
)
_TSCONFIG = "tsconfig.json"
_CONFIGURED = {"vitest": "vitest.*", "jest": "jest.config.*", "mocha": ".mocharc*"}
_TESTS = (".test.", ".spec.", "_test.", "-test.")
_ENDINGS = (".js", ".mjs", ".cjs")


def build(wanted: Wanted) -> Plan:
    """Types, else the linter that is configured, else the project's own script."""
    root, package = wanted.root, Package.read(wanted.root)
    if (root / _TSCONFIG).is_file():
        return _types(wanted, root / _TSCONFIG)
    if first_marker(root, _ESLINT):
        return Plan(steps=(eslint_step(wanted),), note="checked by eslint, which the project configures")
    if "build" in package.scripts:
        return Plan(steps=(_script_step(wanted, package, "build"),))
    raise CapabilityMissing(
        "there is nothing to build: no tsconfig.json, no configuration of eslint, no script named build",
        hint="Give a path with one of them, or run_tests.",
    )


def _types(wanted: Wanted, config: Path) -> Plan:
    references, has_no_files = references_of(config)
    note = ""
    if references and not has_no_files:
        note = f"projects that {config.name} refers to were left out: {', '.join(references)}"
    return Plan(steps=(tsc_step(wanted, config, is_whole=bool(references) and has_no_files),), note=note)


def is_built(project: Project) -> bool:
    """Whether there is a way."""
    named = "build" in Package.read(project.root).scripts
    return named or bool(first_marker(project.root, (_TSCONFIG, *_ESLINT)))


def test(wanted: Wanted) -> Plan:
    """By the script named test, else by the one tool that is there, else by what node itself brings."""
    package = Package.read(wanted.root)
    script = package.scripts.get("test", "")
    if script and not package.is_placeholder(script):
        plain = package.plain_command(script)
        if plain and plain[0] in TEST_TOOLS:
            return Plan(steps=(TEST_TOOLS[plain[0]](wanted, plain[1:]),))
        return Plan(steps=(_script_step(wanted, package, "test"),))
    for name in _installed(wanted.project):
        return Plan(steps=(TEST_TOOLS[name](wanted, ()),), note=f"{name} is what is installed")
    if _has_node_tests(wanted.root):
        return Plan(steps=(node_test_step(wanted, ("--test",)),), note="no script named test: node --test")
    raise CapabilityMissing(
        "no test tool is known here", hint='Name one in package.json: "scripts": {"test": "vitest run"}'
    )


def is_tested(project: Project) -> bool:
    """Whether there is a way."""
    package = Package.read(project.root)
    script = package.scripts.get("test", "")
    is_meant = bool(script) and not package.is_placeholder(script)
    return is_meant or bool(_installed(project)) or _has_node_tests(project.root)


def _installed(project: Project) -> list[str]:
    """What the project, or one around it, says that it uses: other packages bring along what they need."""
    above = list(directories_up(project.root, project.workspace))
    needs = frozenset[str]().union(*(Package.read(directory).needs for directory in above))
    return [
        name
        for name, config in _CONFIGURED.items()
        if project.programs.own(name, NODE_BIN) is not None
        and (name in needs or any(first_marker(directory, (config,)) for directory in above))
    ]


def _has_node_tests(root: Path) -> bool:
    """A collection of packages leaves the choice to each of them."""
    return not Package.read(root).is_collection and any(
        file.suffix in _ENDINGS and any(sign in file.name for sign in _TESTS) for file in WorkspaceFiles(root)
    )


def _script_step(wanted: Wanted, package: Package, name: str) -> Step:
    """A command line of the project: the file that holds it must be trusted."""
    programs = wanted.project.programs
    programs.require_trusted_lines(wanted.root / "package.json", f"the script {name!r} ({package.scripts[name]})")
    manager = package.manager
    extra = tuple(wanted.relative(path) for path in wanted.paths)
    words = (str(programs.find(manager)), "run", name, *(("--", *extra) if extra else ()))
    read = _read_script if name == "test" else read_lines(MSVC, GNU)
    return Step(tool=f"{manager} run {name}", words=words, directory=wanted.root, read=read, is_test=name == "test")


def _read_script(ran: Ran, sources: Sources) -> Reading:
    """TAP, where it prints that; else nobody knows what its tests said."""
    found = tap_reading(ran.stdout, sources)
    return found or Reading(doubt="the script reports nothing that can be read", counts=Counts())


NODE = Ecosystem(
    id="node",
    languages=("typescript", "javascript", "typescriptreact", "javascriptreact"),
    markers=("package.json", "tsconfig.json"),
    suffixes=frozenset({".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"}),
    build=build,
    test=test,
    is_built=is_built,
    is_tested=is_tested,
)
