"""Publishes, after a change, first what it found in the version before, then nothing new for a while."""

import threading

from base import Json, ToyServer, findings


class PublishesOldVersion(ToyServer):
    def capabilities(self) -> Json:
        return {**super().capabilities(), "diagnosticProvider": None}

    def changed(self, document: Json, text: str) -> None:
        uri = document["uri"]
        if uri in self.texts:
            self.publish(uri, findings(self.texts[uri]), self.versions[uri])
        super().changed(document, text)
        timer = threading.Timer(0.2, self.publish, (uri, findings(text), document["version"]))
        timer.daemon = True
        timer.start()


PublishesOldVersion().run()
