"""How files with tests are named after what they test, by language, as data.

Pure. Above: ``tests_for_file``. Below: nothing.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePath

_SCRIPTS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_SCRIPT_NAMES = tuple(f"{{stem}}{mark}" for mark in (".test", ".spec", "-test", "_test", ".e2e", ".cy"))
_C = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".m", ".mm")
_C_NAMES = ("{stem}_test", "{stem}_tests", "{stem}_unittest", "test_{stem}", "{stem}-test", "{stem}Test", "Test{stem}")
_JVM = (".java", ".kt", ".kts", ".scala", ".groovy")
_JVM_NAMES = ("{stem}Test", "{stem}Tests", "{stem}TestCase", "{stem}Spec", "{stem}IT", "Test{stem}")
_OTHERS = ("{stem}_test", "{stem}_tests", "test_{stem}", "{stem}.test", "{stem}_spec", "{stem}Test", "{stem}Tests")

_RULES: Mapping[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {
    (".py", ".pyi"): (("test_{stem}", "{stem}_test", "tests_{stem}", "test{stem}"), (".py",)),
    (".go",): (("{stem}_test",), (".go",)),
    (*_SCRIPTS, ".vue", ".svelte", ".astro"): (_SCRIPT_NAMES, _SCRIPTS),
    (".rs",): (("{stem}_test", "{stem}_tests", "test_{stem}"), (".rs",)),
    _C: (_C_NAMES, _C),
    _JVM: (_JVM_NAMES, _JVM),
    (".cs",): (("{stem}Test", "{stem}Tests", "{stem}Facts", "{stem}Spec"), (".cs",)),
    (".swift",): (("{stem}Tests", "{stem}Test", "{stem}Spec"), (".swift",)),
    (".php",): (("{stem}Test", "{stem}Cest", "{stem}_test"), (".php",)),
    (".rb",): (("{stem}_spec", "{stem}_test", "test_{stem}"), (".rb",)),
    (".ex", ".exs"): (("{stem}_test",), (".exs",)),
    (".dart",): (("{stem}_test",), (".dart",)),
    (".lua", ".luau"): (("{stem}_spec", "{stem}.spec", "{stem}_test", "test_{stem}"), (".lua", ".luau")),
}
"""Endings of sources → names of their tests, and the endings of those."""

_INDEX = frozenset({"__init__", "index", "mod", "lib", "main"})
"""Names that say nothing: what they stand for is called after their directory."""


def names_of_tests(source: PurePath) -> frozenset[str]:
    """The names that a file with tests of this one may have."""
    return frozenset(_names(source))


def _names(source: PurePath) -> Iterator[str]:
    patterns, endings = next(
        (rule for known, rule in _RULES.items() if source.suffix in known), (_OTHERS, (source.suffix,))
    )
    stems = [source.stem]
    if source.stem in _INDEX and source.parent.name:
        stems.append(source.parent.name)
    for stem in stems:
        for pattern in patterns:
            yield from (pattern.replace("{stem}", stem) + ending for ending in endings)


def is_beside_only(source: PurePath) -> bool:
    """Whether tests stand in the directory of what they test, and nowhere else."""
    return source.suffix == ".go"
