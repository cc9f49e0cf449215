"""Virtual texts as a patch that ``git apply`` takes.

Lines end at ``\\n`` only, as git sees it, so that ``\\r\\n`` stays what it is. Pure. Above: ``commit_session``. Below:
``virtual_texts``.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from groundwire.operations.files.paths import shown_path
from groundwire.operations.speculation.virtual_texts import VirtualFile

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_AWKWARD = re.compile(r'["\\\x00-\x1f\x7f]')
_BARE = "\\ No newline at end of file\n"


def patch_text(files: Sequence[VirtualFile], workspace: Path) -> str:
    """All changes, in the order of the files' names."""
    ordered = sorted((each for each in files if each.is_changed), key=lambda each: each.file)
    return "".join(line for each in ordered for line in _file(each, shown_path(each.file, workspace)))


def _file(each: VirtualFile, name: str) -> Iterator[str]:
    old, new = _quoted(f"a/{name}"), _quoted(f"b/{name}")
    yield f"diff --git {old} {new}\n"
    if each.before is None:
        yield "new file mode 100644\n"
    if each.after is None:
        yield "deleted file mode 100644\n"
    before, after = _LINE.findall(each.before or ""), _LINE.findall(each.after or "")
    names = "/dev/null" if each.before is None else _ended(old), "/dev/null" if each.after is None else _ended(new)
    for number, line in enumerate(unified_diff(before, after)):
        if number < len(names):
            yield f"{'-+'[number] * 3} {names[number]}\n"
        else:
            yield line if line.endswith("\n") else f"{line}\n{_BARE}"


def _ended(name: str) -> str:
    """Git ends a name with a space in it by a tabulator."""
    return f"{name}\t" if " " in name and not name.startswith('"') else name


def _quoted(name: str) -> str:
    if not _AWKWARD.search(name):
        return name
    escaped = _AWKWARD.sub(lambda found: rf"\{found[0]}" if found[0] in '"\\' else f"\\{ord(found[0]):03o}", name)
    return f'"{escaped}"'
