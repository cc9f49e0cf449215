"""What has been done in a workspace, as watchers see it: edits from the audit trail, calls summed up.

Above: ``watch``, ``watch_look``. Below: ``operations.journal``.
"""

from collections.abc import Mapping
from typing import cast

from groundwire.daemon.watch_messages import EditNews, LatencyTally
from groundwire.operations.journal import Journal

_MOST_FILES = 20
_LONGEST_ERROR = 500


def edit_news(record: Mapping[str, object]) -> EditNews:
    """Without what only programs need."""
    listed = record.get("files")
    files = cast("list[Mapping[str, object]]", listed) if isinstance(listed, list) else []
    return EditNews(
        timestamp=_text(record, "timestamp"),
        tool=_text(record, "tool"),
        status=_text(record, "status"),
        files=tuple(_text(file, "file") for file in files[:_MOST_FILES]),
        introduced=_number(record, "introduced"),
        resolved=_number(record, "resolved"),
        error=_text(record, "error_message")[:_LONGEST_ERROR],
        undo_id=_text(record, "undo_id"),
        more_files=max(len(files) - _MOST_FILES, 0),
    )


def tallies_of(journal: Journal) -> tuple[LatencyTally, ...]:
    """Every operation that was called, by how it ended."""
    return tuple(
        LatencyTally(
            operation=operation,
            outcome=outcome,
            count=tally.count,
            total_ms=round(tally.total_ms, 2),
            buckets=tuple(tally.buckets),
        )
        for (operation, outcome), tally in journal.tallies.items()
    )


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _number(record: Mapping[str, object], name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) else 0
