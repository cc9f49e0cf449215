"""What ``.gitignore`` files keep out, as far as that is cheap to tell: for a walk that wants no build products.

Of the syntax it knows names, paths, ``*``, ``?``, ``[a-z]``, ``**/`` in front and ``!``; a line with anything else is
passed over, so more may be entered than git would, and hardly ever less. git itself is not asked: it takes time, and a
repository can have it run commands. Above: ``outputs``, ``workspace_files``. Below: the file system.
"""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

_LARGEST = 256 * 1024


class _Rule(NamedTuple):
    pattern: str
    keeps: bool
    is_path: bool
    only_directories: bool


class IgnoreFile:
    """The rules of one directory, for everything below it."""

    def __init__(self, directory: Path, text: str) -> None:
        self._directory = directory
        self._rules = [rule for line in text.splitlines() if (rule := _rule(line)) is not None]

    def verdict(self, path: Path, *, is_directory: bool) -> bool | None:
        """Whether the path is kept out; None when no rule is about it. The last rule that fits decides."""
        relative = path.relative_to(self._directory).as_posix()
        for rule in reversed(self._rules):
            if rule.only_directories and not is_directory:
                continue
            if _fits(rule, relative, path.name):
                return not rule.keeps
        return None


def read_ignore_file(directory: Path) -> IgnoreFile | None:
    """The rules that lie in a directory, if any."""
    file = directory / ".gitignore"
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        return IgnoreFile(directory, file.read_text("utf-8", "replace"))
    except OSError:  # what cannot be read keeps nothing out
        return None


def is_ignored(path: Path, rules: tuple[IgnoreFile, ...], *, is_directory: bool) -> bool:
    """Whether the rules of the directories above, outermost first, keep a path out; the innermost decides."""
    verdicts = (file.verdict(path, is_directory=is_directory) for file in reversed(rules))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _fits(rule: _Rule, relative: str, name: str) -> bool:
    if not rule.is_path:
        return fnmatchcase(name, rule.pattern)
    parts, patterns = relative.split("/"), rule.pattern.split("/")
    # `*` does not cross a slash, so part by part.
    return len(parts) == len(patterns) and all(map(fnmatchcase, parts, patterns))


def _rule(line: str) -> _Rule | None:
    pattern = line.rstrip()
    if not pattern or pattern.startswith("#") or "\\" in pattern:
        return None
    keeps = pattern.startswith("!")
    pattern = pattern.removeprefix("!").removesuffix("/**").removeprefix("**/")
    only_directories = line.rstrip().endswith(("/", "/**"))
    pattern = pattern.rstrip("/")
    is_path = "/" in pattern
    pattern = pattern.removeprefix("/")
    return None if not pattern or "**" in pattern else _Rule(pattern, keeps, is_path, only_directories)
