"""Skills and their phases, as text.

Above: ``answers``. Below: ``page``, ``verdict``.
"""

from groundwire.operations.answer import Answer
from groundwire.operations.workflow.skills_results import (
    SkillActivation,
    SkillDeactivation,
    SkillLine,
    SkillList,
    SkillPhase,
)
from groundwire.render.page import Block, Page, Section, prose
from groundwire.render.verdict import noted
from groundwire.render.wording import counted

_STATUS = {"supported": "", "partial": "partial", "unsupported": "unsupported", "unknown": "not known yet"}


def skills_page(answer: Answer[SkillList]) -> Page:
    """One of them a line; what is not simply supported says so, and what it lacks."""
    skills = answer.value.skills
    section = Section([_skill(skill) for skill in skills], len(skills))
    return Page(f"{counted(len(skills), 'skill')}{noted(answer)}", (section,), is_open=False)


def _skill(skill: SkillLine) -> Block:
    missing = ", ".join(skill.missing_required or skill.missing_optional)
    state = _STATUS[skill.status]
    shown = f" [{state}: {missing}]" if missing else f" [{state}]" if state else ""
    named = " ".join(filter(None, (skill.name, skill.argument_hint)))
    return (f"  {named}{shown}", f"    {skill.description}")


def activation_page(answer: Answer[SkillActivation]) -> Page:
    """The first phase, and how to go on."""
    active = answer.value
    against = "is refused" if active.mode == "block" else "is done, and said to be"
    head = f"{active.skill} is active, in {active.current_phase}, the first of {counted(active.total_phases, 'phase')}"
    return Page(f"{head}; what is against it {against}{noted(answer)}", (prose(active.go_on),), is_open=False)


def deactivation_page(answer: Answer[SkillDeactivation]) -> Page:
    """That none is active."""
    name = answer.value.skill
    head = f"{name} is no longer active" if name else "No skill was active"
    return Page(f"{head}{noted(answer)}", is_open=False)


def phase_page(answer: Answer[SkillPhase]) -> Page:
    """Where one is."""
    phase = answer.value
    if not phase.active:
        listed = prose(f"activate_skill knows {', '.join(phase.available_skills)}.")
        return Page(f"No skill is active{noted(answer)}", (listed,), is_open=False)
    number = f"phase {phase.phase_index + 1} of {phase.total_phases}"
    done = ", done" if phase.phase_done else ""
    head = f"{phase.skill_name} ({phase.mode}): {phase.current_phase}, {number}{done}{noted(answer)}"
    forbidden = [f"Forbidden: {', '.join(phase.forbidden_tools)}."] if phase.forbidden_tools else []
    calls = [f"Calls so far: {', '.join(phase.tool_history)}."] if phase.tool_history else []
    return Page(head, (prose("\n".join([phase.go_on, *forbidden, *calls])),), is_open=False)
