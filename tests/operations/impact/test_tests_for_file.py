"""The tests of a file: by use and by name, each with why."""

from pathlib import Path, PurePath

import pytest

from groundwire.errors import FileNotFound
from groundwire.operations.answer import Status
from groundwire.operations.impact.tests_for_file import get_tests_for_file
from groundwire.operations.text.tests_for_file_names import names_of_tests
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog
from groundwire.workspace.rules import SettleRule
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio

TESTED = {
    **ZOO,
    "tests/all.toy": "def check()\n    use shout(1)\n    use shout(2)\n    use bark(3)\n",
    "tests/voices_test.toy": "def other()\n",
    "tests/unrelated.toy": "def unrelated()\n",
}


async def test_tests_that_use_a_file_and_tests_that_are_named_after_it_are_listed_with_why(tmp_path: Path):
    async with zoo(tmp_path, files=TESTED) as pool:
        answer = await ask(pool, get_tests_for_file, file_path="voices.toy")
        assert (answer.status, answer.reason, answer.value.source_file) == (Status.CONFIRMED, "", "voices.toy")
        assert [(each.file, each.reasons, each.uses) for each in answer.value.test_files] == [
            ("tests/all.toy", ("uses bark, shout",), 3),
            ("tests/voices_test.toy", ("named after it",), 0),
        ]


async def test_that_there_are_none_is_said_only_where_uses_are_known(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, get_tests_for_file, file_path="lonely.toy")
        assert (answer.status, answer.value.total) == (Status.CONFIRMED, 0)
    async with zoo(tmp_path, settle=SettleRule(measured=False)) as pool:
        answer = await ask(pool, get_tests_for_file, file_path="lonely.toy")
        assert (answer.status, answer.value.total) == (Status.PARTIAL, 0)
        assert answer.reason


async def test_without_a_server_names_are_all_that_is_known(tmp_path: Path):
    (tmp_path / "box.py").write_text("def area(): ...\n", "utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_box.py").write_text("\n", "utf-8")
    async with Pool(tmp_path, catalog=Catalog({}, {})) as pool:
        answer = await ask(pool, get_tests_for_file, file_path="box.py")
        assert [each.file for each in answer.value.test_files] == ["tests/test_box.py"]
        assert (answer.status, bool(answer.reason)) == (Status.UNKNOWN, True)


async def test_a_file_of_tests_tests_itself_and_one_that_is_not_there_is_refused(tmp_path: Path):
    async with zoo(tmp_path, files=TESTED) as pool:
        answer = await ask(pool, get_tests_for_file, file_path="tests/all.toy")
        assert answer.value.test_files[0].reasons == ("it holds tests itself",)
        with pytest.raises(FileNotFound):
            await ask(pool, get_tests_for_file, file_path="gone.toy")


@pytest.mark.parametrize(
    ("source", "test"),
    [
        ("pkg/box.py", "test_box.py"),
        ("pkg/box/__init__.py", "test_box.py"),
        ("box.go", "box_test.go"),
        ("src/box.tsx", "box.test.ts"),
        ("src/box/index.ts", "box.spec.ts"),
        ("src/Box.vue", "Box.spec.ts"),
        ("src/Box.java", "BoxTest.java"),
        ("src/Box.kt", "BoxTests.kt"),
        ("Box.cs", "BoxTests.cs"),
        ("Box.swift", "BoxTests.swift"),
        ("box.cc", "box_unittest.cc"),
        ("box.rb", "box_spec.rb"),
        ("lib/box.ex", "box_test.exs"),
        ("lib/box.dart", "box_test.dart"),
        ("box.hs", "boxTest.hs"),
    ],
)
def test_files_of_tests_are_named_by_the_habits_of_their_language(source: str, test: str) -> None:
    names = names_of_tests(PurePath(source))
    assert test in names
    assert PurePath(source).name not in names
