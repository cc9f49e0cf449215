"""When the processor is given away so that a server can begin, and when that is left."""

import sys

import pytest

from groundwire.client.giving_way import FIRST_REST_S, LONGEST_REST_S, GivingWay, system_call


class Scheduler:
    """A system on which giving way takes as long as one likes."""

    def __init__(self) -> None:
        self.now = 100.0
        self.takes = 0.0
        self.given = 0
        self.way = GivingWay(self._give, lambda: self.now)

    def _give(self) -> None:
        self.given += 1
        self.now += self.takes


def test_the_processor_is_given_away_each_time():
    system = Scheduler()
    for _ in range(3):
        system.way()
    assert system.given == 3


def rest_of(system: Scheduler) -> float:
    """How long nothing is given away from now on."""
    began, given = system.now, system.given
    while system.given == given:
        system.now += 0.01
        system.way()
    return system.now - system.takes - began


def test_after_others_took_it_for_long_it_is_kept_for_a_while_and_each_time_for_longer_up_to_a_limit():
    system = Scheduler()
    system.takes = 0.003
    system.way()
    rests = [rest_of(system) for _ in range(8)]
    assert rests[:3] == pytest.approx([FIRST_REST_S, 4 * FIRST_REST_S, 16 * FIRST_REST_S], abs=0.02)
    assert rests[-2:] == pytest.approx([LONGEST_REST_S, LONGEST_REST_S], abs=0.02)


def test_where_one_moment_of_ten_is_long_rests_stay_long():
    system = Scheduler()
    rests: list[float] = []
    for _ in range(10):
        system.takes = 0.0
        for _ in range(9):
            rest_of(system)
        system.takes = 0.003
        rest_of(system)
        rests.append(rest_of(system))
    assert min(rests[-3:]) > LONGEST_REST_S / 2


def test_after_many_short_moments_a_long_one_is_chance_again():
    system = Scheduler()
    system.takes = 0.003
    system.way()
    assert rest_of(system) < rest_of(system) < rest_of(system)
    system.takes = 0.0
    for _ in range(200):
        rest_of(system)
    system.takes = 0.003
    system.way()
    assert rest_of(system) == pytest.approx(FIRST_REST_S, abs=0.02)


def test_a_moment_in_which_a_server_begins_is_not_long():
    system = Scheduler()
    system.takes = 0.0001
    system.way()
    system.way()
    assert system.given == 2


def test_where_the_system_cannot_give_it_away_nothing_happens():
    GivingWay(None, lambda: pytest.fail("nobody need know the time"))()


@pytest.mark.skipif(sys.platform != "linux", reason="the name is that of other systems, too, but need not be there")
def test_linux_can_give_it_away():
    assert system_call() is not None
    GivingWay(system_call())()
