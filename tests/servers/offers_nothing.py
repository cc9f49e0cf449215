"""Offers nothing at all, and says so."""

from base import Json, ToyServer


class OffersNothing(ToyServer):
    def capabilities(self) -> Json:
        return {}

    def watch(self) -> None:
        pass


OffersNothing().run()
