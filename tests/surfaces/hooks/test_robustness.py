import json

from hypothesis import given
from hypothesis import strategies as st

from groundwire.surfaces.hooks.detection import AGENTS
from groundwire.surfaces.hooks.event import HookEvent
from groundwire.surfaces.hooks.fields import fields_of
from groundwire.surfaces.hooks.limits import room_of
from groundwire.surfaces.hooks.output import can_speak, silence, write_output
from groundwire.surfaces.hooks.payload import read_payload
from tests.surfaces.hooks.payloads import EDITS, Sent, encoded

NAMES = st.sampled_from(sorted({name for sent in EDITS.values() for name in sent.payload} | {"tool_calls", "agent"}))
WORDS = st.sampled_from(
    [
        "PostToolUse",
        "postToolUse",
        "AfterTool",
        "PostToolBatch",
        "Stop",
        "SessionStart",
        "Edit",
        "Bash",
        "file_path",
        "a.py",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | WORDS
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | WORDS | st.text(max_size=8), inner, max_size=6),
    max_leaves=30,
)
SAID = st.sampled_from(["", "hal", *AGENTS])
REPORTS = st.text(max_size=300) | st.text(st.characters(), min_size=1, max_size=50).map(lambda text: text * 1_500)


@given(JSON, SAID, REPORTS)
def test_no_json_whatever_breaks_reading_or_answering(payload: object, said: str, report: str) -> None:
    assert_sound(read_payload(encoded(payload), said), report)


@given(st.sampled_from(sorted(EDITS)), NAMES | st.sampled_from(["file_path", "path", "files", "edits"]), JSON, REPORTS)
def test_no_member_of_a_wrong_type_breaks_reading_or_answering(
    host: str, name: str, value: object, report: str
) -> None:
    payload = EDITS[host].payload
    inside = {key: {**fields_of(member), name: value} for key, member in payload.items() if fields_of(member)}

    assert_sound(read_payload(encoded({**payload, name: value})), report)
    assert_sound(read_payload(encoded({**payload, **inside})), report)


@given(st.binary(max_size=300), SAID)
def test_no_bytes_whatever_break_reading(raw: bytes, said: str) -> None:
    assert_sound(read_payload(raw, said), "report")


@given(st.sampled_from(sorted(EDITS)), st.data())
def test_a_payload_that_was_cut_off_has_nothing_to_do(host: str, data: st.DataObject) -> None:
    sent: Sent = EDITS[host]
    raw = encoded(sent.payload)
    event = read_payload(raw[: data.draw(st.integers(0, len(raw) - 1))], sent.agent)

    assert (event.agent, event.moment) == (sent.agent, "other")


def test_a_huge_payload_is_read_all_the_same() -> None:
    payload = {**EDITS["claude Edit"].payload, "tool_input": {"file_path": "/w/a.py", "content": "é" * 3_000_000}}

    assert read_payload(encoded(payload)).files == ("/w/a.py",)


def assert_sound(event: HookEvent, report: str) -> None:
    """What holds of every event and of what is said about it."""
    assert event.files or event.moment != "edited"
    assert set(event.before) <= set(event.files)
    assert {one.file for one in event.replaced} <= set(event.files)
    printed = write_output(event, report)
    if not can_speak(event) or not report.strip():
        assert printed == silence(event.agent)
    assert printed or event.agent == "codex"
    said = texts(json.loads(printed)) if printed else []
    assert all(len(text.encode()) <= room_of(event.agent) for text in said)


def texts(value: object) -> list[str]:
    """All texts in an answer."""
    if isinstance(value, str):
        return [value]
    return [text for member in fields_of(value).values() for text in texts(member)]
