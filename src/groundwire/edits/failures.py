"""What the file system refused, as a typed error with a hint that helps.

Above: the other modules of this package. Below: ``errors``.
"""

import errno
from pathlib import Path

from groundwire.errors import EditConflict, GroundwireError, NotAFile, PermissionDenied, WriteFailed

_WRITE_HINTS = {
    errno.ENOSPC: "Free some space on the disk, then try again.",
    errno.EDQUOT: "The quota on this disk is used up; free some space, then try again.",
    errno.EROFS: "The file system is mounted read-only.",
    errno.EACCES: "Check the permissions of the file and of its directory.",
    errno.EPERM: "Check the permissions, owner and flags of the file and of its directory.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
    errno.EXDEV: "Both names must be on the same file system.",
    errno.EBUSY: "Another program uses the file; close it there, then try again.",
}
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR})


def read_failure(problem: OSError, path: Path) -> GroundwireError:
    """Why a file could not be read."""
    if problem.errno in _GONE:
        return EditConflict(f"{path} does not exist", hint="Check which files there are, and make the edit anew.")
    if isinstance(problem, PermissionError):
        return PermissionDenied(f"{path} cannot be read", hint="Check the file's permissions.")
    return NotAFile(f"{path} cannot be read: {problem.strerror or problem}")


def write_failure(problem: OSError, path: Path | None) -> GroundwireError:
    """Why nothing was written."""
    what = f"{path} cannot be written" if path else "the edit cannot be written"
    why = problem.strerror or str(problem)
    if problem.errno in _GONE:
        return EditConflict(f"{what}: it, or its directory, vanished meanwhile; nothing was changed")
    hint = _WRITE_HINTS.get(problem.errno or 0, "Look at what the system says about this file.")
    return WriteFailed(f"{what}: {why}; nothing was changed", hint=hint)
