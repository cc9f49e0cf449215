"""Edits that tools overlook: several know a changed file by its size and the second of its time, and by nothing more.

A file that is written again in the second in which it was compiled, at the same size, is to them as it was before: the
tests would be those of the old content. Where that may be, they are told to begin anew.
Above: ``ecosystems.python_tests``, ``ecosystems.elixir``. Below: ``workspace_files``.
"""

import os
from pathlib import Path

from groundwire.operations.files.workspace_files import WorkspaceFiles

_SECOND = 1_000_000_000


def has_stale_bytecode(root: Path) -> bool:
    """Whether some module of Python was compiled before its present content, in the same second."""
    directories = {file.parent for file in WorkspaceFiles(root) if file.suffix == ".py"}
    return any(_is_stale(compiled) for directory in directories for compiled in _compiled_in(directory))


def has_unseen_change(root: Path, suffixes: frozenset[str], manifests: str) -> bool:
    """Whether a source was written in the very second in which one of the manifests was."""
    seconds = {_time(file) // _SECOND for file in root.glob(manifests)}
    return bool(seconds) and any(
        _time(file) // _SECOND in seconds for file in WorkspaceFiles(root) if file.suffix in suffixes
    )


def _compiled_in(directory: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(directory / "__pycache__") if entry.name.endswith(".pyc")]
    except OSError:  # nothing of it has been compiled
        return []


def _is_stale(compiled: Path) -> bool:
    source = compiled.parent.parent / f"{compiled.name.partition('.')[0]}.py"
    written, compiled_at = _time(source), _time(compiled)
    return written > compiled_at and written // _SECOND == compiled_at // _SECOND


def _time(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:  # gone meanwhile
        return 0
