"""An agent: the other end of ``groundwire mcp``, which speaks line by line and waits for nothing without a limit.

Above: ``homes``.
"""

import contextlib
import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_WAIT_S = 30.0

HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Agent:
    """Its process reads what is said, and what it says is held until somebody hears it."""

    def __init__(
        self, command: Sequence[str], directory: Path, environment: Mapping[str, str], *, reads: bool = True
    ) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.told: list[Any] = []
        """What came that nobody had asked for."""
        self._answers: dict[object, Any] = {}
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._last = 0
        self._reading = threading.Thread(target=self._read, daemon=True)
        if reads:
            self.read()

    def read(self) -> None:
        """From now on what it says is taken from it, whether or not anybody hears it."""
        self._reading.start()

    def send(self, **message: Any) -> None:
        """One message."""
        self.send_line(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_line(self, line: bytes) -> None:
        """Bytes as they are, and the end of a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, **params: Any) -> int:
        """Ask, without waiting for the answer; its id."""
        self._last += 1
        self.send(id=self._last, method=method, params=params)
        return self._last

    def call(self, tool: str, **arguments: Any) -> int:
        """Call a tool, without waiting for the answer; its id."""
        return self.request("tools/call", name=tool, arguments=arguments)

    def answer(self, request: int, wait_s: float = _WAIT_S) -> Any:
        """The answer to a request."""
        while request not in self._answers:
            message = self.hear(wait_s)
            assert message is not None, "it ended without an answer"
            self._note(message)
        return self._answers.pop(request)

    def ask(self, method: str, **params: Any) -> Any:
        """Ask, and wait for the answer."""
        return self.answer(self.request(method, **params))

    def use(self, tool: str, **arguments: Any) -> str:
        """Call a tool; all the text of its answer."""
        return text_of(self.answer(self.call(tool, **arguments)))

    def initialize(self) -> Any:
        """Greet, as every agent does first; what is said to that."""
        result = self.ask("initialize", **HELLO)["result"]
        self.send(method="notifications/initialized")
        return result

    def hear(self, wait_s: float = _WAIT_S) -> Any:
        """The next message, whatever it is; None at the end. Raises queue.Empty."""
        line = self._lines.get(timeout=wait_s)
        return json.loads(line) if line is not None else None

    def rest(self, wait_s: float = _WAIT_S) -> list[Any]:
        """All that comes until the end."""
        return list(iter(lambda: self.hear(wait_s), None))

    def close_input(self) -> None:
        """It has said all."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def leave(self, wait_s: float = _WAIT_S) -> int:
        """End as agents do; the exit status."""
        self.close_input()
        return self.process.wait(wait_s)

    def kill(self) -> None:
        """End it at once; nothing of it is left open."""
        self.process.kill()
        self.process.wait()
        self.close_input()
        if self._reading.ident is None:  # nobody ever read
            self.read()
        self._reading.join(_WAIT_S)

    def _note(self, message: Any) -> None:
        request = message.get("id")
        if "method" in message or request is None:
            self.told.append(message)
            return
        assert request not in self._answers, f"{request} was answered twice"
        self._answers[request] = message

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                self._lines.put(line)
        self._lines.put(None)


def text_of(answer: Any) -> str:
    """All the text of a tool's answer."""
    return "\n".join(each["text"] for each in answer["result"]["content"])
