"""Whether one server works: it is started, shown a file and asked about it, within a time.

Above: ``doctor``. Below: ``pool``, ``client``.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from groundwire.client.diagnose import diagnose
from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.errors import GroundwireError
from groundwire.operations.serving.explain import cheap_version
from groundwire.pool.pool import Pool
from groundwire.pool.routes import Chosen
from groundwire.registry.versions import short_version, version_of
from groundwire.transport.stdio import StdioTransport
from groundwire.workspace.documents import Document

CheckupState = Literal["found", "missing", "broken", "untrusted", "disabled"]

_SYMBOLS = "textDocument/documentSymbol"
_SHARE_FOR_FINDINGS = 0.75
"""Of the time: the rest is for another question, when findings cannot be had."""
_TAIL_LINES = 5


class Checkup(msgspec.Struct, frozen=True, kw_only=True):
    """What came out for one server at one root."""

    server: str
    role: Literal["primary", "linter"]
    state: CheckupState
    """``found``: it works. ``untrusted``: it was not started, for the project supplies what it would run."""
    languages: tuple[str, ...]
    root: str = ""
    """Relative to the workspace; empty where nobody looked for one."""
    program: str = ""
    version: str = ""
    start_s: float | None = None
    """How long it took to start; none when it was not started, or did not."""
    answered: Literal["findings", "symbols", ""] = ""
    """What it was asked for and gave."""
    why: str = ""
    remedy: str = ""
    """The one command that helps."""
    stderr_tail: str = ""

    @property
    def needs_attention(self) -> bool:
        """Whether somebody has to do something; what is switched off was meant to be."""
        return self.state not in ("found", "disabled") or bool(self.remedy)


class Trial(NamedTuple):
    """How a start went."""

    start_s: float | None
    answered: Literal["findings", "symbols", ""]
    why: str
    version: str
    stderr_tail: str = ""

    @property
    def is_working(self) -> bool:
        """Whether it started and did not fall silent."""
        return self.start_s is not None and not self.why


class Subject(NamedTuple):
    """What is tried: a server, and a file for it."""

    chosen: Chosen
    sample: Path
    language: str


async def try_server(pool: Pool, subject: Subject, environment: Mapping[str, str], wait_s: float) -> Trial:
    """Start it and ask it. Everything that goes wrong is in the result."""
    chosen = subject.chosen
    loop = asyncio.get_running_loop()
    began = loop.time()
    deadline = began + wait_s
    try:
        instance = pool.instance(chosen)
    except GroundwireError as error:
        return Trial(None, "", error.message, "")
    try:
        session = await instance.ready(deadline)
    except TimeoutError:
        return Trial(None, "", f"it did not start within {wait_s:.0f} s", "", _tail(instance.session))
    except GroundwireError as error:
        return Trial(None, "", error.message, "", _tail(instance.session))
    started = loop.time() - began
    version = short_version(session.state.server_version) or await _version(chosen, environment)
    try:
        answered = await _ask(session, subject, deadline)
    except GroundwireError as error:
        return Trial(started, "", error.message, version, _tail(session))
    return Trial(started, answered, "", version)


async def _ask(session: Session, subject: Subject, deadline: float) -> Literal["findings", "symbols", ""]:
    """What it gives an answer to. Raises when it gives none that it says it can give."""
    document = sync_file(session, subject.sample, subject.language)
    left = max(deadline - session.now(), 0.0)
    found = await diagnose(session, document, session.now() + left * _SHARE_FOR_FINDINGS, save_checks=False)
    if found.proof != "unknown":
        return "findings"
    session.raise_if_dead()
    if not session.state.capabilities.supports(_SYMBOLS, path=str(subject.sample), language=subject.language):
        return ""
    await _ask_for_symbols(session, document, deadline)
    return "symbols"


async def _ask_for_symbols(session: Session, document: Document, deadline: float) -> None:
    timeout = max(deadline - session.now(), 1.0)
    await session.request(_SYMBOLS, {"textDocument": {"uri": document.uri}}, timeout=timeout)


async def _version(chosen: Chosen, environment: Mapping[str, str]) -> str:
    """For a server that does not tell by itself: from its installation, else by asking the program that just ran."""
    program = Path(chosen.command[0])
    told = cheap_version(program, chosen.spec.id)
    if told or not chosen.spec.version_command or not program.is_absolute():
        return told
    variables = {**environment, **chosen.spec.environment}
    return await asyncio.to_thread(version_of, program, chosen.spec.version_command, variables) or ""


def _tail(session: Session) -> str:
    transport = session.transport
    return transport.process.stderr_tail(_TAIL_LINES).strip() if isinstance(transport, StdioTransport) else ""
