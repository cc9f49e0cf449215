"""One file as it is and as it is wanted, or why only a person can change it, and what is to be put there.

Above: ``planning``. Below: ``members``, ``words``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from groundwire.edits.files import Disk
from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.surfaces.setup.agent import Agent, Format, Member, Target
from groundwire.surfaces.setup.members import placed, put
from groundwire.surfaces.setup.ours import is_our_text
from groundwire.surfaces.setup.words import Words, filled, filled_text


@dataclass(frozen=True, slots=True)
class Wish:
    """What one agent wants in a file."""

    agent: Agent
    target: Target
    path: Path
    words: Words

    def members(self) -> list[Member]:
        """With the command filled in."""
        return [
            Member(path=each.path, value=filled(each.value, self.words), kind=each.kind, nested=each.nested)
            for each in self.target.members
        ]

    def text(self) -> str:
        """The whole content of a file of our own."""
        if not self.target.source:
            return filled_text(self.target.text, self.words)
        plugin = files("groundwire") / "surfaces/hooks/plugins" / self.target.source
        return filled_text(plugin.read_text("utf-8"), self.words)


@dataclass(frozen=True, slots=True)
class Change:
    """A file that is to be written. ``real`` is where its path leads to."""

    path: Path
    real: Path
    before: bytes | None
    after: bytes
    format: Format
    members: tuple[Member, ...]
    agents: tuple[str, ...]
    """Their ids."""
    titles: tuple[str, ...]
    what: tuple[str, ...]
    is_executable: bool = False


@dataclass(frozen=True, slots=True)
class ByHand:
    """What groundwire cannot or may not write."""

    path: Path | None
    titles: tuple[str, ...]
    why: str
    addition: str


def draft(real: Path, wanted: Sequence[Wish], boundary: Path | None) -> Change | ByHand | None:
    """The change, or why there is none; ``None``: all is there already. ``boundary``: what it must not lead out of."""
    try:
        if boundary is not None and not real.is_relative_to(boundary.resolve()):
            raise InvalidArgument(f"it leads out of the project, to {real}")
        before = _read(real)
        after, members = _after(before, wanted)
    except GroundwireError as problem:
        return ByHand(wanted[0].path, _titles(wanted), problem.message, _addition(wanted))
    if after == before:
        return None
    return Change(
        path=wanted[0].path,
        real=real,
        before=before,
        after=after,
        format=wanted[0].target.format,
        members=tuple(members),
        agents=tuple(dict.fromkeys(wish.agent.id for wish in wanted)),
        titles=_titles(wanted),
        what=tuple(dict.fromkeys(wish.target.what for wish in wanted)),
        is_executable=wanted[0].target.is_executable,
    )


def _after(before: bytes | None, wanted: Sequence[Wish]) -> tuple[bytes, list[Member]]:
    try:
        text = "" if before is None else before.decode()
    except UnicodeDecodeError as problem:
        raise InvalidArgument("it is not in UTF-8") from problem
    if wanted[0].target.format == "text":
        if text.strip() and not is_our_text(text):
            raise InvalidArgument("there is a file of yours already")
        return wanted[0].text().encode(), []
    members: list[Member] = []
    for wish in wanted:
        for member in wish.members():
            there = placed(wish.target.format, text, member)
            text = put(wish.target.format, text, there)
            members.append(there)
    return text.encode(), members


def _read(real: Path) -> bytes | None:
    try:
        return None if Disk().look(real) is None else Disk().read(real)
    except OSError as problem:
        raise InvalidArgument(f"it cannot be read: {problem.strerror or problem}") from problem


def _addition(wanted: Sequence[Wish]) -> str:
    """What a file with nothing else in it would hold."""
    return _after(None, wanted)[0].decode()


def _titles(wanted: Sequence[Wish]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(wish.agent.title for wish in wanted))
