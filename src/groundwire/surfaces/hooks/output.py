"""What is said to a host, in the form in which it hears it: on standard output, with status 0.

Above: the handler. Below: ``event``, ``limits``.
"""

from collections.abc import Callable, Mapping

import msgspec

from groundwire.protocol.names import shown
from groundwire.surfaces.hooks.event import Agent, HookEvent
from groundwire.surfaces.hooks.limits import cut, room_of

_Form = Callable[[str, str], Mapping[str, object]]
"""From the name of the event and a text to the answer of the hook."""


def write_output(event: HookEvent, text: str) -> bytes:
    """The text for this host, cut to what it lets through; its form of silence when nothing is said or heard."""
    form = _form(event)
    if form is None or not text.strip():
        return silence(event.agent)
    return msgspec.json.encode(form(event.name, cut(shown(text), room_of(event.agent))))


def silence(agent: str) -> bytes:
    """How this host is told nothing."""
    return _SILENCE.get(agent, b"{}")


def can_speak(event: HookEvent) -> bool:
    """Whether what is printed now reaches the model."""
    return _form(event) is not None


def _form(event: HookEvent) -> _Form | None:
    is_second_stop = event.moment == "stop" and event.is_continued
    if event.moment == "other" or is_second_stop:
        return None
    if event.agent == "unknown":
        return None if event.moment in ("before", "stop") else _context_in_both
    return _FORMS[event.agent].get(event.name)


def _context(name: str, text: str) -> Mapping[str, object]:
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def _context_in_both(name: str, text: str) -> Mapping[str, object]:
    """Copilot reads the outer member and VS Code the inner one, and each runs hooks written for the other."""
    return {"additionalContext": text, **_context(name, text)}


def _block(_: str, text: str) -> Mapping[str, object]:
    return {"decision": "block", "reason": text}


def _block_in_both(name: str, text: str) -> Mapping[str, object]:
    return {**_block(name, text), "hookSpecificOutput": {"hookEventName": name, **_block(name, text)}}


def _deny(_: str, text: str) -> Mapping[str, object]:
    return {"decision": "deny", "reason": text}


def _context_of_cursor(_: str, text: str) -> Mapping[str, object]:
    return {"additional_context": text}


def _follow_up(_: str, text: str) -> Mapping[str, object]:
    return {"followup_message": text}


def _modification(_: str, text: str) -> Mapping[str, object]:
    return {"cancel": False, "contextModification": text, "errorMessage": ""}


def _context_of_crush(_: str, text: str) -> Mapping[str, object]:
    return {"version": 1, "context": text}


def _plain(_: str, text: str) -> Mapping[str, object]:
    return {"text": text}


def _forms(**forms: _Form) -> Mapping[str, _Form]:
    return forms


_OF_CODEX = _forms(PostToolUse=_context, PreToolUse=_context, SessionStart=_context, Stop=_block, SubagentStop=_block)
_OF_GEMINI = _forms(AfterTool=_context, SessionStart=_context, AfterAgent=_deny)
_OF_COPILOT = _forms(
    postToolUse=_context_in_both,
    PostToolUse=_context_in_both,
    postToolUseFailure=_context_in_both,
    PostToolUseFailure=_context_in_both,
    sessionStart=_context_in_both,
    SessionStart=_context_in_both,
    agentStop=_block,
    subagentStop=_block,
    Stop=_block_in_both,
    SubagentStop=_block_in_both,
)
_OF_OPENCODE = {"tool.execute.after": _plain, "session.idle": _plain}
_FORMS: Mapping[Agent, Mapping[str, _Form]] = {
    "claude": {**_OF_CODEX, "PostToolBatch": _context, "PostToolUseFailure": _context},
    "codex": _OF_CODEX,
    "gemini": _OF_GEMINI,
    "llxprt": _OF_GEMINI,
    "copilot": _OF_COPILOT,
    "vscode": {**_OF_COPILOT, "PreToolUse": _context_in_both},
    "cursor": _forms(
        postToolUse=_context_of_cursor, sessionStart=_context_of_cursor, stop=_follow_up, subagentStop=_follow_up
    ),
    "cline": dict.fromkeys(("PostToolUse", "PreToolUse", "TaskStart", "TaskResume"), _modification),
    "windsurf": {},
    "crush": _forms(PreToolUse=_context_of_crush),
    "goose": _forms(Stop=_block),
    "opencode": _OF_OPENCODE,
    "kilo": _OF_OPENCODE,
}
"""The events at which a host listens; all others it runs without reading what they print."""
_SILENCE: Mapping[str, bytes] = {"codex": b"", "cline": msgspec.json.encode(_modification("", ""))}
