"""What in a configuration is groundwire's own, and how a new value of ours joins what the user made of an older one.

Above: ``members``, ``drafting``. Below: ``text.data``.
"""

import re
from collections.abc import Sequence

from groundwire.surfaces.setup.text.data import as_list, as_mapping

NAME = "groundwire"
_HOOK = re.compile(r"\bgroundwire(?:\.exe)?['\"]*\s+'?hook\b")
_ROOT = "--root"
_MCP = "mcp"


def is_ours(element: object) -> bool:
    """Whether an element of a list is groundwire's, all of it."""
    handlers = _handlers(element)
    return bool(handlers) and all(_is_our_handler(handler) for handler in handlers)


def has_ours(element: object) -> bool:
    """Whether there is something of groundwire's in an element, perhaps among what is not."""
    return any(_is_our_handler(handler) for handler in _handlers(element))


def is_our_text(text: str) -> bool:
    """Whether a whole file is one that groundwire wrote, in whatever version."""
    return NAME in text


def _handlers(element: object) -> Sequence[object]:
    """The commands of a hook: its inner list, where the agent has one."""
    inner = as_list((as_mapping(element) or {}).get("hooks"))
    return [element] if inner is None else inner


def _is_our_handler(handler: object) -> bool:
    values = as_mapping(handler) or {}
    return values.get("name") == NAME or any(isinstance(each, str) and _HOOK.search(each) for each in values.values())


def joined(existing: object, new: object) -> object:
    """Our entry, with what the user has added to the one that is there: other keys, and further arguments."""
    old, ours = as_mapping(existing), as_mapping(new)
    if old is None or ours is None:
        return new
    return {**old, **{key: _joined_list(old.get(key), value) for key, value in ours.items()}}


def _joined_list(old: object, new: object) -> object:
    before, after = as_list(old), as_list(new)
    if before is None or after is None or _MCP not in before or _MCP not in after:
        return new
    return [*after, *_added_arguments(before)]


def _added_arguments(arguments: Sequence[object]) -> list[object]:
    """What follows ``mcp`` but for the root, which is ours to say."""
    rest = list(arguments[list(arguments).index(_MCP) + 1 :])
    while _ROOT in rest:
        at = rest.index(_ROOT)
        del rest[at : at + 2]
    return rest
