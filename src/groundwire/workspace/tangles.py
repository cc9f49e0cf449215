"""Files that need each other where the language forbids it: when such a tangle may have ended, and what to tell then.

Packages of Go that import each other, for one. The server cuts the circle somewhere, and what it cut may stay cut when
the circle is broken elsewhere: an error that is none any more, and uses that are not found. Above: ``documents``,
``client.sync``, ``client.ask``. Below: ``outgoing``, ``rules``.
"""

import re
from collections.abc import Iterable

from groundwire.workspace.outgoing import Outgoing
from groundwire.workspace.rules import TangleRule

_CHANGED = 2


class Tangles:
    """What one server is told of them. ``notice_uri``: of the file whose change makes it look at everything."""

    def __init__(self, rule: TangleRule, notice_uri: str) -> None:
        self._message = re.compile(rule.message)
        self._head_ends = re.compile(rule.head_ends, re.MULTILINE)
        self._binding = re.compile(rule.binding)
        self._ending = rule.ending
        self._bonds_of_closed: dict[str, frozenset[str]] = {}
        event = {"uri": notice_uri, "type": _CHANGED}
        self.notice = Outgoing("workspace/didChangeWatchedFiles", {"changes": [event]})

    def may_end(self, first_line: int, before: str, after: str) -> bool:
        """Whether a change that begins at this line, counted from 0, takes away what binds a file to others."""
        head = self._head(before)
        return first_line < len(head) and not self._bonds(head) <= self._bonds(self._head(after))

    def concerns(self, path: str) -> bool:
        """Whether the file could be in one."""
        return path.endswith(self._ending)

    def closed_may_end(self, path: str, text: str | None, *, is_any_told: bool) -> bool:
        """The same of a file that is not open, and holds this now, or is gone. What it held before may not be known:
        then it counts where the server tells of a tangle anywhere."""
        before = self._bonds_of_closed.pop(path, None)
        if text is None:
            return before is None or bool(before)
        now = self._bonds(self._head(text))
        self._bonds_of_closed[path] = now
        return is_any_told if before is None else not before <= now

    def is_told_by(self, message: str) -> bool:
        """Whether this finding tells of one."""
        return self._message.search(message) is not None

    def _head(self, text: str) -> list[str]:
        found = next((each for each in self._head_ends.finditer(text) if each[1]), None)
        return (text[: found.start()] if found else text).splitlines()

    def _bonds(self, head: Iterable[str]) -> frozenset[str]:
        return frozenset(line.strip() for line in head if self._binding.match(line))
