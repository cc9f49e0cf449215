"""The words that stand for the command in the data of the agents, and texts and values filled with them.

Above: ``planning``, ``drafting``. Below: ``launch``.
"""

import json
import re
from collections.abc import Mapping
from typing import cast

from groundwire.surfaces.setup.launch import Launch
from groundwire.surfaces.setup.ours import NAME

Words = Mapping[str, object]
_WORD = re.compile(r"\$[a-z_]+")


def words_for(launch: Launch, *, root: str, agent: str) -> Words:
    """By the names that the data uses."""
    mcp = launch.arguments("mcp", *(("--root", root) if root else ()))
    hook = ("hook", *(("--agent", agent) if agent else ()))
    return {
        "$program": launch.program,
        "$mcp": mcp,
        "$mcp_command": [launch.program, *mcp],
        "$lsp": launch.arguments("lsp"),
        "$hook": launch.line(*hook),
        "$posix_hook": launch.posix_line(*hook),
        "$powershell_hook": launch.powershell_line(*hook),
        "$command": [launch.program, *launch.prefix],
    }


def filled(value: object, words: Words) -> object:
    """The value with every string that is a word replaced by what it stands for."""
    if isinstance(value, str):
        return words.get(value, value)
    if isinstance(value, Mapping):
        return {key: filled(each, words) for key, each in cast("Mapping[str, object]", value).items()}
    if isinstance(value, list):
        return [filled(each, words) for each in cast("list[object]", value)]
    return value


def filled_text(text: str, words: Words) -> str:
    """The text with every word in it replaced: lines as they are, lists as JSON."""
    return _WORD.sub(lambda found: _shown(words.get(found.group(), found.group())), text)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def snippet(launch: Launch) -> str:
    """The entry as most agents take it."""
    entry = {"command": launch.program, "args": launch.arguments("mcp")}
    return json.dumps({"mcpServers": {NAME: entry}}, indent=2, ensure_ascii=False)
