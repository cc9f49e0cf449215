"""Can be told to look at everything anew."""

from base import Json, ToyServer


class Reloads(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        if method == "workspace/executeCommand":
            self.send(id=request, result={"success": True})
        else:
            super().asked(request, method, params)

    def capabilities(self) -> Json:
        return {**super().capabilities(), "executeCommandProvider": {"commands": ["typescript.tsserverRequest"]}}


Reloads().run()
