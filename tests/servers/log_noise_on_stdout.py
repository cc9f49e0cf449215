"""Prints its log between the messages."""

from base import ToyServer

NOISE = "INFO größe of cache: 17\nContent-Length: unknown\n\x1b[31mwarning\x1b[0m\r\n".encode()


class LogNoiseOnStdout(ToyServer):
    def write(self, data: bytes) -> None:
        super().write(NOISE + data + NOISE)


LogNoiseOnStdout().run()
