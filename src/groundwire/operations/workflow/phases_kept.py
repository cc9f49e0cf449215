"""The active skill of a conversation, on disk as long as that lasts: the next daemon holds the client to it as well.

Without it a guard that blocks would be gone with the process that kept it, and nobody would be told.
Above: ``phases_watch``, ``surfaces.mcp.conversation``. Below: the file system.
"""

import contextlib
import logging
import re
import time
from pathlib import Path

import msgspec

log = logging.getLogger(__name__)

_LARGEST = 64 * 1024
_OLD_S = 7 * 24 * 3600.0
"""A conversation whose daemon and client were both killed ends nowhere."""
_NAME = re.compile(r"[0-9a-f]{8,64}")


class KeptPhase(msgspec.Struct, frozen=True):
    """Where a client is in which skill."""

    skill: str
    mode: str
    phase: str
    is_done: bool
    history: tuple[str, ...] = ()


class PhaseRecord:
    """Of one conversation, which has a name of its own."""

    def __init__(self, directory: Path, conversation: str) -> None:
        self._file = directory / f"{conversation}.json"

    def recall(self) -> KeptPhase | None:
        """What a daemon before this one has kept. Raises OSError or DecodeError where that cannot be read."""
        try:
            with self._file.open("rb") as source:
                return msgspec.json.decode(source.read(_LARGEST), type=KeptPhase)
        except FileNotFoundError:
            return None

    def keep(self, kept: KeptPhase) -> None:
        """In place of what was there."""
        beside = self._file.with_suffix(".new")
        try:
            if not self._file.parent.is_dir():
                self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _clear_away_old(self._file.parent)
            beside.write_bytes(msgspec.json.encode(kept))
            beside.replace(self._file)
        except OSError as problem:
            log.warning("which skill is active is not kept for the next background process: %s", problem)

    def forget(self) -> None:
        """No skill is active, or the client has gone."""
        try:
            self._file.unlink(missing_ok=True)
        except OSError as problem:
            log.warning("which skill was active is still kept: %s", problem)


def record_of(directory: Path | None, conversation: str) -> PhaseRecord | None:
    """None for a conversation that nobody could come back to."""
    if directory is None or not _NAME.fullmatch(conversation):
        return None
    return PhaseRecord(directory, conversation)


def _clear_away_old(directory: Path) -> None:
    oldest = time.time() - _OLD_S
    for file in directory.iterdir():
        with contextlib.suppress(OSError):  # another conversation has just ended
            if file.stat().st_mtime < oldest:
                file.unlink()
