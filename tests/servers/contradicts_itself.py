"""As ``well_read``, but it says of ``moody.toy`` something else once another file was shown otherwise, and stays with
that when the file is put back. So do real ones whose inference depends on the order in which files were looked at."""

from base import Json
from well_read import WellRead


class ContradictsItself(WellRead):
    def __init__(self) -> None:
        super().__init__()
        self.is_changed = False

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        self.is_changed |= method == "textDocument/didChange"

    def diagnose(self, params: Json) -> Json:
        found = super().diagnose(params)
        return {**found, "items": []} if self.is_changed and self.path_of(params).name == "moody.toy" else found


if __name__ == "__main__":
    ContradictsItself().run()
