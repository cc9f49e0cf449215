"""The allow-list: which directories may be worked in, and which workspace one belongs to.

A path is judged after its links are followed. Of what lies outside nothing is told, not even whether it is there.
Above: ``conversation_routes``, ``app``. Below: ``operations.workspace``.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from groundwire.errors import FileNotFound, InvalidArgument, OutsideWorkspace
from groundwire.operations.serving.workspace import find_workspace

LONGEST_PATH = 4096
_FIRST_PRINTABLE = 32
_DELETE = 127


class Allowed:
    """``roots`` are existing directories, one at least."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = tuple(dict.fromkeys(root.resolve() for root in roots))
        if not self.roots:
            raise InvalidArgument("no directory is allowed", hint="Name one: --root DIR.")

    @property
    def default(self) -> Path:
        """Where work is when nobody says where."""
        return self.roots[0]

    def resolve(self, named: str) -> Path:
        """The directory, without links. Raises InvalidArgument, OutsideWorkspace, FileNotFound."""
        _check_form(named)
        found = _without_links(named)
        if found is None or not self._holding(found):
            hint = "Name a directory at or below a --root of the service."
            raise OutsideWorkspace(f"{named!r} is not allowed", hint=hint)
        _check_is_directory(found, named)
        return found

    def workspace_of(self, cwd: Path) -> Path:
        """The repository round it, but never more than is allowed; else the directory itself."""
        holding = self._holding(cwd)
        if not holding:
            raise OutsideWorkspace(f"{str(cwd)!r} is not allowed")
        found = find_workspace(None, cwd / "any", cwd)
        return found if self._holding(found) else max(holding, key=lambda root: len(root.parts))

    def _holding(self, path: Path) -> list[Path]:
        return [root for root in self.roots if path.is_relative_to(root)]


def _without_links(named: str) -> Path | None:
    """None when the system does not say: what cannot be seen to be within is not."""
    try:
        return Path(os.path.realpath(named))
    except (OSError, ValueError):
        return None


def _check_form(named: str) -> None:
    hint = "Give the absolute path of a directory."
    if not named or len(named) > LONGEST_PATH:
        raise InvalidArgument(f"a path has 1 to {LONGEST_PATH} characters, not {len(named)}", hint=hint)
    if any(ord(character) < _FIRST_PRINTABLE or ord(character) == _DELETE for character in named):
        raise InvalidArgument("a path has no control characters", hint=hint)
    try:
        named.encode()
    except UnicodeEncodeError:
        raise InvalidArgument("a path is valid Unicode", hint=hint) from None
    # Two slashes lead to another machine where they lead anywhere.
    if not Path(named).is_absolute() or named[:2] in {"//", "\\\\"}:
        raise InvalidArgument(f"{named!r} is not an absolute path", hint=hint)


def _check_is_directory(found: Path, named: str) -> None:
    try:
        is_there, is_directory = found.exists(), found.is_dir()
        str(found).encode()
    except (OSError, UnicodeEncodeError):
        raise InvalidArgument(f"{named!r} cannot be looked at") from None
    if not is_there:
        raise FileNotFound(f"there is no directory {named!r}", hint="Make it first, or name another.")
    if not is_directory:
        raise InvalidArgument(f"{named!r} is not a directory", hint="Name a directory.")
