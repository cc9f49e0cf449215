"""The shape of the source: which way imports point, what the pure packages keep from, and how large things are.

Each check is a function over sources, shown able to fail on a small made-up one before it is put to ours.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "groundwire"
PURE = ("groundwire.errors", "groundwire.protocol", "groundwire.workspace")
FORBIDDEN_IN_PURE = frozenset(
    {"anyio", "asyncio", "io", "multiprocessing", "os", "pathlib", "selectors", "shutil", "signal", "socket"}
    | {"subprocess", "tempfile", "threading", "time"}
)
MAY_CATCH_EVERYTHING = {
    "groundwire.client.dispatch",  # the inbound dispatch
    "groundwire.surfaces.cli.main",  # the edge of a surface
    "groundwire.surfaces.mcp.edge",  # the edge of a surface
    "groundwire.daemon.server",  # the daemon's connection loop
    "groundwire.extensions.boundary",  # the code of somebody else
}
LAZY = (
    "groundwire.surfaces.cli",
    "groundwire.background",
    "groundwire.surfaces.http.mcp_endpoint",
    "groundwire.daemon.calls",
    "groundwire.config.layers",
    "groundwire.operations.command_questions",
)
"""They start a process, or are all that most processes need, and load the rest when it is known to be needed."""
MAX_FILE, MAX_FUNCTION = 350, 40

Sources = Mapping[str, str]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def our_sources() -> dict[str, str]:
    return {_module(path): path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


@cache
def parsed(source: str) -> ast.Module:
    """Every check looks at the same sources."""
    return ast.parse(source)


def _module(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _is_for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _walk(node: ast.AST, *, into_functions: bool) -> Iterator[ast.AST]:
    """Everything that runs: what is there for type checkers only is left out, functions on request."""
    for child in ast.iter_child_nodes(node):
        if _is_for_types_only(child) or (isinstance(child, Function) and not into_functions):
            continue
        yield child
        yield from _walk(child, into_functions=into_functions)


def imported_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def _imports(source: str, *, into_functions: bool) -> Iterator[tuple[int, str]]:
    for node in _walk(parsed(source), into_functions=into_functions):
        for name in imported_names(node):
            yield getattr(node, "lineno", 0), name


def import_cycles(sources: Sources) -> list[str]:
    graph: dict[str, set[str]] = {}
    for module, source in sources.items():
        names = [name for _, name in _imports(source, into_functions=False)]
        # Of ``from a import b``, b may be a module itself or something in a.
        targets = {name if name in sources else name.rpartition(".")[0] for name in names}
        graph[module] = {target for target in targets if target in sources and target != module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [f"modules import one another in a circle: {' → '.join(reversed(error.args[1]))}"]
    return []


def input_or_output_in_pure_modules(sources: Sources) -> list[str]:
    return [
        f"{module}:{line}: {name} has no place in a module that does no input or output"
        for module, source in sources.items()
        if is_within(module, *PURE)
        for line, name in _imports(source, into_functions=True)
        if name.partition(".")[0] in FORBIDDEN_IN_PURE
    ]


def _is_everything(expression: ast.expr | None) -> bool:
    if expression is None:
        return True
    names = expression.elts if isinstance(expression, ast.Tuple) else [expression]
    return any(ast.unparse(name) in ("Exception", "BaseException") for name in names)


def _swallows_everything(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        last = node.body[-1]
        is_passed_on = isinstance(last, ast.Raise) and last.exc is None
        return _is_everything(node.type) and not is_passed_on
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("suppress", "contextlib.suppress"):
        return any(_is_everything(argument) for argument in node.args)
    return False


def errors_swallowed_wholesale(sources: Sources) -> list[str]:
    return [
        f"{module}:{getattr(node, 'lineno', 0)}: everything is caught here; only the outermost edges may do that"
        for module, source in sources.items()
        if module not in MAY_CATCH_EVERYTHING
        for node in ast.walk(parsed(source))
        if _swallows_everything(node)
    ]


def files_too_long(sources: Sources) -> list[str]:
    lengths = {module: len(source.splitlines()) for module, source in sources.items()}
    return [f"{module}: {lines} lines (at most {MAX_FILE})" for module, lines in lengths.items() if lines > MAX_FILE]


def _functions(source: str) -> Iterator[Function]:
    return (node for node in ast.walk(parsed(source)) if isinstance(node, Function))


def functions_too_long(sources: Sources) -> list[str]:
    return [
        f"{module}:{function.lineno}: {function.name} has {lines} lines (at most {MAX_FUNCTION})"
        for module, source in sources.items()
        for function in _functions(source)
        if (lines := (function.end_lineno or function.lineno) - function.lineno + 1) > MAX_FUNCTION
    ]


def own_imports_within_functions(sources: Sources) -> list[str]:
    return [
        f"{module}:{getattr(node, 'lineno', 0)}: {name} is imported within {function.name}; imports stand at the top"
        for module, source in sources.items()
        if not is_within(module, *LAZY)
        for function in _functions(source)
        for node in ast.walk(function)
        for name in imported_names(node)
        if is_within(name, "groundwire")
    ]


CHECKS = [
    import_cycles,
    input_or_output_in_pure_modules,
    errors_swallowed_wholesale,
    files_too_long,
    functions_too_long,
    own_imports_within_functions,
]
Check = Callable[[Sources], list[str]]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_our_sources_have_no(check: Check) -> None:
    found = check(our_sources())
    assert not found, "\n" + "\n".join(found)


def test_our_sources_are_the_whole_package() -> None:
    sources = our_sources()
    assert "groundwire" in sources
    assert "groundwire.workspace.settle" in sources
    assert "import" in sources["groundwire.client.session"]


def function_of(lines: int) -> str:
    return "def long() -> None:\n" + "    pass\n" * (lines - 1)


BROKEN: list[tuple[Check, Sources, str]] = [
    (
        import_cycles,
        {"groundwire.a": "from groundwire.b import x", "groundwire.b": "from groundwire import a"},
        "groundwire.a → groundwire.b",
    ),
    (import_cycles, {"groundwire.a": "import groundwire.b", "groundwire.b": "import groundwire.a"}, "circle"),
    (
        input_or_output_in_pure_modules,
        {"groundwire.workspace.x": "import os.path"},
        "groundwire.workspace.x:1: os.path",
    ),
    (input_or_output_in_pure_modules, {"groundwire.errors": "from time import time"}, "time.time"),
    (input_or_output_in_pure_modules, {"groundwire.protocol.x": "def f():\n    import asyncio"}, ":2: asyncio"),
    (errors_swallowed_wholesale, {"groundwire.pool.x": "try: f()\nexcept Exception: pass"}, "groundwire.pool.x:2"),
    (errors_swallowed_wholesale, {"groundwire.pool.x": "try: f()\nexcept: raise X()"}, "groundwire.pool.x:2"),
    (errors_swallowed_wholesale, {"groundwire.pool.x": "try: f()\nexcept (OSError, Exception): pass"}, ":2"),
    (errors_swallowed_wholesale, {"groundwire.pool.x": "with contextlib.suppress(Exception): f()"}, ":1"),
    (files_too_long, {"groundwire.x": "pass\n" * (MAX_FILE + 1)}, "groundwire.x: 351 lines"),
    (functions_too_long, {"groundwire.x": function_of(MAX_FUNCTION + 1)}, "groundwire.x:1: long has 41 lines"),
    (
        functions_too_long,
        {"groundwire.x": "class A:\n    async def long(self):\n" + "        pass\n" * 41},
        "groundwire.x:2: long has 42 lines",
    ),
    (own_imports_within_functions, {"groundwire.x": "def f():\n    from groundwire import y"}, ":2: groundwire.y"),
    (own_imports_within_functions, {"groundwire.x": "def f():\n    import groundwire.y"}, "within f"),
]


@pytest.mark.parametrize(("check", "sources", "complaint"), BROKEN)
def test_a_made_up_source_that_breaks_a_rule_is_found(check: Check, sources: Sources, complaint: str) -> None:
    assert complaint in "\n".join(check(sources))


FINE: list[tuple[Check, Sources]] = [
    (import_cycles, {"groundwire.a": "from groundwire.b import x", "groundwire.b": "import os"}),
    (
        import_cycles,
        {
            "groundwire.a": "if TYPE_CHECKING:\n    from groundwire.b import x",
            "groundwire.b": "from groundwire.a import y",
        },
    ),
    (import_cycles, {"groundwire.a": "from groundwire.a import x"}),
    (input_or_output_in_pure_modules, {"groundwire.client.x": "import asyncio, os"}),
    (input_or_output_in_pure_modules, {"groundwire.workspace.x": "import operator\nfrom iotools import x"}),
    (errors_swallowed_wholesale, {"groundwire.pool.x": "try: f()\nexcept BaseException:\n    g()\n    raise"}),
    (errors_swallowed_wholesale, {"groundwire.client.dispatch": "try: f()\nexcept Exception: pass"}),
    (errors_swallowed_wholesale, {"groundwire.pool.x": "try: f()\nexcept OSError: pass"}),
    (files_too_long, {"groundwire.x": "pass\n" * MAX_FILE}),
    (functions_too_long, {"groundwire.x": function_of(MAX_FUNCTION)}),
    (own_imports_within_functions, {"groundwire.surfaces.cli.x": "def f():\n    from groundwire import y"}),
    (own_imports_within_functions, {"groundwire.x": "def f():\n    import json"}),
]


@pytest.mark.parametrize(("check", "sources"), FINE)
def test_a_made_up_source_that_keeps_the_rules_is_left_alone(check: Check, sources: Sources) -> None:
    assert check(sources) == []
