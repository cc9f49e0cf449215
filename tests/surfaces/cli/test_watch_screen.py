"""A watched workspace as lines: as much as there is room for, and nothing that a terminal would obey."""

from rich.cells import cell_len

from groundwire.daemon.watch_messages import ClientLine, EditNews, FileNews, ShownFinding, Snapshot
from groundwire.operations.journal import CallRecord
from groundwire.pool.status import ServerStatus
from groundwire.render.layout import Page
from groundwire.surfaces.cli.watch_screen import screen

_PLAIN = Page(width=100)
_FULL = Snapshot(
    root="/w",
    pid=7,
    version="1",
    uptime_s=120.0,
    memory_mb=70.4,
    clients=(ClientLine(client="agent", conversation="mcp", since_s=3.0),),
    servers=(
        ServerStatus(
            server="ty", root="/w", state="active", version="0.1", since_s=65.0, memory_mb=12.2, indexing="43 %"
        ),
        ServerStatus(
            server="gopls", root="/w/go", state="broken", reason="it crashed", stderr_tail="panic\nat the disco"
        ),
    ),
    findings=(
        FileNews(
            file="a.py",
            findings=(
                ShownFinding(
                    line=2, column=5, severity="error", message="no such name\nmore", code="E1", text="  x = y"
                ),
            ),
            is_current=False,
            more=3,
        ),
    ),
    calls=tuple(
        CallRecord(id=n, operation="hover", effect="reads", outcome="confirmed", elapsed_ms=n, ended=1000.0 + n)
        for n in range(1, 41)
    ),
    edits=(
        EditNews(
            timestamp="2026-11-16T11:00:00.000+00:00",
            tool="rename_symbol",
            status="applied",
            files=("a.py",),
            introduced=1,
        ),
    ),
    more_files=2,
)


def test_everything_is_shown_where_there_is_room() -> None:
    text = "\n".join(screen("/w", _FULL, _PLAIN))
    for words in (
        "/w  up 2.0 min, 70 MB, 1 client",
        "Servers  1 of 2 running",
        "active      ty 0.1  43 %  for 1.1 min  12 MB",
        "broken      gopls   go  for 0 s",
        "it crashed",
        "at the disco",
        "Findings  1 error in 1 file, and 2 files more",
        "a.py:2:5  error  no such name  E1  (of older content)",
        "x = y",
        "a.py: 3 more",
        "Calls  40 in a minute, median 20.5 ms",
        "rename_symbol  applied  a.py  1 introduced, 0 resolved",
    ):
        assert words in text


def test_the_latest_call_stands_first() -> None:
    calls = [line for line in screen("/w", _FULL, _PLAIN) if "hover" in line]
    assert (calls[0].split()[-2:], len(calls)) == (["40.0", "ms"], 40)


def test_no_more_lines_are_drawn_than_the_terminal_has_nor_longer_ones() -> None:
    for width, height in ((80, 24), (40, 12), (20, 5), (5, 2), (1, 1)):
        lines = screen("/w", _FULL, Page(width=width), height)
        assert len(lines) <= height
        assert max(map(cell_len, lines)) <= width


def test_every_part_keeps_some_room_beside_a_long_one() -> None:
    lines = screen("/w", _FULL, _PLAIN, 24)
    assert [
        name for name in ("Servers", "Findings", "Calls", "Edits") if any(line.startswith(name) for line in lines)
    ] == [
        "Servers",
        "Findings",
        "Calls",
        "Edits",
    ]
    assert any("more lines" in line for line in lines)


def test_wide_letters_take_the_room_that_they_take() -> None:
    finding = ShownFinding(line=1, column=1, severity="warning", message="日本語" * 40)
    snapshot = Snapshot(
        root="/w", pid=1, version="1", uptime_s=1, memory_mb=1, findings=(FileNews(file="a", findings=(finding,)),)
    )
    assert max(map(cell_len, screen("/w", snapshot, Page(width=30), 20))) <= 30


def test_nothing_of_a_name_or_message_reaches_the_terminal_as_an_order() -> None:
    finding = ShownFinding(line=1, column=1, severity="error", message="\x1b[2Jgone", text="\x07\x1b]0;title\x07")
    snapshot = Snapshot(
        root="/w\x1b[31m",
        pid=1,
        version="1",
        uptime_s=1,
        memory_mb=1,
        findings=(FileNews(file="\x1bc", findings=(finding,)),),
    )
    assert "\x1b" not in "".join(screen("/w\x1b[31m", snapshot, _PLAIN))
    assert "\x07" not in "".join(screen("/w", snapshot, _PLAIN))


def test_where_no_daemon_runs_that_is_said() -> None:
    assert screen("/w", None, _PLAIN) == ["/w  no background process runs", "It is waited for; an agent starts it."]
    assert screen("/w", None, _PLAIN, problem="it is stuck")[1] == "it is stuck; trying again"
