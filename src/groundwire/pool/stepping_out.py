"""Files and directories out of a root that the files name which a server was shown, by ``"../../lib/index"`` and the
like: for a server that says what it reads only after it has answered, and could miss a change until then.

Above: ``instance``. Below: ``elsewhere``, ``client.sync``, ``workspace.documents``.
"""

import posixpath
import re
from collections.abc import Iterable
from pathlib import Path, PurePath

from groundwire.client.sync import path_of
from groundwire.pool.elsewhere import is_in
from groundwire.workspace.documents import Documents

_STEPS_UP = re.compile(r"""["']((?:\.\./)+[^"'\n]*)["']""")


class SteppingOut:
    """What was named once stays: to be told of too much costs little. ``endings`` may be left out in a name."""

    def __init__(self, root: Path, endings: Iterable[str]) -> None:
        self._root = root.as_posix()
        self._endings = ("", *endings)
        self._looked_at = -1
        self._texts: dict[str, str] = {}
        self.directories: frozenset[str] = frozenset()
        self.files: frozenset[str] = frozenset()
        """Those that lie further up, so that their directory holds the root as well."""

    def look(self, documents: Documents) -> None:
        """See what the open documents name that they did not before."""
        if documents.clock == self._looked_at:
            return
        self._looked_at = documents.clock
        before, self._texts = self._texts, {document.uri: document.text for document in documents}
        for uri, text in self._texts.items():
            if text is not before.get(uri) and "../" in text:
                self._add(PurePath(path_of(uri)).parent.as_posix(), text)

    def _add(self, directory: str, text: str) -> None:
        named = {posixpath.normpath(f"{directory}/{name}") for name in _STEPS_UP.findall(text)}
        for path in (each for each in named if not is_in(each, self._root)):
            above = posixpath.dirname(path)
            if not is_in(self._root, above):
                self.directories |= {above}
            elif not is_in(self._root, path):
                self.directories |= {path}
                self.files |= {f"{path}{ending}" for ending in self._endings}
