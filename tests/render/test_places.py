"""Places as text: by file, with their source, and none only where that is proven."""

from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.results.found import Locations
from groundwire.render.text import Limits, render_places


def place(file: str, line: int, text: str = "", column: int = 5) -> Place:
    return Place(file=file, line=line, column=column, end_line=line, end_column=column + 3, text=text)


def answer(*places: Place, status: Status = Status.CONFIRMED, reason: str = "", note: str = "") -> Answer[Locations]:
    ordered = tuple(sorted(places, key=lambda place: (place.file, place.line)))
    found = Locations(locations=ordered, total=len(places), files=len({place.file for place in places}))
    return Answer(value=found, status=status, reason=reason, servers=("ty 0.0.100",), note=note)


def test_places_are_grouped_by_file_and_sorted_by_line() -> None:
    places = answer(
        place("b.py", 7, "    due = total(prices)\n"), place("a.py", 30, "total(x)"), place("a.py", 4, "def total(x):")
    )
    assert render_places(places) == (
        "3 references in 2 files (confirmed by ty 0.0.100)\n"
        "a.py\n"
        "  4:5  def total(x):\n"
        "  30:5  total(x)\n"
        "b.py\n"
        "  7:5  due = total(prices)"
    )


def test_none_is_said_only_when_it_is_proven() -> None:
    assert render_places(answer()) == "No references (confirmed by ty 0.0.100)"
    unknown = answer(status=Status.UNKNOWN, reason="ty is still starting")
    assert render_places(unknown) == "References: not known: ty is still starting"


def test_places_that_may_not_be_all_are_called_at_least() -> None:
    text = render_places(answer(place("a.py", 1), status=Status.PARTIAL, reason="indexing 43 %"))
    assert text.startswith("At least 1 reference in 1 file; whether that is all is not known: indexing 43 %\n")


def test_too_many_places_are_cut_and_counted() -> None:
    text = render_places(answer(*(place("a.py", line) for line in range(1, 6))), limits=Limits(places=3))
    assert text.split("\n") == [
        "5 references in 1 file (confirmed by ty 0.0.100)",
        "a.py",
        "  1:5",
        "  2:5",
        "  3:5",
        "+2 more results (offset 3)",
    ]


def test_a_long_line_of_source_is_cut() -> None:
    text = render_places(answer(place("a.py", 1, "x" * 500)), limits=Limits(place_chars=10))
    assert text.endswith("  1:5  xxxxxxxxx…")


def test_the_noun_can_be_another() -> None:
    assert render_places(answer(), noun="definition") == "No definitions (confirmed by ty 0.0.100)"


def test_what_the_question_was_taken_to_mean_is_said() -> None:
    first_line = render_places(answer(place("a.py", 1), note="taken for Repo.save, in another case")).split("\n")[0]
    assert first_line == "1 reference in 1 file (confirmed by ty 0.0.100) [taken for Repo.save, in another case]"
