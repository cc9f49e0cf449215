"""Skills in the folders where agents look for them: put there, found again as ours, and taken away.

A copy of ours has a file beside it that holds the hash of what was written, and a link of ours leads into groundwire:
whatever else is there is somebody else's. What is replaced by force is kept, and put back in the end.
Above: ``skills``. Below: ``operations.skills``.
"""

import contextlib
from pathlib import Path
from typing import Literal, NamedTuple

from groundwire.errors import OutsideWorkspace, WriteFailed
from groundwire.operations.workflow.skills import FILE_NAME, Skill
from groundwire.protocol.hashing import content_hash

MARK = ".groundwire"
"""Beside a copy of ours; holds the hash of the SKILL.md that was written."""
REPLACED = ".groundwire-replaced"
"""Where in the folder of an agent that is kept which had the place before."""

Way = Literal["copy", "link"]
State = Literal["absent", "link", "copy", "changed", "foreign"]


class Outcome(NamedTuple):
    """What became of one skill in one folder."""

    path: Path
    did: Literal["installed", "current", "removed", "absent", "kept"]
    why: str = ""


def state_of(place: Path, name: str) -> State:
    """Who put it there. ``changed``: a copy of ours that somebody has edited."""
    if place.is_symlink():
        target = place.readlink()
        return "link" if target.parts[-3:] == ("groundwire", "skills", name) else "foreign"
    if not place.exists():
        return "absent"
    try:
        written = (place / MARK).read_text("ascii").strip()
        present = content_hash((place / FILE_NAME).read_bytes())
    except (OSError, UnicodeDecodeError):
        return "foreign"
    return "copy" if written == present else "changed"


def install(skill: Skill, folder: Path, way: Way, *, force: bool) -> Outcome:
    """Put it there, unless something is there that is not ours. Raises WriteFailed."""
    place, state = folder / skill.name, state_of(folder / skill.name, skill.name)
    if _is_current(skill, place, state, way):
        return Outcome(place, "current")
    if state in ("foreign", "changed") and not force:
        why = "it is not from groundwire" if state == "foreign" else "it was edited since"
        return Outcome(place, "kept", f"{why}; --force replaces it")
    try:
        if state in ("foreign", "changed"):
            _set_aside(place)
        elif state != "absent":
            _take_away(place, state)
        folder.mkdir(parents=True, exist_ok=True)
        _put(skill, place, way)
    except OSError as error:
        raise WriteFailed(f"{place} cannot be written: {error.strerror or error}") from error
    return Outcome(place, "installed")


def remove(name: str, folder: Path, *, force: bool) -> Outcome:
    """Take it away if it is ours, and put back what it had replaced. Raises WriteFailed."""
    place = folder / name
    state = state_of(place, name)
    if state in ("absent", "foreign"):
        return Outcome(place, "absent" if state == "absent" else "kept", "" if state == "absent" else "not ours")
    if state == "changed" and not force:
        return Outcome(place, "kept", "it was edited since; --force removes it all the same")
    try:
        _take_away(place, state)
        _put_back(place)
    except OSError as error:
        raise WriteFailed(f"{place} cannot be removed: {error.strerror or error}") from error
    return Outcome(place, "removed")


def require_inside(folder: Path, project: Path) -> None:
    """A project's folder may be a link; it must not lead out of the project. Raises OutsideWorkspace."""
    if not is_inside(folder, project):
        raise OutsideWorkspace(f"{folder} leads out of the project")


def is_inside(folder: Path, project: Path) -> bool:
    """Whether what is written there stays in the project."""
    return folder.resolve().is_relative_to(project.resolve())


def _is_current(skill: Skill, place: Path, state: State, way: Way) -> bool:
    if way == "link":
        return state == "link" and place.resolve() == Path(skill.folder).resolve()
    return state == "copy" and (place / FILE_NAME).read_bytes() == _content(skill)


def _content(skill: Skill) -> bytes:
    return (Path(skill.folder) / FILE_NAME).read_bytes()


def _put(skill: Skill, place: Path, way: Way) -> None:
    if way == "link":
        place.symlink_to(skill.folder, target_is_directory=True)
        return
    content = _content(skill)
    place.mkdir(exist_ok=True)
    (place / FILE_NAME).write_bytes(content)
    (place / MARK).write_text(content_hash(content) + "\n", "ascii")


def _take_away(place: Path, state: State) -> None:
    if state == "link":
        place.unlink()
        return
    for name in (FILE_NAME, MARK):
        (place / name).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # somebody has put something else there, which stays
        place.rmdir()


def _set_aside(place: Path) -> None:
    kept = place.parent / REPLACED / place.name
    if kept.exists() or kept.is_symlink():
        raise FileExistsError(f"{kept} is there already")
    kept.parent.mkdir(exist_ok=True)
    place.rename(kept)
    if kept.is_dir() and not kept.is_symlink():
        (kept / MARK).unlink(missing_ok=True)  # what was edited is its editor's own


def _put_back(place: Path) -> None:
    kept = place.parent / REPLACED / place.name
    if (kept.exists() or kept.is_symlink()) and not place.exists():
        kept.rename(place)
        with contextlib.suppress(OSError):  # others are kept there
            kept.parent.rmdir()
    with contextlib.suppress(OSError):  # it holds something else
        place.parent.rmdir()
