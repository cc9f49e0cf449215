"""The benchmark projects: the same on every run, and each edit one error of its own."""

from pathlib import Path

import pytest
from msgspec import convert

from bench.edits import smallest_change
from bench.projects import project_in
from groundwire.protocol.edits import apply_text_edits
from groundwire.protocol.lsp import Range
from groundwire.protocol.lsp_edits import TextEdit

LANGUAGES = ["python", "typescript", "c", "go", "rust"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_project_is_the_same_every_time_and_of_a_realistic_size(language: str):
    project = project_in(language)
    assert project == project_in(language)
    assert 240 <= project.fixed.count("\n") <= 300
    assert len(project.files) >= 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finding_about_one_error_is_not_taken_for_another(language: str):
    project = project_in(language)
    message = project.about.replace("@error@", "0003").replace("@count@", "5")
    assert project.is_about_edits(message)
    assert project.is_about(message, 3)
    assert not project.is_about(message, 4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_smallest_change_makes_the_broken_text_of_the_right_one(language: str):
    project = project_in(language)
    for before, after in ((project.fixed, project.broken(12)), (project.broken(12), project.fixed)):
        change = smallest_change(before, after)
        edit = TextEdit(convert(change["range"], Range), str(change["text"]))
        assert apply_text_edits(before, [edit], "utf-16") == after


def test_a_written_project_holds_its_symbol_where_it_says(tmp_path: Path):
    project = project_in("python")
    assert project.write(tmp_path) == tmp_path / "main.py"
    line = (tmp_path / project.symbol_file).read_text().split("\n")[project.symbol_line - 1]
    assert line[project.symbol_column - 1 :].startswith("Money")
