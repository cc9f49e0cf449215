"""Packages of Go that import each other since an edit."""

from pathlib import Path

import pytest

from groundwire.operations.reporting import cycles
from groundwire.operations.reporting.cycles import Cycle, find_cycle

BEFORE = "package low\n\nvar Low = 1\n"


def laid_out(root: Path) -> Path:
    texts = {
        "go.mod": "module example.org/sample\n\ngo 1.24\n",
        "low/low.go": BEFORE,
        "middle/middle.go": 'package middle\n\nimport "example.org/sample/low"\n\nvar Middle = low.Low\n',
        "high/high.go": 'package high\n\nimport (\n\t"fmt"\n\n\tm "example.org/sample/middle"\n)\n',
        "high/beside.go": "package high\n",
        "other/other.go": 'package other\n\nimport "example.org/sample/low"\n',
        "alone/alone.go": "package alone\n",
        "alone/alone_test.go": 'package alone\n\nimport "example.org/sample/low"\n',
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


def found(root: Path, package: str) -> set[str]:
    after = BEFORE.replace("var", f'import "{package}"\n\nvar')
    return {str(each.relative_to(root)) for each in find_cycle(root / "low/low.go", BEFORE, after).files}


def test_all_packages_of_a_cycle_are_found_and_no_others(tmp_path: Path):
    cycle = {"high/beside.go", "high/high.go", "middle/middle.go"}
    assert found(laid_out(tmp_path), "example.org/sample/high") == cycle


def test_what_only_tests_import_makes_no_cycle(tmp_path: Path):
    assert found(laid_out(tmp_path), "example.org/sample/alone") == set()


def test_an_import_that_leads_elsewhere_makes_none(tmp_path: Path):
    assert found(laid_out(tmp_path), "fmt") == set()
    assert found(laid_out(tmp_path), "example.org/sample/gone") == set()


def test_an_import_that_was_there_before_makes_none(tmp_path: Path):
    file = laid_out(tmp_path) / "high/high.go"
    text = file.read_text("utf-8")
    assert find_cycle(file, text, f"{text}\nvar More = 1\n") == Cycle()


def test_where_too_many_packages_are_imported_it_is_said_that_not_all_were_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cycles, "_MOST_PACKAGES", 1)
    file = laid_out(tmp_path) / "low/low.go"
    high = BEFORE.replace("var", 'import "example.org/sample/high"\n\nvar')
    assert find_cycle(file, BEFORE, high).doubt == "only 1 packages were looked at for a cycle of imports"
    monkeypatch.setattr(cycles, "_MOST_PACKAGES", 3)
    assert find_cycle(file, BEFORE, high).doubt == ""
