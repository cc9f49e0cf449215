"""Which changes a server does not notice though it is told of them: then it has to look at everything anew.

The rules are its own data. Above: ``instance``. Below: ``links``, ``workspace.rules``, the file system.
"""

import os
from collections.abc import Sequence

from groundwire.pool.links import Links
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import SettleRule


def is_overlooked(change: FileChange, rule: SettleRule, links: Links, *, is_elsewhere: bool) -> bool:
    """``links`` are those among the packages; ``is_elsewhere``: it is out of the root."""
    comes_or_goes = change.kind != ChangeKind.CHANGED
    if comes_or_goes and ((rule.opens_elsewhere and is_elsewhere) or has_namesake(change.path, rule.namesakes)):
        return True
    if change.kind != ChangeKind.CREATED and not change.path.endswith(".json"):  # which may say how to look for files
        return False
    is_linked = rule.misses_linked and bool(links.other_names(change.path))
    return is_linked or change.path.count("/") < rule.misses_above


def has_namesake(path: str, endings: Sequence[str]) -> bool:
    """Whether there is a file of the same name with another of the endings."""
    own = next((ending for ending in endings if path.endswith(ending)), "")
    name = path.removesuffix(own)
    return bool(own) and any(os.path.exists(name + each) for each in endings if each != own)  # noqa: PTH110
