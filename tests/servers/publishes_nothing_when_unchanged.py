"""Publishes without a version, and only what differs from before: a file that stays clean is never heard of."""

from base import Json, ToyServer, findings


class PublishesNothingWhenUnchanged(ToyServer):
    def capabilities(self) -> Json:
        return {**super().capabilities(), "diagnosticProvider": None}

    def changed(self, document: Json, text: str) -> None:
        before = findings(self.texts.get(document["uri"], ""))
        super().changed(document, text)
        if findings(text) != before:
            self.publish(document["uri"], findings(text))


PublishesNothingWhenUnchanged().run()
