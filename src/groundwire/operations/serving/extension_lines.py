"""The extensions of this process, as ``status`` and ``doctor`` list them: what each adds, or why it does not.

Above: ``status``, ``doctor``. Below: ``extensions``, ``skills``, ``registry.catalog``.
"""

from importlib import import_module

from groundwire.extensions.loading import Extension, installed_extensions
from groundwire.operations.results.servers import ExtensionLine
from groundwire.operations.workflow.skills import all_skills
from groundwire.registry.catalog import load_catalog

_KINDS = {
    "languages and servers": "server",
    "operation": "operation",
    "skill": "skill",
    "build runner": "build runner",
}
"""As they are listed, in this order; renderers are no news."""


def extension_lines() -> tuple[ExtensionLine, ...]:
    """By name."""
    extensions = installed_extensions()
    if extensions:
        _make_tables()
    return tuple(map(_line, extensions))


def _make_tables() -> None:
    """Whether something can be taken is known once its table is made, which a process may have had no need of yet."""
    load_catalog()
    all_skills()
    import_module("groundwire.operations.table")  # it holds ``lsp_status``, which is above: it cannot be imported here


def _line(extension: Extension) -> ExtensionLine:
    adds = (f"{words} {name}" for kind, words in _KINDS.items() for added, name in extension.added if added == kind)
    left_out = (f"{each.kind} {each.name}: {each.reason}" for each in extension.left_out.values())
    return ExtensionLine(
        name=extension.name,
        package=extension.distribution,
        version=extension.version,
        state=extension.state,
        reason=extension.reason,
        adds=tuple(adds),
        left_out=tuple(left_out),
    )
