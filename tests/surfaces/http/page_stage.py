"""Workspaces that are made up, in the shapes that daemons tell: those of a day of work, and pieces of them.

Above: ``page_front``. Below: ``daemon.watch_messages``.
"""

import time
from collections.abc import Iterable
from typing import Any, cast

import msgspec

from groundwire.daemon.watch_messages import ClientLine, EditNews, FileNews, ShownFinding, Snapshot
from groundwire.operations.answer import Status
from groundwire.operations.journal import CallRecord
from groundwire.operations.results.found import SymbolMatch
from groundwire.pool.status import ServerStatus
from groundwire.surfaces.http.shapes import FoundSymbols, FrontStatus, ServiceStatus, WorkspaceStopped
from groundwire.surfaces.http.workspaces import WorkspaceView

SHOP = "/home/ada/shop"
SITE = "/home/ada/site"
_OPERATIONS = ("inspect_symbol", "find_references", "get_diagnostics", "find_symbol", "preview_edit", "rename_symbol")


class Stage:
    """The snapshots by root; a root without one has no daemon."""

    def __init__(self, *shown: Snapshot, without_daemon: Iterable[str] = ()) -> None:
        self.shown = {each.root: each for each in shown}
        self.without_daemon = tuple(without_daemon)
        self.found: tuple[SymbolMatch, ...] = ()
        self.status_of_search = Status.CONFIRMED
        self.reason = ""

    def status(self) -> ServiceStatus:
        now = time.time()
        running = [
            WorkspaceView(root=each.root, is_running=True, since=now, snapshot=each) for each in self.shown.values()
        ]
        silent = [WorkspaceView(root=root, is_running=False, since=now) for root in self.without_daemon]
        front = FrontStatus(
            version="0.1.0", pid=1, uptime_s=11_580.0, sessions=3, memory_mb=61.4, subscribers=1, is_open=False
        )
        return ServiceStatus(front=front, workspaces=(*running, *silent))

    def beginnings(self) -> list[dict[str, object]]:
        silent = [WorkspaceStopped(workspace=root, since=time.time()) for root in self.without_daemon]
        return [event(each, root) for root, each in self.shown.items()] + [event(each) for each in silent]

    def symbols(self, workspace: str, query: str) -> FoundSymbols:
        found = tuple(each for each in self.found if query.lower() in each.name.lower() and workspace in self.shown)
        return FoundSymbols(symbols=found, total=len(found), status=self.status_of_search, reason=self.reason)


def event(news: msgspec.Struct, root: str = "") -> dict[str, object]:
    """As the front sends it."""
    told = cast("dict[str, object]", msgspec.to_builtins(news))
    return {"workspace": root, **told} if root else told


def server(name: str = "ty", root: str = SHOP, **changes: Any) -> ServerStatus:  # whatever the struct takes
    plain = ServerStatus(server=name, root=root, state="active", since_s=754.0, pid=4711, memory_mb=118.0)
    return msgspec.structs.replace(plain, **{"indexing": "ready", "open_documents": 6, **changes})


def snapshot(root: str = SHOP, **changes: Any) -> Snapshot:  # whatever the struct takes
    plain = Snapshot(root=root, pid=4700, version="0.1.0", uptime_s=5400.0, memory_mb=84.0)
    return msgspec.structs.replace(plain, **changes)


def finding(message: str = "Object of type `None` has no attribute `total`", **changes: Any) -> ShownFinding:
    plain = ShownFinding(line=48, column=12, severity="error", message=message, server="ty", source="ty")
    return msgspec.structs.replace(plain, **changes)


def calls(number: int, until: float | None = None) -> tuple[CallRecord, ...]:
    """The latest is the last, a few hundred milliseconds ago; how long they took looks like real ones."""
    now = until or time.time()
    return tuple(_call(each, now - (number - each) * 2.1 - 0.4) for each in range(number))


def _call(number: int, ended: float) -> CallRecord:
    outcome, error = "confirmed", ""
    if number % 17 == 5:
        outcome, error = "error", "RequestTimeout"
    elif number % 9 == 4:
        outcome = "partial"
    elapsed = 2.5 + (number * 7919 % 97) ** 1.25 + (900 if number % 23 == 7 else 0) + (5000 if error else 0)
    operation = _OPERATIONS[number * 31 % 6]
    effect = "writes" if operation == "rename_symbol" else "reads"
    client = ("claude-code", "codex", "groundwire check")[number % 3]
    return CallRecord(
        id=number,
        operation=operation,
        effect=effect,
        outcome=outcome,
        error=error,
        elapsed_ms=elapsed,
        ended=ended,
        client=client,
    )


def two_workspaces() -> Stage:
    """What a day of work looks like."""
    stage = Stage(_shop(), _site(), without_daemon=("/home/ada/notes",))
    stage.found = tuple(
        SymbolMatch(name=name, kind=kind, path=path, file="shop/cart.py", line=line, column=9, text=text)
        for name, kind, path, line, text in (
            ("total", "method", "Cart.total", 48, "def total(self) -> Decimal:"),
            ("total_weight", "method", "Cart.total_weight", 61, "def total_weight(self) -> float:"),
            ("subtotal", "property", "Line.subtotal", 22, "def subtotal(self) -> Decimal:"),
        )
    )
    return stage


def _shop() -> Snapshot:
    cart = (
        finding(text="    return self.discount.total - self.paid", code="unresolved-attribute"),
        finding(
            "Argument is incorrect: expected `Decimal`, found `float`",
            line=61,
            column=31,
            code="invalid-argument-type",
            text="        return self.charge(weight * 0.2)",
        ),
    )
    orders = (
        finding(
            "`json` imported but unused",
            severity="warning",
            line=3,
            column=8,
            code="F401",
            source="Ruff",
            server="ruff",
            text="import json",
        ),
        finding(
            "Possibly unbound name `receipt`",
            severity="warning",
            line=112,
            column=16,
            code="possibly-unresolved-reference",
            text="        return receipt",
        ),
    )
    return snapshot(
        servers=(
            server(version="0.0.104"),
            server(
                "ruff",
                state="idle",
                since_s=95.0,
                reason="nobody used it for 602 s",
                pid=None,
                memory_mb=None,
                indexing="",
                open_documents=0,
            ),
            server(
                "rust-analyzer",
                f"{SHOP}/native",
                version="1.92.0",
                memory_mb=1430.0,
                since_s=38.0,
                pid=4733,
                indexing="indexing 43 % (crates)",
                open_documents=1,
                restarts=1,
                stderr_tail="[INFO] loading workspace native\n[INFO] crate graph: 214 crates\n[WARN] slow request",
            ),
        ),
        findings=(
            FileNews(file="shop/cart.py", findings=cart),
            FileNews(file="shop/orders.py", findings=orders, is_current=False),
        ),
        calls=calls(140),
        edits=(
            EditNews(
                timestamp="2026-11-16T10:42:07.120+00:00",
                tool="rename_symbol",
                status="applied",
                undo_id="e3f1",
                files=("shop/cart.py", "shop/orders.py", "tests/test_cart.py"),
                resolved=2,
            ),
            EditNews(
                timestamp="2026-11-16T10:51:33.004+00:00",
                tool="apply_edit",
                status="refused",
                files=("shop/prices.py",),
                error="shop/prices.py changed on disk since it was read",
            ),
            EditNews(
                timestamp="2026-11-16T10:55:20.480+00:00",
                tool="apply_edit",
                status="applied",
                files=("shop/cart.py",),
                introduced=1,
                undo_id="e3f2",
            ),
        ),
        clients=(ClientLine(client="claude-code", conversation="mcp", since_s=300.0),),
    )


def _site() -> Snapshot:
    reason = "it ended 3 times within a minute; the next try is in 20 s"
    broken = server(
        "typescript",
        SITE,
        version="7.0.2",
        state="broken",
        since_s=12.0,
        reason=reason,
        pid=None,
        memory_mb=None,
        indexing="",
        open_documents=0,
        restarts=3,
        stderr_tail="FATAL ERROR: Reached heap limit\n  at compile (checker)",
    )
    return snapshot(SITE, servers=(broken,), pid=5210, memory_mb=71.0, uptime_s=900.0)
