"""When a daemon ends by itself. Pure. Above: ``server``. Below: nothing."""

from typing import NamedTuple


class Circumstances(NamedTuple):
    """What a daemon sees when it looks round."""

    clients: int
    idle_s: float
    """Since the last client left, or since it started."""
    has_workspace: bool = True
    has_socket: bool = True
    """Whether its socket is still the one that clients find."""
    is_outdated: bool = False
    """Whether the configuration or the trust in it has changed since it started."""


_SETTLED_S = 5.0
_MOST_DIGITS = 18


def reason_to_leave(seen: Circumstances, idle_exit_s: float) -> str:
    """Why it ends now; empty when it stays. Whoever is connected is never left for want of a reason."""
    if not seen.has_workspace:
        return "the workspace is gone"
    if seen.clients:
        return ""
    if not seen.has_socket:
        return "nobody can reach it any more"
    if seen.is_outdated and seen.idle_s >= _SETTLED_S:
        return "the configuration has changed"
    if idle_exit_s and seen.idle_s >= idle_exit_s:
        return f"nobody needed it for {idle_exit_s:.0f} s"
    return ""


def makes_room(own: str, theirs: str, *, other_clients: int) -> bool:
    """Whether a daemon of version ``own`` leaves for a client of a newer one, nobody else being there."""
    return not other_clients and _parts(theirs) > _parts(own)


def _parts(version: str) -> list[tuple[int, str]]:
    """Numbers by their size; a part that is none comes before all numbers, as releases come after what led to them."""
    parts = version.replace("-", ".").split(".")
    # The last one stands for what is not there: 1.0 comes after 1.0.dev1.
    return [*((int(part), "") if _is_number(part) else (-1, part) for part in parts), (0, "")]


def _is_number(part: str) -> bool:
    return part.isdecimal() and len(part) <= _MOST_DIGITS
