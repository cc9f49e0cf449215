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
_MARK = "\ufeff"
_OF_BINARY = ("GIT binary patch", "Binary files ")
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_HINT = "Give a unified diff: --- a/file, +++ b/file, @@ -1,3 +1,4 @@ and lines that begin with a space, - or +."


@dataclass(frozen=True)
class Hunk:
    """Lines without their endings: what is there, and what is to be there instead."""

    at: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    ends_bare: bool = False
    """The last new line has no ending."""
    ended_bare: bool = False
    """The last old line had none."""


@dataclass
class FilePatch:
    """One file of a patch; ``old`` or ``new`` is empty where there is no file."""

    old: str
    new: str
    hunks: list[Hunk] = field(default_factory=list[Hunk])
    keeps_old: bool = False
    """It is a copy."""


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
    elif not new[-1].endswith(("\n", "\r")) and (hunk.ended_bare or hunk.new[-1:] != hunk.old[-1:]):
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
        if line.startswith(_OF_BINARY):
            raise InvalidArgument("the patch changes a binary file", hint="Only text can be looked at.")
        if (moved := _moved(lines, at)) is not None:
            file, at = moved, _behind_head(lines, at + 2)
        elif (empty := _without_text(lines, at)) is not None:
            file, at = empty, at + 1
        elif line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            file = FilePatch(_name(line), _name(lines[at + 1]))
            at += 2
        else:
            at += 1
            continue
        at = _read_hunks(lines, at, file)
        yield file


def _moved(lines: Sequence[str], at: int) -> FilePatch | None:
    """A file under another name, or one more of it."""
    for what in ("rename", "copy"):
        old, new = f"{what} from ", f"{what} to "
        if lines[at].startswith(old) and at + 1 < len(lines) and lines[at + 1].startswith(new):
            names = lines[at].removeprefix(old), lines[at + 1].removeprefix(new)
            return FilePatch(_unquoted(names[0]), _unquoted(names[1]), keeps_old=what == "copy")
    return None


def _behind_head(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].startswith(("diff ", "@@ ", *_OF_BINARY)):
        at += 1
    return at


def _without_text(lines: Sequence[str], at: int) -> FilePatch | None:
    """An empty file that is new or gone: git says so in the head of it, and nothing more."""
    kind = next((each for each in ("new", "deleted") if lines[at].startswith(f"{each} file mode ")), "")
    if not kind or any(line.startswith(("--- ", "@@ ")) for line in lines[at + 1 : _behind_head(lines, at + 1) + 1]):
        return None
    head = next((line for line in reversed(lines[:at]) if line.startswith("diff --git ")), "")
    name = _name_in_head(head.removeprefix("diff --git "))
    return FilePatch("" if kind == "new" else name, name if kind == "new" else "") if name else None


def _name_in_head(names: str) -> str:
    """Of ``a/name b/name``, be they quoted."""
    half = names[: (len(names) - 1) // 2]
    name = _unquoted(half)
    return name[2:] if name.startswith("a/") else ""


def _read_hunks(lines: Sequence[str], at: int, file: FilePatch) -> int:
    while at < len(lines) and (head := _HUNK.match(lines[at])):
        old_left, new_left = int(head[2] or 1), int(head[4] or 1)
        old: list[str] = []
        new: list[str] = []
        had_bare = False
        at += 1
        while (old_left, new_left) > (0, 0) and at < len(lines) and (old_left > 0 or new_left > 0):
            mark, rest = lines[at][:1] or " ", lines[at][1:]  # many a tool drops the space of an empty line
            had_bare |= mark == "\\"
            if mark not in " +-\\":
                raise InvalidArgument(f"line {at + 1} of the patch is no line of a hunk", hint=_HINT)
            old += [rest] if mark in " -" else []
            new += [rest] if mark in " +" else []
            old_left, new_left = old_left - (mark in " -"), new_left - (mark in " +")
            at += 1
        if old_left > 0 or new_left > 0:
            raise InvalidArgument(f"a hunk of {file.new or file.old} ends too early", hint=_HINT)
        is_bare = at < len(lines) and lines[at].startswith("\\")
        ends_bare, ended_bare = is_bare and lines[at - 1][:1] in "+ ", is_bare and lines[at - 1][:1] == "-"
        at += is_bare
        if old and old[0].startswith(_MARK):
            old, new = _unmarked(old), _unmarked(new)
        file.hunks.append(Hunk(int(head[1]), tuple(old), tuple(new), ends_bare, ended_bare or had_bare))
    return at


def _unmarked(lines: Sequence[str]) -> list[str]:
    """Without the byte order mark, which is no part of a text here."""
    return [line.removeprefix(_MARK) for line in lines]


def _name(line: str) -> str:
    name = line[4:].strip() if line[4:5] == '"' else line[4:].partition("\t")[0].strip()
    name = _unquoted(name)
    if name == _NOTHING:
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name


def _unquoted(name: str) -> str:
    """As git writes a name that is not plain: in quotes, its bytes as C does."""
    if not (len(name) > 1 and name.startswith('"') and name.rstrip().endswith('"')):
        return name
    data = re.sub(rb"\\([0-7]{1,3}|.)", _unescaped, name.strip()[1:-1].encode("utf-8", "surrogateescape"))
    return data.decode("utf-8", "surrogateescape")


def _unescaped(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8) & 0xFF]) if code[:1].isdigit() else _ESCAPES.get(code, code)
