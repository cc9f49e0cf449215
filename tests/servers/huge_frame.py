"""Reports more about a file than anybody wants to read, if the file says ``huge``."""

from base import Json, ToyServer


class HugeFrame(ToyServer):
    def diagnose(self, params: Json) -> Json:
        report = super().diagnose(params)
        if "huge" in self.texts[params["textDocument"]["uri"]]:
            report["resultId"] = "x" * 3_000_000
        return report


HugeFrame().run()
