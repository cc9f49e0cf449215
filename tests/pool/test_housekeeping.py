"""Whom to stop: the idle, the greedy, and then the least recently used."""

from pathlib import Path

import pytest

from groundwire.pool.housekeeping import Tenant, plan_evictions, tenants_of
from groundwire.pool.instance import Instance
from groundwire.pool.policy import SeatPolicy
from groundwire.pool.seat import Seat
from tests.fakes.instances import FakeProcess, FakeStarts, chosen_at
from tests.fakes.server import toy_options


def tenant(
    key: int,
    *,
    idle_s: float = 0.0,
    memory_mb: float = 100.0,
    limit_mb: float = 0.0,
    teardown_s: float = 600.0,
    is_busy: bool = False,
) -> Tenant:
    return Tenant(
        key=key,
        idle_s=idle_s,
        idle_teardown_s=teardown_s,
        memory_mb=memory_mb,
        memory_limit_mb=limit_mb,
        is_busy=is_busy,
    )


def evicted(*tenants: Tenant, total: float = 0.0) -> list[int]:
    return [eviction.key for eviction in plan_evictions(tenants, total)]


def test_nobody_is_stopped_without_a_reason() -> None:
    assert evicted(tenant(1), tenant(2, idle_s=599)) == []


def test_the_idle_are_stopped_unless_somebody_waits_for_them_or_they_may_stay_for_ever() -> None:
    idle = tenant(1, idle_s=600)
    busy = tenant(2, idle_s=900, is_busy=True)
    stays = tenant(3, idle_s=9000, teardown_s=0)
    assert evicted(idle, busy, stays) == [1]


def test_one_over_its_own_ceiling_is_stopped_even_while_it_works() -> None:
    assert evicted(tenant(1, memory_mb=501, limit_mb=500, is_busy=True), tenant(2, memory_mb=499, limit_mb=500)) == [1]


def test_the_least_recently_used_go_until_the_total_fits() -> None:
    tenants = [tenant(1, idle_s=5), tenant(2, idle_s=50), tenant(3, idle_s=20)]
    assert evicted(*tenants, total=300) == []
    assert evicted(*tenants, total=299) == [2]
    assert evicted(*tenants, total=100) == [2, 3]


def test_the_total_spares_those_that_somebody_waits_for() -> None:
    tenants = [tenant(1, idle_s=5), tenant(2, idle_s=50, is_busy=True)]
    assert evicted(*tenants, total=150) == [1]


def test_what_is_stopped_for_its_own_sake_counts_no_more_towards_the_total() -> None:
    tenants = [tenant(1, idle_s=700, memory_mb=400), tenant(2, idle_s=10, memory_mb=100)]
    assert evicted(*tenants, total=150) == [1]


def test_every_eviction_tells_its_reason() -> None:
    plans = plan_evictions([tenant(1, idle_s=700), tenant(2, memory_mb=9, limit_mb=8), tenant(3, memory_mb=99)], 50)
    assert [plan.reason for plan in plans] == [
        "nobody used it for 700 s",
        "it used 9 MB of 8",
        "all servers together used 99 MB of 50; this was used last",
    ]


class _Joined:
    """An access to the process of another root."""

    def __init__(self, process: FakeProcess) -> None:
        self.session = process.session
        self.process_of = str(process.session.options.root)

    async def begin(self) -> None:
        """It runs."""

    async def end(self) -> None:
        """The other root ends it."""


@pytest.mark.anyio
async def test_a_process_is_used_by_every_root_that_shares_it(tmp_path: Path):
    process = FakeProcess(toy_options(tmp_path / "one"))
    one, two = (Seat(chosen_at(tmp_path / name), SeatPolicy(), FakeStarts().start) for name in ("one", "two"))
    one.instance, two.instance = Instance(one.chosen, process), Instance(two.chosen, _Joined(process))
    one.used_at, two.used_at = 10.0, 70.0
    assert [each.idle_s for each in tenants_of([one, two], 100.0, 0.0)] == [30.0, 30.0]
    one.used_at, two.used_at = 90.0, 20.0
    assert [each.idle_s for each in tenants_of([one, two], 100.0, 0.0)] == [10.0, 80.0]
    await two.instance.stop()
    await one.instance.stop()
