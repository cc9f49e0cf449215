"""Which files the answers of a server may depend on: all but those that it certainly does not read for code.

Above: ``reference_cache``. Below: ``registry.catalog``.
"""

from collections.abc import Callable
from pathlib import Path

from groundwire.registry.catalog import Catalog
from groundwire.registry.spec import ServerSpec

_NO_TEXT = frozenset({
    ".png", ".jpg", ".jpeg", ".gif", ".ico", ".webp", ".bmp", ".pdf", ".mp3", ".mp4", ".mov", ".wav", ".woff", ".woff2",
    ".ttf", ".otf", ".eot", ".log", ".swp", ".swo", ".pyc", ".pyo", ".o", ".db", ".sqlite", ".sqlite3", ".db-wal",
    ".db-shm", ".coverage", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".zip", ".7z",
})  # fmt: skip
_PROSE = frozenset({".md", ".markdown", ".rst", ".adoc", ".tex"})
_FAMILIES: tuple[frozenset[str], ...] = (
    frozenset({"python"}),
    frozenset({
        "javascript", "javascriptreact", "typescript", "typescriptreact", "vue", "svelte", "astro", "html", "css",
        "scss", "less", "graphql",
    }),
    frozenset({"c", "cpp", "objective-c", "objective-cpp", "cuda-cpp", "cuda", "go", "rust", "zig", "swift", "nim"}),
    frozenset({"java", "kotlin", "scala", "groovy", "clojure"}),
    frozenset({"csharp", "fsharp", "vb", "razor"}),
    frozenset({"ruby"}),
    frozenset({"php"}),
    frozenset({"lua", "luau"}),
    frozenset({"shellscript"}),
    frozenset({"elixir", "erlang"}),
)  # fmt: skip
"""Languages that read one another's files. Those of one family do not read another's; a language in none of them may
read everything, and may be read by all."""

_INCLUDES_ANYTHING = frozenset({"c", "cpp", "objective-c", "objective-cpp", "cuda-cpp", "cuda", "rust"})
"""Languages that take in files of any ending."""


def is_wanted(name: str) -> bool:
    """Whether a file of this name may be of concern to any server."""
    return not name.endswith("~") and name[max(name.rfind("."), 0) :].lower() not in _NO_TEXT


def is_code(catalog: Catalog) -> Callable[[str], bool]:
    """Whether a file is code, or names the commands by which code is built."""

    def decide(name: str) -> bool:
        language = catalog.language_of(Path(name))
        return name == "compile_commands.json" or (language is not None and not catalog.is_data(language))

    return decide


def relevance(spec: ServerSpec, catalog: Catalog) -> Callable[[str], bool]:
    """Whether files of a kind (an ending, or a name without one) may change what the server answers."""
    own = {family for family in map(_family, spec.languages) if family is not None}
    is_bounded = all(_family(each) is not None and each not in _INCLUDES_ANYTHING for each in spec.languages)
    decided: dict[str, bool] = {}

    def decide(kind: str) -> bool:
        language = catalog.language_of(Path(f"x{kind}" if kind.startswith(".") else kind))
        if language in spec.languages:
            return True
        if kind in _PROSE:
            return False
        family = _family(language) if language is not None else None
        return family is None or not is_bounded or family in own

    def is_relevant(kind: str) -> bool:
        if kind not in decided:
            decided[kind] = decide(kind)
        return decided[kind]

    return is_relevant


def _family(language: str) -> frozenset[str] | None:
    return next((family for family in _FAMILIES if language in family), None)
