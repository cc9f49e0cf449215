"""A front as a process of its own, in a home of its own: ``groundwire serve``, or one with smaller limits.

``front`` in ``conftest`` is one that has just been started. Below: ``tests.daemon.homes``.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Self

import httpx2
import psutil

from tests.daemon.homes import Home

TOKEN = "a-token-of-the-tests-0123456789"
_WAIT_S = 30.0
_REPOSITORY = Path(__file__).parents[3]
READY = "groundwire serves on "


class Front:
    """``roots`` are its allow-list (the home's project by default). ``limits`` are fields of ServeSettings.

    ``words`` are more of the command line, for a front without limits of its own. Everything it says is in ``log``.
    """

    def __init__(
        self,
        home: Home,
        *words: str,
        roots: tuple[Path, ...] = (),
        token: str = TOKEN,
        limits: Mapping[str, object] | None = None,
    ) -> None:
        self.home = home
        self.token = token
        self.roots = roots or (home.root,)
        self.log = home.directory / "front.log"
        self.port = 0
        self._words = words
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Listens when this returns; on the port that it had before, if it had one."""
        begun = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.home.root,
                env=self._environment(),
            )
        until = time.monotonic() + _WAIT_S
        while (address := self._address(begun)) is None:
            assert self._process.poll() is None, self.said()
            assert time.monotonic() < until, self.said()
            time.sleep(0.01)
        self.port = int(address.rpartition(":")[2])
        return self

    @property
    def url(self) -> str:
        """Without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def process(self) -> psutil.Process:
        assert self._process is not None
        return psutil.Process(self._process.pid)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def client(self, **headers: str) -> httpx2.Client:
        """With the token."""
        # Nothing is encrypted here: loading certificates would take longer than the test.
        return httpx2.Client(
            base_url=self.url, headers={**self.headers, **headers}, timeout=_WAIT_S, trust_env=False, verify=False
        )

    def async_client(self, **headers: str) -> httpx2.AsyncClient:
        """With the token."""
        return httpx2.AsyncClient(
            base_url=self.url, headers={**self.headers, **headers}, timeout=_WAIT_S, trust_env=False, verify=False
        )

    def get(self, path: str, **headers: str) -> httpx2.Response:
        """One GET, with the token."""
        with self.client(**headers) as client:
            return client.get(path)

    def connect(self, wait_s: float = _WAIT_S) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), wait_s)

    def is_up(self) -> bool:
        """Whether it serves, the token asked for or not."""
        with self.client() as client:
            return client.get("/health").status_code == 200

    def said(self) -> str:
        """All of its log."""
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def end(self, number: int = signal.SIGTERM, wait_s: float = _WAIT_S) -> int:
        """Told to end, and waited for; its exit status."""
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait(wait_s)

    def tell(self, number: int = signal.SIGTERM) -> None:
        """A signal, not waited for."""
        assert self._process is not None
        self._process.send_signal(number)

    def wait(self, wait_s: float = _WAIT_S) -> int:
        """Until it has ended; its exit status."""
        assert self._process is not None
        return self._process.wait(wait_s)

    def kill(self) -> None:
        """Without warning; nothing happens when it has ended already."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(_WAIT_S)

    def _command(self) -> list[str]:
        if self._limits is not None:
            given = {"roots": [*map(str, self.roots)], "port": self.port, "limits": self._limits}
            return [sys.executable, "-m", "tests.surfaces.http.limited_front", json.dumps(given)]
        roots = [word for root in self.roots for word in ("--root", str(root))]
        return [sys.executable, "-m", "groundwire", "serve", "--port", str(self.port), *roots, *self._words]

    def _environment(self) -> dict[str, str]:
        given = {**self.home.environment}
        if self._limits is not None:
            given["PYTHONPATH"] = os.pathsep.join((given["PYTHONPATH"], str(_REPOSITORY)))
        return {**given, "GROUNDWIRE_TOKEN": self.token} if self.token else given

    def _address(self, begun: int) -> str | None:
        with self.log.open("rb") as log:
            log.seek(begun)
            for line in log.read().decode("utf-8", "replace").splitlines(keepends=True):
                if line.startswith(READY) and line.endswith("\n"):
                    return line.removeprefix(READY).strip()
        return None


@contextlib.contextmanager
def shared_front(directory: Path, *words: str, limits: Mapping[str, object] | None = None) -> Generator[Front]:
    """One for several tests, in a home of its own; nothing of it is left."""
    home = Home(directory)
    try:
        with serving(Front(home, *words, limits=limits)) as front:
            yield front
    finally:
        left = home.close()
    assert not left, left


@contextlib.contextmanager
def serving(front: Front) -> Generator[Front]:
    """A front that has been started, and is gone at the end."""
    try:
        yield front.start()
    finally:
        front.kill()
