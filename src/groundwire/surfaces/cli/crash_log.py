"""Where the traceback of a defect goes, since no reader is ever shown one.

Above: ``main``. Below: nothing.
"""

import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path


def write_crash(error: BaseException, environment: Mapping[str, str]) -> Path | None:
    """Appends the traceback to the user's log and names it; none when it cannot be written."""
    log = _state_directory(environment) / "groundwire" / "crash.log"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as stream:
            stream.write(f"{datetime.now(UTC).isoformat()}\n{''.join(traceback.format_exception(error))}\n")
    except OSError:
        return None
    return log


def _state_directory(environment: Mapping[str, str]) -> Path:
    configured = environment.get("XDG_STATE_HOME", "")
    return Path(configured) if configured else Path.home() / ".local" / "state"
