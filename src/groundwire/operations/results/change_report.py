"""What an answer about a change set holds.

Above: ``reporting.change_report``, ``render.change_report``. Below: ``answer``.
"""

import msgspec

from groundwire.operations.answer import FileFindings


class ChangeReport(msgspec.Struct, frozen=True, kw_only=True):
    """Files of the change set first, then others with findings. An error without an origin may be old or new."""

    against: str
    files: tuple[FileFindings, ...] = ()
    changed: int = 0
    """Files of the change set that a server takes care of."""
    deleted: int = 0
    others: int = 0
    """Other files that were checked."""
    introduced: int = 0
    existing: int = 0
    resolved: int = 0
    undetermined: int = 0
    """Errors of which nobody knows whether they were there before."""

    def shown(self, *, with_existing: bool) -> "ChangeReport":
        """Without what was there before, unless that is wanted."""
        if with_existing:
            return self
        files = (
            msgspec.structs.replace(
                file, diagnostics=tuple(each for each in file.diagnostics if each.origin != "existing")
            )
            for file in self.files
        )
        return msgspec.structs.replace(self, files=tuple(files))
