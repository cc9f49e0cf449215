"""What the edits of a session would do; and of a chain of edits, up to which one it may be followed.

Above: ``table``. Below: ``sessions``, ``evaluation``.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status, worst
from groundwire.operations.operation import Call, operation
from groundwire.operations.results.speculation import ChainEvaluation, ChainStep, Evaluation, Scope
from groundwire.operations.speculation.evaluation import evaluate
from groundwire.operations.speculation.given_edits import Piece, apply_one
from groundwire.operations.speculation.sessions import Simulation, session_of
from groundwire.operations.speculation.simulate import OneSession

ScopeOf = Annotated[Scope, Meta(description="file: only the edited files.")]
TimeoutMs = Annotated[int, Meta(ge=0, description="0: as long as the call may take.")]

MOST_STEPS = 20


class EvaluateSession(OneSession, frozen=True):
    """How far to look."""

    scope: ScopeOf = "workspace"
    timeout_ms: TimeoutMs = 0


class SimulateChain(OneSession, frozen=True):
    """The edits, in order."""

    edits: Annotated[tuple[Piece, ...], Meta(max_length=MOST_STEPS, description="In order.")] = ()
    scope: ScopeOf = "workspace"
    timeout_ms: TimeoutMs = 0


@operation(
    "Tell which errors the edits of a session would introduce and resolve, in the files that use them too.",
    effect="simulates",
)
async def evaluate_session(call: Call, arguments: EvaluateSession) -> Answer[Evaluation]:
    """As often as wanted."""
    async with session_of(call, arguments.session_id) as session:
        session.require("created", "mutated", "evaluated")
        return await _evaluated(call, session, arguments.scope, arguments.timeout_ms)


@operation(
    "Add edits to a session one by one, and evaluate after each: tells up to which step it is safe.",
    effect="simulates",
)
async def simulate_chain(call: Call, arguments: SimulateChain) -> Answer[ChainEvaluation]:
    """All of them, or none where one does not fit."""
    async with session_of(call, arguments.session_id) as session:
        session.require("created", "mutated", "evaluated")
        if not arguments.edits:
            raise InvalidArgument("no edits are given", hint="Give edits: file_path, old_text or a range, new_text.")
        texts, states = session.texts, [session.texts]
        for edit in arguments.edits:
            texts = texts.copy()
            apply_one(texts, edit)
            states.append(texts)
        answers: list[Answer[Evaluation]] = []
        for texts in states[1:]:
            session.mutate(texts)
            answers.append(await _evaluated(call, session, arguments.scope, arguments.timeout_ms))
        return _chain(session, answers)


async def _evaluated(call: Call, session: Simulation, scope: Scope, timeout_ms: int) -> Answer[Evaluation]:
    session.state = "evaluating"
    try:
        answer = await evaluate(call, session.texts, scope, timeout_ms)
    finally:
        session.state = "mutated"  # unless it comes to an end
    session.state = "dirty" if session.texts.outdated() else "evaluated"
    return msgspec.structs.replace(answer, value=msgspec.structs.replace(answer.value, session_id=session.id))


def _chain(session: Simulation, answers: list[Answer[Evaluation]]) -> Answer[ChainEvaluation]:
    values = [answer.value for answer in answers]
    safe = next((number for number, value in enumerate(values) if value.verdict != "safe"), len(values))
    steps = tuple(
        ChainStep(
            step=number,
            verdict=answer.value.verdict,
            net_delta=answer.value.net_delta,
            errors_introduced=answer.value.errors_introduced,
            reason=answer.reason,
        )
        for number, answer in enumerate(answers, start=1)
    )
    return Answer(
        value=ChainEvaluation(
            session_id=session.id,
            steps=steps,
            safe_to_apply_through_step=safe,
            cumulative_delta=values[-1].net_delta,
        ),
        status=worst(answer.status for answer in answers),
        reason=next((answer.reason for answer in answers if answer.status is not Status.CONFIRMED), ""),
        servers=tuple(dict.fromkeys(server for answer in answers for server in answer.servers)),
    )
