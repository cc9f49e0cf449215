"""The page on errors has every kind of error, every class of that kind, and the hint that each carries."""

from collections.abc import Iterator

import pytest

from groundwire.errors import GroundwireError
from tests.documents.pages import REPOSITORY

PAGE = (REPOSITORY / "docs/troubleshooting.md").read_text("utf-8")
SECTIONS = {text.partition("\n")[0]: " ".join(text.split()) for text in PAGE.split("\n## ")[1:]}


def every_error(of: type[GroundwireError] = GroundwireError) -> Iterator[type[GroundwireError]]:
    for error in of.__subclasses__():
        if error.__module__ == GroundwireError.__module__:
            yield error
            yield from every_error(error)


@pytest.mark.parametrize("error", list(every_error()), ids=lambda error: error.__name__)
def test_every_error_is_explained_in_the_section_of_its_kind(error: type[GroundwireError]) -> None:
    section = SECTIONS[error.kind]
    assert error.__name__ in section
    # A command may stand in code there, and the last word need not end a sentence.
    hint = error.default_hint.replace("`", "").rstrip(".")
    assert hint in section.replace("`", "")


def test_no_section_is_about_a_kind_that_does_not_exist() -> None:
    kinds = {error.kind for error in every_error()}
    assert set(SECTIONS) - kinds == {"No error, but not what you expect"}
