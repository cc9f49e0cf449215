"""The tools of the hosts, as data: which edit files, which write whole ones, which may do anything, which only look.

Above: ``tool_calls``. Below: ``event``.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from groundwire.surfaces.hooks.event import Agent

Kind = Literal["edit", "write", "run", "look"]


class _Tools(NamedTuple):
    edit: str = ""
    write: str = ""
    run: str = ""
    look: str = ""


_GEMINI = _Tools("replace", "write_file", "run_shell_command invoke_agent", "write_todos save_memory update_topic")
_OPENCODE = _Tools("edit multiedit patch apply_patch", "write", "bash task", "todowrite todoread")
_TOOLS: Mapping[Agent, _Tools] = {
    "claude": _Tools(
        "Edit MultiEdit NotebookEdit",
        "Write",
        "Bash BashOutput PowerShell Task Agent",
        "Read LS TodoWrite TaskCreate TaskUpdate CronCreate CronDelete",
    ),
    "codex": _Tools("apply_patch", "", "Bash", "update_plan"),
    "gemini": _GEMINI,
    "llxprt": _GEMINI._replace(edit="replace apply_patch ast_edit insert_at_line delete_line_range"),
    "copilot": _Tools("edit str_replace_editor apply_patch", "create", "bash powershell task", "update_todo"),
    "vscode": _Tools(
        "editFiles replace_string_in_file multi_replace_string_in_file insert_edit_into_file apply_patch "
        "edit_notebook_file",
        "create_file createFile",
        "run_in_terminal runInTerminal runSubagent",
        "manage_todo_list",
    ),
    "cursor": _Tools("Edit StrReplace Delete EditNotebook", "Write", "Shell Task", "TodoWrite"),
    "cline": _Tools(
        "replace_in_file apply_patch",
        "write_to_file new_rule",
        "execute_command use_mcp_tool use_subagents",
        "new_task",
    ),
    "windsurf": _Tools("edit", "", "shell mcp"),
    "crush": _Tools("edit multiedit", "write", "bash lsp_rename lsp_replace_symbol download", "todos"),
    "goose": _Tools("edit text_editor patch edit_file", "write write_file", "shell bash exec run"),
    "opencode": _OPENCODE,
    "kilo": _OPENCODE,
}
_EDITS = "edit edits multiedit write patch create replace insert delete remove move rename update append overwrite"
_WRITES = "write create overwrite"
_LOOKS = (
    "read view list ls search grep glob find fetch cat get show think plan ask question todo todos skill diagnostics "
    "problems references definition symbols hover web"
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OURS = re.compile(r"mcp.*groundwire|groundwire_", re.IGNORECASE)


def kind_of(agent: Agent, tool: str) -> Kind:
    """What a tool of this host does; by the words of its name where it is not known. In doubt it may do anything."""
    if _OURS.match(tool):
        return "look"  # what our own tools change they report themselves
    return _KNOWN.get((agent, _plain(tool))) or _kind_by_words(tool)


def _kind_by_words(tool: str) -> Kind:
    words = {word.lower() for word in _WORDS.findall(tool)}
    if words.intersection(_EDITS.split()):
        return "write" if words.intersection(_WRITES.split()) else "edit"
    return "look" if words.intersection(_LOOKS.split()) and not tool.lower().startswith("mcp") else "run"


def _plain(tool: str) -> str:
    """Without the extension that provides it (``developer__edit``), and however it is spelled."""
    is_of_another_server = tool.lower().startswith("mcp")
    return re.sub(r"[\W_]", "", tool if is_of_another_server else tool.rpartition("__")[2]).lower()


_KNOWN: Mapping[tuple[Agent, str], Kind] = {
    (agent, _plain(name)): kind
    for agent, tools in _TOOLS.items()
    for kind, names in zip(("edit", "write", "run", "look"), tools, strict=True)
    for name in names.split()
}
