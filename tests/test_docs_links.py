"""Every link on every page leads somewhere, and every page can be found."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.documents.pages import REPOSITORY, name_of, pages

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")


def prose(page: Path) -> str:
    """Without what is shown: there brackets are not links, and a `#` is no heading."""
    return _FENCED.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """The names that a forge gives to the headings."""
    seen: Counter[str] = Counter()
    named: set[str] = set()
    for heading in _HEADING.findall(prose(page)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower().replace("`", "")
        name = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        named.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return named


def problem_of(target: str, page: Path) -> str:
    """What is wrong with a link; empty: nothing."""
    path, _, anchor = target.partition("#")
    place = (page.parent / path).resolve() if path else page
    if not place.exists() or not place.is_relative_to(REPOSITORY):
        return "leads nowhere"
    if anchor and place.suffix == ".md" and anchor not in anchors(place):
        return "has no such heading"
    return ""


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = _CODE.sub("", prose(page))
    targets = [target for target in (*_LINK.findall(text), *_IMAGE.findall(text)) if "://" not in target]
    problems = {target: problem_of(target, page) for target in targets}
    assert {target: problem for target, problem in problems.items() if problem} == {}


def test_every_page_is_in_the_index() -> None:
    index = REPOSITORY / "docs/index.md"
    linked = {target.partition("#")[0] for target in _LINK.findall(prose(index))}
    assert {page.name for page in (REPOSITORY / "docs").glob("*.md")} - {index.name} <= linked


def test_no_page_holds_a_place_of_the_machine_it_was_written_on() -> None:
    here = (str(Path.home()), str(REPOSITORY))
    wrong = {name_of(page): place for page in pages() for place in here if f"{place}/" in page.read_text("utf-8")}
    assert wrong == {}


def test_headings_have_the_names_that_forges_give_them(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# `[daemon]`, and more\n\n```sh\n# no heading\n```\n\n## A\n\n## A\n", "utf-8")
    assert anchors(page) == {"daemon-and-more", "a", "a-1"}
