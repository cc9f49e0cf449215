"""The same operations under several sets of names: what a client is shown, and where each name leads.

Above: ``server``. Below: ``tools`` and the sets that have names of their own.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property

from groundwire.errors import InvalidArgument
from groundwire.operations.table import OPERATIONS
from groundwire.surfaces.mcp.navigation import NAVIGATION
from groundwire.surfaces.mcp.opta import OPTA
from groundwire.surfaces.mcp.single import KINDS, single_tool
from groundwire.surfaces.mcp.tools import SurfaceTool, tool_of

_LONGEST_NAME = 200

_CORE = (
    "find_symbol",
    "explore_symbol",
    "go_to_definition",
    "find_references",
    "list_symbols",
    "get_diagnostics",
    "blast_radius",
    "preview_edit",
    "apply_edit",
    "rename_symbol",
    "suggest_fixes",
    "apply_fix",
)
"""The most useful dozen."""

_NAVIGATING = frozenset(
    {
        "callers",
        "explore_symbol",
        "find_callers",
        "find_references",
        "find_symbol",
        "get_document_highlights",
        "get_signature_help",
        "get_symbol_documentation",
        "get_symbol_source",
        "go_to_declaration",
        "go_to_definition",
        "go_to_implementation",
        "go_to_symbol",
        "go_to_type_definition",
        "inspect_symbol",
        "list_symbols",
        "type_hierarchy",
    }
)
"""To find one's way through the code; not what a change would break."""

_RARE = frozenset({"line_scope_start", "line_scope_end"})
"""Arguments that are shown only where all tools are."""


@dataclass(frozen=True)
class Profile:
    """A set of tools. ``is_confined``: files outside the workspace are refused."""

    name: str
    tools: tuple[SurfaceTool, ...]
    is_confined: bool = False
    hides: bool = True
    """Whether what no present server can serve is left out of the list."""
    kinds: Mapping[str, SurfaceTool] = field(default_factory=dict[str, SurfaceTool])
    """What the one tool consists of, where there is only one."""

    def find(self, name: str) -> SurfaceTool:
        """The tool of that name, or of that older name. Raises InvalidArgument with the closest names."""
        found = self._by_name.get(name)
        if found is not None:
            return found
        close = get_close_matches(name[:_LONGEST_NAME], self._by_name, n=3)
        shown = ", ".join(tool.name for tool in self.tools)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"Known are {shown}."
        raise InvalidArgument(f"there is no tool {name[:_LONGEST_NAME]!r}", hint=hint)

    @cached_property
    def _by_name(self) -> dict[str, SurfaceTool]:
        return {known: tool for tool in self.tools for known in (*tool.aliases, tool.name)}

    def name_of(self, operation: str) -> str:
        """The tool that leads to an operation and to no other; empty when none does."""
        return self._names.get(operation, "")

    @cached_property
    def _names(self) -> dict[str, str]:
        alone = [tool for tool in self.tools if len(tool.operations) == 1]
        return {tool.operations[0].name: tool.name for tool in reversed(alone)}  # the first one has the say

    def without_navigation(self) -> "Profile":
        """The same for agents that are to find their way by other means."""
        if self.kinds:
            kinds = {kind: tool for kind, tool in self.kinds.items() if not _navigates(tool)}
            return replace(self, kinds=kinds, tools=(single_tool(kinds),))
        return replace(self, tools=tuple(tool for tool in self.tools if not _navigates(tool)))

    def shown(self, is_served: Callable[[SurfaceTool], bool]) -> tuple[SurfaceTool, ...]:
        """What is listed when not all of it can be served."""
        if not self.hides:
            return self.tools
        kinds = {kind: tool for kind, tool in self.kinds.items() if is_served(tool)}
        return (single_tool(kinds),) if kinds else tuple(tool for tool in self.tools if is_served(tool))


def _navigates(tool: SurfaceTool) -> bool:
    return all(operation.name in _NAVIGATING for operation in tool.operations)


_SECOND_NAMES: Mapping[str, str] = {"explore": "explore_symbol"}
"""Names that mean the same as another, and are listed beside it where everything is."""


def _twice_named() -> tuple[SurfaceTool, ...]:
    tools = ((name, tool_of(OPERATIONS[meant])) for name, meant in _SECOND_NAMES.items())
    return tuple(replace(tool, name=name, aliases=()) for name, tool in tools)


def _own(names: Iterable[str], unlisted: Container[str] = ()) -> tuple[SurfaceTool, ...]:
    return tuple(tool_of(OPERATIONS[name], unlisted) for name in names if name in OPERATIONS)


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("core", _own(_CORE, _RARE)),
        Profile("full", (*_own(OPERATIONS), *_twice_named()), hides=False),
        Profile("navigation", NAVIGATION, is_confined=True),
        Profile("opta", OPTA),
        Profile("single", (single_tool(KINDS),), kinds=KINDS),
    )
}


def find_profile(name: str) -> Profile:
    """The profile of that name. Raises InvalidArgument."""
    profile = PROFILES.get(name)
    if profile is None:
        raise InvalidArgument(f"there is no profile {name!r}", hint=f"Profiles: {', '.join(PROFILES)}.")
    return profile
