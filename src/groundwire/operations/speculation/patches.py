"""Unified patches: read, and applied to texts in memory.

A hunk is looked for where it says, then nearby; what it takes away and what is around it must be there, but for line
endings. Pure. Above: ``given_edits``. Below: ``errors``, ``edits.diff``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from groundwire.edits.diff import lines_of
from groundwire.errors import EditConflict, InvalidArgument

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NOTHING = "/dev/null"
_HINT = "Give a unified diff: --- a/file, +++ b/file, @@ -1,3 +1,4 @@ and lines that begin with a space, - or +."


@dataclass(frozen=True)
class Hunk:
    """Lines without their endings: what is there, and what is to be there instead."""

    at: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    ends_bare: bool = False
    """The last new line has no ending."""


@dataclass
class FilePatch:
    """One file of a patch; ``old`` or ``new`` is empty where there is no file."""

    old: str
    new: str
    hunks: list[Hunk] = field(default_factory=list[Hunk])


def parse_patch(patch: str) -> list[FilePatch]:
    """The files of a patch. Raises InvalidArgument."""
    lines = patch.replace("\r\n", "\n").split("\n")
    found = list(_files(lines))
    if not found:
        raise InvalidArgument("the patch changes no file", hint=_HINT)
    return found


def patched(text: str, hunks: Sequence[Hunk], name: str) -> str:
    """The text with the hunks applied. Raises EditConflict that names the hunk that does not fit."""
    lines, shift = lines_of(text), 0
    ending = next((line[len(line.rstrip("\r\n")) :] for line in lines if line[-1:] in "\r\n"), "\n")
    for number, hunk in enumerate(hunks, start=1):
        wanted = max(hunk.at - (1 if hunk.old else 0), 0) + shift
        at = _place(lines, hunk.old, wanted)
        if at is None:
            raise EditConflict(
                f"hunk {number} of {name} does not fit: its lines are not there around line {hunk.at}",
                hint="Make the patch against the file as it is now.",
            )
        lines[at : at + len(hunk.old)] = _new_lines(lines[at : at + len(hunk.old)], hunk, ending)
        shift += len(hunk.new) - len(hunk.old)
    return "".join(lines)


def _new_lines(old: Sequence[str], hunk: Hunk, ending: str) -> list[str]:
    """The new lines; one that only stays keeps the ending that it has."""
    kept = {line.rstrip("\r\n"): line for line in old}
    new = [kept.get(line, line + ending) for line in hunk.new]
    if not new:
        return new
    if hunk.ends_bare:
        new[-1] = new[-1].rstrip("\r\n")
    elif not new[-1].endswith(("\n", "\r")) and hunk.new[-1:] != hunk.old[-1:]:
        new[-1] += ending
    return [line if line.endswith(("\n", "\r")) else line + ending for line in new[:-1]] + new[-1:]


def _place(lines: Sequence[str], old: Sequence[str], wanted: int) -> int | None:
    """Where the lines are, as near as possible to where they should be."""
    bare = [line.rstrip("\r\n") for line in lines]
    last = len(bare) - len(old)
    nearest = sorted(range(last + 1), key=lambda at: abs(at - wanted)) if old else [min(wanted, len(bare))]
    return next((at for at in nearest if bare[at : at + len(old)] == list(old)), None)


def _files(lines: Sequence[str]) -> Iterator[FilePatch]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(("GIT binary patch", "Binary files ")):
            raise InvalidArgument("the patch changes a binary file", hint="Only text can be looked at.")
        if line.startswith("rename from ") and at + 1 < len(lines) and lines[at + 1].startswith("rename to "):
            file = FilePatch(line.removeprefix("rename from "), lines[at + 1].removeprefix("rename to "))
            at += 2
            while at < len(lines) and not lines[at].startswith(("diff ", "@@ ")):
                at += 1
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            file = FilePatch(_name(line), _name(lines[at + 1]))
            at += 2
        else:
            at += 1
            continue
        at = _read_hunks(lines, at, file)
        yield file


def _read_hunks(lines: Sequence[str], at: int, file: FilePatch) -> int:
    while at < len(lines) and (head := _HUNK.match(lines[at])):
        old_left, new_left = int(head[2] or 1), int(head[4] or 1)
        old: list[str] = []
        new: list[str] = []
        at += 1
        while (old_left, new_left) > (0, 0) and at < len(lines) and (old_left > 0 or new_left > 0):
            mark, rest = lines[at][:1] or " ", lines[at][1:]  # many a tool drops the space of an empty line
            if mark not in " +-\\":
                raise InvalidArgument(f"line {at + 1} of the patch is no line of a hunk", hint=_HINT)
            old += [rest] if mark in " -" else []
            new += [rest] if mark in " +" else []
            old_left, new_left = old_left - (mark in " -"), new_left - (mark in " +")
            at += 1
        if old_left > 0 or new_left > 0:
            raise InvalidArgument(f"a hunk of {file.new or file.old} ends too early", hint=_HINT)
        ends_bare = at < len(lines) and lines[at].startswith("\\") and lines[at - 1][:1] in "+ "
        at += at < len(lines) and lines[at].startswith("\\")
        file.hunks.append(Hunk(int(head[1]), tuple(old), tuple(new), ends_bare))
    return at


def _name(line: str) -> str:
    name = line[4:].partition("\t")[0].strip().strip('"')
    if name == _NOTHING:
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name
