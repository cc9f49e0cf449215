"""What a file passes on of others without naming it, where an edit changed that: all of a module, an included file,
what goes by the module's own name.

Pure, and by the text. Above: ``dependents``, ``naming``, ``touched``. Below: ``workspace.difference``.
"""

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import NamedTuple

_EVERYTHING = re.compile(
    r"""^[ \t]*(?:from\s+([\w.]+)\s+import\s+\*|export\s*(?:type\s*)?\*\s*from\s*["']([^"'\n]+)["']"""
    r"""|pub\s+use\s+([\w:]+)::\*|\#\s*include\s*[<"]([^>"\n]+)[>"])""",
    re.MULTILINE,
)
_ITSELF = re.compile(r"^[ \t]*(?:export\s+default\b|export\s*=|module\.exports\s*=)[^\n]*", re.MULTILINE)
_EXPORTED = re.compile(
    r"^export\s+(?:(?:abstract|async|declare)\s+)*(?:class|const|enum|function|interface|let|namespace|type|var)\b[\s*]*([\w$]+)"
    r"|^export\s*(?:type\s*)?\{([^}]*)\}",
    re.MULTILINE,
)
_LISTED = re.compile(r"([\w$]+)\s*(?:,|$)")
_HELD = tuple(
    re.compile(rf"""{beginning}["']([^"'\n]+)["']""")
    for beginning in (r"\*\s*(?:as\s+[\w$]+\s+)?from\s*", r"import\s*\(\s*", r"require\s*\(\s*")
)
"""Modules of JavaScript as a whole: passed on, where a name that two of them have is an error, or as a value. Each
begins with letters of its own: so it is found ten times as fast as by one pattern for all."""
_DECLARING = re.compile(r"\s*export\s+default\s+(?:abstract\s+|async\s+)*(?:class|function|interface)\b")
_INCLUDED_NOWHERE = frozenset({".c", ".cc", ".cpp", ".cu", ".cxx", ".m", ".mm"})
_INDEXES = frozenset({"__init__", "index", "mod"})


class HandedOn(NamedTuple):
    """``sources``: the modules all of whose names it passes on only now, or did; those are ``gone``.

    ``is_itself``: what the module's own name stands for.
    """

    sources: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    is_itself: bool = False


def handed_on(file: PurePath, before: str, after: str) -> HandedOn:
    """What the two texts of a file pass on differently."""
    if file.suffix in _INCLUDED_NOWHERE:
        return HandedOn()
    was, now = passed_on(before), passed_on(after)
    return HandedOn(was ^ now, was - now, _itself(before) != _itself(after))


def passed_on(text: str) -> frozenset[str]:
    """The modules all of whose names a text passes on, by the last part of where they are."""
    if "*" not in text and "include" not in text:
        return frozenset()
    named = (next(filter(None, found.groups())) for found in _EVERYTHING.finditer(text))
    return frozenset(filter(None, (_last_part(each) for each in named)))


def exported_names(text: str) -> frozenset[str]:
    """What a module of JavaScript says that others may have."""
    if "export" not in text:
        return frozenset()
    found = ([each[1]] if each[1] else _LISTED.findall(each[2]) for each in _EXPORTED.finditer(text))
    return frozenset(name for names in found for name in names)


def has_all_of(text: str) -> frozenset[str]:
    """The modules whose names a text has all of in a way in which it matters which these are."""
    named = (found[1] for pattern in _HELD for found in pattern.finditer(text))
    return frozenset(_last_part(each) or "." for each in named)


def passes_on(file: PurePath, text: str, modules: frozenset[str]) -> bool:
    """Whether who imports the file has all of one of the modules through it."""
    return file.suffix not in _INCLUDED_NOWHERE and not modules.isdisjoint(passed_on(text))


def module_name(file: PurePath) -> str:
    """By what others import it: that of its directory where the file stands for that."""
    stem = file.name.split(".")[0]
    return file.parent.name if stem in _INDEXES else stem


def ways_to_import(file: PurePath) -> frozenset[str]:
    """What an import of it names; a dot: it may be just the directory that the importing file is in, or one above."""
    return frozenset({module_name(file), *("." if file.name.split(".")[0] in _INDEXES else ())})


def _last_part(named: str) -> str:
    path = re.sub(r"\.(?:d\.)?(?:[cm]?[jt]sx?|h|hh|hpp|hxx|inc|ipp)$", "", named)
    parts = [part for part in re.split(r"[./]|::", path.removesuffix("/index")) if part]
    return parts[-1] if parts else ""


def _itself(text: str) -> list[str]:
    """What stands for the whole module; of a declaration only that it does: who uses it is found by its name."""
    if "export" not in text:
        return []
    return list(_shown(found[0] for found in _ITSELF.finditer(text)))


def _shown(lines: Iterable[str]) -> Iterable[str]:
    return ("declared" if _DECLARING.match(line) else line for line in lines)
