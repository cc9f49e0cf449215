"""Which project is meant, and which tool: by what there is in it."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing, InvalidArgument
from groundwire.operations.building.model import Wanted
from groundwire.operations.building.projects import find_project
from groundwire.operations.operation import Call
from groundwire.pool.pool import Pool
from tests.operations.building.fake_tools import tool

pytestmark = pytest.mark.anyio


def call_of(tmp_path: Path, files: Mapping[str, str]) -> Call:
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return Call(Pool(root, environment={"PATH": str(tmp_path / "bin")}), deadline=0.0)


def chosen(call: Call, kind: str = "test", path: str = "", language: str = "") -> tuple[str, str]:
    paths = (call.pool.workspace / path,) if path else ()
    ecosystem, project = find_project(
        call, "build" if kind == "build" else "test", paths, language, call.pool.workspace
    )
    return ecosystem.id, project.root.relative_to(call.pool.workspace).as_posix()


NODE_WITH_TESTS = json.dumps({"scripts": {"test": "vitest run"}})


async def test_the_nearest_project_of_a_path_is_meant(tmp_path: Path) -> None:
    files = {"go.mod": "", "web/package.json": NODE_WITH_TESTS, "web/src/a.ts": "", "tools/gen.py": "", "a.go": ""}
    call = call_of(tmp_path, files)
    assert chosen(call) == ("go", ".")
    assert chosen(call, path="web") == ("node", "web")
    assert chosen(call, path="web/src/a.ts") == ("node", "web")
    assert chosen(call, path="a.go") == ("go", ".")
    assert chosen(call, path="tools/gen.py") == ("python", "tools")


async def test_several_kinds_of_projects_have_to_be_told_apart(tmp_path: Path) -> None:
    call = call_of(tmp_path, {"pyproject.toml": "", "Cargo.toml": ""})
    with pytest.raises(InvalidArgument, match=r"rust \(rust\), python \(python\)"):
        chosen(call)
    assert chosen(call, language="rust") == ("rust", ".")
    assert chosen(call, language="py") == ("python", ".")


async def test_what_has_no_tests_and_a_makefile_beside_another_project_do_not_count(tmp_path: Path) -> None:
    placeholder = json.dumps({"scripts": {"test": 'echo "Error: no test specified" && exit 1'}})
    call = call_of(tmp_path, {"pyproject.toml": "", "package.json": placeholder, "Makefile": "all:\n"})
    assert chosen(call) == ("python", ".")
    assert chosen(call, "build") == ("python", ".")


async def test_parts_of_a_project_belong_to_its_outermost_directory(tmp_path: Path) -> None:
    call = call_of(tmp_path, {"CMakeLists.txt": "", "src/CMakeLists.txt": "", "src/a.c": ""})
    assert chosen(call, path="src/a.c") == ("c", ".")


async def test_where_there_is_nothing_what_is_below_is_named(tmp_path: Path) -> None:
    call = call_of(tmp_path, {"README": "", "services/api/go.mod": "", "web/package.json": "{}"})
    with pytest.raises(CapabilityMissing) as refusal:
        chosen(call)
    assert refusal.value.hint == "Give path: web (node), services/api (go)."
    with pytest.raises(CapabilityMissing, match="nothing is known of building cobol"):
        chosen(call, language="cobol")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("vitest", ["vitest", "run"]),
        ("vitest run --config x.ts --coverage", ["vitest", "run", "--config", "x.ts", "--coverage"]),
        ("npx vitest --watch", ["vitest", "run"]),
        ("jest -i", ["jest", "-i", "--ci"]),
        ("mocha 'test/*.js'", ["mocha", "test/*.js"]),
        ("node --import ./setup.js --test", ["node", "--test"]),
    ],
)
async def test_a_script_that_is_one_plain_command_of_a_known_tool_is_that_tool(
    script: str, words: list[str], tmp_path: Path
) -> None:
    for name in ("vitest", "jest", "mocha", "node"):
        tool(tmp_path / "bin", name, "")
    call = call_of(tmp_path, {"package.json": json.dumps({"scripts": {"test": script}})})
    ecosystem, project = find_project(call, "test", (), "", call.pool.workspace)
    (step,) = ecosystem.test(Wanted(project=project, reports=tmp_path / "reports")).steps
    assert [Path(step.words[0]).name, *step.words[1 : len(words)]] == words
    if script.startswith("node"):
        assert step.words[-2:] == ("--import", "./setup.js")


@pytest.mark.parametrize("script", ["tsc && vitest", "FOO=1 vitest", "vitest; rm -rf /", "./run.sh", "vitest $(evil)"])
async def test_any_other_script_is_run_by_the_package_manager(script: str, tmp_path: Path) -> None:
    tool(tmp_path / "bin", "pnpm", "")
    call = call_of(tmp_path, {"package.json": json.dumps({"scripts": {"test": script}}), "pnpm-lock.yaml": ""})
    ecosystem, project = find_project(call, "test", (), "", call.pool.workspace)
    (step,) = ecosystem.test(Wanted(project=project, reports=tmp_path / "reports")).steps
    assert [Path(step.words[0]).name, *step.words[1:]] == ["pnpm", "run", "test"]
