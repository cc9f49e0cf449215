"""The events of all hosts: what each means, and which tool it stands for when the payload names none.

Above: ``payload``. Below: ``event``, ``fields``.
"""

import re
from collections.abc import Mapping
from typing import Literal

from groundwire.surfaces.hooks.event import Agent
from groundwire.surfaces.hooks.fields import Fields, first_text

Phase = Literal["after", "before", "stop", "start", "other"]

_NAME_LIMIT = 100
_PHASES: Mapping[Phase, str] = {
    "after": (
        "posttooluse posttoolbatch posttoolusefailure aftertool toolexecuteafter afterfileedit aftershellexecution "
        "aftermcpexecution postwritecode postruncommand postmcptooluse"
    ),
    "before": "pretooluse beforetool toolexecutebefore",
    "stop": "stop subagentstop agentstop afteragent postcascaderesponse sessionidle",
    "start": "sessionstart taskstart taskresume",
}
_PHASE_OF: Mapping[str, Phase] = {name: phase for phase, names in _PHASES.items() for name in names.split()}
_TOOL_OF: Mapping[str, str] = {
    "afterfileedit": "edit",
    "aftershellexecution": "shell",
    "aftermcpexecution": "mcp",
    "postwritecode": "edit",
    "postruncommand": "shell",
    "postmcptooluse": "mcp",
}
_ENDS_WITHOUT_AN_ANSWER = ("aborted", "error")
"""A turn that was broken off is not taken up again by us."""


def event_name(agent: Agent, payload: Fields) -> str:
    """The event as the host spells it. Copilot may not say it; then it is what the members of the payload show."""
    name = first_text(payload, ("hook_event_name", "hookEventName", "hookName", "agent_action_name", "event"))
    return name[:_NAME_LIMIT] or (_name_by_members(payload) if agent == "copilot" else "")


def phase_of(name: str, payload: Fields) -> Phase:
    """What the event means."""
    phase = _PHASE_OF.get(_plain(name), "other")
    is_broken_off = phase == "stop" and payload.get("status") in _ENDS_WITHOUT_AN_ANSWER
    return "other" if is_broken_off else phase


def tool_of(name: str) -> str:
    """The tool that an event of this name is about, when it is about one."""
    return _TOOL_OF.get(_plain(name), "")


def is_failure(name: str) -> bool:
    """Whether the event says that a tool failed."""
    return _plain(name) == "posttoolusefailure"


def _name_by_members(payload: Fields) -> str:
    if "toolName" in payload:
        failed_or_before = "postToolUseFailure" if "error" in payload else "preToolUse"
        return "postToolUse" if "toolResult" in payload else failed_or_before
    if "stopReason" in payload:
        return "subagentStop" if "agentName" in payload else "agentStop"
    return "sessionStart" if "source" in payload else ""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())
