"""The one JSON shape: every field of the specification, by its name, and nothing else."""

import json

from groundwire.operations.answer import Answer, FileFindings, Finding, Place, Status
from groundwire.operations.results.found import Locations
from groundwire.render.json import render_findings_json, render_json

FINDING = Finding(
    severity="error",
    line=1,
    column=2,
    end_line=3,
    end_column=4,
    message="m",
    code="c",
    source="ty",
    origin="introduced",
)


def findings(*diagnostics: Finding) -> Answer[tuple[FileFindings, ...]]:
    file = FileFindings(file="a.py", status=Status.PARTIAL, reason="why", evidence="pull", diagnostics=diagnostics)
    return Answer(value=(file,), status=Status.PARTIAL, reason="why", servers=("ty 0.0.100",), elapsed_ms=12.345)


def test_findings_have_the_shape_of_the_specification() -> None:
    assert render_findings_json(findings(FINDING)) == {
        "status": "partial",
        "reason": "why",
        "servers": ["ty 0.0.100"],
        "elapsed_ms": 12.3,
        "result": {
            "files": [
                {
                    "file": "a.py",
                    "status": "partial",
                    "reason": "why",
                    "diagnostics": [
                        {
                            "severity": "error",
                            "line": 1,
                            "column": 2,
                            "end_line": 3,
                            "end_column": 4,
                            "code": "c",
                            "source": "ty",
                            "message": "m",
                            "origin": "introduced",
                        }
                    ],
                }
            ]
        },
    }


def test_an_origin_that_is_not_known_is_left_out() -> None:
    plain = Finding(severity="hint", line=1, column=1, end_line=1, end_column=1, message="m")
    shown = render_findings_json(findings(plain))
    assert "'origin'" not in repr(shown)
    assert "'severity': 'hint'" in repr(shown)


def test_places_have_the_shape_of_the_specification_and_can_be_paged() -> None:
    places = tuple(Place(file="a.py", line=line, column=2, end_line=line, end_column=4, text="t") for line in (1, 2))
    found = Locations(locations=places[1:], total=2, files=1, offset=1)
    answer = Answer(value=found, status=Status.CONFIRMED, servers=("ty",))
    assert json.loads(json.dumps(render_json(answer))) == {
        "status": "confirmed",
        "reason": "",
        "servers": ["ty"],
        "elapsed_ms": 0.0,
        "result": {
            "locations": [{"file": "a.py", "line": 2, "column": 2, "end_line": 2, "end_column": 4, "text": "t"}],
            "total": 2,
            "files": 1,
            "offset": 1,
        },
    }
