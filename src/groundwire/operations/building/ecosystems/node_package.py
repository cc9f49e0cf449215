"""What ``package.json`` says: scripts, and who runs them.

Above: ``node``. Below: ``reports``.
"""

import re
import shlex
from pathlib import Path

import msgspec

from groundwire.operations.building.reports import Unreadable, as_object, read_json, text_of

_PLAIN_WORDS = re.compile(r"[\w@%+=:,./ '\"*-]+")
_LOCKS = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
)
_NEEDS = ("dependencies", "devDependencies", "optionalDependencies")
_RUNNERS = frozenset({"npx", "bunx"})
_SETTING = re.compile(r"[A-Z_][A-Z0-9_]*=")


class Package(msgspec.Struct, frozen=True):
    """Of one directory; empty where there is none that can be read."""

    scripts: dict[str, str]
    manager: str
    needs: frozenset[str] = frozenset()
    """The packages that it names as its own, for whatever purpose."""
    is_collection: bool = False
    """It holds other packages, which have tests of their own."""

    @classmethod
    def read(cls, root: Path) -> "Package":
        """As it is now."""
        try:
            told = read_json(root / "package.json")
        except Unreadable:
            told = {}
        scripts = {name: text_of(line) for name, line in as_object(told.get("scripts")).items()}
        needs = frozenset(name for key in _NEEDS for name in as_object(told.get(key)))
        is_collection = bool(told.get("workspaces")) or (root / "pnpm-workspace.yaml").exists()
        return cls(scripts, _manager(root, text_of(told.get("packageManager"))), needs, is_collection)

    def is_placeholder(self, script: str) -> bool:
        """What ``npm init`` writes."""
        return "no test specified" in script

    def plain_command(self, script: str) -> tuple[str, ...]:
        """The words of a script that is one command without anything of a shell; none for any other."""
        if not _PLAIN_WORDS.fullmatch(script):
            return ()
        try:
            words = shlex.split(script)
        except ValueError:
            return ()
        if words and words[0] in _RUNNERS:
            words = words[1:]
        return () if not words or _SETTING.match(words[0]) else tuple(words)


def _manager(root: Path, named: str) -> str:
    known = named.partition("@")[0]
    if known in ("npm", "pnpm", "yarn", "bun"):
        return known
    found = (manager for above in (root, *root.parents) for lock, manager in _LOCKS if (above / lock).exists())
    return next(found, "npm")
