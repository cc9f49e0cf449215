"""How much is reported after edits: as configured, changed while it runs, and held back within a transaction.

Above: ``edit_report`` and the operations that begin and end transactions. Below: ``dependents``, ``results_edits``.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.results.edits import ReportMode
from groundwire.pool.policy import ReportPolicy

OtherFiles = Literal["introduced", "write", "always", "never"]


class ReportSettings:
    """Of one client, as the configuration of the workspace says at first."""

    def __init__(self, policy: ReportPolicy) -> None:
        self.mode: ReportMode = policy.mode
        self.other_files: OtherFiles = policy.other_files
        self.warm_wait_s = policy.warm_wait_s
        self.first_wait_s = policy.first_wait_s
        self.showing = policy.showing
        self.is_in_transaction = False
        self._held: dict[Path, Edited] = {}

    @property
    def effective_mode(self) -> ReportMode:
        """Within a transaction all is told at its end."""
        return "end_of_turn" if self.is_in_transaction and self.mode != "off" else self.mode

    def holds_back(self, edits: Sequence[Edited]) -> bool:
        """Whether nothing is to be reported now. What is put off is remembered, each file as it was at first."""
        if self.effective_mode == "end_of_turn":
            for edit in edits:
                first = self._held.get(edit.file, edit)
                self._held[edit.file] = Edited(edit.file, first.before, edit.after)
        return self.effective_mode in ("end_of_turn", "off")

    def take_held(self) -> list[Edited]:
        """All that was put off; it is to be reported now."""
        held, self._held = self._held, {}
        return list(held.values())


def report_settings(call: Call) -> ReportSettings:
    """Those of who asks."""
    return call.kept.get(ReportSettings, lambda: ReportSettings(call.pool.settings.report))
