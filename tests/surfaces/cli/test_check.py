"""``groundwire check``: files and change sets, in every format, with the exit status that says what is known."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.surfaces.cli.main import main
from tests.surfaces.cli.outputs import run, run_json

Capture = pytest.CaptureFixture[str]
needs_odd_names = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")


@pytest.fixture
def repository(toy_project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy project with its one error committed, git on the path, and a server whose silence proves something."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "git").symlink_to(str(shutil.which("git", path="/usr/bin:/bin:/usr/local/bin")))
    monkeypatch.setenv("PATH", str(programs))
    with (tmp_path / "home/.config/groundwire/config.toml").open("a", encoding="utf-8") as config:
        config.write("[servers.toy.settle]\nmeasured = true\nscope = 'file'\n")
    git(toy_project, "init")
    git(toy_project, "add", "--all")
    git(toy_project, "commit", "-m", "x")
    return toy_project


def git(directory: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True, timeout=30)


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.toy", "--changed"],
        ["--changed", "--staged"],
        ["--staged", "--base", "main"],
        ["--base"],
        ["--changed", "--format", "xml"],
        ["--all"],
    ],
)
def test_files_and_one_change_set_exclude_each_other(arguments: list[str], capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", *arguments])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: groundwire check")


@pytest.mark.parametrize("option", [["--changed"], ["--staged"], ["--base", "HEAD"]])
def test_nothing_introduced_is_status_zero(repository: Path, option: list[str], capsys: Capture) -> None:
    assert repository.is_dir()
    status, out = run("check", *option, capsys=capsys)
    assert status == 0
    assert "no errors introduced" in out


@pytest.mark.parametrize("option", [["--changed"], ["--staged"], ["--base", "main"]])
def test_an_introduced_error_is_status_one_and_the_old_one_comes_only_with_all(
    repository: Path, option: list[str], capsys: Capture
) -> None:
    (repository / "a.toy").write_text("wrong\nwrong too\n", "utf-8")
    git(repository, "add", "a.toy")
    status, out = run("check", *option, capsys=capsys)
    assert status == 1
    assert "ERROR [2:1] wrong too" in out
    assert "[1:1]" not in out
    status, out = run("check", *option, "--all", capsys=capsys)
    assert (status, "ERROR [1:1] wrong" in out) == (1, True)


def test_an_old_error_alone_is_status_zero_for_a_change_set_and_one_for_a_file(
    repository: Path, capsys: Capture
) -> None:
    (repository / "a.toy").write_text("wrong\nright\n", "utf-8")
    assert run("check", "--changed", capsys=capsys)[0] == 0
    assert run("check", "a.toy", capsys=capsys)[0] == 1


def test_errors_of_unknown_origin_are_status_three(repository: Path, capsys: Capture) -> None:
    (repository / ".gitattributes").write_text("*.toy filter=secret\n", "utf-8")
    (repository / "a.toy").write_text("wrong\nright\n", "utf-8")
    status, out = run("check", "--changed", capsys=capsys)
    assert status == 3
    assert "what was wrong in a.toy before is not known" in out


def test_json_is_the_one_shape_by_either_option(repository: Path, capsys: Capture) -> None:
    (repository / "a.toy").write_text("wrong\nwrong too\n", "utf-8")
    status, shown = run_json("check", "--changed", capsys=capsys)
    result = shown["result"]
    assert isinstance(result, dict)
    assert (status, shown["status"], result["introduced"], result["existing"]) == (1, "confirmed", 1, 1)
    _, out = run("check", "--changed", "--format", "json", capsys=capsys)
    assert json.loads(out)["result"] == result


def test_sarif_and_annotations_show_what_was_introduced(repository: Path, capsys: Capture) -> None:
    (repository / "a.toy").write_text("wrong\nwrong too\n", "utf-8")
    status, out = run("check", "--changed", "--format", "sarif", capsys=capsys)
    (found,) = json.loads(out)["runs"][0]["results"]
    assert (status, found["baselineState"], found["message"]["text"]) == (1, "new", "wrong too")
    status, out = run("check", "--changed", "--format", "github", capsys=capsys)
    assert (status, out.startswith("::error file=a.toy,line=2,")) == (1, True)


def test_files_can_be_shown_in_every_format(repository: Path, capsys: Capture) -> None:
    assert repository.is_dir()
    assert json.loads(run("check", "a.toy", "--format", "sarif", capsys=capsys)[1])["version"] == "2.1.0"
    assert run("check", "a.toy", "--format", "github", capsys=capsys)[1].startswith("::error file=a.toy,line=1,")
    assert json.loads(run("check", "a.toy", "--format", "json", capsys=capsys)[1])["status"] == "confirmed"


def test_clean_files_are_no_annotations_at_all(repository: Path, capsys: Capture) -> None:
    (repository / "b.toy").write_text("right\n", "utf-8")
    assert run("check", "b.toy", "--format", "github", capsys=capsys) == (0, "")


def test_without_git_it_is_said_what_to_do_in_the_same_format(toy_project: Path, capsys: Capture) -> None:
    assert toy_project.is_dir()
    status, shown = run_json("check", "--changed", capsys=capsys)
    assert (status, shown["kind"], shown["hint"]) == (2, "InvalidArgument", "Name the files to check.")
    status, out = run("check", "--base", "main", "--format", "json", capsys=capsys)
    assert (status, json.loads(out)["kind"]) == (2, "InvalidArgument")


def test_of_a_directory_all_that_servers_take_care_of_is_checked(repository: Path, capsys: Capture) -> None:
    texts = {
        "in/b.toy": "wrong\n",
        "in/c.toy": "fine\n",
        "in/d.txt": "",
        "in/x/ignored.toy": "wrong\n",
        "out.toy": "wrong\n",
    }
    for name, text in {**texts, ".gitignore": "ignored.toy\n"}.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text, "utf-8")

    def checked(*paths: str) -> tuple[int, dict[str, int]]:
        status, out = run("check", *paths, "--json", capsys=capsys)
        return status, {file["file"]: len(file["diagnostics"]) for file in json.loads(out)["result"]["files"]}

    assert checked("in") == (1, {"in/b.toy": 1, "in/c.toy": 0})
    assert checked("a.toy", "in") == (1, {"a.toy": 1, "in/b.toy": 1, "in/c.toy": 0})
    assert checked("in/b.toy", "in") == (1, {"in/b.toy": 1, "in/c.toy": 0})
    assert checked(".") == (1, {"a.toy": 1, "in/b.toy": 1, "in/c.toy": 0, "out.toy": 1})
    (repository / "in/b.toy").unlink()
    assert checked("in") == (0, {"in/c.toy": 0})


def test_a_directory_without_anything_for_a_server_proves_nothing(repository: Path, capsys: Capture) -> None:
    (repository / "empty").mkdir()
    status, out = run("check", "empty", capsys=capsys)
    assert (status, out.splitlines()[0]) == (3, "Checked 0 files: nothing is proven")
    assert run("check", "empty", "gone.toy", capsys=capsys)[0] == 2


def test_of_what_no_server_here_can_check_it_is_said_how_to_get_one(repository: Path, capsys: Capture) -> None:
    (repository / "a.go").write_text("package a\n", "utf-8")
    (repository / "a.toy").write_text("fine\n", "utf-8")
    assert main(["check", "."]) == 3
    shown = capsys.readouterr()
    assert "there is no server here: 1 of go" in shown.out
    assert shown.err.startswith("Not checked: 1 of go: no language server for go can be used: gopls is not installed")


ODD = os.fsdecode(b"bad\xff.toy")
SHOWN = r"bad\xff.toy"


@needs_odd_names
@pytest.mark.parametrize("named", [ODD, SHOWN])
def test_a_file_whose_name_is_no_text_is_found_and_shown_by_a_name_that_leads_to_it(
    toy_project: Path, capsys: Capture, named: str
) -> None:
    (toy_project / ODD).write_text("fine\n", "utf-8")
    status, out = run("check", "a.toy", named, capsys=capsys)
    assert (status, "1 error" in out) == (1, True)
    assert f"{SHOWN}: not known" in out
    status, found = run_json("check", named, capsys=capsys)
    assert status == 3
    assert SHOWN in json.dumps(found).replace("\\\\", "\\")


@needs_odd_names
@pytest.mark.parametrize("form", ["sarif", "github"])
def test_every_form_can_name_such_a_file(toy_project: Path, capsys: Capture, form: str) -> None:
    (toy_project / ODD).write_text("fine\n", "utf-8")
    _, out = run("check", ODD, "--format", form, capsys=capsys)
    assert ("bad%FF.toy" if form == "sarif" else SHOWN) in out


@needs_odd_names
def test_what_cannot_be_done_is_said_of_such_a_file_too(toy_project: Path, capsys: Capture) -> None:
    status, told = run_json("symbols", ODD, capsys=capsys)
    assert (status, told["kind"]) == (2, "FileNotFound")
    assert SHOWN in str(told["error"])
