"""Random texts, edits and failures: what is on the disk afterwards is what a naive way gives, or what was there."""

import codecs
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from groundwire.edits.plan import plan_edit
from groundwire.edits.report import Applied
from groundwire.edits.undo import UndoStack
from groundwire.edits.write import apply
from groundwire.errors import EditConflict, GroundwireError, PartlyWritten
from groundwire.protocol.lsp_edits import OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit
from groundwire.protocol.positions import Lines, PositionEncoding
from tests.edits.failing_files import FailingFiles, When
from tests.edits.projects import Project, Shape, text_edit
from tests.thoroughness import examples

ENCODINGS: list[PositionEncoding] = ["utf-8", "utf-16", "utf-32"]
MARKED = [
    ("utf-8", b""),
    ("utf-8", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
]
WORDS = ["a", "b", "ä", "→", "😀", "\U0001d4b3", "e\u0301", "\u2028", "word "]
ENDINGS = [["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\n", "\r\n", "\r"]]
NAMES = ["a.py", "b.py", "d/c.py", "d/e/f.py", "g/h.py", "d", "g"]

Spans = list[tuple[int, int, str]]


@pytest.fixture(scope="module")
def new_project(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Project]:
    base, numbers = tmp_path_factory.mktemp("projects"), count()

    def make() -> Project:
        root = base / str(next(numbers))
        root.mkdir()
        return Project(root)

    return make


@st.composite
def texts_with_edits(draw: st.DrawFn) -> tuple[str, Spans]:
    """A text and edits by offset that neither overlap nor begin between CR and LF, in order."""
    endings = draw(st.sampled_from(ENDINGS))
    text = "".join(draw(st.lists(st.sampled_from([*WORDS, *endings, *endings]), max_size=25)))
    places = [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n"]
    number = draw(st.integers(0, 4))
    cuts = sorted(draw(st.lists(st.sampled_from(places), min_size=2 * number, max_size=2 * number)))
    inserted = st.lists(st.sampled_from([*WORDS, "\n"]), max_size=4).map("".join)
    return text, [(cuts[2 * n], cuts[2 * n + 1], draw(inserted)) for n in range(number)]


def spliced(text: str, spans: Spans) -> str:
    """The naive way: from the back, each line feed as the most frequent ending of the text."""
    found = re.findall(r"\r\n|\r|\n", text)
    ending = max(("\n", "\r\n", "\r"), key=found.count) if found else "\n"
    for start, end, new_text in reversed(spans):
        text = text[:start] + new_text.replace("\n", ending) + text[end:]
    return text


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts_with_edits(), st.sampled_from(ENCODINGS), st.sampled_from(MARKED), st.permutations(range(4)))
def test_what_is_written_is_what_splicing_by_hand_gives(
    new_project: Callable[[], Project],
    case: tuple[str, Spans],
    encoding: PositionEncoding,
    written_as: tuple[str, bytes],
    order: list[int],
):
    text, spans = case
    codec, mark = written_as
    project = new_project()
    path = project.put("a.py", mark + text.encode(codec))
    lines = Lines(text)
    edits = [TextEdit(lines.range(start, end, encoding), new_text) for start, end, new_text in spans]
    # Edits that start at one place must keep their order; all others may come in any.
    starts = {start: order[number] for number, (start, _, _) in enumerate(spans)}
    shuffled = [edits[number] for number in sorted(range(len(edits)), key=lambda number: starts[spans[number][0]])]
    change = TextDocumentEdit(OptionalVersionedTextDocumentIdentifier(project.uri("a.py")), shuffled)
    apply(plan_edit([change], roots=[project.root], encoding=encoding))
    assert path.read_bytes() == mark + spliced(text, spans).encode(codec)


@st.composite
def operations(draw: st.DrawFn) -> list[tuple[str, str, str]]:
    kinds = st.sampled_from(["change", "create", "rename", "delete"])
    name = st.sampled_from(NAMES)
    return draw(st.lists(st.tuples(kinds, name, name), min_size=1, max_size=7))


def change_of(project: Project, operation: tuple[str, str, str]) -> Shape:
    kind, name, other = operation
    if kind == "change":
        return project.change(name, text_edit(0, 0, 0, f"{other} "))
    if kind == "create":
        return project.create(name, overwrite=True)
    if kind == "rename":
        return project.rename(name, other, overwrite=True)
    return project.delete(name, recursive=True)


def carry_out(root: Path, operation: tuple[str, str, str]) -> None:
    """The naive way, straight on the disk."""
    kind, name, other = operation
    path, new = root / name, root / other
    if kind == "change":
        path.write_bytes(f"{other} ".encode() + path.read_bytes())
    elif kind == "create":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    elif kind == "rename" and path != new:
        new.parent.mkdir(parents=True, exist_ok=True)
        if new.exists():
            remove(new)
        path.replace(new)
    elif kind == "delete":
        remove(path)


def remove(path: Path) -> None:
    if not path.is_dir():
        path.unlink()
        return
    for child in path.iterdir():
        remove(child)
    path.rmdir()


def fill(project: Project) -> None:
    for number, name in enumerate(["a.py", "b.py", "d/c.py", "d/e/f.py"]):
        project.put(name, f"{name}\n", 0o600 + number * 8)
    (project / "linked.py").hardlink_to(project / "b.py")


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(operations(), st.integers(1, 150), st.sampled_from(["before", "after", "half"]))
@example(wanted=[("create", "g/h.py", "a.py"), ("rename", "g", "a.py")], number=1, when="before")  # a directory over it
def test_random_operations_do_what_they_do_one_by_one_and_leave_nothing_when_one_fails(
    new_project: Callable[[], Project], wanted: list[tuple[str, str, str]], number: int, when: When
):
    project, naive = new_project(), new_project()
    fill(project)
    fill(naive)
    before, state = project.contents(), project.state()
    try:
        plan = project.plan(*(change_of(project, operation) for operation in wanted))
    except GroundwireError:
        assert project.state() == state
        return
    for operation in wanted:
        carry_out(naive.root, operation)
    try:
        applied = apply(plan, FailingFiles(number, when=when))
    except GroundwireError as error:
        if isinstance(error, PartlyWritten):
            raise
        assert project.state() == state
        applied = apply(plan)
    assert project.contents() == naive.contents()
    undo(applied, project, before)


def undo(applied: Applied, project: Project, before: dict[str, bytes | str | None]) -> None:
    stack = UndoStack()
    stack.push(applied)
    after = project.contents()
    try:
        stack.undo()
    except EditConflict as refused:
        if "hard links" not in refused.message:
            raise
        assert project.contents() == after
        assert any(change.path.name == "b.py" for change in applied.changes)
    else:
        assert project.contents() == before
