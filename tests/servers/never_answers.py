"""Takes every question about references and answers none, until it is told to cancel one."""

from base import Json, ToyServer

_REQUEST_CANCELLED = -32800


class NeverAnswers(ToyServer):
    def asked(self, request: Json, method: str, params: Json) -> None:
        if method != "textDocument/references":
            super().asked(request, method, params)

    def told(self, method: str, params: Json) -> None:
        super().told(method, params)
        if method == "$/cancelRequest":
            self.send(id=params["id"], error={"code": _REQUEST_CANCELLED, "message": "cancelled"})


NeverAnswers().run()
