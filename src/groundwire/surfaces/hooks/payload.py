"""What a host agent wrote to its hook, as one event. Nothing in it is trusted to be there or to be of the right type.

Above: the handler. Below: ``detection``, ``moments``, ``tool_calls``.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType

from groundwire.surfaces.hooks.detection import Environment, agent_of
from groundwire.surfaces.hooks.event import Agent, HookEvent, Moment
from groundwire.surfaces.hooks.fields import Fields, fields_of, first_text, items_of
from groundwire.surfaces.hooks.moments import Phase, event_name, is_failure, phase_of, tool_of
from groundwire.surfaces.hooks.tool_calls import Change, changes_in

_SESSION = ("session_id", "sessionId", "conversation_id", "taskId", "trajectory_id", "sessionID")
_FOLDER = ("cwd", "working_dir", "directory", "worktree")
_FOLDERS = ("workspace_roots", "workspaceRoots")
_PROJECT = ("CURSOR_PROJECT_DIR", "CRUSH_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
_NOTHING: Mapping[str, str] = MappingProxyType({})


def read_payload(raw: bytes, agent: str = "", environment: Environment = _NOTHING) -> HookEvent:
    """The event; ``agent`` is what the command line says, empty to see it from the payload.

    Never raises: what cannot be read is an event with nothing to do.
    """
    payload = _decoded(raw)
    host = agent_of(payload, agent, environment)
    name = event_name(host, payload)
    phase = phase_of(name, payload)
    changes = _changes(host, payload, name, phase)
    done = [each for each in changes if each.files and not each.is_pending]
    named = done or [each for each in changes if each.files]
    return HookEvent(
        agent=host,
        moment=_moment(phase, changes),
        name=name,
        files=tuple(dict.fromkeys(file for each in named for file in each.files)),
        before={file: text for each in reversed(named) for file, text in each.before.items()},
        replaced=tuple(one for each in named for one in each.replaced),
        is_write=any(each.is_write for each in named),
        cwd=_folder(payload, environment),
        session=first_text(payload, _SESSION),
        is_continued=_is_continued(payload),
        is_pending=phase == "after" and bool(named) and not done,
    )


def _decoded(raw: bytes) -> Fields:
    try:
        return fields_of(json.loads(raw.decode("utf-8-sig", "replace")))
    except (ValueError, RecursionError):
        return {}


def _changes(host: Agent, payload: Fields, name: str, phase: Phase) -> list[Change]:
    if phase not in ("after", "before"):
        return []
    return changes_in(host, payload, tool_of(name), is_failure(name))


def _moment(phase: Phase, changes: list[Change]) -> Moment:
    if phase != "after":
        return phase
    kinds = {change.kind for change in changes}
    if "run" in kinds:
        return "ran"
    return "edited" if kinds & {"edit", "write"} else "other"


def _folder(payload: Fields, environment: Environment) -> str:
    roots = [root for name in _FOLDERS for root in items_of(payload.get(name))]
    first_root = first_text({"root": roots[0]}, ("root",)) if roots else ""
    in_the_call = first_text(fields_of(payload.get("tool_info")), _FOLDER)
    return first_text(payload, _FOLDER) or first_root or in_the_call or first_text(environment, _PROJECT)


def _is_continued(payload: Fields) -> bool:
    rounds = payload.get("loop_count")
    return payload.get("stop_hook_active") is True or (isinstance(rounds, int | float) and rounds > 0)
