"""Every operation that only the command line asks for, by name.

Above: ``daemon.calls``. Below: ``command_questions``.
"""

from collections.abc import Mapping
from typing import Any

from groundwire.operations.command_questions import (
    command_check_changes,
    command_check_files,
    command_explain,
    command_status,
)
from groundwire.operations.operation import Operation
from groundwire.operations.serving.stop_servers import stop_servers

# Each has arguments and a result of its own, which its ``parse`` and ``run`` hold together.
_ALL: tuple[Operation[Any, Any], ...] = (
    command_check_files,
    command_check_changes,
    command_status,
    command_explain,
    stop_servers,
)

COMMAND_QUESTIONS: Mapping[str, Operation[Any, Any]] = {each.name: each for each in _ALL}
"""By name."""
