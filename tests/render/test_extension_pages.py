"""The text of answers that no renderer of ours is for."""

from groundwire.extending import Answer, Result, Status
from groundwire.render.extension_pages import extension_page
from groundwire.render.page import HARD_CAP, fitted


class Shapes(Result, frozen=True):
    """Of some kinds."""

    file: str
    counts: dict[str, int]


def text_of(status: Status, reason: str = "") -> str:
    answer = Answer[Result](value=Shapes(file="a.shapes", counts={"circle": 2}), status=status, reason=reason)
    return fitted(extension_page("count_shapes", answer, ()), HARD_CAP)


def test_a_result_without_a_renderer_is_shown_by_its_fields():
    assert text_of(Status.CONFIRMED) == 'count_shapes (confirmed)\nfile: a.shapes\ncounts: {"circle":2}'


def test_how_far_it_is_proven_is_said_all_the_same():
    assert text_of(Status.PARTIAL, "the server is loading").startswith(
        "count_shapes; not proven: the server is loading"
    )
