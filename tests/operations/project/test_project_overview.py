"""A project at a glance: what is told of it, from what, and when it is looked at anew."""

import os
import subprocess
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.project.memory import ProjectMemory
from groundwire.operations.project.project_overview import project_overview
from groundwire.operations.project.tree import read_tree
from groundwire.operations.results.project import ProjectFacts, ProjectOverview
from groundwire.operations.runner import perform
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from groundwire.render.answers import render_answer
from groundwire.render.json import render_json
from tests.operations.toy_project import ask

pytestmark = pytest.mark.anyio

PROJECT = {
    "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:main"\n[tool.ruff]\n',
    "src/shop/__init__.py": "",
    "src/shop/cart.py": "def total():\n    return 1\n",
    "src/shop/cli.py": "def main():\n    return 0\n" * 20,
    "tests/test_cart.py": "def test_total():\n    assert True\n",
    "web/package.json": '{"name": "web", "main": "index.js", "scripts": {"build": "tsc", "test": "node --test"}}',
    "web/index.js": "export const a = 1;\n",
    "README.md": "# Shop\n",
    "AGENTS.md": "Be kind.\n",
}


def write(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


@asynccontextmanager
async def pool_of(tmp_path: Path, files: Mapping[str, str] = PROJECT) -> AsyncGenerator[Pool]:
    """With a home of its own, in which things are remembered."""
    root = write(tmp_path / "project", files)
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GROUNDWIRE_", "XDG_"))}
    async with open_pool(root, environment={**kept, "HOME": str(home)}) as pool:
        yield pool


async def overview(tmp_path: Path, files: Mapping[str, str] = PROJECT) -> Answer[ProjectOverview]:
    async with pool_of(tmp_path, files) as pool:
        return await ask(pool, project_overview)


def git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], cwd=root, check=True, capture_output=True, timeout=30)


def output_of(root: Path, *words: str, given: str = "") -> str:
    done = subprocess.run(
        ["git", *words], cwd=root, input=given, check=True, capture_output=True, text=True, timeout=30
    )
    return done.stdout


def commit(root: Path, files: Mapping[str, str]) -> None:
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "a change")


async def test_languages_entry_points_tools_and_conventions_are_told(tmp_path: Path):
    answer = await overview(tmp_path)
    project = answer.value
    assert answer.status is Status.CONFIRMED
    assert (project.languages[0].language, project.languages[0].files) == ("python", 4)
    assert 99 <= sum(each.share for each in project.languages) <= 101
    assert [(each.name, each.target) for each in project.entry_points] == [
        ("shop", "shop.cli:main"),
        ("web", "web/index.js"),
    ]
    assert ("build", ".") in {(each.does, each.directory) for each in project.commands}
    assert ("test", ".") in {(each.does, each.directory) for each in project.commands}
    assert [each.tool for each in project.commands if each.does == "script"] == ["npm run build", "npm run test"]
    assert [each.tool for each in project.conventions] == ["rules for agents", "ruff"]
    assert (project.largest[0].file, project.largest[0].number) == ("src/shop/cli.py", 40)
    assert {"python", "javascript"} <= {language for each in project.servers for language in each.languages}


async def test_without_a_history_nothing_is_said_of_changes(tmp_path: Path):
    project = (await overview(tmp_path)).value
    assert (project.most_changed, project.commits) == ((), 0)


async def test_the_files_that_changed_most_are_counted_by_commits(tmp_path: Path):
    root = write(tmp_path / "project", PROJECT)
    git(root, "init", "-q")
    commit(root, {})
    for number in range(3):
        commit(root, {"src/shop/cart.py": f"total = {number}\n", "README.md": f"{number}\n"})
    commit(root, {"src/shop/cli.py": "\n", "gone.py": "\n"})
    commit(root, {"gone.py": "x = 1\n"})
    (root / "gone.py").unlink()
    project = (await overview(tmp_path, {})).value
    assert [(each.file, each.number) for each in project.most_changed] == [
        ("src/shop/cart.py", 4),
        ("src/shop/cli.py", 2),
    ]
    assert project.commits == 6


async def test_a_part_of_a_repository_is_told_its_own_history(tmp_path: Path):
    outer = write(tmp_path, {"project/a.py": "a = 0\n", "b.py": "b = 0\n"})
    git(outer, "init", "-q")
    for number in range(2):
        commit(outer, {"project/a.py": f"a = {number}1\n", "b.py": f"b = {number}1\n"})
    project = (await overview(tmp_path, {})).value
    assert [each.file for each in project.most_changed] == ["a.py"]


async def test_what_was_computed_is_remembered_until_a_manifest_or_the_list_of_files_changes(tmp_path: Path):
    assert not (await overview(tmp_path)).value.remembered
    assert (await overview(tmp_path)).value.remembered
    # The content of other files is no part of it.
    assert (await overview(tmp_path, {"src/shop/cart.py": "x = 1\n"})).value.remembered
    renewed = (await overview(tmp_path, {"pyproject.toml": '[project.scripts]\nnew = "shop:new"\n'})).value
    assert not renewed.remembered
    assert [each.name for each in renewed.entry_points] == ["new", "web"]
    assert not (await overview(tmp_path, {"src/shop/more.py": ""})).value.remembered
    assert (await overview(tmp_path, {})).value.remembered


async def test_a_new_commit_is_looked_at(tmp_path: Path):
    root = write(tmp_path / "project", PROJECT)
    git(root, "init", "-q")
    commit(root, {})
    assert (await overview(tmp_path)).value.commits == 1
    commit(root, {"src/shop/cart.py": "x = 2\n"})
    renewed = (await overview(tmp_path, {})).value
    assert (renewed.commits, renewed.remembered) == (2, False)


async def test_nothing_is_written_into_the_project(tmp_path: Path):
    root = write(tmp_path / "project", PROJECT)
    before = sorted(root.rglob("*"))
    await overview(tmp_path)
    assert sorted(root.rglob("*")) == before


async def test_what_is_remembered_and_cannot_be_read_is_computed_anew(tmp_path: Path):
    await overview(tmp_path)
    (kept,) = (tmp_path / "home").rglob("project.json")
    kept.write_bytes(b"{ half")
    assert not (await overview(tmp_path)).value.remembered
    assert (await overview(tmp_path)).value.remembered


def test_without_a_place_nothing_is_remembered():
    memory = ProjectMemory(None)
    memory.keep("a", ProjectFacts())
    assert memory.recall("a") is None


async def test_what_a_manifest_of_a_hostile_project_holds_is_never_run(tmp_path: Path):
    mark = tmp_path / "ran"
    hostile = {
        "package.json": msgspec.json.encode({"scripts": {"build": f"touch {mark}"}, "main": 3, "bin": [1]}).decode(),
        "Makefile": f"$(shell touch {mark})\nall:\n\ttouch {mark}\n",
        "setup.py": f"open({str(mark)!r}, 'w')\n",
        "gradlew": f"#!/bin/sh\ntouch {mark}\n",
        "build.gradle": f"new File('{mark}').text = ''\n",
        "mix.exs": f'File.touch("{mark}")\n',
    }
    answer = await overview(tmp_path, hostile)
    assert answer.value.files
    assert not mark.exists()


async def test_a_file_whose_name_is_no_text_is_told_of_like_others(tmp_path: Path):
    odd = os.fsdecode(b"\xff.py")
    answer = await overview(tmp_path, {"ä.py": "a = 1\n", odd: "b = 1\n" * 9})
    assert [each.file for each in answer.value.largest] == [odd, "ä.py"]
    assert rb"\\xff.py" in msgspec.json.encode(render_json(answer))


async def test_a_history_that_would_have_its_signatures_checked_runs_no_program_for_that(tmp_path: Path):
    root = write(tmp_path / "project", {"a.py": "a = 1\n"})
    mark, program = tmp_path / "ran", tmp_path / "verifier"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n", "utf-8")
    program.chmod(0o755)
    git(root, "init", "-q")
    commit(root, {})
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n"
    plain = output_of(root, "cat-file", "commit", "HEAD")
    signed = plain.replace("\n\n", f"\n{signature}\n", 1)
    git(
        root,
        "update-ref",
        "HEAD",
        output_of(root, "hash-object", "-t", "commit", "-w", "--stdin", given=signed).strip(),
    )
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "gpg.program", str(program))
    git(root, "log", "-1")
    assert mark.exists(), "git itself would not run it"
    mark.unlink()
    assert (await overview(tmp_path, {})).value.commits == 1
    assert not mark.exists()


async def test_twenty_thousand_files_are_looked_at_within_the_deadline(tmp_path: Path):
    root = tmp_path / "project"
    for number in range(200):
        package = root / f"package{number}"
        package.mkdir(parents=True)
        for file in range(100):
            (package / f"module{file}.py").touch()
    async with pool_of(tmp_path, {}) as pool:
        before = time.monotonic()
        answer = await perform(pool, project_overview, project_overview.parse({}), wait_s=40)
    assert time.monotonic() - before < 40
    assert answer.value.files == 20_000
    assert answer.value.largest == ()


async def test_a_look_that_was_cut_short_is_partial_and_says_so(tmp_path: Path):
    root = tmp_path / "project"
    root.mkdir()
    for number in range(600):
        (root / f"module{number}.py").touch()
    tree = read_tree(root, time.monotonic() - 1)
    assert tree.doubts == ("there was time to look at 512 files only",)


async def test_the_text_is_short_however_large_the_project_is(tmp_path: Path):
    files = {f"part{number}/pyproject.toml": f'[project.scripts]\ntool{number} = "a:b"\n' for number in range(60)}
    files |= {f"part{number}/module_with_a_long_name_{number}.py": "x = 1\n" * number for number in range(60)}
    answer = await overview(tmp_path, files)
    text = render_answer(project_overview, answer)
    assert len(text) < 2_500
    assert "+52 more; JSON has all of them" in text
