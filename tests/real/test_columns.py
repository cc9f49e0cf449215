"""Columns are characters, in what is asked and in what is answered, whatever the server counts in: behind emoji, CJK
and accents, in lines that end with CRLF, and where the names themselves are not ASCII.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import find_references, go_to_definition
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.columns import BROKEN, COUNTS_BYTES, DEFINED, MISSING, SAMPLES, USED, Sample
from tests.real.installed import environment_of, is_in_the_table
from tests.real.lightened import lightened_catalog

WAIT_S = 90.0

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


class Span(NamedTuple):
    """A word on a line; 1-based characters, the end behind it."""

    file: str
    line: int
    column: int
    end_column: int


def span_of(sample: Sample, file: str, word: str, beside: str) -> Span:
    """Where the word is, on the one line that also holds the other word."""
    lines = enumerate(sample.files[file].split("\r\n"), 1)
    ((number, text),) = [(number, text) for number, text in lines if word in text and beside in text]
    start = text.index(word) + 1
    return Span(file, number, start, start + len(word))


def short(place: Place) -> Span:
    assert place.end_line == place.line
    return Span(place.file, place.line, place.column, place.end_column)


class Questions:
    """Questions to one server. Those of the table need not prove what they say, nor find every use: it must be true."""

    def __init__(self, pool: Pool, server: str) -> None:
        self._pool = pool
        self._sample = SAMPLES[server]
        self._must_prove = not is_in_the_table(server)

    async def definition(self) -> None:
        """Asked at every character of a use."""
        used = self._span(self._sample.user, DEFINED, USED)
        for column in range(used.column, used.end_column):
            place = {"file_path": used.file, "line": used.line, "column": column}
            found = await self._ask(go_to_definition, place)
            assert [short(each) for each in found.locations] == [self._defined], column

    async def references(self) -> None:
        place = {"file_path": self._defined.file, "line": self._defined.line, "column": self._defined.column}
        found = {short(each) for each in (await self._ask(find_references, place)).locations}
        uses = {self._span(self._sample.user, DEFINED, beside) for beside in (USED, BROKEN)}
        assert found == uses if self._must_prove else found <= uses

    async def symbols(self) -> None:
        found = await self._ask(list_symbols, {"file_path": self._sample.user})
        places = {symbol.name: (symbol.line, symbol.column) for symbol in found.symbols}
        for name in (USED, BROKEN):
            assert places[name] == self._span(self._sample.user, name, DEFINED)[1:3]

    async def findings(self) -> None:
        (file,) = (await check_files(self._pool, [Path(self._sample.user)], wait_s=WAIT_S)).value
        assert file.status is Status.CONFIRMED or not self._must_prove, file.reason
        about = [found for found in file.diagnostics if MISSING in found.message]
        spans = {Span(file.file, found.line, found.column, found.end_column) for found in about}
        assert spans == {self._span(self._sample.user, MISSING, BROKEN)}

    async def _ask(self, operation: Operation[A, R], given: Mapping[str, object]) -> R:
        answer: Answer[R] = await perform(self._pool, operation, operation.parse(given), wait_s=WAIT_S)
        assert answer.status is Status.CONFIRMED or not self._must_prove, answer.reason
        return answer.value

    @property
    def _defined(self) -> Span:
        return self._span(self._sample.library, DEFINED, DEFINED)

    def _span(self, file: str, word: str, beside: str) -> Span:
        return span_of(self._sample, file, word, beside)


@pytest.mark.parametrize("server", SAMPLES)
async def test_columns_are_characters_both_ways(server: str, tmp_path: Path) -> None:
    environment = environment_of(server)
    for name, text in SAMPLES[server].files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.replace("{root}", str(tmp_path)).encode())
    only = frozenset({server})
    async with Pool(tmp_path, only=only, catalog=lightened_catalog(), environment=environment) as pool:
        questions = Questions(pool, server)
        await questions.findings()
        await questions.definition()
        await questions.references()
        await questions.symbols()
        (instance,) = pool.instances()
        counts_bytes = instance.session.state.capabilities.position_encoding == "utf-8"
    assert counts_bytes is (server in COUNTS_BYTES)


def test_no_two_ways_to_count_agree_on_what_is_asked() -> None:
    for sample in SAMPLES.values():
        used = span_of(sample, sample.user, DEFINED, USED)
        before = sample.files[sample.user].split("\r\n")[used.line - 1][: used.column - 1]
        assert len({len(before), len(before.encode()), len(before.encode("utf-16-le")) // 2}) == 3
