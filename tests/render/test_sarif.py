"""SARIF 2.1.0: what its schema requires, and what a code scanning service reads."""

import json
from typing import cast

import jsonschema
import pytest

from groundwire.operations.answer import Answer, FileFindings, Finding, Severity, Status
from groundwire.render.limits import Limits
from groundwire.render.sarif import render_sarif

Json = dict[str, object]

_TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
_NUMBER = {"type": "integer", "minimum": 1}
_PLACE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": r"^[!-~]+$"}, "uriBaseId": {"type": "string"}},
                },
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), _NUMBER),
                },
            },
        }
    },
}
ESSENTIALS = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["tool"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {"type": "object", "required": ["id"]},
                                    }
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "exitCode": {"type": "integer"},
                                "toolExecutionNotifications": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["message"],
                                        "properties": {"message": _TEXT, "locations": {"items": _PLACE}},
                                    },
                                },
                            },
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["message"],
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": _TEXT,
                                "locations": {"type": "array", "items": _PLACE},
                                "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
                            },
                        },
                    },
                },
            },
        },
    },
}
"""Of the schema of the standard, what concerns the members that are written here."""


def finding(message: str = "m", severity: Severity = "error", **changes: object) -> Finding:
    fields: Json = {"line": 2, "column": 3, "end_line": 2, "end_column": 5, "code": "E1", "source": "ty", **changes}
    return Finding(severity=severity, message=message, **fields)  # pyright: ignore[reportArgumentType]  checked by use


def run_of(answer: Answer[tuple[FileFindings, ...]], *, warnings: bool = False, exit_code: int = 0) -> Json:
    limits = Limits(least="hint" if warnings else "error")
    sarif = render_sarif(answer, version="1.2.3", exit_code=exit_code, limits=limits)
    jsonschema.validate(sarif, ESSENTIALS)
    return cast("list[Json]", sarif["runs"])[0]


def answer_of(
    *found: Finding, file: str = "a.py", status: Status = Status.CONFIRMED, reason: str = ""
) -> Answer[tuple[FileFindings, ...]]:
    findings = FileFindings(file=file, status=status, reason=reason, diagnostics=found)
    return Answer(value=(findings,), status=status, reason=reason)


def test_a_finding_is_a_result_with_its_rule_level_place_and_state() -> None:
    old, new = finding("old", origin="existing"), finding("new", line=7, end_line=8, origin="introduced")
    run = run_of(answer_of(old, new), exit_code=1)
    first, second = cast("list[Json]", run["results"])
    region = {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 5}
    assert first == {
        "ruleId": "ty/E1",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "old"},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": "a.py", "uriBaseId": "%SRCROOT%"}, "region": region}}
        ],
        "baselineState": "unchanged",
    }
    assert (second["baselineState"], second["ruleIndex"]) == ("new", 0)
    assert run["tool"] == {"driver": {"name": "groundwire", "version": "1.2.3", "rules": [{"id": "ty/E1"}]}}
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1, "toolExecutionNotifications": []}]


def test_warnings_and_hints_come_only_when_they_are_wanted() -> None:
    answer = answer_of(finding(severity="warning"), finding(severity="hint", code=""), finding(severity="information"))
    assert run_of(answer)["results"] == []
    levels = [result["level"] for result in cast("list[Json]", run_of(answer, warnings=True)["results"])]
    assert levels == ["warning", "note", "note"]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("src/ü 100%#?.py", "src/%C3%BC%20100%25%23%3F.py"),
        ("/else where/a.py", "file:///else%20where/a.py"),
        ("C:/else/a.py", "file:///C:/else/a.py"),
    ],
)
def test_names_of_files_are_addresses(file: str, uri: str) -> None:
    (result,) = cast("list[Json]", run_of(answer_of(finding(), file=file))["results"])
    assert uri in str(result["locations"])


def test_what_is_not_known_is_no_success_and_said_in_a_notification() -> None:
    run = run_of(answer_of(finding("stale"), status=Status.UNKNOWN, reason="ty: it is still starting"), exit_code=3)
    assert run["results"] == []
    (invocation,) = cast("list[Json]", run["invocations"])
    assert invocation["executionSuccessful"] is False
    assert "not known: ty: it is still starting" in str(invocation["toolExecutionNotifications"])


def test_a_doubt_about_the_whole_is_a_notification_without_a_place() -> None:
    run = run_of(Answer(value=(), status=Status.PARTIAL, reason="cut short"))
    (invocation,) = cast("list[Json]", run["invocations"])
    assert invocation["toolExecutionNotifications"] == [
        {"level": "warning", "message": {"text": "not known: cut short"}}
    ]


def test_a_finding_without_code_source_or_message_is_still_valid() -> None:
    run = run_of(answer_of(finding("", code="", source="")))
    (result,) = cast("list[Json]", run["results"])
    assert (result["ruleId"], result["message"]) == ("finding", {"text": "finding"})


def test_a_name_that_is_no_text_is_told_by_its_bytes() -> None:
    found = FileFindings(file="bad\udcff.py", status=Status.UNKNOWN, reason="not asked")
    answer = Answer(value=(found,), status=Status.UNKNOWN, reason="not asked")
    assert "bad%FF.py" in json.dumps(render_sarif(answer, version="1", exit_code=2), ensure_ascii=False)
