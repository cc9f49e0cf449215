"""Serves one client after the other over TCP; somebody else runs it. The first line on its output is its port."""

import contextlib
import socket
import sys

from base import ToyServer


def serve() -> None:
    """Until it is told to exit, or killed."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        while True:
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as reading, connection.makefile("wb") as writing:
                sys.stdin = type("Input", (), {"buffer": reading})
                sys.stdout = type("Output", (), {"buffer": writing})
                with contextlib.suppress(ConnectionError):  # a client that hangs up; the next one is served
                    ToyServer().run()


serve()
