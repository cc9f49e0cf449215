"""As ``well_read``, and when a file is to be renamed it has its name changed wherever ``from NAME`` is written. With
``UPDATES`` set to ``itself`` it edits the renamed file too, with ``outside`` a file that is not its business, with
``stale`` a version that nobody has; with ``fails`` it refuses."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from base import Json
from well_read import WellRead

_INTERNAL_ERROR = -32603


class UpdatesImports(WellRead):
    def asked(self, request: Json, method: str, params: Json) -> None:
        if method != "workspace/willRenameFiles":
            super().asked(request, method, params)
            return
        habit = os.environ.get("UPDATES", "")
        if habit == "fails":
            self.send(id=request, error={"code": _INTERNAL_ERROR, "message": "cannot"})
            return
        (file,) = params["files"]
        self.send(id=request, result={"documentChanges": list(self._edits(file["oldUri"], file["newUri"], habit))})

    def _edits(self, old_uri: str, new_uri: str, habit: str) -> list[Json]:
        old, new = (Path(unquote(urlsplit(uri).path)).stem for uri in (old_uri, new_uri))
        edits: list[Json] = []
        for uri in self._sources():
            text = Path(unquote(urlsplit(uri).path)).read_bytes().decode()
            if f"from {old}" in text:
                edits.append(_edit(uri, text, f"from {old}", f"from {new}"))
            elif uri == old_uri and habit == "itself":
                edits.append(_edit(uri, text, "def ", "def was_"))
        if habit == "outside":
            edits.append(_edit("file:///etc/hostname", "", "", "x"))
        if habit == "stale":
            edits[0]["textDocument"]["version"] = 999
        return edits


def _edit(uri: str, text: str, old: str, new: str) -> Json:
    before = text[: text.index(old)]
    line, start = before.count("\n"), len(before.rpartition("\n")[2])
    span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": start + len(old)}}
    return {"textDocument": {"uri": uri, "version": None}, "edits": [{"range": span, "newText": new}]}


if __name__ == "__main__":
    UpdatesImports().run()
