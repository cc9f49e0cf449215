"""What is read from outputs of the tools of JavaScript and Dart.

Those of Vitest and Mocha are recorded and shortened; those of ESLint, Dart and TAP are written after their formats.
"""

import json
from pathlib import Path
from typing import cast

from groundwire.operations.building.ecosystems.dart import read_analysis, read_dart_events
from groundwire.operations.building.ecosystems.node_tools import read_eslint
from groundwire.operations.building.jest_json import jest_reading, mocha_reading
from groundwire.operations.building.tap import tap_reading
from tests.operations.building.conftest import SourcesOf
from tests.operations.building.recorded import counts, places, ran

VITEST: dict[str, object] = {
    "success": False,
    "testResults": [
        {"name": "ROOT/v/broken.test.ts", "status": "failed", "message": "No test suite found", "assertionResults": []},
        {
            "name": "ROOT/v/calc.test.ts",
            "status": "failed",
            "message": "",
            "assertionResults": [
                {
                    "ancestorTitles": ["calc"],
                    "title": "adds",
                    "status": "failed",
                    "failureMessages": [
                        (
                            "AssertionError: expected +0 to be 4\n    at ROOT/v/calc.test.ts:5:23\n"
                            "    at file:///elsewhere/node_modules/runner.js:302:11"
                        )
                    ],
                },
                {"ancestorTitles": [], "title": "ok", "status": "passed", "failureMessages": []},
                {"ancestorTitles": [], "title": "later", "status": "skipped", "failureMessages": []},
            ],
        },
    ],
}


def test_vitest_and_jest_tell_of_tests_and_of_files_that_do_not_load(sources_of: SourcesOf, tmp_path: Path) -> None:
    report = cast("dict[str, object]", json.loads(json.dumps(VITEST).replace("ROOT", str(tmp_path))))
    reading = jest_reading(report, sources_of("v/broken.test.ts", "v/calc.test.ts"))
    assert places(reading.problems) == [
        "v/broken.test.ts:0:0 |No test suite found",
        "v/calc.test.ts:5:23 calc > adds|AssertionError: expected +0 to be 4",
    ]
    assert counts(reading) == (1, 2, 1)


def test_a_report_that_says_it_failed_without_a_failure_is_in_doubt(sources_of: SourcesOf) -> None:
    assert jest_reading({"success": False, "testResults": []}, sources_of()).doubt


def test_mocha_is_read_by_its_three_lists(sources_of: SourcesOf) -> None:
    error = {"stack": "AssertionError: 0\n    at Context.<anonymous> (m/calc.spec.cjs:3:29)", "message": "0 !== 4\n"}
    report: dict[str, object] = {
        "passes": [{}],
        "pending": [{}],
        "failures": [{"fullTitle": "calc adds", "file": "m/calc.spec.cjs", "err": error}],
    }
    reading = mocha_reading(report, sources_of("m/calc.spec.cjs"))
    assert (places(reading.problems), counts(reading)) == (["m/calc.spec.cjs:3:29 calc adds|0 !== 4"], (1, 1, 1))


def test_eslint_is_read_without_its_warnings(sources_of: SourcesOf, tmp_path: Path) -> None:
    messages = [
        {"ruleId": "no-undef", "severity": 2, "message": "'x' is not defined.", "line": 4, "column": 7},
        {"ruleId": "semi", "severity": 1, "message": "Missing semicolon.", "line": 5, "column": 1},
    ]
    report = json.dumps([{"filePath": str(tmp_path / "a.js"), "messages": messages}])
    assert places(read_eslint(ran(report), sources_of("a.js")).problems) == ["a.js:4:7 |'x' is not defined. [no-undef]"]


def test_tap_is_read_with_its_directives(sources_of: SourcesOf) -> None:
    text = "TAP version 13\nok 1 - fine\nnot ok 2 - adds\n  ---\n  at: a.js:3:5\n  ...\nok 3 # SKIP later\n1..3\n"
    reading = tap_reading(text, sources_of("a.js"))
    assert reading is not None
    assert [(each.file, each.line, each.test_name) for each in reading.problems] == [("a.js", 3, "adds")]
    assert counts(reading) == (1, 1, 1)
    assert tap_reading("ok then", sources_of()) is None


def test_dart_is_read_by_events_and_fields(sources_of: SourcesOf, tmp_path: Path) -> None:
    events = [
        {
            "type": "testStart",
            "test": {"id": 3, "name": "adds", "line": 4, "url": f"file://{tmp_path}/test/a_test.dart"},
        },
        {
            "type": "error",
            "testID": 3,
            "error": "Expected: <4>\n  Actual: <0>\n",
            "stackTrace": "package:matcher          expect\ntest/a_test.dart 5:3  main.<fn>\n",
        },
        {"type": "testDone", "testID": 3, "result": "failure", "hidden": False, "skipped": False},
        {"type": "testDone", "testID": 4, "result": "success", "hidden": False, "skipped": False},
        {"type": "testDone", "testID": 5, "result": "success", "hidden": False, "skipped": True},
        {"type": "testDone", "testID": 1, "result": "success", "hidden": True, "skipped": False},
        {"type": "done", "success": False},
    ]
    sources = sources_of("test/a_test.dart", "lib/a.dart")
    reading = read_dart_events(ran("\n".join(map(json.dumps, events))), sources)
    assert places(reading.problems) == ["test/a_test.dart:5:3 adds|Expected: <4>\n  Actual: <0>"]
    assert (counts(reading), reading.doubt) == ((1, 1, 1), "")
    cut = read_dart_events(ran("\n".join(map(json.dumps, events[:-1])), 0), sources)
    assert cut.doubt == "it did not say that it was done"
    row = f"ERROR|COMPILE_TIME_ERROR|UNDEFINED_IDENTIFIER|{tmp_path}/lib/a.dart|3|10|1|Undefined name 'x'."
    assert places(read_analysis(ran(row), sources).problems) == [
        "lib/a.dart:3:10 |Undefined name 'x'. [undefined_identifier]"
    ]
