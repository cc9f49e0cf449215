"""Sessions: begun, edited, thrown away.

Above: ``table``. Below: ``sessions``, ``given_edits``.
"""

import asyncio
from typing import Annotated

from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import FilePath
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.speculation import SimulationSession
from groundwire.operations.speculation.given_edits import Piece, apply_one
from groundwire.operations.speculation.sessions import Simulation, Simulations, described, session_of

SessionId = Annotated[str, Meta(description="Without it, the session used last.")]


class NoChoice(Arguments, frozen=True):
    """Nothing to choose."""


class OneSession(Arguments, frozen=True):
    """Which one."""

    session_id: SessionId = ""


class SimulateEdit(OneSession, frozen=True):
    """What to edit: a range, a piece of text, the whole file, or the file itself."""

    file_path: FilePath = ""
    start_line: Annotated[int, Meta(ge=0, description="1-based.")] = 0
    start_column: Annotated[int, Meta(ge=0, description="1-based, in characters; without it, 1.")] = 0
    end_line: Annotated[int, Meta(ge=0, description="Without it, start_line.")] = 0
    end_column: Annotated[int, Meta(ge=0, description="Behind the last character; without it, the line's end.")] = 0
    old_text: Annotated[str, Meta(description="Text to replace, instead of a range.")] = ""
    new_text: Annotated[str, Meta(description="What to put there; of a new file, all of it.")] = ""
    whole_file: Annotated[bool, Meta(description="new_text is all of the file.")] = False
    delete: Annotated[bool, Meta(description="The file is to be gone.")] = False


@operation(
    "Begin a session of edits that are not written: simulate_edit, evaluate_session, then commit_session or discard.",
    effect="manages",
    command="simulate",
)
async def create_simulation_session(call: Call, arguments: NoChoice) -> Answer[SimulationSession]:  # noqa: ARG001  none
    """Of this client alone."""
    session = call.kept.get(Simulations).create(call, asyncio.get_running_loop().time())
    return _answer(call, session)


@operation("Edit a file within a session. Nothing is written, and no server sees it yet.", effect="simulates")
async def simulate_edit(call: Call, arguments: SimulateEdit) -> Answer[SimulationSession]:
    """After the edits that the session holds already."""
    async with session_of(call, arguments.session_id) as session:
        session.require("created", "mutated", "evaluated")
        if not arguments.file_path:
            raise InvalidArgument("file_path is missing", hint="Give the file to edit.")
        texts = session.texts.copy()
        if arguments.whole_file or arguments.delete:
            if arguments.whole_file and arguments.delete:
                raise InvalidArgument("both whole_file and delete are given", hint="Give one of them.")
            texts.put(texts.find(arguments.file_path), None if arguments.delete else arguments.new_text)
        else:
            apply_one(texts, _given(arguments))
        session.mutate(texts)
        return _answer(call, session, edit_applied=True)


@operation("Throw away the edits of a session; the disk was never touched.", effect="manages")
async def discard_session(call: Call, arguments: OneSession) -> Answer[SimulationSession]:
    """A second time is no mistake."""
    async with session_of(call, arguments.session_id) as session:
        session.require("created", "mutated", "evaluated", "dirty", "discarded")
        session.end("discarded")
        return _answer(call, session)


@operation("End a session and forget it; one that is gone already is no mistake.", effect="manages")
async def destroy_session(call: Call, arguments: OneSession) -> Answer[SimulationSession]:
    """Whatever its state."""
    was_there = call.kept.get(Simulations).destroy(arguments.session_id)
    value = SimulationSession(session_id=arguments.session_id, status="destroyed" if was_there else "already_destroyed")
    return Answer(value=value, status=Status.CONFIRMED)


def _given(arguments: SimulateEdit) -> Piece:
    return Piece(
        file_path=arguments.file_path,
        start_line=arguments.start_line,
        start_column=arguments.start_column,
        end_line=arguments.end_line,
        end_column=arguments.end_column,
        old_text=arguments.old_text,
        new_text=arguments.new_text,
    )


def _answer(call: Call, session: Simulation, *, edit_applied: bool = False) -> Answer[SimulationSession]:
    return Answer(value=described(call, session, edit_applied=edit_applied), status=Status.CONFIRMED)
