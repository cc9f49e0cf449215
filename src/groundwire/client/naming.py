"""A server says beside its answers what it reads and wants to be told of, often in several messages, each of them after
our reply to the one before. Until it has said all, a change may be one that nobody tells it of.

Above: ``pool.instance`` (who waits). Below: ``session``.
"""

import math

from groundwire.client.session import Session

_QUIET_S = 0.1
"""The next message follows our reply within a millisecond, and within tens of them where the processors are busy."""
_LONGEST_S = 2.0
"""Some servers might always have something to say, or never say anything; nobody waits longer for them."""


def is_naming_places(session: Session) -> bool:
    """Whether it may be about to name more. Before it is shown anything, it has said nothing that could be outdated."""
    return bool(len(session.state.documents)) and _quiet_at(session) > session.now()


async def places_named(session: Session, deadline: float) -> None:
    """Wait until it names no more, for a moment at most."""
    latest = min(deadline, session.now() + _LONGEST_S)
    while is_naming_places(session) and session.now() < latest:
        await session.signal.wait(min(_quiet_at(session), latest))
    if is_naming_places(session) and session.state.named_places_at is None and session.now() < deadline:
        # It never will, and nobody waits again.
        session.state.named_places_at = -math.inf


def _quiet_at(session: Session) -> float:
    named_at = session.state.named_places_at
    if named_at is None:
        return math.inf if session.options.settle.names_places_late else -math.inf
    return named_at + _QUIET_S
