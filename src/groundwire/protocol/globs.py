"""LSP glob patterns over absolute paths with forward slashes.

A relative pattern is taken from a base (a workspace root, or the base of a ``RelativePattern``); an absolute one stands
for itself. In doubt a pattern matches more rather than less: a change told without need costs little, a missed one
makes an answer stale.

Above: ``workspace.changes``. Below: ``uris``, ``lsp``, wcmatch (which is asked for the match only, never for files).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from wcmatch import glob as wcglob

from groundwire import errors
from groundwire.protocol.lsp import FileSystemWatcher, RelativePattern
from groundwire.protocol.uris import uri_to_path

_FLAGS = wcglob.GLOBSTAR | wcglob.DOTGLOB | wcglob.FORCEUNIX
_MAX_ALTERNATIVES = 1000
_REPEATED_GLOBSTAR = re.compile(r"(?<![^/])\*\*(/\*\*)+(?![^/])")
_WILDCARD = re.compile(r"[*?\[]")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:/")


class Glob:
    """One pattern. Relative, it is matched below each of ``bases``, or at any depth of any path if there is none."""

    def __init__(self, pattern: str, *bases: str, windows: bool = False) -> None:
        self.pattern = pattern
        self._windows = windows
        self._bases = [self._canonical(base) for base in bases]
        alternatives = _expand_braces(pattern.replace("\\", "/") if windows else pattern)
        self.directory_names = frozenset(name for each in alternatives for name in _directories(each))
        """The directories that the pattern names in full, without a wildcard."""
        places = [place for each in alternatives for place in _places(each, self._bases)]
        self.directories = frozenset(path for path, is_whole in places if not is_whole)
        """Where all that it matches lies, as deep as it can be told; none where that may be anywhere."""
        self.files = frozenset(path for path, is_whole in places if is_whole)
        """What it matches where it has no wildcard."""
        self._absolute = _Matcher((each for each in alternatives if _ABSOLUTE.match(each)), windows)
        below = [each for each in alternatives if not _ABSOLUTE.match(each)]
        self._relative = _Matcher(below if bases else (f"**/{each}" for each in below), windows)

    def matches(self, path: str) -> bool:
        """Whether the pattern takes in this absolute path."""
        path = self._canonical(path)
        if self._absolute.matches(path):
            return True
        if not self._bases:
            return self._relative.matches(path[1:])
        below = (_below(path, base) for base in self._bases)
        return any(rest is not None and self._relative.matches(rest) for rest in below)

    def _canonical(self, path: str) -> str:
        path = path.replace("\\", "/").lower() if self._windows else path
        return path.rstrip("/")

    def __repr__(self) -> str:
        return f"Glob({', '.join(map(repr, [self.pattern, *self._bases]))})"


def compile_glob(watcher: FileSystemWatcher, roots: Sequence[str], *, windows: bool = False) -> Glob:
    """The pattern of a watcher, relative to the workspace roots where it names no base of its own."""
    pattern = watcher.glob_pattern
    if isinstance(pattern, RelativePattern):
        return Glob(pattern.pattern, uri_to_path(pattern.base, windows=windows), windows=windows)
    spelled = pattern.replace("\\", "/") if windows else pattern
    # Servers put the root before the pattern as it is, so a "[" in it is no wildcard; some forget the slash after it.
    for root in sorted(roots, key=len, reverse=True):
        rest = _after_root(spelled, root.replace("\\", "/") if windows else root, windows)
        if rest is not None:
            return Glob(rest, root, windows=windows)
    return Glob(spelled, *roots, windows=windows)


class _Matcher:
    """Any of some brace-free patterns."""

    def __init__(self, patterns: Iterable[str], windows: bool) -> None:
        widened = [each for pattern in patterns for each in _widen(pattern)]
        self._takes_the_base = "" in widened
        flags = _FLAGS | (wcglob.IGNORECASE if windows else 0)
        wanted = [each for each in widened if each]
        self._compiled = wcglob.compile(wanted, flags=flags, limit=0) if wanted else None

    def matches(self, path: str) -> bool:
        if not path:
            return self._takes_the_base
        return self._compiled is not None and self._compiled.match(path)


def _directories(pattern: str) -> list[str]:
    return [name for name in pattern.split("/")[:-1] if name and not _WILDCARD.search(name)]


def _places(pattern: str, bases: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """The path up to the first wildcard, below each base, and whether there is none."""
    names = pattern.split("/")
    plain = next((at for at, name in enumerate(names) if _WILDCARD.search(name)), len(names))
    for base in ("",) if _ABSOLUTE.match(pattern) else bases:
        yield "/".join([*([base] if base else ()), *names[:plain]]), plain == len(names)


def _widen(pattern: str) -> list[str]:
    """``a/**`` takes in ``a`` itself, as ``**`` may be no segment; ``a**`` is read as everything from ``a`` on."""
    pattern = _REPEATED_GLOBSTAR.sub("**", pattern)
    if pattern == "**":
        return [pattern, ""]
    if pattern.endswith("/**"):
        return [pattern, pattern[:-3]]
    if pattern.endswith("**"):
        return [pattern[:-1], f"{pattern[:-1]}/**"]
    return [pattern]


def _below(path: str, base: str) -> str | None:
    """``path`` as seen from ``base``, or ``None`` if it is not below it."""
    if not path.startswith(base):
        return None
    rest = path[len(base) :]
    return rest[1:] if rest.startswith("/") or not rest else None


def _after_root(pattern: str, root: str, windows: bool) -> str | None:
    root = root.rstrip("/")
    same = pattern[: len(root)].lower() == root.lower() if windows else pattern.startswith(root)
    rest = pattern[len(root) :]
    if not same or not root or not (rest.startswith(("/", "**")) or not rest):
        return None
    return rest.lstrip("/")


def _expand_braces(pattern: str) -> list[str]:
    """Every alternative written out. Unlike in a shell, one alternative alone, ``{a}``, is a group too."""
    alternatives = list(islice(_alternatives(pattern), _MAX_ALTERNATIVES + 1))
    if len(alternatives) > _MAX_ALTERNATIVES:
        raise errors.InvalidArgument(f"the glob {pattern!r} has more than {_MAX_ALTERNATIVES} alternatives")
    return alternatives


def _alternatives(pattern: str) -> Iterator[str]:
    for start in (index for index, character in enumerate(pattern) if character == "{"):
        group = _group_at(pattern, start)
        if group is not None:
            options, end = group
            for option in options:
                yield from _alternatives(pattern[:start] + option + pattern[end:])
            return
    yield pattern


def _group_at(pattern: str, start: int) -> tuple[list[str], int] | None:
    """The options of the group whose ``{`` is at ``start`` and the index after its ``}``; ``None`` if it never ends."""
    depth, option_start = 0, start + 1
    options: list[str] = []
    for index in range(start, len(pattern)):
        character = pattern[index]
        depth += (character == "{") - (character == "}")
        if depth == 0 or (depth == 1 and character == ","):
            options.append(pattern[option_start:index])
            option_start = index + 1
        if depth == 0:
            return options, index + 1
    return None
