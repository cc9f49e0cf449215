"""Writes its messages in pieces, cut anywhere: in the header, in a character."""

from base import ToyServer


class SplitFrames(ToyServer):
    def write(self, data: bytes) -> None:
        for start in range(0, len(data), 7):
            super().write(data[start : start + 7])


SplitFrames().run()
