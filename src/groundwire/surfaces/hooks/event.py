"""One hook call of a host agent, whatever the agent: the only form in which the rest of groundwire sees it.

Above: ``payload`` makes it, ``output`` answers it, the handler acts on it. Below: nothing.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

Agent = Literal[
    "claude",
    "codex",
    "gemini",
    "llxprt",
    "copilot",
    "vscode",
    "cursor",
    "cline",
    "windsurf",
    "crush",
    "goose",
    "opencode",
    "kilo",
    "unknown",
]

Moment = Literal["edited", "ran", "stop", "start", "before", "other"]
"""What just happened, or is about to.

- ``edited``: a tool changed files, and names them.
- ``ran``: a tool that may have changed anything (a shell, MCP tools of others); in a batch, whatever else was edited.
- ``stop``: the turn ends. ``start``: a session begins.
- ``before``: ahead of a tool; for some hosts the only chance to say what is pending.
- ``other``: nothing to do.
"""


class Replaced(NamedTuple):
    """A string replacement in a file."""

    file: str
    old: str
    new: str
    is_everywhere: bool = False
    """Every occurrence was replaced, not one."""


class HookEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One call of the hook."""

    agent: Agent
    moment: Moment
    name: str
    """The event as the host spells it, to be echoed."""
    files: tuple[str, ...] = ()
    """As the host names them, absolute or relative to ``cwd``; deleted and moved ones too."""
    before: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """The text before the edit, per file of ``files``, where the payload proves it."""
    replaced: tuple[Replaced, ...] = ()
    """What was put in place of what, so that the text before can be worked out."""
    is_write: bool = False
    """Whole files were written, or a patch over several."""
    cwd: str = ""
    session: str = ""
    """The host's session, conversation or task."""
    is_continued: bool = False
    """A stop hook already made this turn go on: it must not do so again."""
    is_pending: bool = False
    """The edit was only staged, or failed: nothing on disk changed."""
