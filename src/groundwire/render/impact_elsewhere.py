"""Uses in other repositories and tests of a file, as text.

Above: ``answers``. Below: ``page``, ``places``, ``verdict``, ``wording``.
"""

from collections.abc import Iterator

from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.impact import CrossRepoReferences, FileOfTests, FileTests, RepositoryUses
from groundwire.render.page import Page, Section
from groundwire.render.places import by_file, place_line
from groundwire.render.verdict import found
from groundwire.render.wording import counted


def cross_repo_page(answer: Answer[CrossRepoReferences]) -> Page:
    """Each repository with its uses, then the places of which nobody could tell."""
    uses = answer.value
    where = f" of {uses.symbol} in {len(uses.repositories):,} repositories"
    sections = [section for each in uses.repositories for section in _repository(each)]
    return Page(found(answer, uses.total, "use", where), tuple(sections))


def _repository(uses: RepositoryUses) -> Iterator[Section]:
    yield Section([(f"{uses.repo}: {_statement(uses)}",)], 1)
    yield Section(by_file([(place.file, (place_line(place),)) for place in uses.references]), uses.total)
    unproven = by_file([(place.file, (place_line(place),)) for place in uses.unproven])
    yield Section(unproven, uses.unproven_total, title="Not proven, found by its name:")


def _statement(uses: RepositoryUses) -> str:
    if uses.status is Status.CONFIRMED:
        return counted(uses.total, "use") if uses.total else "no uses"
    return f"at least {counted(uses.total, 'use')}: {uses.reason}" if uses.total else f"not known: {uses.reason}"


def file_tests_page(answer: Answer[FileTests]) -> Page:
    """Each file with why."""
    tests = answer.value
    blocks = [(_test_file(each),) for each in tests.test_files]
    return Page(found(answer, tests.total, "test file", f" of {tests.source_file}"), (Section(blocks, tests.total),))


def _test_file(each: FileOfTests) -> str:
    return f"  {each.file}  {'; '.join(each.reasons)}"
