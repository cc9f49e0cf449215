"""What a model is told of the tools before it has seen any. Above: ``server``. Below: nothing."""

from groundwire.surfaces.mcp.profiles import Profile

_TRUTH = (
    "groundwire asks the project's language servers: compiler truth, not text search. Every answer is for the files as "
    "they are on disk now, and says how far it is proven: confirmed, partial, unknown or unsupported, with the reason. "
    "Only a confirmed empty answer means none. Lines and columns are 1-based, columns in characters; paths are "
    "relative to the workspace."
)
_PLACES = (
    "Name a place by symbol (Class.method, file.py::Class.method), or by file_path with line and text (a piece of that "
    "line), line and column, or position_pattern (@@ stands just before the place)."
)
_START = (
    "Begin with find_symbol or explore_symbol (definition, source, callers, uses in one call); look at find_references "
    "before you change or delete anything."
)


def instructions_of(profile: Profile) -> str:
    """Under a kilobyte."""
    if profile.name in ("core", "full"):
        return f"{_TRUTH} {_PLACES} {_START}"
    zero_based = " Here character is 0-based." if profile.name == "opta" else ""
    return f"{_TRUTH}{zero_based}"
