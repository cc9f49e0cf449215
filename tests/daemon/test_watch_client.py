"""Everything that news amount to, and whom nobody watches."""

from groundwire.daemon.watch_client import folded, understood
from groundwire.daemon.watch_messages import (
    CallEnded,
    ClientLine,
    DaemonChanged,
    EditMade,
    EditNews,
    FileNews,
    FindingsChanged,
    Lagging,
    News,
    ServersChanged,
    ShownFinding,
    Snapshot,
    dump,
)
from groundwire.operations.journal import BUCKETS_MS, CallRecord
from groundwire.pool.status import ServerCounts, ServerStatus

_EMPTY = Snapshot(root="/w", pid=1, version="1", uptime_s=1.0, memory_mb=2.0)
_WRONG = ShownFinding(line=1, column=2, severity="error", message="wrong")


def _call(number: int, elapsed_ms: float = 3.0) -> CallRecord:
    return CallRecord(
        id=number, operation="hover", effect="reads", outcome="confirmed", elapsed_ms=elapsed_ms, ended=9.0
    )


def _after(*news: News) -> Snapshot:
    seen = _EMPTY
    for each in news:
        heard = understood(dump(each))
        assert heard is not None
        assert heard == each
        seen = folded(seen, heard)
    return seen


def test_findings_of_a_file_take_the_place_of_those_before() -> None:
    one, other = FileNews(file="a", findings=(_WRONG,)), FileNews(file="b", findings=(_WRONG,), is_current=False)
    assert _after(FindingsChanged(files=(one, other))).findings == (one, other)
    assert _after(FindingsChanged(files=(one, other)), FindingsChanged(files=(FileNews(file="a"),))).findings == (
        other,
    )


def test_calls_are_counted_as_the_daemon_counts_them_and_the_last_are_kept() -> None:
    seen = _after(*(CallEnded(call=_call(number)) for number in range(150)), CallEnded(call=_call(150, 1e9)))
    (tally,) = seen.tallies
    assert (len(seen.calls), seen.calls[-1].id, tally.count) == (100, 150, 151)
    assert tally.buckets[BUCKETS_MS.index(5.0)] == sum(tally.buckets) == 150


def test_servers_edits_and_clients_are_taken_over() -> None:
    server = ServerStatus(server="ty", root="/w", state="active")
    counts = ServerCounts(server="ty", root="/w", starts=1)
    client = ClientLine(client="cli", conversation="call", since_s=1.0)
    edit = EditNews(timestamp="2026-01-01T00:00:00Z", tool="rename_symbol", status="applied")
    seen = _after(
        ServersChanged(servers=(server,), counts=(counts,)),
        EditMade(edit=edit),
        DaemonChanged(uptime_s=5.0, memory_mb=6.0, clients=(client,)),
        Lagging(dropped=3),
    )
    assert (seen.servers, seen.counts, seen.edits, seen.clients) == ((server,), (counts,), (edit,), (client,))
    assert (seen.uptime_s, seen.memory_mb) == (5.0, 6.0)


def test_what_another_version_says_is_passed_over() -> None:
    assert understood(b'{"kind":"weather","degrees":3}\n') is None
    assert understood(b"no json\n") is None
