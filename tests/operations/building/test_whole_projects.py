"""All of a project is built and tested, or what is left out is said; the words of its script are kept."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from groundwire.errors import CapabilityMissing
from groundwire.operations.building.model import Plan, Wanted
from groundwire.operations.building.projects import find_project, left_out
from groundwire.operations.building.run_build import run_build
from groundwire.operations.building.run_tests import run_tests
from groundwire.operations.operation import Call
from tests.operations.building.fake_tools import FILES, PASSED, project, reporting, tool
from tests.operations.building.test_projects import call_of
from tests.operations.toy_project import ask

pytestmark = pytest.mark.anyio
PACKAGE = '[package]\nname = "a"\nversion = "1.0.0"\n'


def planned(call: Call, tmp_path: Path, kind: str = "test", path: str = "") -> Plan:
    paths = (call.pool.workspace / path,) if path else ()
    ecosystem, found = find_project(call, "build" if kind == "build" else "test", paths, "", call.pool.workspace)
    wanted = Wanted(project=found, reports=tmp_path / "reports", paths=paths)
    return (ecosystem.build if kind == "build" else ecosystem.test)(wanted)


def words_of(plan: Plan) -> list[str]:
    (step,) = plan.steps
    return [Path(step.words[0]).name, *step.words[1:]]


async def test_all_members_of_a_rust_workspace_are_meant_also_where_its_root_is_a_package(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "cargo", "")
    manifest = f'{PACKAGE}[workspace]\nmembers = ["m"]\n'
    call = call_of(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": "", "m/Cargo.toml": PACKAGE, "m/src/lib.rs": ""})
    assert "--workspace" in words_of(planned(call, tmp_path))
    assert "--workspace" in words_of(planned(call, tmp_path, "build"))
    assert "--workspace" not in words_of(planned(call, tmp_path, path="m"))


async def test_what_the_default_members_of_a_rust_workspace_leave_out_is_said(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "cargo", "")
    manifest = '[workspace]\nmembers = ["m", "wasm"]\ndefault-members = ["m"]\n'
    plan = planned(call_of(tmp_path, {"Cargo.toml": manifest, "m/Cargo.toml": PACKAGE}), tmp_path)
    assert "--workspace" not in words_of(plan)
    assert plan.note == "only the default members of the workspace: m"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("src/bin/tool.rs", ["--bin", "tool"]),
        ("src/bin/big/main.rs", ["--bin", "big"]),
        ("src/bin/big/part.rs", ["--bin", "big"]),
        ("tests/all/part.rs", ["--test", "all"]),
        ("src/part.rs", ["--", "part::"]),
    ],
)
async def test_a_file_of_a_rust_program_is_tested_with_it(path: str, words: list[str], tmp_path: Path) -> None:
    tool(tmp_path / "bin", "cargo", "")
    plan = planned(call_of(tmp_path, {"Cargo.toml": PACKAGE, path: ""}), tmp_path, path=path)
    assert words_of(plan)[-2:] == words


async def test_names_of_one_file_do_not_keep_the_tests_of_another_from_being_run(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "cargo", "")
    call = call_of(tmp_path, {"Cargo.toml": PACKAGE, "src/tests.rs": "", "tests/a.rs": ""})
    ecosystem, found = find_project(call, "test", (), "", call.pool.workspace)
    paths = (found.root / "src/tests.rs", found.root / "tests/a.rs")
    plan = ecosystem.test(Wanted(project=found, reports=tmp_path / "reports", paths=paths))
    assert words_of(plan)[1:] == ["test", "--no-fail-fast", "--message-format=json"]
    assert plan.note == "cargo cannot choose these files together: all tests were run"


GO_WORK = "go 1.22\n\nuse ./a // the first\nuse (\n\t./b\n\t./c // later\n)\n"


async def test_all_modules_of_a_go_workspace_are_meant(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "go", "")
    call = call_of(tmp_path, {"go.work": GO_WORK, "a/go.mod": "module ex/a\n", "b/go.mod": "module ex/b\n"})
    assert words_of(planned(call, tmp_path))[-3:] == ["./a/...", "./b/...", "./c/..."]
    assert words_of(planned(call, tmp_path, "build"))[-3:] == ["./a/...", "./b/...", "./c/..."]
    assert words_of(planned(call, tmp_path, path="b"))[-1] == "./..."


@pytest.mark.parametrize(("error", "success"), [("", True), ("a/a.go:1:1: undefined: x", False)])
async def test_a_go_module_without_packages_hides_nothing_of_the_others(
    error: str, success: bool, tmp_path: Path
) -> None:
    warning = 'go: warning: "./c/..." matched no packages'
    tool(tmp_path / "bin", "go", f"print({warning!r})\nprint({error!r})\nsys.exit({int(bool(error))})\n")
    async with project(tmp_path, "", {"go.work": GO_WORK, "a/a.go": "", "a/go.mod": ""}) as pool:
        answer = await ask(pool, run_build)
    assert (answer.value.success, len(answer.value.errors)) == (success, int(bool(error)))


async def test_modules_below_a_go_module_are_said_to_be_left_out(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "go", "")
    call = call_of(tmp_path, {"go.mod": "module ex/a\n", "tools/gen/go.mod": "module ex/gen\n"})
    assert planned(call, tmp_path).note == "modules of their own were left out: tools/gen"
    assert planned(call, tmp_path, "build").note == "modules of their own were left out: tools/gen"


async def test_tests_of_minitest_beside_specs_are_said_to_be_left_out(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "rspec", "")
    files = {"Gemfile": "", "spec/a_spec.rb": "", "test/test_helper.rb": ""}
    assert planned(call_of(tmp_path, files), tmp_path).note == ""
    files["test/b_test.rb"] = ""
    assert planned(call_of(tmp_path, files), tmp_path).note == "tests of Minitest were left out: test"


@pytest.mark.parametrize("own", [{"files": []}, {"include": []}])
async def test_a_tsconfig_without_files_stands_for_those_that_it_refers_to(
    own: Mapping[str, object], tmp_path: Path
) -> None:
    tool(tmp_path / "bin", "tsc", "")
    config = json.dumps({**own, "references": [{"path": "./app"}]})
    plan = planned(call_of(tmp_path, {"package.json": "{}", "tsconfig.json": config}), tmp_path, "build")
    assert ("-b" in words_of(plan), plan.note) == (True, "")


@pytest.mark.parametrize("own", [{"include": ["src"]}, {"files": ["a.ts"], "include": []}, {}])
async def test_what_a_tsconfig_with_files_refers_to_is_said_to_be_left_out(
    own: Mapping[str, object], tmp_path: Path
) -> None:
    tool(tmp_path / "bin", "tsc", "")
    config = json.dumps({**own, "references": [{"path": "./app"}, {"path": "./lib"}]})
    plan = planned(call_of(tmp_path, {"package.json": "{}", "tsconfig.json": config}), tmp_path, "build")
    assert ("-p" in words_of(plan), plan.note) == (
        True,
        "projects that tsconfig.json refers to were left out: ./app, ./lib",
    )


@pytest.mark.parametrize(
    ("script", "kept"),
    [
        ("mocha --reporter spec", []),
        ("mocha -R dot --recursive test", ["--recursive", "test"]),
        ("mocha --reporter=dot --reporter-option maxDiffSize=1", []),
        ("vitest run --reporter verbose --outputFile out.json runtime", ["runtime"]),
        ("vitest --reporter=dot --outputFile.junit=x.xml --watch=false", ["--watch=false"]),
        ("jest -w 1 --reporters=default", ["-w", "1", "--reporters=default"]),
        ("jest --json --outputFile out.json --watchAll", []),
        (
            "node --test --test-concurrency=1 --test-name-pattern slow --test-reporter tap test/a.js",
            ["--test-concurrency=1", "--test-name-pattern", "slow", "test/a.js"],
        ),
        ("bun test --reporter junit --reporter-outfile x.xml tests/unit", ["tests/unit"]),
    ],
)
async def test_the_words_of_a_script_are_kept_but_for_those_that_say_how_to_report(
    script: str, kept: list[str], tmp_path: Path
) -> None:
    for name in ("vitest", "jest", "mocha", "node", "bun"):
        tool(tmp_path / "bin", name, "")
    call = call_of(tmp_path, {"package.json": json.dumps({"scripts": {"test": script}})})
    ours = {*words_of(planned(call_of(tmp_path, {"package.json": _bare(script)}), tmp_path))}
    call_of(tmp_path, {"package.json": json.dumps({"scripts": {"test": script}})})
    assert [word for word in words_of(planned(call, tmp_path)) if word not in ours] == kept


def _bare(script: str) -> str:
    first = " ".join(script.split()[: 2 if script.startswith(("node", "bun")) else 1])
    return json.dumps({"scripts": {"test": first}})


@pytest.mark.parametrize("head", ["class TestA:", "class TestA(Base):"])
async def test_classes_of_tests_that_are_no_test_cases_are_for_pytest(head: str, tmp_path: Path) -> None:
    text = f"{head}\n    def test_x(self):\n        assert 1\n"
    async with project(tmp_path, reporting(PASSED, 0), {"tests/test_a.py": text}) as pool:
        answer = await ask(pool, run_tests)
    assert (answer.value.tool, answer.value.passed) == ("pytest", True)


async def test_projects_of_other_kinds_below_are_said_to_be_left_out(tmp_path: Path) -> None:
    node = json.dumps({"scripts": {"test": "vitest run"}})
    files = {**FILES, "web/package.json": node, "web/ui/package.json": node, "docs/package.json": "{}"}
    async with project(tmp_path, reporting(PASSED, 0), files) as pool:
        all_of_it = await ask(pool, run_tests)
        named = await ask(pool, run_tests, language="python")
    assert all_of_it.value.note == "other projects were left out: web (node), web/ui (node)"
    assert named.value.note == ""


async def test_no_project_is_left_out_where_all_are_of_one_kind(tmp_path: Path) -> None:
    call = call_of(tmp_path, {"go.mod": "", "inner/go.mod": ""})
    assert left_out(call, "test", find_project(call, "test", (), "", call.pool.workspace)) == ""


@pytest.mark.parametrize(
    ("name", "files", "body"),
    [
        ("go", {"go.mod": "module a\n"}, "print('go: warning: \"./...\" matched no packages', file=sys.stderr)\n"),
        (
            "ruff",
            {"ruff.toml": "", "pyproject.toml": ""},
            "print('[]')\nprint('warning: No Python files found', file=sys.stderr)\n",
        ),
        ("pyright", {"pyrightconfig.json": "{}"}, 'print(\'{"summary": {"filesAnalyzed": 0}}\')\n'),
        ("eslint", {"package.json": "{}", "eslint.config.js": ""}, "print('[]')\n"),
    ],
)
async def test_a_tool_that_found_nothing_to_look_at_proves_nothing(
    name: str, files: dict[str, str], body: str, tmp_path: Path
) -> None:
    tool(tmp_path / "bin", name, body)
    async with project(tmp_path, "", {**files, "a.py": ""}) as pool:
        answer = await ask(pool, run_build)
    assert (answer.value.tool.split()[0], answer.value.success) == (name, None)
    assert answer.reason.endswith("and it found nothing to look at")


def brought(tmp_path: Path, name: str) -> None:
    tool(tmp_path / "project/node_modules/.bin", name, "")


@pytest.mark.parametrize(
    "files",
    [
        {"package.json": '{"devDependencies": {"vitest": "^4"}}'},
        {"package.json": "{}", "vitest.config.ts": ""},
    ],
)
async def test_a_test_tool_that_the_project_names_is_its_own(files: Mapping[str, str], tmp_path: Path) -> None:
    brought(tmp_path, "vitest")
    plan = planned(call_of(tmp_path, files), tmp_path)
    assert (words_of(plan)[0], plan.note) == ("vitest", "vitest is what is installed")


async def test_a_test_tool_that_another_package_brought_along_is_not(tmp_path: Path) -> None:
    brought(tmp_path, "mocha")
    tool(tmp_path / "bin", "node", "")
    plan = planned(call_of(tmp_path, {"package.json": "{}", "a.test.js": ""}), tmp_path)
    assert words_of(plan)[:2] == ["node", "--test"]


@pytest.mark.parametrize(
    "files", [{"package.json": '{"workspaces": ["p/*"]}'}, {"package.json": "{}", "pnpm-workspace.yaml": ""}]
)
async def test_a_collection_of_packages_is_not_tested_by_the_tool_of_one_of_them(
    files: Mapping[str, str], tmp_path: Path
) -> None:
    brought(tmp_path, "vitest")
    tool(tmp_path / "bin", "node", "")
    inner = {
        "p/a/package.json": '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^4"}}',
        "p/b/package.json": "{}",
        "p/b/b.test.js": "",
    }
    call = call_of(tmp_path, {**files, **inner})
    with pytest.raises(CapabilityMissing) as refusal:
        planned(call, tmp_path)
    assert refusal.value.hint == "Give path: p/a (node), p/b (node)."
    assert words_of(planned(call, tmp_path, path="p/a"))[0] == "vitest"
    assert words_of(planned(call, tmp_path, path="p/b"))[:2] == ["node", "--test"]


GRADLE = f"""
import pathlib, shutil
results = pathlib.Path("build/test-results/test")
words = sys.argv[1:]
if "cleanTest" in words[: words.index("test")]:
    shutil.rmtree(results, ignore_errors=True)
if not results.exists() and "--no-build-cache" in words:  # else it is up to date, or comes from the cache
    results.mkdir(parents=True)
    (results / "TEST-t.xml").write_text({PASSED!r})
"""


async def test_tests_that_gradle_has_run_already_are_run_again(tmp_path: Path) -> None:
    tool(tmp_path / "bin", "gradle", GRADLE)
    files = {"build.gradle": "", "src/test/java/T.java": "class T {}\n"}
    async with project(tmp_path, "", files) as pool:
        for _ in range(2):
            ran = await ask(pool, run_tests)
            assert (ran.status.value, ran.value.passed) == ("confirmed", 1), ran.reason
