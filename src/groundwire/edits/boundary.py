"""Which files an edit may touch: those below a root of the workspace once every link is resolved.

Above: ``plan``. Below: ``files``.
"""

from collections.abc import Sequence
from pathlib import Path

from groundwire.edits.failures import read_failure
from groundwire.edits.files import Files
from groundwire.errors import InvalidArgument, OutsideWorkspace, PermissionDenied

_VERSION_CONTROL = frozenset({".git", ".hg", ".jj", ".svn"})


class Boundary:
    """The roots, resolved. Paths that come out of it are resolved and inside; everything else is refused."""

    def __init__(self, roots: Sequence[Path], files: Files) -> None:
        self._files = files
        self._roots = [self.real(root) for root in roots]

    def entry(self, path: Path) -> Path:
        """The name itself: its directory is resolved, a link by that name is not followed."""
        self._require_absolute(path)
        if path.name in ("", ".."):
            return self._inside(self.real(path), path)
        entry = self._inside(self.real(path.parent) / path.name, path)
        try:
            self._files.look(entry)
        except ValueError as problem:
            raise InvalidArgument(f"{str(path)[:200]!a} is no path: {problem}") from problem
        except OSError as problem:  # a name too long for any file
            raise read_failure(problem, path) from problem
        return entry

    def target(self, path: Path) -> Path:
        """The file that is meant: links are followed, wherever they are, and must lead inside."""
        self.entry(path)
        return self._inside(self.real(path), path)

    def _inside(self, real: Path, named: Path) -> Path:
        root = next((root for root in self._roots if real != root and real.is_relative_to(root)), None)
        if root is None:
            leads = "" if real == named else f" (it leads to {real})"
            raise OutsideWorkspace(f"{named} is not a file in the workspace{leads}")
        if any(part.lower() in _VERSION_CONTROL for part in real.relative_to(root).parts):
            raise PermissionDenied(
                f"{named} belongs to version control, which would run what is written there",
                hint="Use the version control's own commands.",
            )
        return real

    def real(self, path: Path) -> Path:
        """With every link resolved, wherever that is."""
        try:
            return self._files.real(path)
        except ValueError as problem:
            raise InvalidArgument(f"{str(path)[:200]!a} is no path: {problem}") from problem
        except OSError as problem:
            raise read_failure(problem, path) from problem

    @staticmethod
    def _require_absolute(path: Path) -> None:
        if not path.is_absolute():
            raise InvalidArgument(f"{path} is not an absolute path", hint="Give the whole path, from the root.")
