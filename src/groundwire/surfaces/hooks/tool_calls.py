"""The tool calls in a payload, and what each of them changed as far as the payload tells.

Above: ``payload``. Below: ``tools``, ``patches``, ``fields``.
"""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from groundwire.surfaces.hooks.event import Agent, Replaced
from groundwire.surfaces.hooks.fields import Fields, fields_of, first_present, first_text, items_of, whole
from groundwire.surfaces.hooks.patches import Patch, read_patch
from groundwire.surfaces.hooks.tools import Kind, kind_of

_TOOL = ("tool_name", "toolName", "tool")
_ARGUMENTS = ("tool_input", "toolArgs", "args", "parameters", "tool_info")
_RESPONSE = ("tool_response", "tool_result", "toolResult", "tool_output")
_PATH = ("file_path", "filePath", "absolute_path", "absolutePath", "path", "notebook_path", "notebookPath")
_FROM_AND_TO = (
    ("source", "destination"),
    ("source_path", "destination_path"),
    ("old_path", "new_path"),
    ("oldPath", "newPath"),
)
_PARTS = ("files", "paths", "edits", "replacements", "changes", "operations")
_PATCH = ("command", "input", "patch", "patchText", "patch_text", "patch_content")
_OLD_AND_NEW = (("old_string", "new_string"), ("oldString", "newString"), ("old_str", "new_str"), ("before", "after"))
_EVERYWHERE = ("replace_all", "replaceAll", "allow_multiple")
_ORIGINAL = ("originalFile", "originalContent")
_FAILED_RESULTS = ("failure", "denied", "rejected", "error", "timeout")
_WHOLE_FILE_COMMANDS = ("create", "write")
"""Some editors are one tool with a command for each thing they do."""
_LOOKING_COMMANDS = ("view", "read")
_MAY_DO_ANYTHING = ("shell", "mcp")
"""When an event stands for these, the name of the tool is one that someone else gave it."""


class Change(NamedTuple):
    """What one tool call did."""

    kind: Kind
    files: tuple[str, ...] = ()
    before: Mapping[str, str] = {}
    replaced: tuple[Replaced, ...] = ()
    is_write: bool = False
    is_pending: bool = False


def changes_in(agent: Agent, payload: Fields, implied_tool: str, is_failed: bool) -> list[Change]:
    """What the tool calls of the payload did; ``implied_tool`` is what the event stands for."""
    return [_change(agent, call, implied_tool, is_failed) for call in _calls(payload)]


def _calls(payload: Fields) -> list[Fields]:
    """The parts of the payload that describe one call each."""
    of_cline = fields_of(first_present(payload, ("postToolUse", "preToolUse")))
    batch = [fields_of(call) for call in items_of(payload.get("tool_calls"))]
    return batch or [of_cline or payload]


def _change(agent: Agent, call: Fields, implied_tool: str, is_failed: bool) -> Change:
    tool = implied_tool if implied_tool in _MAY_DO_ANYTHING else first_text(call, _TOOL) or implied_tool
    arguments = _arguments(call)
    kind = _kind(agent, tool, arguments)
    if kind not in ("edit", "write"):
        return Change(kind)
    patch = _patch(arguments)
    files = tuple(dict.fromkeys(_files(arguments, patch)))
    if not files:
        return Change("run")  # it changed something, and does not say what
    response = fields_of(first_present(call, _RESPONSE))
    return Change(
        kind,
        files,
        _before(files, response),
        tuple(one for one in _replaced(fields_of(arguments), files[0], patch) if one.file in files),
        kind == "write" or (patch is not None and patch.is_whole),
        is_failed or _is_pending(agent, call, response),
    )


def _arguments(call: Fields) -> object:
    """What the tool was given: an object, or the text of a patch. Some hosts send the object as a text."""
    given = first_present(call, _ARGUMENTS)
    if given is None:
        return call
    if not isinstance(given, str):
        return given
    try:
        decoded: object = json.loads(given)
    except (ValueError, RecursionError):
        return given
    return fields_of(decoded) or given


def _kind(agent: Agent, tool: str, arguments: object) -> Kind:
    kind = kind_of(agent, tool)
    command = fields_of(arguments).get("command")
    if kind == "edit" and command in _LOOKING_COMMANDS:
        return "look"
    return "write" if kind == "edit" and command in _WHOLE_FILE_COMMANDS else kind


def _patch(arguments: object) -> Patch | None:
    fields = fields_of(arguments)
    given = [arguments, *(fields.get(name) for name in _PATCH), *items_of(fields.get("command"))]
    patches = (read_patch(whole(text)) for text in given if isinstance(text, str))
    return next((patch for patch in patches if patch is not None), None)


def _files(arguments: object, patch: Patch | None) -> Iterator[str]:
    """All the files that are named, some of them more than once."""
    if patch is not None:
        yield from patch.files
    fields = fields_of(arguments)
    yield from _named(fields)
    for part in (part for name in _PARTS for part in items_of(fields.get(name))):
        yield from _named({"path": part} if isinstance(part, str) else fields_of(part))


def _named(fields: Fields) -> Iterator[str]:
    pairs = [[first_text(fields, (end,)) for end in ends] for ends in _FROM_AND_TO]
    names = [first_text(fields, _PATH), *(name for pair in pairs if all(pair) for name in pair)]
    # No file system has such a name, and asking for it is an error of its own.
    yield from (name for name in names if name and "\0" not in name)


def _before(files: tuple[str, ...], response: Fields) -> dict[str, str]:
    """Hosts that tell the text before do so for calls that edit one file."""
    shown = fields_of(response.get("returnDisplay")) or response
    original = first_present(shown, _ORIGINAL)
    if len(files) != 1:
        return {}
    if isinstance(original, str):
        return {files[0]: whole(original)}
    is_new = original is None and (shown.get("type") == "create" or shown.get("isNewFile") is True)
    return {files[0]: ""} if is_new else {}


def _replaced(arguments: Fields, file: str, patch: Patch | None) -> Iterator[Replaced]:
    yield from patch.replaced if patch is not None else ()
    parts = [fields_of(part) for name in ("edits", "replacements") for part in items_of(arguments.get(name))]
    for part in (arguments, *parts):
        for old_name, new_name in _OLD_AND_NEW:
            old, new = part.get(old_name), part.get(new_name)
            if isinstance(old, str) and isinstance(new, str) and old != new:
                where = first_text(part, _PATH) or file
                is_everywhere = any(part.get(name) is True for name in _EVERYWHERE)
                yield Replaced(where, whole(old), whole(new), is_everywhere)


def _is_pending(agent: Agent, call: Fields, response: Fields) -> bool:
    if agent == "cline":
        return call.get("success") is not True  # a member that is false is not sent at all
    return (
        response.get("staged") is True
        or response.get("success") is False
        or bool(response.get("error"))
        or True in (response.get("isError"), response.get("is_error"))
        or first_text(response, ("resultType", "result_type")) in _FAILED_RESULTS
    )
