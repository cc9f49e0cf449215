"""What the operations on skills answer with.

Above: ``render``. Below: ``operation``.
"""

from typing import Literal

import msgspec

from groundwire.operations.operation import Result
from groundwire.operations.workflow.phases_watch import Mode
from groundwire.operations.workflow.skills_support import SupportStatus


class SkillLine(msgspec.Struct, frozen=True, kw_only=True):
    """A skill. ``status``: whether the servers at hand can do what it needs; ``unknown`` until they have run."""

    name: str
    description: str
    argument_hint: str = ""
    status: SupportStatus
    missing_required: tuple[str, ...] = ()
    missing_optional: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()


class SkillList(Result, frozen=True):
    """Every skill there is."""

    skills: tuple[SkillLine, ...]


class SkillActivation(Result, frozen=True, kw_only=True):
    """A skill that is active from now on, for this client alone."""

    status: Literal["activated"] = "activated"
    skill: str
    mode: Mode
    current_phase: str
    total_phases: int
    allowed_tools: tuple[str, ...]
    """Names, ``name_*``, and effects: reads, simulates, manages, executes, writes."""
    allowed_effects: tuple[str, ...]
    forbidden_tools: tuple[str, ...]
    go_on: str


class SkillDeactivation(Result, frozen=True, kw_only=True):
    """No skill is active any more. ``skill`` was; empty when none was."""

    status: Literal["deactivated"] = "deactivated"
    skill: str = ""


class SkillPhase(Result, frozen=True, kw_only=True):
    """Where in which skill this client is. What is about the skill is empty when none is active."""

    active: bool
    available_skills: tuple[str, ...] = ()
    skill_name: str = ""
    mode: Mode | None = None
    current_phase: str = ""
    phase_index: int = 0
    """From 0."""
    total_phases: int = 0
    phase_done: bool = False
    """Whether a step that ends the phase was made."""
    allowed_tools: tuple[str, ...] = ()
    allowed_effects: tuple[str, ...] = ()
    forbidden_tools: tuple[str, ...] = ()
    tool_history: tuple[str, ...] = ()
    go_on: str = ""
