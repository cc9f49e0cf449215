"""Which host sent a payload, by its shape: every host has members that no other has.

Above: ``payload``. Below: ``event``, ``fields``.
"""

from collections.abc import Callable, Mapping
from typing import get_args

from groundwire.surfaces.hooks.event import Agent
from groundwire.surfaces.hooks.fields import Fields

Environment = Mapping[str, str]
_Shape = Callable[[Fields, Environment], bool]

AGENTS: Mapping[str, Agent] = {name: name for name in get_args(Agent)}

_EVENTS_OF_GEMINI = ("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "PreCompress")


def agent_of(payload: Fields, said: str, environment: Environment) -> Agent:
    """Who it is: as said, unless that is nobody, or another host that runs hooks written for the one that was said."""
    known: Agent = AGENTS.get(said.strip().lower(), "unknown")
    if known not in ("unknown", "claude"):
        return known
    shown = _by_shape(payload, environment)
    return shown if known == "unknown" or shown in ("copilot", "vscode", "cursor") else known


def _by_shape(payload: Fields, environment: Environment) -> Agent:
    return next(agent for agent, is_it in _SHAPES if is_it(payload, environment))


def _has(*names: str) -> _Shape:
    return lambda payload, _: any(name in payload for name in names)


def _says(agent: Agent) -> _Shape:
    return lambda payload, _: payload.get("agent") == agent


def _is_named(payload: Fields) -> bool:
    return "hook_event_name" in payload or "hookEventName" in payload


def _is_codex(payload: Fields, _: Environment) -> bool:
    """Claude Code names no model but at the start, where it has no permission mode; what Codex takes it takes too."""
    return "turn_id" in payload or {"model", "permission_mode", "source"} <= payload.keys()


def _is_copilot(payload: Fields, _: Environment) -> bool:
    if "tool_result" in payload or "stop_reason" in payload or "initial_prompt" in payload:
        return True
    return ("toolName" in payload or "sessionId" in payload) and not _is_named(payload)


def _is_of_gemini(payload: Fields, environment: Environment) -> bool:
    if payload.get("hook_event_name") in _EVENTS_OF_GEMINI:
        return True
    starts = "timestamp" in payload and "transcript_path" in payload and payload.get("source") not in (None, "new")
    return starts or (_is_named(payload) and "GEMINI_SESSION_ID" in environment)


def _is_llxprt(payload: Fields, environment: Environment) -> bool:
    return _is_of_gemini(payload, environment) and any(name.startswith("LLXPRT_") for name in environment)


def _is_vscode(payload: Fields, _: Environment) -> bool:
    return "hookEventName" in payload or ("timestamp" in payload and "hook_event_name" in payload)


_SHAPES: tuple[tuple[Agent, _Shape], ...] = (
    ("opencode", _says("opencode")),
    ("kilo", _says("kilo")),
    ("cline", _has("clineVersion", "hookName")),
    ("windsurf", _has("agent_action_name")),
    ("cursor", _has("conversation_id", "cursor_version", "generation_id")),
    ("goose", lambda payload, _: "event" in payload and ("matcher_context" in payload or "working_dir" in payload)),
    ("crush", lambda payload, _: "event" in payload and "session_id" in payload),
    ("codex", _is_codex),
    ("copilot", _is_copilot),
    ("llxprt", _is_llxprt),
    ("gemini", _is_of_gemini),
    ("vscode", _is_vscode),
    ("claude", _has("hook_event_name")),
    ("unknown", lambda _payload, _environment: True),
)
