"""What agents name is found, near misses are said, and what is not certain is not called certain."""

from pathlib import Path

import pytest

from groundwire.errors import AmbiguousSymbol, FileNotFound, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.navigation.navigate import find_references, go_to_definition
from groundwire.operations.table import find_operation
from groundwire.pool.pool import Pool
from groundwire.workspace.rules import ReadinessRule, SettleRule
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ZOO, ask, at, zoo

pytestmark = pytest.mark.anyio

BARK = [
    {"symbol": "bark"},
    {"symbol": "voices.toy::bark"},
    {"symbol": "bark", "file_path": "voices.toy"},
    {"file_path": "animals.toy", "line": 9, "column": 15},
    {"file_path": "animals.toy", "line": 9, "text": "bark"},
    {"file_path": "animals.toy", "position_pattern": "😀 use @@bark"},
    {"file_path": "animals.toy", "position_pattern": "use @@", "line_scope_start": 8, "line_scope_end": 9},
]


@pytest.mark.parametrize("target", BARK)
async def test_the_same_symbol_is_found_however_it_is_named(tmp_path: Path, target: dict[str, object]):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, go_to_definition, **target)
        assert (answer.status, [at(place) for place in answer.value.locations]) == (
            Status.CONFIRMED,
            ["voices.toy:1:5"],
        )


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("target", BARK)
async def test_columns_are_characters_both_ways_whatever_ends_a_line(
    tmp_path: Path, target: dict[str, object], ending: str
):
    files = {name: text.replace("\n", ending) for name, text in ZOO.items()}
    async with zoo(tmp_path, files=files) as pool:
        answer = await ask(pool, find_references, **target)
        (place,) = answer.value.locations
        assert (at(place), place.end_column, place.text) == ("animals.toy:9:15", 19, "😀 use bark(volume, 2)")


@pytest.mark.parametrize(
    ("operation", "symbol", "found"),
    [
        ("go_to_declaration", "bark", ["voices.toy:1:5"]),
        ("go_to_type_definition", "Dog.speak", ["animals.toy:7:7"]),
        ("go_to_implementation", "Animal", ["animals.toy:7:7"]),
        ("go_to_implementation", "Animal.speak", ["animals.toy:8:9"]),
        ("go_to_implementation", "bark", []),
    ],
)
async def test_every_way_to_go_from_a_symbol(tmp_path: Path, operation: str, symbol: str, found: list[str]):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, find_operation(operation), symbol=symbol)
        assert (answer.status, [at(place) for place in answer.value.locations]) == (Status.CONFIRMED, found)


async def test_the_declaration_is_among_the_uses_only_when_it_is_wanted(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with_it = await ask(pool, find_references, symbol="bark", include_declaration=True)
        assert [at(place) for place in with_it.value.locations] == ["animals.toy:9:15", "voices.toy:1:5"]


async def test_uses_are_the_same_of_a_server_that_takes_imports_for_declarations(tmp_path: Path):
    root = tmp_path / "project"
    root.mkdir()
    for name, text in ZOO.items():
        (root / name).write_text(text)
    log = ToyLog(tmp_path / "log")
    spec = toy_spec("well_read", log, readiness=ReadinessRule(takes_imports_for_declarations=True))
    async with Pool(root, catalog=toy_catalog(spec)) as pool:
        answer = await ask(pool, find_references, symbol="bark")
        assert (answer.status, at(answer.value.locations[0])) == (Status.CONFIRMED, "animals.toy:9:15")
        assert answer.value.total == 1
        assert log.count("textDocument/definition") == 1


async def test_the_flat_form_of_symbols_leads_to_the_name_all_the_same(tmp_path: Path):
    async with zoo(tmp_path, "flat") as pool:
        answer = await ask(pool, find_references, symbol="voices.toy::bark")
        assert [at(place) for place in answer.value.locations] == ["animals.toy:9:15"]


async def test_a_container_that_is_not_its_own_is_said(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, go_to_definition, symbol="Cat.bark")
        assert answer.note == "taken for bark, under another container"


async def test_a_text_that_stands_elsewhere_is_said_to(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(NoSuchSymbol, match="'bark' is not on line 4") as raised:
            await ask(pool, go_to_definition, file_path="animals.toy", line=4, text="bark")
        assert "It is on line 9" in raised.value.hint


async def test_several_of_a_name_in_a_file_are_listed_with_their_lines(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(AmbiguousSymbol, match=r"Animal\.speak at line 4; \[2\] method Dog\.speak at line 8"):
            await ask(pool, go_to_definition, symbol="animals.toy::speak")
        answer = await ask(pool, go_to_definition, symbol="animals.toy::speak[2]")
        assert at(answer.value.locations[0]) == "animals.toy:8:9"


async def test_a_name_is_not_called_missing_with_certainty_by_a_server_that_nobody_measured(tmp_path: Path):
    (tmp_path / "a.toy").write_text("def here()\n")
    spec = toy_spec("well_read", settle=SettleRule())
    async with Pool(tmp_path, catalog=toy_catalog(spec)) as pool:
        with pytest.raises(NoSuchSymbol, match=r"that is not certain: .*nobody has measured"):
            await ask(pool, go_to_definition, symbol="a.toy::gone")
        with pytest.raises(NoSuchSymbol, match=r"that is not certain: .*nobody has measured"):
            await ask(pool, go_to_definition, symbol="gone")


async def test_what_is_missing_or_of_the_wrong_form_is_typed(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(FileNotFound):
            await ask(pool, go_to_definition, symbol="bark", file_path="gone.toy")
        with pytest.raises(InvalidArgument, match="names no symbol"):
            await ask(pool, go_to_definition, symbol="voices.toy::")
        with pytest.raises(NoSuchSymbol):
            await ask(pool, go_to_definition, symbol=f"{'x' * 5000}::bark\0::bork")
        with pytest.raises(InvalidArgument, match="has only"):
            await ask(pool, go_to_definition, file_path="voices.toy", line=1, column=99)


async def test_a_use_written_while_the_name_is_looked_up_is_in_the_answer(tmp_path: Path):
    async with zoo(tmp_path, "edits=textDocument/documentSymbol", {"a.toy": "def shout(what)\n"}) as pool:
        answer = await ask(pool, find_references, symbol="a.toy::shout")
        assert (answer.status, [at(place) for place in answer.value.locations]) == (Status.CONFIRMED, ["late.toy:2:9"])
