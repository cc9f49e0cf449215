"""Which calls a phase of a skill lets through: decided in pure code, by the effect of a call and by its names.

What a phase allows passes. What only a later phase allows moves there, never back: not over a phase that forbids it or
that has steps of its own to be done, and not out of one before it is done. Of all else reads pass, and nothing more.
Above: ``phases_watch``. Below: ``skills``.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.operations.operation import Effect
from groundwire.operations.workflow.skills import Phase, Skill


class Asked(NamedTuple):
    """A call, as a phase sees it: all names of its operation, its own first, and what this call may do."""

    names: tuple[str, ...]
    effect: Effect

    def fits(self, words: Iterable[str]) -> bool:
        """Whether one of the words means it."""
        return any(self._is_meant(word) for word in words)

    def _is_meant(self, word: str) -> bool:
        if word.endswith("*"):
            return any(name.startswith(word[:-1]) for name in self.names)
        return word == self.effect or word in self.names


class Verdict(NamedTuple):
    """``at``: the phase that the call is in. ``why``: it is a violation, for this reason."""

    at: int
    why: str = ""


def judge(skill: Skill, at: int, asked: Asked, *, is_done: bool) -> Verdict:
    """What is to be said of a call in the phase ``at``, which ``is_done`` or not."""
    phase = skill.phases[at]
    if asked.fits(skill.forbid):
        return Verdict(at, f"{skill.name} forbids {asked.names[0]} in all its phases")
    if allows(phase, asked):
        return Verdict(at)
    is_forbidden = asked.fits(phase.forbid)
    later = _later(skill.phases, at, asked)
    is_held = bool(phase.done_by or is_forbidden) and not is_done
    if later and not is_held:
        return Verdict(later)
    if asked.effect == "reads" and not is_forbidden:
        return Verdict(at)
    if later:
        steps = " or ".join(phase.done_by or phase.allow)
        waits = f"{_shown(asked)} must wait until the phase {phase.name} is done"
        return Verdict(at, f"{waits}, by {steps} ({', '.join(phase.effects)})")
    verb = "forbids" if is_forbidden else "does not allow"
    return Verdict(at, f"the phase {phase.name} {verb} {_shown(asked)}")


def allows(phase: Phase, asked: Asked) -> bool:
    """Whether it is a step of the phase."""
    return asked.effect in phase.effects and asked.fits(phase.allow) and not asked.fits(phase.forbid)


def ends(phase: Phase, asked: Asked) -> bool:
    """Whether the phase is done once this call is."""
    return allows(phase, asked) and (not phase.done_by or asked.fits(phase.done_by))


def _later(phases: Sequence[Phase], at: int, asked: Asked) -> int:
    """The first later phase that allows it, with none between that forbids it or must be done; 0 when there is none."""
    for later, phase in enumerate(phases[at + 1 :], at + 1):
        if allows(phase, asked):
            return later
        if phase.done_by or asked.fits(phase.forbid):
            return 0
    return 0


def _shown(asked: Asked) -> str:
    return f"{asked.names[0]} ({asked.effect})"
