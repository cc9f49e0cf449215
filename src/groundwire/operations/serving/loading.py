"""Starting one server and waiting until it has loaded what it will be asked about, within the time.

Above: ``starting``, ``connecting``. Below: ``pool``, ``client``.
"""

import contextlib
from typing import Literal, NamedTuple

from groundwire.client.diagnose import diagnose
from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.errors import GroundwireError
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call
from groundwire.operations.results.workspace import StartedServer
from groundwire.operations.serving.wanted import Wanted
from groundwire.workspace.documents import Document
from groundwire.workspace.readiness import GateKind

_GATES: tuple[GateKind, ...] = ("diagnostics", "references")


class Loaded(NamedTuple):
    """How far it came, and why no further or what is not certain."""

    state: Literal["ready", "loading"]
    reason: str = ""


async def start_and_load(call: Call, wanted: Wanted) -> StartedServer:
    """How far the server came; never an error."""
    server = wanted.chosen.spec.id
    call.progress(f"{server} is starting")
    try:
        session = await call.pool.instance(wanted.chosen).ready(call.deadline)
        loaded = await load(call, session, wanted)
    except TimeoutError:
        return described(call, wanted, None, "starting", "it is still starting, and goes on in the background")
    except GroundwireError as error:
        return described(
            call, wanted, None, "failed", f"{error.message}. {error.hint}" if error.hint else error.message
        )
    return described(call, wanted, session, loaded.state, loaded.reason)


async def load(call: Call, session: Session, wanted: Wanted) -> Loaded:
    """Show it the file and wait for its signs. Raises SessionDead."""
    call.pool.refresh()
    document = None
    with contextlib.suppress(GroundwireError):  # the file is gone, or no text: then it is not shown
        document = sync_file(session, wanted.sample, wanted.language)
    if document is not None and session.options.readiness.references_need == "first-diagnostics":
        await _first_check(session, document, call.deadline)
    told = ""
    while True:
        gates = [session.state.readiness.gate(kind, session.now()) for kind in _GATES]
        waiting = next((gate for gate in gates if not gate.is_open), None)
        if waiting is None:
            return Loaded("ready", next((gate.reason for gate in gates if gate.reason), ""))
        if session.now() >= call.deadline:
            return Loaded("loading", waiting.reason)
        if waiting.reason != told:
            told = waiting.reason
            call.progress(f"{session.options.server}: {told}")
        await session.signal.wait(min(waiting.until or call.deadline, call.deadline))
        session.raise_if_dead()


async def _first_check(session: Session, document: Document, deadline: float) -> None:
    """What it finds does not matter, only that it has looked; when it has not, the gate says so."""
    await diagnose(session, document, deadline, save_checks=False)
    session.raise_if_dead()


def described(
    call: Call,
    wanted: Wanted,
    session: Session | None,
    state: Literal["ready", "loading", "starting", "failed"],
    reason: str,
) -> StartedServer:
    """The server as it is shown."""
    chosen, pool = wanted.chosen, call.pool
    return StartedServer(
        server=chosen.spec.id,
        languages=(wanted.language,),
        state=state,
        root=shown_path(chosen.root, pool.workspace),
        version=session.state.server_version if session is not None else "",
        address=pool.folders.terms_at(chosen.root).connect.get(chosen.spec.id, ""),
        reason=reason,
    )
