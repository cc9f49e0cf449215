"""How often a failing server is started again, and when."""

from groundwire.pool.restarts import Restarts


def test_a_server_that_never_failed_may_start_at_once() -> None:
    assert not Restarts(3).is_broken
    assert Restarts(3).next_start == 0.0


def test_the_pauses_between_restarts_double() -> None:
    restarts = Restarts(9)
    pauses: list[float] = []
    for _ in range(9):
        restarts.failed(100.0, "crashed", ran_s=1.0)
        pauses.append(restarts.next_start - 100.0)
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


def test_it_is_broken_when_it_failed_once_more_than_it_may_be_restarted() -> None:
    restarts = Restarts(2)
    for expected in (False, False, True):
        restarts.failed(1.0, "crashed", ran_s=0.0)
        assert restarts.is_broken is expected


def test_no_restarts_at_all_means_that_the_first_failure_is_the_last() -> None:
    restarts = Restarts(0)
    restarts.failed(1.0, "crashed", ran_s=0.0)
    assert restarts.is_broken


def test_a_server_that_ran_for_long_starts_with_a_clean_record() -> None:
    restarts = Restarts(1)
    restarts.failed(1.0, "crashed", ran_s=0.0)
    restarts.failed(1000.0, "crashed again", ran_s=900.0)
    assert (restarts.count, restarts.is_broken) == (1, False)


def test_a_restart_that_was_asked_for_forgives_everything() -> None:
    restarts = Restarts(0)
    restarts.failed(1.0, "crashed", ran_s=0.0)
    restarts.forgive()
    assert (restarts.is_broken, restarts.reason, restarts.next_start) == (False, "", 0.0)
