"""What daemons tell, as families of metrics.

A daemon that ends takes its counters along: they begin anew with the next, as counters may.
Above: ``metrics``. Below: ``workspaces``, ``operations.journal``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from groundwire.daemon.watch_messages import LatencyTally, Snapshot
from groundwire.operations.journal import BUCKETS_MS
from groundwire.surfaces.http.shapes import FrontStatus
from groundwire.surfaces.http.workspaces import WorkspaceView

_MEGABYTE = 1e6
_SERVER = ("workspace", "server", "root")
_BOUNDS = tuple(f"{bound / 1000:g}" for bound in BUCKETS_MS)


class SnapshotCollector(Collector):
    """Over the views as they are when somebody asks."""

    def __init__(self, views: Callable[[], Iterable[WorkspaceView]], front: Callable[[], FrontStatus]) -> None:
        self._views = views
        self._front = front

    def describe(self) -> Iterable[Metric]:
        """Nothing: names are known once there is something to tell."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """All families."""
        views = tuple(self._views())
        told = [view.snapshot for view in views if view.snapshot is not None]
        yield from _front(self._front())
        running = {view.root: view.is_running for view in views}
        yield _gauge("workspace_up", "Whether the daemon of a workspace runs.", running)
        yield from _daemons(told)
        yield from _servers(told)
        yield from _counts(told)
        yield from _calls(told)
        yield _findings(told)


def _front(front: FrontStatus) -> Iterator[Metric]:
    info = GaugeMetricFamily("groundwire_build_info", "Which version answers.", labels=("version",))
    info.add_metric((front.version,), 1)
    yield info
    for name, words, value in (
        ("uptime_seconds", "How long the service has run.", front.uptime_s),
        ("memory_bytes", "Resident memory of the service.", front.memory_mb * _MEGABYTE),
        ("sessions", "Sessions of MCP.", front.sessions),
        ("subscribers", "Who listens to events.", front.subscribers),
    ):
        yield GaugeMetricFamily(f"groundwire_front_{name}", words, value=value)


def _daemons(told: Iterable[Snapshot]) -> Iterator[Metric]:
    listed = {each.root: each for each in told}
    uptimes = {root: each.uptime_s for root, each in listed.items()}
    yield _gauge("daemon_uptime_seconds", "How long a daemon has run.", uptimes)
    memories = {root: each.memory_mb * _MEGABYTE for root, each in listed.items()}
    yield _gauge("daemon_memory_bytes", "Resident memory of a daemon.", memories)
    clients = {root: len(each.clients) for root, each in listed.items()}
    yield _gauge("daemon_clients", "How many are connected to a daemon.", clients)


def _servers(told: Iterable[Snapshot]) -> Iterator[Metric]:
    state = GaugeMetricFamily("groundwire_server_state", "1 for the state it is in.", labels=(*_SERVER, "state"))
    memory = GaugeMetricFamily("groundwire_server_memory_bytes", "Resident memory of its processes.", labels=_SERVER)
    documents = GaugeMetricFamily("groundwire_server_open_documents", "Files it has open.", labels=_SERVER)
    for snapshot in told:
        for each in snapshot.servers:
            labels = (snapshot.root, each.server, each.root)
            state.add_metric((*labels, each.state), 1)
            documents.add_metric(labels, each.open_documents)
            if each.memory_mb is not None:
                memory.add_metric(labels, each.memory_mb * 1024 * 1024)
    yield from (state, memory, documents)


def _counts(told: Iterable[Snapshot]) -> Iterator[Metric]:
    counted = [(snapshot.root, each) for snapshot in told for each in snapshot.counts]
    for name, words in (
        ("starts", "How often it was started."),
        ("crashes", "How often it failed: ended by itself, or could not be started."),
        ("restarts", "How often it was started again after a failure."),
        ("timeouts", "Requests that it did not answer in time."),
    ):
        family = CounterMetricFamily(f"groundwire_server_{name}", words, labels=_SERVER)
        for root, each in counted:
            family.add_metric((root, each.server, each.root), getattr(each, name))
        yield family


def _calls(told: Iterable[Snapshot]) -> Iterator[Metric]:
    labels = ("workspace", "operation")
    calls = CounterMetricFamily("groundwire_calls", "Calls, by how they ended.", labels=(*labels, "outcome"))
    seconds = HistogramMetricFamily("groundwire_operation_seconds", "How long calls took.", labels=labels)
    for snapshot in told:
        by_operation: dict[str, list[LatencyTally]] = {}
        for tally in snapshot.tallies:
            calls.add_metric((snapshot.root, tally.operation, tally.outcome), tally.count)
            by_operation.setdefault(tally.operation, []).append(tally)
        for operation, tallies in by_operation.items():
            seconds.add_metric((snapshot.root, operation), _buckets(tallies), sum(t.total_ms for t in tallies) / 1000)
    yield from (calls, seconds)


def _buckets(tallies: list[LatencyTally]) -> list[tuple[str, float]]:
    """Cumulated, as Prometheus wants them."""
    sums = accumulate(map(sum, zip(*(tally.buckets for tally in tallies), strict=True)))
    return [*zip(_BOUNDS, map(float, sums), strict=True), ("+Inf", float(sum(tally.count for tally in tallies)))]


def _findings(told: Iterable[Snapshot]) -> Metric:
    words = "What is known to be wrong now, as far as the status shows it."
    family = GaugeMetricFamily("groundwire_findings", words, labels=("workspace", "severity"))
    for snapshot in told:
        found = Counter(each.severity for file in snapshot.findings for each in file.findings)
        for severity in ("error", "warning", "information", "hint"):
            family.add_metric((snapshot.root, severity), found[severity])
    return family


def _gauge(name: str, words: str, values: Mapping[str, float]) -> Metric:
    """One value for each workspace."""
    family = GaugeMetricFamily(f"groundwire_{name}", words, labels=("workspace",))
    for workspace, value in values.items():
        family.add_metric((workspace,), value)
    return family
