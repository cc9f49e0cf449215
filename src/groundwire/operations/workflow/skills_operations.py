"""Working by a skill: which there are, and which of them a client has active, phase by phase.

Above: ``table``, which hands itself over: it cannot be imported from below. Below: ``skills``, ``phases_watch``,
``skills_support``.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, NamedTuple, get_args

from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.audit import record_event
from groundwire.operations.operation import Arguments, Call, Effect, Operation, operation
from groundwire.operations.workflow.phases import Asked
from groundwire.operations.workflow.phases_watch import ActiveSkill, Mode, Phases, how_to_go_on
from groundwire.operations.workflow.skills import Skill, all_skills, find_skill
from groundwire.operations.workflow.skills_results import (
    SkillActivation,
    SkillDeactivation,
    SkillLine,
    SkillList,
    SkillPhase,
)
from groundwire.operations.workflow.skills_support import Offers, find_offers, support_of

# Each has arguments and a result of its own, and only their names and effects are looked at.
Known = Callable[[], Iterable[Operation[Any, Any]]]

OUTSIDE = frozenset({"Edit", "Write", "MultiEdit", "Bash"})
"""Tools of agents that phases may name: they are for the reader, for nobody here sees them called."""
_EFFECTS = frozenset(get_args(Effect))


class ActivateSkill(Arguments, frozen=True):
    """Which one, and how strictly."""

    skill_name: Annotated[str, Meta(min_length=1, description="Skill, such as lsp-rename.")]
    mode: Annotated[Mode, Meta(description="warn: tells what is against the phase; block: refuses it.")] = "warn"


class NoArguments(Arguments, frozen=True):
    """None."""


class SkillOperations(NamedTuple):
    """All of them."""

    list_skills: Operation[NoArguments, SkillList]
    activate_skill: Operation[ActivateSkill, SkillActivation]
    deactivate_skill: Operation[NoArguments, SkillDeactivation]
    get_skill_phase: Operation[NoArguments, SkillPhase]


@operation("Workflows over these tools (skills), and whether the servers at hand can do what each needs.")
async def list_skills(call: Call, arguments: NoArguments) -> Answer[SkillList]:  # noqa: ARG001  it has none
    """Starts no server."""
    offers = await find_offers(call.pool)
    lines = tuple(_line(skill, offers) for skill in all_skills().values())
    return Answer(value=SkillList(skills=lines), status=Status.CONFIRMED)


@operation("End the skill that is active, and its phases with it; that none is active is no mistake.", effect="manages")
async def deactivate_skill(call: Call, arguments: NoArguments) -> Answer[SkillDeactivation]:  # noqa: ARG001  it has none
    """For this client."""
    kept = call.kept.get(Phases)
    name = kept.active.skill.name if kept.active is not None else ""
    if kept.active is not None:
        record_event(call, "deactivate_skill", {"skill": name, "phase": kept.active.phase.name})
    kept.active = None
    kept.changed()
    return Answer(value=SkillDeactivation(skill=name), status=Status.CONFIRMED)


@operation("Which skill is active, its phase, what that allows and how to go on.", command="skill-phase")
async def get_skill_phase(call: Call, arguments: NoArguments) -> Answer[SkillPhase]:  # noqa: ARG001  it has none
    """Of this client."""
    active = call.kept.get(Phases).active
    if active is None:
        value = SkillPhase(active=False, available_skills=tuple(_with_phases()))
        return Answer(value=value, status=Status.CONFIRMED)
    value = SkillPhase(
        active=True,
        skill_name=active.skill.name,
        mode=active.mode,
        current_phase=active.phase.name,
        phase_index=active.at,
        total_phases=len(active.skill.phases),
        phase_done=active.is_done,
        allowed_tools=active.phase.allow,
        allowed_effects=active.phase.effects,
        forbidden_tools=_forbidden(active),
        tool_history=tuple(active.history),
        go_on=how_to_go_on(active),
    )
    return Answer(value=value, status=Status.CONFIRMED)


def skill_operations(known: Known) -> SkillOperations:
    """The operations; what a skill names is looked for among those that are known."""

    @operation(
        "Work by a skill: its phases say which tools may be used when. Per connection; deactivate_skill ends it.",
        effect="manages",
    )
    async def activate_skill(call: Call, arguments: ActivateSkill) -> Answer[SkillActivation]:
        """From its first phase on."""
        kept = call.kept.get(Phases)
        skill = find_skill(arguments.skill_name, all_skills())
        # A daemon that ended before it could answer leaves the next one the same request, which is no mistake.
        if kept.active is not None and kept.active != ActiveSkill(skill, arguments.mode):
            raise InvalidArgument(f"{kept.active.skill.name} is active already", hint="deactivate_skill ends it.")
        require_usable(skill, known())
        active = kept.active = ActiveSkill(skill, arguments.mode)
        kept.changed()
        record_event(call, "activate_skill", {"skill": skill.name, "mode": active.mode, "phase": active.phase.name})
        return Answer(value=_activation(active), status=Status.CONFIRMED)

    return SkillOperations(list_skills, activate_skill, deactivate_skill, get_skill_phase)


def require_usable(skill: Skill, known: Iterable[Operation[Any, Any]]) -> None:
    """Raises InvalidArgument for a skill without phases, and for one that names what there is not: that would hold
    nobody back from anything."""
    if not skill.phases:
        with_phases = ", ".join(_with_phases())
        raise InvalidArgument(f"{skill.name} has no phases to be held to", hint=f"These have: {with_phases}.")
    every = [Asked((each.name, *each.aliases), each.effect) for each in known]
    for word in _words(skill):
        if word not in OUTSIDE and word not in _EFFECTS and not any(each.fits((word,)) for each in every):
            raise InvalidArgument(f"{skill.name} speaks of {word!r}, which is no tool", hint="Correct its SKILL.md.")


def _words(skill: Skill) -> Iterable[str]:
    yield from skill.forbid
    for phase in skill.phases:
        yield from (*phase.allow, *phase.forbid, *phase.done_by)


def _with_phases() -> list[str]:
    return [skill.name for skill in all_skills().values() if skill.phases]


def _forbidden(active: ActiveSkill) -> tuple[str, ...]:
    return (*active.skill.forbid, *active.phase.forbid)


def _activation(active: ActiveSkill) -> SkillActivation:
    return SkillActivation(
        skill=active.skill.name,
        mode=active.mode,
        current_phase=active.phase.name,
        total_phases=len(active.skill.phases),
        allowed_tools=active.phase.allow,
        allowed_effects=active.phase.effects,
        forbidden_tools=_forbidden(active),
        go_on=how_to_go_on(active),
    )


def _line(skill: Skill, offers: Offers) -> SkillLine:
    support = support_of(skill, offers)
    return SkillLine(
        name=skill.name,
        description=skill.description,
        argument_hint=skill.argument_hint,
        status=support.status,
        missing_required=support.missing_required,
        missing_optional=support.missing_optional,
        phases=tuple(phase.name for phase in skill.phases),
    )
