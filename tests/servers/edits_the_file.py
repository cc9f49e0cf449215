"""Changes the file that it is asked about, so that the answer is about the text before.

The text says how: ``once``, ``always``, ``delete``, ``log`` (writes a file beside it, always), ``build`` (files beside
it, one at every question until there are six), or ``twice``: then the file itself first, and its neighbour next.
"""

from pathlib import Path

from base import Json, ToyServer

_MADE_BY_BUILD = 6


class EditsTheFile(ToyServer):
    def diagnose(self, params: Json) -> Json:
        self._edit(params)
        return super().diagnose(params)

    def references(self, params: Json) -> Json:
        found = super().references(params)
        self._edit(params)
        return found

    def _write_once(self, path: Path, text: str) -> None:
        if path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")

    def _edit(self, params: Json) -> None:
        text = self.texts[params["textDocument"]["uri"]]
        path = self.path_of(params)
        if text.startswith("once"):
            path.write_text("this is wrong\n", "utf-8")
        elif text.startswith("always"):
            path.write_text(text + "wrong\n", "utf-8")
        elif text.startswith("twice"):
            path.write_text("again\n", "utf-8")
        elif text.startswith("again"):
            self._write_once(path.with_name("a.toy"), "meanwhile wrong\n")
        elif text.startswith("log"):
            with path.with_name("server.log").open("a") as log:
                log.write("another line\n")
        elif text.startswith("build"):
            made = len(list(path.parent.glob("*.made")))
            if made < _MADE_BY_BUILD:
                path.with_name(f"{made}.made").touch()
        elif text.startswith("delete"):
            path.unlink()


EditsTheFile().run()
