"""Code actions, and the commands that some of them are.

Above: ``operations``. Below: ``lsp``, ``lsp_diagnostics``, ``lsp_edits``, ``lsp_questions``.
"""

import msgspec
from msgspec import Raw

from groundwire.protocol.lsp import Shape, decode, decode_list
from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.lsp_edits import WorkspaceEdit
from groundwire.protocol.lsp_questions import Command

_EDIT_MEMBERS = frozenset({"changes", "documentChanges", "changeAnnotations"})


class CodeActionDisabled(Shape, frozen=True):
    reason: str


class CodeAction(Shape, frozen=True):
    title: str
    kind: str | None = None
    diagnostics: list[Diagnostic] | None = None
    is_preferred: bool | None = None
    disabled: CodeActionDisabled | None = None
    edit: WorkspaceEdit | None = None
    command: Command | None = None
    data: Raw = Raw()


class OfferedAction(msgspec.Struct, frozen=True):
    """An action, and what the server sent: it wants that back as it was, to say more about it."""

    raw: Raw
    action: CodeAction

    def is_of(self, kinds: tuple[str, ...]) -> bool:
        """Whether it is of one of these kinds, or of a kind below one of them."""
        kind = self.action.kind or ""
        return any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in kinds)


def decode_actions(raw: bytes, method: str) -> list[OfferedAction]:
    """Actions and bare commands, in one form; null is none."""
    return [OfferedAction(Raw(bytes(each)), decode_action(each, method)) for each in decode_list(raw, Raw, method)]


def decode_action(raw: bytes, method: str) -> CodeAction:
    """An action, or a bare command as an action."""
    members = decode(raw, dict[str, Raw], method)
    if bytes(members.get("command", b"")).startswith(b'"'):
        command = decode(raw, Command, method)
        return CodeAction(command.title, command=command)
    return decode(raw, CodeAction, method)


def edit_within(command: Command) -> WorkspaceEdit | None:
    """The edit that a command merely hands back: its one argument is an edit and nothing else."""
    try:
        (argument,) = msgspec.json.decode(command.arguments, type=list[dict[str, Raw]]) if command.arguments else []
    except (msgspec.DecodeError, ValueError):
        return None
    if not argument or not _EDIT_MEMBERS.issuperset(argument):
        return None
    return decode(msgspec.json.encode(argument), WorkspaceEdit, command.command)
