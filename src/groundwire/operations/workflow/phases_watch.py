"""The skill that a client has active, and every one of its calls held against it.

Above: ``runner``, ``skills_operations``. Below: ``phases``, ``phases_effects``, ``phases_kept``, ``audit``.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Literal, cast

import msgspec

from groundwire.errors import PhaseViolation
from groundwire.operations.audit import record_event
from groundwire.operations.operation import A, Call, Operation, R
from groundwire.operations.workflow.phases import Asked, ends, judge
from groundwire.operations.workflow.phases_effects import effect_of
from groundwire.operations.workflow.phases_kept import KeptPhase, PhaseRecord
from groundwire.operations.workflow.skills import Phase, Skill, all_skills

Mode = Literal["warn", "block"]

EXEMPT = frozenset({"activate_skill", "deactivate_skill", "get_skill_phase"})
"""By which one gets into phases, out of them, and to know them."""
_MOST_REMEMBERED = 100


@dataclass
class ActiveSkill:
    """A skill that a client works by. ``at`` is the number of its phase; ``is_done``: a step that ends it was made."""

    skill: Skill
    mode: Mode
    at: int = 0
    is_done: bool = False
    history: deque[str] = field(default_factory=lambda: deque[str](maxlen=_MOST_REMEMBERED))

    @property
    def phase(self) -> Phase:
        """The present one."""
        return self.skill.phases[self.at]


class Phases:
    """Of one client; what is kept for it holds this."""

    def __init__(self, record: PhaseRecord | None = None) -> None:
        self.active: ActiveSkill | None = None
        self.lost = ""
        """What must be said once: a skill that was active cannot be gone on with."""
        self._record = record
        if record is not None:
            self._recall(record)

    def changed(self) -> None:
        """Whoever comes after this process is to know it, too."""
        if self._record is None:
            return
        if self.active is None:
            self._record.forget()
            return
        active = self.active
        now = KeptPhase(active.skill.name, active.mode, active.phase.name, active.is_done, tuple(active.history))
        self._record.keep(now)

    def end(self) -> None:
        """The client has gone."""
        if self._record is not None:
            self._record.forget()

    def _recall(self, record: PhaseRecord) -> None:
        try:
            kept = record.recall()
        except (OSError, msgspec.DecodeError) as problem:
            self.lost = f"a skill was active, and which one cannot be read ({problem}): no skill is active now"
            return
        if kept is not None:
            self._go_on(kept)

    def _go_on(self, kept: KeptPhase) -> None:
        skill = all_skills().get(kept.skill)
        names = [phase.name for phase in skill.phases] if skill is not None else []
        if skill is None or kept.phase not in names or kept.mode not in {"warn", "block"}:
            self.lost = f"the skill {kept.skill} was active and is not the same any more: no skill is active now"
            return
        self.active = ActiveSkill(skill, cast("Mode", kept.mode), names.index(kept.phase), kept.is_done)
        self.active.history.extend(kept.history)


@dataclass(frozen=True)
class Passage:
    """A call that was let through, with what must be said beside its answer."""

    note: str = ""
    phases: Phases | None = None
    at: int = 0
    asked: Asked | None = None

    def done(self) -> None:
        """The call has an answer: if it is what the phase was for, the phase is done."""
        active = self.phases.active if self.phases is not None else None
        if self.phases is None or active is None or self.asked is None:
            return
        if active.at == self.at and not active.is_done and ends(active.phase, self.asked):
            active.is_done = True
            self.phases.changed()


_FREE = Passage()


def pass_phase(call: Call, operation: Operation[A, R]) -> Passage:
    """Hold a call that is about to be made against the active skill. Raises PhaseViolation where that blocks it."""
    phases = call.kept.get(Phases)
    active = phases.active
    if active is None or operation.name in EXEMPT or call.arguments is None:
        lost, phases.lost = phases.lost, ""
        return Passage(lost) if lost else _FREE
    asked = Asked((operation.name, *operation.aliases), effect_of(operation, call.arguments))
    active.history.append(operation.name)
    verdict = judge(active.skill, active.at, asked, is_done=active.is_done)
    if verdict.at != active.at:
        _advance(call, active, verdict.at)
    phases.changed()
    if verdict.why:
        return _violated(call, active, asked, verdict.why)
    return Passage(phases=phases, at=active.at, asked=asked)


def how_to_go_on(active: ActiveSkill) -> str:
    """What is allowed now, and how there will be more."""
    phase, phases = active.phase, active.skill.phases
    steps = ", ".join(word for word in phase.allow if word != "reads")
    now = f"Allowed now, in {phase.name}: {steps}, and what only reads." if steps else "Allowed now: what only reads."
    onward = phases[active.at + 1] if active.at + 1 < len(phases) else None
    if onward is None:
        return f"{now} It is the last phase; deactivate_skill ends the skill."
    ended = f" after {' or '.join(phase.done_by)}" if phase.done_by and not active.is_done else ""
    return f"{now} Next{ended}: {onward.name} ({', '.join(onward.allow)}). deactivate_skill ends the skill."


def _violated(call: Call, active: ActiveSkill, asked: Asked, why: str) -> Passage:
    details = {"skill": active.skill.name, "phase": active.phase.name, "mode": active.mode, "reason": why}
    record_event(call, "phase_violation", {"called": asked.names[0], "effect": asked.effect, **details})
    if active.mode == "block":
        raise PhaseViolation(f"{why}; nothing was done", hint=how_to_go_on(active))
    return Passage(f"against the phase of {active.skill.name}: {why}")


def _advance(call: Call, active: ActiveSkill, at: int) -> None:
    left = active.phase.name
    active.at, active.is_done = at, False
    record_event(call, "phase_advance", {"skill": active.skill.name, "from": left, "to": active.phase.name})
