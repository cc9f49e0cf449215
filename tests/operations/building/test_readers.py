"""What is read from outputs of compilers, Go, Rust, Python and ctest.

Those of test tools are recorded and shortened; the single lines of compilers are written after their formats.
"""

import json
from pathlib import Path

import pytest

from groundwire.operations.building.compiler_lines import GNU, LINKER, MSVC, problems_in
from groundwire.operations.building.ecosystems.go_events import Events, live_event
from groundwire.operations.building.ecosystems.python_tests import read_unittest
from groundwire.operations.building.ecosystems.rust import libtest_failures
from groundwire.operations.building.junit import JUnit, last_python_frame
from groundwire.operations.building.reports import parsed_xml
from tests.operations.building.conftest import SourcesOf
from tests.operations.building.recorded import counts, places, ran


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.c:3:9: error: expected ';'", "a.c:3:9 |expected ';'"),
        ("a.c:3:9: fatal error: x.h: No such file", "a.c:3:9 |x.h: No such file"),
        ("src/b.py:4: error: Bad  [code]", "src/b.py:4:0 |Bad  [code]"),
        ("a.c:3:9: warning: unused", ""),
        ("note: a.c:3:9: here", ""),
        ("main.c:(.text+0x5): undefined reference to `f'", ":0:0 |undefined reference to `f'"),
        ("src/a.ts(2,3): error TS2322: Type 'x'.", "src/a.ts:2:3 |TS2322: Type 'x'."),
        ("  P.cs(7,12): error CS0103: No name [/w/P.csproj]", "P.cs:7:12 |CS0103: No name"),
        ("P.cs(7,12): warning CS0168: unused", ""),
    ],
)
def test_errors_of_compilers_are_read_line_by_line(line: str, expected: str, sources_of: SourcesOf) -> None:
    sources = sources_of("a.c", "src/b.py", "src/a.ts", "P.cs")
    assert places(list(problems_in(line, sources, GNU, MSVC, LINKER))) == ([expected] if expected else [])


def test_names_are_meant_from_where_make_has_gone(sources_of: SourcesOf, tmp_path: Path) -> None:
    text = (
        f"make[1]: Entering directory '{tmp_path}/inner'\na.c:1:2: error: one\n"
        f"make[1]: Leaving directory '{tmp_path}/inner'\na.c:3:4: error: two\n"
    )
    found = problems_in(text, sources_of("a.c", "inner/a.c"), GNU)
    assert places(list(found)) == ["inner/a.c:1:2 |one", "a.c:3:4 |two"]


GO = [
    {"ImportPath": "example.com/calc/sub", "Action": "build-output", "Output": "# example.com/calc/sub\n"},
    {"ImportPath": "example.com/calc/sub", "Action": "build-output", "Output": "sub/sub.go:3:23: undefined: x\n"},
    {"Action": "output", "Package": "example.com/calc/sub", "Output": "FAIL\texample.com/calc/sub [build failed]\n"},
    {"Action": "fail", "Package": "example.com/calc/sub", "FailedBuild": "example.com/calc/sub"},
    {"Action": "output", "Package": "example.com/calc", "Test": "TestAdd", "Output": "=== RUN   TestAdd\n"},
    {"Action": "output", "Package": "example.com/calc", "Test": "TestAdd", "Output": "    calc_test.go:7: got 0\n"},
    {"Action": "output", "Package": "example.com/calc", "Test": "TestAdd", "Output": "        want 4\n"},
    {"Action": "fail", "Package": "example.com/calc", "Test": "TestAdd"},
    {"Action": "output", "Package": "example.com/calc", "Test": "TestT/in", "Output": "    calc_test.go:12: no\n"},
    {"Action": "fail", "Package": "example.com/calc", "Test": "TestT/in"},
    {"Action": "fail", "Package": "example.com/calc", "Test": "TestT"},
    {"Action": "skip", "Package": "example.com/calc", "Test": "TestSkip"},
    {"Action": "pass", "Package": "example.com/calc", "Test": "TestOK"},
    {"Action": "fail", "Package": "example.com/calc"},
]


def test_go_tells_of_subtests_and_of_packages_that_do_not_build(sources_of: SourcesOf) -> None:
    stream = "\n".join(map(json.dumps, GO))
    reading = Events(stream, stream, {"example.com/calc": "."}).reading(sources_of("calc_test.go", "sub/sub.go"))
    assert places(reading.problems) == [
        "sub/sub.go:3:23 |undefined: x",
        "calc_test.go:7:0 TestAdd|got 0\n        want 4",
        "calc_test.go:12:0 TestT/in|no",
    ]
    assert counts(reading) == (1, 2, 1)


def test_a_go_package_that_fails_without_a_test_is_a_failure(sources_of: SourcesOf) -> None:
    events = [
        {"Action": "output", "Package": "m", "Output": "panic: in init\n"},
        {"Action": "output", "Package": "m", "Output": "\tmain_test.go:4 +0x1d\n"},
        {"Action": "fail", "Package": "m"},
    ]
    stream = "\n".join(map(json.dumps, events))
    reading = Events(stream, stream, {"m": "."}).reading(sources_of("main_test.go"))
    assert [(each.file, each.line) for each in reading.problems] == [("main_test.go", 4)]


def test_what_is_told_of_go_while_it_runs_are_tests() -> None:
    assert live_event('{"Action":"pass","Test":"TestA"}') == "TestA pass"
    assert live_event('{"Action":"output","Test":"TestA","Output":"x"}') == ""
    assert live_event("go: downloading") == "go: downloading"


LIBTEST = """
running 2 tests
test tests::ok ... ok
test tests::adds ... FAILED

failures:

---- tests::adds stdout ----

thread 'tests::adds' (30933) panicked at src/lib.rs:8:9:
assertion `left == right` failed
  left: 0
 right: 4
stack backtrace:
   0: rust_begin_unwind
             at /rustc/59807/library/std/src/panicking.rs:689:5

failures:
    tests::adds

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.12s
"""


def test_a_panic_is_where_rust_says_it_is(sources_of: SourcesOf) -> None:
    assert places(libtest_failures(LIBTEST, sources_of("src/lib.rs"))) == [
        "src/lib.rs:8:9 tests::adds|assertion `left == right` failed\n  left: 0\n right: 4"
    ]


def test_a_panic_as_older_compilers_print_it_is_read_too(sources_of: SourcesOf) -> None:
    text = "---- a stdout ----\nthread 'a' panicked at 'no', src/lib.rs:3:5\nnote: run with `RUST_BACKTRACE=1`\n"
    assert places(libtest_failures(text, sources_of("src/lib.rs"))) == ["src/lib.rs:3:5 a|no"]


PYTEST = b"""<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">
<testcase classname="tests.test_calc.TestIt" name="test_add" file="tests/test_calc.py" line="6"><failure
message="assert 0 == 4">tests/test_calc.py:8: in test_add
    check(add(2, 2))
tests/test_calc.py:5: in check
    assert v == 4
E   assert 0 == 4</failure></testcase>
<testcase classname="tests.test_calc" name="test_ok" file="tests/test_calc.py" line="9"/>
<testcase classname="tests.test_calc" name="test_x" file="tests/test_calc.py"><skipped type="pytest.xfail"/></testcase>
<testcase classname="" name="tests.test_broken" file="tests/test_broken.py"><error message="collection failure">
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return x
E     File "WORKSPACE/tests/test_broken.py", line 3
E       def
E   SyntaxError: invalid syntax</error></testcase></testsuite></testsuites>"""


def test_pytest_is_read_to_the_innermost_line_of_the_user(sources_of: SourcesOf, tmp_path: Path) -> None:
    sources = sources_of("tests/test_calc.py", "tests/test_broken.py")
    content = PYTEST.replace(b"WORKSPACE", str(tmp_path).encode())
    reading = JUnit(last_python_frame).read([parsed_xml(content)], sources)
    assert places(reading.problems) == [
        "tests/test_calc.py:5:0 tests.test_calc.TestIt.test_add|assert 0 == 4",
        "tests/test_broken.py:3:0 tests.test_broken|collection failure",
    ]
    assert counts(reading) == (1, 2, 1)


UNITTEST = """test_adds (tests.test_calc.CalcTest.test_adds) ... FAIL
test_boom (tests.test_calc.CalcTest.test_boom) ... ERROR
test_ok (tests.test_calc.CalcTest.test_ok) ... ok

======================================================================
ERROR: test_boom (tests.test_calc.CalcTest.test_boom)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "{root}/tests/test_calc.py", line 14, in test_boom
    raise ValueError("x")
ValueError: x

======================================================================
FAIL: test_adds (tests.test_calc.CalcTest.test_adds)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "{root}/tests/test_calc.py", line 10, in test_adds
    self.assertEqual(add(2, 2), 4)
    ~~~~~~~~~~~~~~~~^^^^^^^^^^^^^^
AssertionError: 0 != 4

----------------------------------------------------------------------
Ran 4 tests in 0.001s

FAILED (failures=1, errors=1, skipped=1)
"""


def test_unittest_is_read_by_its_blocks(sources_of: SourcesOf, tmp_path: Path) -> None:
    reading = read_unittest(ran(UNITTEST.format(root=tmp_path)), sources_of("tests/test_calc.py"))
    assert places(reading.problems) == [
        "tests/test_calc.py:14:0 tests.test_calc.CalcTest.test_boom|ValueError: x",
        "tests/test_calc.py:10:0 tests.test_calc.CalcTest.test_adds|AssertionError: 0 != 4",
    ]
    assert counts(reading) == (1, 2, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ran 2 tests in 0.1s\n\nOK\n", (2, 0, 0)),
        ("Ran 3 tests in 0.1s\n\nOK (skipped=1)\n", (2, 0, 1)),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", (0, 0, 0)),
        ("Ran 2 tests in 0.1s\n\nFAILED (unexpected successes=1)\n", (1, 1, 0)),
    ],
)
def test_the_last_lines_of_unittest_are_counted(
    text: str, expected: tuple[int, int, int], sources_of: SourcesOf
) -> None:
    assert counts(read_unittest(ran(text), sources_of())) == expected


def test_unittest_that_does_not_come_to_its_last_line_is_not_believed(sources_of: SourcesOf) -> None:
    assert read_unittest(ran("Traceback"), sources_of()).doubt


CTEST = b"""<testsuite name="(empty)" tests="3" failures="1" disabled="0" skipped="0">
<testcase name="adds" classname="adds" status="fail"><failure message=""/><system-out>test: WORKSPACE/calc_test.c:3:
main: Assertion `2 - 2 == 4' failed.</system-out></testcase>
<testcase name="ok" classname="ok" status="run"><system-out></system-out></testcase>
<testcase name="later" classname="later" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>"""


def test_ctest_names_the_line_in_what_the_test_has_printed(sources_of: SourcesOf, tmp_path: Path) -> None:
    content = CTEST.replace(b"WORKSPACE", str(tmp_path).encode())
    reading = JUnit().read([parsed_xml(content)], sources_of("calc_test.c"))
    assert [(each.file, each.line, each.test_name) for each in reading.problems] == [("calc_test.c", 3, "adds")]
    assert counts(reading) == (1, 1, 1)
