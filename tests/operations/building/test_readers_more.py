"""What is read from outputs of the tools of Ruby, Elixir, Zig, .NET and Swift.

Those of Ruby, Elixir and Zig are recorded and shortened, but for the form in which newer Elixir draws errors; that one,
.NET and Swift are written after their formats: none of these tools was at hand.
"""

from pathlib import Path

import pytest

from groundwire.operations.building.compiler_lines import ANY, problems_in
from groundwire.operations.building.ecosystems.dotnet import trx_reading
from groundwire.operations.building.ecosystems.elixir import compile_errors, read_mix_test
from groundwire.operations.building.ecosystems.ruby import read_minitest, rspec_reading
from groundwire.operations.building.ecosystems.swift import read_swift_test
from groundwire.operations.building.ecosystems.zig import read_zig_test
from groundwire.operations.building.reports import parsed_xml
from groundwire.operations.building.sources import Sources
from tests.operations.building.conftest import SourcesOf
from tests.operations.building.recorded import counts, places, ran


def test_rspec_skips_the_frames_of_its_own(sources_of: SourcesOf, tmp_path: Path) -> None:
    trace = [
        "/usr/share/gems/rspec-support-3.12.0/lib/rspec/support.rb:102:in `x'",
        f"{tmp_path}/spec/a_spec.rb:4:in `y'",
    ]
    failed = {
        "status": "failed",
        "full_description": "calc adds",
        "file_path": "./spec/a_spec.rb",
        "line_number": 3,
        "exception": {"message": "\nexpected: 4\n     got: 0\n", "backtrace": trace},
    }
    report: dict[str, object] = {"examples": [failed, {"status": "passed"}, {"status": "pending"}], "summary": {}}
    reading = rspec_reading(report, sources_of("spec/a_spec.rb"))
    assert places(reading.problems) == ["spec/a_spec.rb:4:0 calc adds|expected: 4\n     got: 0"]
    assert counts(reading) == (1, 1, 1)


MINITEST = """  1) Failure:
CalcTest#test_adds [{root}/test/calc_test.rb:5]:
Expected: 4
  Actual: 0

  2) Error:
CalcTest#test_boom:
NoMethodError: undefined method `foo' for nil
    {root}/test/calc_test.rb:9:in `test_boom'

  3) Skipped:
CalcTest#test_later [{root}/test/calc_test.rb:8]:
later

4 runs, 1 assertions, 1 failures, 1 errors, 1 skips
"""


def test_minitest_is_read_by_its_blocks(sources_of: SourcesOf, tmp_path: Path) -> None:
    reading = read_minitest(ran(MINITEST.format(root=tmp_path)), sources_of("test/calc_test.rb"))
    assert places(reading.problems) == [
        "test/calc_test.rb:5:0 CalcTest#test_adds|Expected: 4\n  Actual: 0",
        "test/calc_test.rb:9:0 CalcTest#test_boom|NoMethodError: undefined method `foo' for nil",
    ]
    assert counts(reading) == (1, 2, 1)


MIX = """
  1) test adds (CalcTest)
     test/calc_test.exs:3
     Assertion with == failed
     code:  assert Calc.add(2, 2) == 4
     left:  0
     right: 4
     stacktrace:
       test/calc_test.exs:4: (test)


Finished in 0.02 seconds (0.00s async, 0.02s sync)
3 tests, 1 failure, 1 skipped
"""


def test_mix_is_read_to_the_line_of_its_stacktrace(sources_of: SourcesOf) -> None:
    reading = read_mix_test(ran(MIX), sources_of("test/calc_test.exs"))
    assert [(each.file, each.line, each.test_name) for each in reading.problems] == [
        ("test/calc_test.exs", 4, "test adds (CalcTest)")
    ]
    assert reading.problems[0].message.startswith("Assertion with == failed\n")
    assert counts(reading) == (1, 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "** (CompileError) lib/bad.ex:2: undefined function y/0",
        "    error: undefined function y/0\n    │\n  2 │   y\n    │   ^\n    │\n    └─ lib/bad.ex:2:3: Bad.x/0\n",
    ],
)
def test_errors_of_elixir_are_read_in_both_of_their_forms(text: str, sources_of: SourcesOf) -> None:
    (error,) = compile_errors(text, sources_of("lib/bad.ex"))
    assert (error.file, error.line, error.message) == ("lib/bad.ex", 2, "undefined function y/0")


ZIG = """1/3 calc.test.adds...expected 4, found 0
FAIL (TestExpectedEqual)
/usr/zig/lib/std/testing.zig:93:17: 0x124e9b4 in expectEqualInner (std.zig)
                return error.TestExpectedEqual;
{root}/calc.zig:6:5: 0x124ea82 in test.adds (calc.zig)
    try std.testing.expectEqual(@as(i32, 4), add(2, 2));
2/3 calc.test.ok...OK
3/3 calc.test.later...SKIP
1 passed; 1 skipped; 1 failed.
"""


def test_zig_is_read_by_test_and_frame(sources_of: SourcesOf, tmp_path: Path) -> None:
    reading = read_zig_test(ran(ZIG.format(root=tmp_path)), sources_of("calc.zig"))
    assert [(each.file, each.line, each.test_name) for each in reading.problems] == [("calc.zig", 6, "calc.test.adds")]
    assert counts(reading) == (1, 1, 1)
    moved = read_zig_test(ran(ZIG.format(root="/another/worktree")), sources_of("calc.zig", "testing.zig"))
    assert [(each.file, each.line) for each in moved.problems] == [("calc.zig", 6)]
    assert counts(read_zig_test(ran("All 3 tests passed.\n", 0), sources_of())) == (3, 0, 0)


TRX = b"""<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
<UnitTestResult testName="Calc.Tests.Adds" outcome="Failed"><Output><ErrorInfo><Message>Expected 4</Message>
<StackTrace>   at Xunit.Assert.Equal(Int32 a) in /_/src/xunit.assert/Asserts/EqualityAsserts.cs:line 96
   at Calc.Tests.Adds() in WORKSPACE/CalcTests.cs:line 12</StackTrace></ErrorInfo></Output></UnitTestResult>
<UnitTestResult testName="Calc.Tests.Ok" outcome="Passed"/><UnitTestResult testName="L" outcome="NotExecuted"/>
</Results></TestRun>"""


def test_trx_is_read_to_the_first_frame_of_the_user(sources_of: SourcesOf, tmp_path: Path) -> None:
    content = TRX.replace(b"WORKSPACE", str(tmp_path).encode())
    reading = trx_reading([parsed_xml(content)], sources_of("CalcTests.cs"))
    assert places(reading.problems) == ["CalcTests.cs:12:0 Calc.Tests.Adds|Expected 4"]
    assert counts(reading) == (1, 1, 1)


SWIFT = """Test Case 'CalcTests.testAdds' started at 2024-05-01 10:00:00.000
{root}/Tests/CalcTests.swift:7: error: CalcTests.testAdds : XCTAssertEqual failed: ("0") is not equal to ("4") -
Test Case 'CalcTests.testAdds' failed (0.001 seconds)
Test Case 'CalcTests.testOk' passed (0.001 seconds)
"""


def test_swift_is_read_by_its_cases(sources_of: SourcesOf, tmp_path: Path) -> None:
    reading = read_swift_test(ran(SWIFT.format(root=tmp_path)), sources_of("Tests/CalcTests.swift"))
    assert [(each.file, each.line, each.test_name) for each in reading.problems] == [
        ("Tests/CalcTests.swift", 7, "CalcTests.testAdds")
    ]
    assert counts(reading) == (1, 1, 0)


def test_go_prints_errors_without_the_word(sources_of: SourcesOf) -> None:
    found = problems_in("# m\n./a.go:3:2: undefined: x\nvet: b.go:1:1: bad\n", sources_of("a.go", "b.go"), ANY)
    assert places(list(found)) == ["a.go:3:2 |undefined: x", "b.go:1:1 |bad"]


def test_what_is_of_tools_and_what_is_elsewhere_is_not_the_users(tmp_path: Path, sources_of: SourcesOf) -> None:
    sources: Sources = sources_of("a.py", "node_modules/x/i.js", ".venv/lib/y.py")
    assert sources.own("a.py") == "a.py"
    assert sources.own(f"{tmp_path}/a.py") == "a.py"
    assert [
        sources.own(name) for name in ("node_modules/x/i.js", ".venv/lib/y.py", "/etc/hostname", "gone.py", "")
    ] == [""] * 5
    assert sources.first(f"at file://{tmp_path}/a.py:3:4") == ("a.py", 3, 4)
