"""Who uses the symbols of files: all of them, tests apart, and nothing is called unused that is not proven to be."""

from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.impact.blast_radius import blast_radius
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.results.context import Caller
from groundwire.operations.results.impact import AffectedSymbol, BlastRadius
from groundwire.operations.runner import perform
from groundwire.render.answers import render_answer
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import ToyLog
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio

TESTED = {
    **ZOO,
    "tests/voices.toy": "def check()\n    use shout(1)\n    use bark(2)\n",
    "far/kennel.toy": "def call()\n    use bark(1)\ndef open()\n    use call(1)\ndef morning()\n    use open(1)\n",
    "far/tests/kennel.toy": "def check_morning()\n    use morning(1)\n",
}
REFERENCES = "textDocument/references"


def symbol(radius: BlastRadius, path: str) -> AffectedSymbol:
    return next(each for each in radius.affected_symbols if each.path == path)


def at(callers: tuple[Caller, ...]) -> list[str]:
    return [f"{caller.file}:{caller.line} {caller.name}".rstrip() for caller in callers]


async def test_each_symbol_has_its_own_users_and_a_test_of_two_counts_for_both(tmp_path: Path):
    async with zoo(tmp_path, files=TESTED) as pool:
        answer = await ask(pool, blast_radius, changed_files=["voices.toy", "lonely.toy"])
        assert (answer.status, answer.reason, answer.servers) == (Status.CONFIRMED, "", ("well_read",))
        bark, shout = symbol(answer.value, "bark"), symbol(answer.value, "shout")
        assert at(bark.non_test_callers) == ["animals.toy:9 Dog.speak", "far/kennel.toy:2 call"]
        assert at(bark.test_callers) == ["tests/voices.toy:3 check"]
        assert at(shout.test_callers) == ["tests/voices.toy:2 check"]
        assert (shout.test_uses, shout.non_test_uses) == (1, 3)
        nobody = symbol(answer.value, "nobody")
        assert (nobody.status, nobody.test_uses, nobody.non_test_uses) == (Status.CONFIRMED, 0, 0)
        assert answer.value.test_files == ("tests/voices.toy",)
        summary = answer.value.summary
        assert (summary.symbols, summary.test_uses, summary.non_test_uses) == (3, 2, 5)
        assert (summary.untested, summary.unknown) == (1, 0)


async def test_only_what_is_proven_to_be_used_by_no_test_is_untested(tmp_path: Path):
    given = {"changed_files": ["voices.toy", "lonely.toy", "tests/voices.toy"], "filter": "untested"}
    async with zoo(tmp_path, files=TESTED) as pool:
        answer = await ask(pool, blast_radius, **given)
        assert [each.path for each in answer.value.affected_symbols] == ["nobody"]
        assert "1 symbol of 4 that no test uses" in render_answer(blast_radius, answer)
    async with zoo(tmp_path, files=TESTED, settle=SettleRule(measured=False)) as pool:
        answer = await ask(pool, blast_radius, **given)
        assert (answer.status, answer.value.affected_symbols) == (Status.PARTIAL, ())
        assert answer.reason


async def test_users_of_users_are_followed_to_the_tests_that_reach_the_symbol(tmp_path: Path):
    async with zoo(tmp_path, files=TESTED) as pool:
        direct = await ask(pool, blast_radius, symbols=["bark"])
        assert (direct.value.test_files, direct.value.transitive) == (("tests/voices.toy",), ())
        answer = await ask(pool, blast_radius, symbols=["bark"], include_transitive=True)
        assert answer.status is Status.CONFIRMED, answer.reason
        assert [(each.name, each.depth, each.via) for each in answer.value.transitive] == [
            ("open", 2, "call"),
            ("morning", 3, "open"),
        ]
        assert answer.value.test_files == ("far/tests/kennel.toy", "tests/voices.toy")


async def test_users_of_users_without_end_are_cut_off_and_that_is_said(tmp_path: Path):
    chain = "".join(f"def f{number}()\n    use f{number - 1}(1)\n" for number in range(1, 12))
    async with zoo(tmp_path, files={"chain.toy": f"def f0()\n{chain}"}) as pool:
        answer = await ask(pool, blast_radius, symbols=["f0"], include_transitive=True)
        assert (answer.status, len(answer.value.transitive)) == (Status.PARTIAL, 4)
        assert "levels deep" in answer.reason


async def test_what_uses_only_itself_is_used_by_nobody(tmp_path: Path):
    files = {"loop.toy": "def loop()\n    use loop(1)\ndef ping()\n    use pong(1)\ndef pong()\n    use ping(1)\n"}
    async with zoo(tmp_path, files=files) as pool:
        answer = await ask(pool, blast_radius, changed_files=["loop.toy"], include_transitive=True)
        assert [each.non_test_uses for each in answer.value.affected_symbols] == [0, 1, 1]
        assert answer.status is Status.CONFIRMED


async def test_members_are_asked_for_and_pages_cut_only_what_is_shown(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, blast_radius, changed_files=["animals.toy"], limit=1, offset=1)
        assert [each.path for each in answer.value.affected_symbols] == ["Animal.speak"]
        assert (answer.value.total, answer.value.summary.symbols) == (4, 4)


async def test_a_symbol_that_is_not_there_leaves_the_others_known_but_not_all_of_it(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, blast_radius, symbols=["bark", "growl"], changed_files=["gone.toy"])
        assert answer.status is Status.PARTIAL
        assert [each.path for each in answer.value.affected_symbols] == ["bark"]
        assert ["gone.toy" in answer.reason, "growl" in answer.reason] == [True, True]


async def test_nothing_that_can_be_found_is_an_error_with_a_hint(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        for given, error in (
            ({}, InvalidArgument),
            ({"changed_files": ["gone.toy"]}, FileNotFound),
            ({"symbols": ["growl"]}, NoSuchSymbol),
        ):
            with pytest.raises(error) as raised:
                await ask(pool, blast_radius, **given)
            assert raised.value.hint


async def test_a_server_without_references_is_said_to_lack_them_and_nothing_is_untested(tmp_path: Path):
    async with zoo(tmp_path, f"lacks={REFERENCES}") as pool:
        answer = await ask(pool, blast_radius, changed_files=["voices.toy"])
        assert answer.status is Status.UNSUPPORTED
        assert (answer.value.summary.untested, answer.value.summary.unknown) == (0, 2)
        assert "uses not known: " in render_answer(blast_radius, answer)


async def test_what_there_was_no_time_for_is_not_known(tmp_path: Path):
    arguments = blast_radius.parse({"changed_files": ["voices.toy"], "filter": "untested"})
    async with zoo(tmp_path, f"withholds={REFERENCES}") as pool:
        await ask(pool, list_symbols, file_path="voices.toy")
        answer = await perform(pool, blast_radius, arguments, wait_s=3)
        assert answer.status is Status.UNKNOWN
        assert "not answered in time" in answer.reason
        assert (answer.value.affected_symbols, answer.value.summary.untested) == ((), 0)


async def test_a_file_that_changes_while_it_is_asked_about_is_asked_about_again(tmp_path: Path):
    async with zoo(tmp_path, f"edits={REFERENCES}") as pool:
        answer = await ask(pool, blast_radius, changed_files=["voices.toy"])
        assert answer.status is Status.CONFIRMED, answer.reason
        assert "late.toy:2 late" in at(symbol(answer.value, "shout").non_test_callers)


async def test_every_symbol_is_asked_for_once(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, files=TESTED, log=log) as pool:
        await ask(pool, blast_radius, changed_files=["voices.toy", "animals.toy", "lonely.toy"])
        assert log.count(REFERENCES) == 7
