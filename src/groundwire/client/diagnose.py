"""Proving one file's findings: carries out what ``workspace.settle`` decides until they are proven or the time is over.

Above: ``operations``. Below: ``session``, ``sync``, ``quirks.tsserver``, ``workspace.settle``.
"""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Literal

import msgspec

from groundwire.client.barrier import BARRIER, pass_barrier
from groundwire.client.quirks import tsserver
from groundwire.client.quirks.doc_links import without_doc_links
from groundwire.client.session import Session
from groundwire.client.sync import path_of, save_file, send_late_saves
from groundwire.errors import RequestTimeout, ServerError, SessionDead, Wire
from groundwire.protocol.jsonrpc import METHOD_NOT_FOUND
from groundwire.protocol.lsp_diagnostics import Diagnostic, decode_document_report
from groundwire.protocol.uris import uri_key
from groundwire.workspace.diagnostics import merge
from groundwire.workspace.documents import Document
from groundwire.workspace.readiness import Gate
from groundwire.workspace.settle import (
    Ask,
    Barrier,
    Evidence,
    Proven,
    Situation,
    Step,
    Touch,
    Unproven,
    Wait,
    next_step,
)

Proof = Literal["confirmed", "partial", "unknown"]

UNMEASURED = "nobody has measured when this server's answers are complete"

_BARRIERS = ("textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/hover")


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """One server's findings for one file, in wire positions of ``document``, and how far they are proven.

    ``partial``: these findings are real, but there may be more. ``unknown``: nothing can be said.
    """

    server: str
    document: Document
    diagnostics: tuple[Diagnostic, ...]
    proof: Proof
    evidence: Evidence | Literal[""] = ""
    reason: str = ""
    version: int = 0
    text: str = ""
    """The content that the findings are about."""
    clock: int = 0
    """The clock of ``Documents`` that the findings are about."""


async def diagnose(session: Session, document: Document, deadline: float, *, save_checks: bool = True) -> Findings:
    """Prove the findings of an open, synced document. Never raises for what the server does: it is in ``reason``."""
    try:
        found = await _settle_while_loaded(session, document, deadline, save_checks=save_checks)
    except ServerError as error:
        return _pushed_meanwhile(session, document, error)
    except (RequestTimeout, SessionDead, Wire) as error:
        return _findings(session, document, (), "unknown", reason=error.message)
    unchecked = session.state.unchecked_by_itself
    if unchecked and uri_key(document.uri) in unchecked:
        return _findings(session, document, (), "unknown", reason="the server says that it could not check this file")
    if found.proof == "confirmed":
        session.state.readiness.gave_diagnostics()
    return found


async def _settle_while_loaded(session: Session, document: Document, deadline: float, *, save_checks: bool) -> Findings:
    """A server that loads anew in the middle, or is told of changes, has answered too early: it is asked again."""
    while True:
        gate = session.state.readiness.gate("diagnostics", session.now())
        if not gate.is_open:
            gate = await _pass_gate(session, deadline)
        if not gate.is_open:
            return _findings(session, document, (), "unknown", reason=gate.reason)
        loads = session.state.readiness.loads
        found = await _Settling(session, document, deadline).run()
        if save_checks and session.state.late_saves:
            send_late_saves(session)
            if session.state.save_check is not None:
                await pass_barrier(session, deadline)
        if save_checks and found.proof == "confirmed":
            found = await _add_save_check(session, document, found, deadline)
        is_loaded = session.state.readiness.gate("diagnostics", session.now()).is_open
        is_same_load = is_loaded and session.state.readiness.loads == loads
        if found.proof != "confirmed":
            return found
        if is_same_load and session.state.documents.clock == found.clock:
            doubt = gate.reason or ("" if session.options.settle.measured else UNMEASURED)
            return msgspec.structs.replace(found, proof="partial", reason=doubt) if doubt else found


class _Settling:
    """One walk up the ladder."""

    def __init__(self, session: Session, document: Document, deadline: float) -> None:
        self._session = session
        self._document = document
        self._path = path_of(document.uri)
        self._deadline = deadline
        self._last_wait = ""

    async def run(self) -> Findings:
        """Step by step until there is nothing left to do."""
        session, document = self._session, self._document
        while True:
            current = session.state.documents.get(document.uri)
            if current is None:
                return _findings(session, document, (), "unknown", reason="the file was closed or deleted meanwhile")
            step = next_step(self._situation(current))
            if isinstance(step, Proven):
                return _findings(session, document, step.diagnostics, "confirmed", step.evidence)
            if isinstance(step, Unproven):
                proof: Proof = "partial" if step.diagnostics else "unknown"
                return _findings(session, document, step.diagnostics, proof, "quiet", step.reason)
            if session.now() >= self._deadline:
                return _findings(session, document, (), "unknown", reason=self._too_late(step))
            await self._take(step)

    async def _take(self, step: Step) -> None:
        match step:
            case Ask(evidence="pull", identifiers=identifiers):
                await self._pull(identifiers)
            case Ask(evidence="command"):
                await self._command()
            case Touch():
                now = self._session.now()
                self._session.tell(self._session.state.documents.touch(self._document.uri, now))
            case Barrier():
                await self._pass_barrier()
            case Wait(until=until, reason=reason):
                self._last_wait = reason
                await self._session.signal.wait(min(until or self._deadline, self._deadline))
                self._session.raise_if_dead()
            case _:
                return

    def _situation(self, document: Document) -> Situation:
        session, state = self._session, self._session.state
        rule, barrier = session.options.settle, state.barriers.get(uri_key(document.uri))
        return Situation(
            rule=rule,
            document=document,
            record=state.diagnostics.record(document.uri),
            clock=state.documents.clock,
            refreshes=state.diagnostics.refreshes,
            pull_identifiers=state.capabilities.pull_identifiers(self._path, document.language),
            has_command=bool(rule.sync_command) and tsserver.COMMAND in state.capabilities.commands(),
            registration_deadline=session.ready_since + session.options.registration_wait,
            barrier_answered=barrier[1] if barrier and barrier[0] == document.told_at else None,
            refused_pull=state.refused_pull,
            ever_reported=state.diagnostics.ever_reported,
            now=session.now(),
        )

    async def _pull(self, identifiers: tuple[str | None, ...]) -> None:
        await self._pull_each(identifiers)
        state, repeat_ms = self._session.state, self._session.options.settle.repeat_first_pull_ms
        if repeat_ms and not state.has_pulled:
            await asyncio.sleep(min(repeat_ms / 1000, self._time_left()))
            await self._pull_each(identifiers)
        state.has_pulled = True

    def _pull_each(self, identifiers: tuple[str | None, ...]) -> Awaitable[object]:
        if len(identifiers) == 1:  # nearly always, and a task of its own would cost a turn of the event loop
            return self._pull_one(identifiers[0])
        return asyncio.gather(*(self._pull_one(identifier) for identifier in identifiers))

    async def _pull_one(self, identifier: str | None) -> None:
        session, uri = self._session, self._document.uri
        store = session.state.diagnostics
        asked = store.asking(session.state.documents.clock)
        params: dict[str, object] = {"textDocument": {"uri": uri}}
        if identifier is not None:
            params["identifier"] = identifier
        previous = store.result_id(uri, identifier)
        if previous is not None:
            params["previousResultId"] = previous
        try:
            raw = await session.request("textDocument/diagnostic", params, timeout=self._time_left())
        except ServerError as error:
            if error.code != METHOD_NOT_FOUND:
                raise
            session.state.refused_pull = True
            return
        report = decode_document_report(raw)
        if session.options.settle.measured:
            # Known not to answer from before: a wish to be asked again that came first is fulfilled by this answer.
            asked = store.asking(asked.clock)
        if not store.pull(uri, identifier, report, asked) and previous is None:
            raise Wire("textDocument/diagnostic: unchanged, but no earlier result was named to compare with")

    async def _command(self) -> None:
        session, uri = self._session, self._document.uri
        asked = session.state.diagnostics.asking(session.state.documents.clock)
        found = await tsserver.synchronous_diagnostics(session.request, self._path, self._time_left())
        current = session.state.documents.get(uri) or self._document
        session.state.diagnostics.command(uri, without_doc_links(found, current.lines), asked)

    async def _pass_barrier(self) -> None:
        session, document = self._session, self._document
        told_at = (session.state.documents.get(document.uri) or document).told_at
        offered = session.state.capabilities.supports
        method = next((name for name in _BARRIERS if offered(name)), BARRIER)
        params: dict[str, object] = {"textDocument": {"uri": document.uri}}
        if method == "textDocument/hover":
            params["position"] = {"line": 0, "character": 0}
        with contextlib.suppress(ServerError):  # refused is answered: what was told before it has been read
            await session.request(method, params, timeout=self._time_left())
        session.state.barriers[uri_key(document.uri)] = (told_at, session.now())

    def _time_left(self) -> float:
        return max(self._deadline - self._session.now(), 0.001)

    def _too_late(self, step: Step) -> str:
        waited = step.reason if isinstance(step, Wait) else self._last_wait
        return waited or "the server did not answer in time"


async def _pass_gate(session: Session, deadline: float) -> Gate:
    """Wait until the server has loaded, or the time is over."""
    while True:
        gate = session.state.readiness.gate("diagnostics", session.now())
        if gate.is_open or session.now() >= deadline:
            return gate
        await session.signal.wait(min(gate.until or deadline, deadline))
        session.raise_if_dead()


async def _add_save_check(session: Session, document: Document, found: Findings, deadline: float) -> Findings:
    """Wait for the save-triggered checker and add what it published; without it, the answer is partial."""
    check, documents = session.state.save_check, session.state.documents
    if check is None:
        return found
    while not check.is_settled(documents.clock, session.now()):
        if session.now() >= deadline:
            return msgspec.structs.replace(found, proof="partial", reason=f"{check.rule.name} has not finished yet")
        if check.needs_save(documents.clock):
            if session.state.capabilities.save == "none":
                reason = f"{check.rule.name} runs after a save, and the server takes none"
                return msgspec.structs.replace(found, proof="partial", reason=reason)
            await _save(session, document.uri, deadline)
            continue
        await session.signal.wait(min(check.look_again(session.now()) or deadline, deadline))
        session.raise_if_dead()
    pushed = session.state.diagnostics.record(document.uri).pushed
    return msgspec.structs.replace(found, diagnostics=merge((found.diagnostics, pushed.diagnostics if pushed else ())))


async def _save(session: Session, uri: str, deadline: float) -> None:
    """Tell of a save."""
    save_file(session, uri)
    await pass_barrier(session, deadline)  # a check that begins after the answer is one of this save


def _findings(
    session: Session,
    document: Document,
    diagnostics: tuple[Diagnostic, ...],
    proof: Proof,
    evidence: Evidence | Literal[""] = "",
    reason: str = "",
) -> Findings:
    current = session.state.documents.get(document.uri) or document
    return Findings(
        server=session.options.server,
        document=current,
        diagnostics=diagnostics,
        proof=proof,
        evidence=evidence,
        reason=reason,
        version=current.version,
        text=current.text,
        clock=session.state.documents.clock,
    )


def _pushed_meanwhile(session: Session, document: Document, error: ServerError) -> Findings:
    """A pull that fails proves nothing; what the server pushed for this very version is still worth showing."""
    pushed = session.state.diagnostics.record(document.uri).pushed
    if pushed is None or pushed.version != document.version or not pushed.diagnostics:
        return _findings(session, document, (), "unknown", reason=error.message)
    return _findings(session, document, pushed.diagnostics, "partial", reason=error.message)
