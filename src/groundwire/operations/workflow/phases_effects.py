"""What a call may do: an operation that writes only when it is told to is, when it is not, as harmless as a look.

Above: ``phases_watch``. Below: ``operation``.
"""

from collections.abc import Callable, Mapping

from groundwire.operations.operation import A, Arguments, Effect, Operation, R

Shows = Callable[[Arguments], bool]


def _unless_applied(arguments: Arguments) -> bool:
    return getattr(arguments, "apply", True) is False and getattr(arguments, "dry_run", None) is not False


def _if_preview(arguments: Arguments) -> bool:
    return getattr(arguments, "preview", False) is True


def _if_patch(arguments: Arguments) -> bool:
    return getattr(arguments, "target", "") == "patch"


_ONLY_SHOWS: Mapping[str, tuple[Shows, Effect]] = {
    **dict.fromkeys(("rename_symbol", "rename_file", "format_document", "format_range"), (_unless_applied, "reads")),
    **dict.fromkeys(("apply_fix", "organize_imports", "fix_all"), (_if_preview, "reads")),
    **dict.fromkeys(("replace_symbol_body", "safe_delete_symbol"), (_if_preview, "reads")),
    **dict.fromkeys(("insert_before_symbol", "insert_after_symbol"), (_if_preview, "reads")),
    "commit_session": (_if_patch, "simulates"),
}
"""Operations that write, by name: with which arguments they do not, and what they do then."""


def effect_of(operation: Operation[A, R], arguments: Arguments) -> Effect:
    """The most that the call may do. What is not known here does what its operation says."""
    entry = _ONLY_SHOWS.get(operation.name)
    if entry is None or operation.effect != "writes":
        return operation.effect
    shows, effect = entry
    return effect if shows(arguments) else operation.effect
