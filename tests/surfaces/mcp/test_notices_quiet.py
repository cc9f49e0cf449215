"""When a burst is over."""

from groundwire.surfaces.mcp.notices_quiet import Quiet


def test_a_burst_is_over_a_moment_after_its_last_event_and_only_once():
    quiet = Quiet(2.0)
    assert not quiet.is_over(0.0)
    for tenth in range(20):
        quiet.happened(tenth / 10)
    assert not quiet.is_over(3.8)
    assert quiet.is_over(3.9)
    quiet.forget()
    assert not quiet.is_over(100.0)


def test_what_never_stops_is_told_of_all_the_same():
    quiet = Quiet(2.0)
    for second in range(10):
        quiet.happened(float(second))
        assert not quiet.is_over(float(second))
    quiet.happened(10.0)
    assert quiet.is_over(10.0)
