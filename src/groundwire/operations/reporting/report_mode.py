"""How much is reported after edits, chosen while it runs.

Above: ``table``, ``transactions``. Below: ``report_settings``.
"""

from typing import Annotated, Literal

from msgspec import Meta

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Arguments, Call, Result, operation
from groundwire.operations.reporting.report_settings import OtherFiles, report_settings
from groundwire.operations.results.edits import ReportMode


class ReportState(Result, frozen=True):
    """What edits report from now on."""

    mode: ReportMode
    other_files: OtherFiles
    in_transaction: bool
    """Whether edits were begun, and are reported at their end."""


class SetReportMode(Arguments, frozen=True):
    """How much."""

    mode: Annotated[
        Literal["", "introduced", "errors", "all", "end_of_turn", "off"],
        Meta(description="introduced: new errors; errors: all errors; all: warnings too; end_of_turn: at end_edits."),
    ] = ""
    other_files: Annotated[
        Literal["", "introduced", "write", "always", "never"],
        Meta(description="When errors of other files are reported; introduced: those that the edit brought."),
    ] = ""


@operation("Set what edits report; without arguments, tell what they do.", effect="manages", command="report-mode")
async def set_report_mode(call: Call, arguments: SetReportMode) -> Answer[ReportState]:
    """For as long as this client is connected."""
    settings = report_settings(call)
    if arguments.mode:
        settings.mode = arguments.mode
    if arguments.other_files:
        settings.other_files = arguments.other_files
    return report_state(call)


def report_state(call: Call, note: str = "") -> Answer[ReportState]:
    """What is set now."""
    settings = report_settings(call)
    value = ReportState(mode=settings.mode, other_files=settings.other_files, in_transaction=settings.is_in_transaction)
    return Answer(value=value, status=Status.CONFIRMED, note=note)
