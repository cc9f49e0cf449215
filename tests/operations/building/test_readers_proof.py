"""Readers say no more than what was printed proves."""

import os
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.building.ecosystems.elixir import read_mix_test
from groundwire.operations.building.ecosystems.go_events import Events
from groundwire.operations.building.ecosystems.node_tools import read_tsc
from groundwire.operations.building.ecosystems.python_tests import read_pytest, read_unittest
from groundwire.operations.building.junit import JUnit
from groundwire.operations.building.model import Step
from groundwire.operations.building.tap import tap_reading
from groundwire.operations.building.verdict import judge
from tests.operations.building.conftest import SourcesOf
from tests.operations.building.recorded import counts, places, ran


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("1..2\nok 1\nok 2\n", ""),
        ("1..2\nok 1\nok 2\n1..1\nok 1\n", ""),
        ("1..0 # SKIP nothing here\n", ""),
        ("1..5\nok 1\nok 2\n", "5 tests were planned and 2 reported"),
        ("1..1\nok 1\nok 2\n", "1 test was planned and 2 reported"),
        ("1..2\nok 1\nok 2\nBail out! no database\n", "it gave up: no database"),
    ],
)
def test_tap_that_does_not_keep_to_its_plan_is_doubted(text: str, doubt: str, sources_of: SourcesOf) -> None:
    reading = tap_reading(text, sources_of())
    assert reading is not None
    assert reading.doubt == doubt


def test_reports_that_lay_there_before_are_of_another_run_however_young(sources_of: SourcesOf, tmp_path: Path) -> None:
    case = '<testsuite><testcase classname="c" name="{}"/></testsuite>'
    old, again, new = (tmp_path / f"TEST-{name}.xml" for name in ("old", "again", "new"))
    old.write_text(case.format("old"))
    again.write_text(case.format("again"))
    read = JUnit().of_fresh(tmp_path, "TEST-*.xml")
    again.write_text(case.format("again"))
    os.utime(again)
    new.write_text(case.format("new"))
    assert counts(read(ran("", 0), sources_of())) == (2, 0, 0)
    assert JUnit().of_fresh(tmp_path, "TEST-*.xml")(ran("", 0), sources_of()).doubt == "it wrote no report"


NESTED = """Ran 1 test in 0.000s

OK
======================================================================
FAIL: test_a (test_a.T.test_a)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "ROOT/test_a.py", line 5, in test_a
    self.assertEqual(1, 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 3 tests in 0.001s

FAILED (failures=1)
"""


def test_what_a_test_of_unittest_prints_of_another_run_is_not_taken_for_its_own(
    sources_of: SourcesOf, tmp_path: Path
) -> None:
    reading = read_unittest(ran(NESTED.replace("ROOT", str(tmp_path))), sources_of("test_a.py"))
    assert counts(reading) == (2, 1, 0)
    assert places(reading.problems) == ["test_a.py:5:0 test_a.T.test_a|AssertionError: 1 != 2"]


COLLECTION = """<testsuites><testsuite name="pytest" errors="1"><testcase classname="" name="test_a">
<error message="collection failure">ImportError while importing test module 'ROOT/test_a.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
test_a.py:1: in &lt;module&gt;
    import nope
E   ModuleNotFoundError: No module named 'nope'</error></testcase></testsuite></testsuites>"""


def test_what_kept_a_file_of_tests_from_being_collected_is_told(sources_of: SourcesOf, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(COLLECTION)
    reading = read_pytest(report)(ran("", 2), sources_of("test_a.py"))
    assert places(reading.problems) == ["test_a.py:1:0 test_a|ModuleNotFoundError: No module named 'nope'"]


CRASH = """test_a.py Fatal Python error: Segmentation fault

Current thread 0x00007f0c (most recent call first):
  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
  File "ROOT/test_a.py", line 4 in test_boom
  File "/x/site-packages/_pytest/python.py", line 194 in pytest_pyfunc_call
"""


def test_a_crash_of_the_interpreter_is_told_where_it_was(sources_of: SourcesOf, tmp_path: Path) -> None:
    crashed = ran(CRASH.replace("ROOT", str(tmp_path)), -11)
    reading = read_pytest(tmp_path / "none.xml")(crashed, sources_of("test_a.py"))
    assert places(reading.problems) == ["test_a.py:4:0 test_boom|Fatal Python error: Segmentation fault"]
    assert reading.doubt


def test_failures_are_found_in_each_module_of_a_workspace(sources_of: SourcesOf) -> None:
    stream = (
        '{"Action":"output","Package":"ex/b/in","Test":"TestB","Output":"    b_test.go:3: bad\\n"}\n'
        '{"Action":"fail","Package":"ex/b/in","Test":"TestB"}\n'
        '{"Action":"fail","Package":"ex/b/in"}\n'
    )
    reading = Events(stream, stream, {"ex/a": "a", "ex/b": "b"}).reading(sources_of("b/in/b_test.go"))
    assert places(reading.problems) == ["b/in/b_test.go:3:0 TestB|bad"]


def test_a_pattern_that_go_cannot_resolve_is_shown_as_it_says_it(sources_of: SourcesOf) -> None:
    said = "pattern ./...: directory prefix . does not contain modules listed in go.work"
    stream = (
        f'{{"ImportPath":"./...","Action":"build-output","Output":"{said}\\n"}}\n'
        '{"Action":"output","Package":"./...","Output":"FAIL\\t./... [setup failed]\\n"}\n'
        '{"Action":"fail","Package":"./..."}'
    )
    reading = Events(stream, stream, {}).reading(sources_of())
    assert places(reading.problems) == [f":0:0 |{said}"]


NOT_CHECKED = "app/tsconfig.json(1,86): error TS6310: Referenced project 'lib' may not disable emit.\n"
WRONG = "lib/b.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.\n"


@pytest.mark.parametrize(("text", "success"), [(NOT_CHECKED, None), (WRONG + NOT_CHECKED, False), (WRONG, False)])
def test_a_project_that_tsc_could_not_check_is_no_error(
    text: str, success: bool | None, sources_of: SourcesOf, tmp_path: Path
) -> None:
    reading = read_tsc(ran(text), sources_of("lib/b.ts", "app/tsconfig.json"))
    assert [each.file for each in reading.problems] == ["lib/b.ts"] * (WRONG in text)
    step = Step(tool="tsc", words=("tsc",), directory=tmp_path, read=read_tsc)
    verdict = judge(step, ran(text), reading, 9, is_test=False)
    assert verdict.went_well == success
    assert (verdict.status is Status.CONFIRMED) == (NOT_CHECKED not in text)


def test_all_applications_of_an_umbrella_project_are_counted(sources_of: SourcesOf) -> None:
    text = "==> a\n..\n2 tests, 0 failures\n\n==> b\n.*\n3 tests, 1 failure, 1 skipped\n"
    assert counts(read_mix_test(ran(text), sources_of())) == (3, 1, 1)
