"""Stopping what nobody has used for long, and what takes more memory than it may.

``plan_evictions`` decides, over plain figures that ``tenants_of`` takes from the seats; ``seats`` carries it out.
Above: ``seats``. Below: ``seat``.
"""

from collections.abc import Sequence

import msgspec

from groundwire.pool.seat import Seat


class Tenant(msgspec.Struct, frozen=True, kw_only=True):
    """A running server, as far as this decision needs to know it."""

    key: int
    idle_s: float
    idle_teardown_s: float
    memory_mb: float
    memory_limit_mb: float
    is_busy: bool
    """Somebody waits for its answer right now."""


class Eviction(msgspec.Struct, frozen=True):
    """A server to stop, and the reason to show."""

    key: int
    reason: str


def plan_evictions(tenants: Sequence[Tenant], total_limit_mb: float) -> list[Eviction]:
    """Whom to stop: the idle, those over their own ceiling, then the least recently used until the total fits."""
    evictions = {tenant.key: _own_reason(tenant) for tenant in tenants if _own_reason(tenant)}
    staying = sorted(
        (tenant for tenant in tenants if tenant.key not in evictions), key=lambda tenant: tenant.idle_s, reverse=True
    )
    total = sum(tenant.memory_mb for tenant in staying)
    for tenant in staying:
        if not total_limit_mb or total <= total_limit_mb:
            break
        if tenant.is_busy:
            continue
        evictions[tenant.key] = f"all servers together used {total:.0f} MB of {total_limit_mb:.0f}; this was used last"
        total -= tenant.memory_mb
    return [Eviction(key, reason) for key, reason in evictions.items()]


def _own_reason(tenant: Tenant) -> str:
    if tenant.memory_limit_mb and tenant.memory_mb > tenant.memory_limit_mb:
        return f"it used {tenant.memory_mb:.0f} MB of {tenant.memory_limit_mb:.0f}"
    if tenant.idle_teardown_s and tenant.idle_s >= tenant.idle_teardown_s and not tenant.is_busy:
        return f"nobody used it for {tenant.idle_s:.0f} s"
    return ""


def tenants_of(seats: Sequence[Seat], now: float, total_limit_mb: float) -> list[Tenant]:
    """The figures of running servers, by their place in the sequence. Memory is asked for only where it is limited."""
    needs_memory = bool(total_limit_mb) or any(seat.policy.memory_limit_mb for seat in seats)
    return [
        Tenant(
            key=number,
            idle_s=now - _used_at(seat, seats),
            idle_teardown_s=seat.policy.idle_teardown_s,
            memory_mb=seat.memory_mb() if needs_memory else 0.0,
            memory_limit_mb=seat.policy.memory_limit_mb,
            is_busy=seat.is_busy,
        )
        for number, seat in enumerate(seats)
    ]


def _used_at(seat: Seat, seats: Sequence[Seat]) -> float:
    """A process is used by every root that shares it; a root that shares another's only by itself."""
    own = seat.instance
    if own is None or own.process_of:
        return seat.used_at
    return max(each.used_at for each in seats if each.instance is not None and each.instance.session is own.session)
