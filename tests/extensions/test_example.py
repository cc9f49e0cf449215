"""The example in the repository, as an installed package: each thing that it adds works on every surface."""

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.agents import Agent
from tests.extensions.installed import EXAMPLE, environment_of, install, install_module

DRAWING = "circle 3\nsquare 4\n# two of them\ncircle 1\nblob 3\n"
COUNT = "Shapes of a.shapes (confirmed by shapes-ls)\n  2 circle\n  1 square\n  1 blob\n"

API = """
import asyncio
import groundwire
from groundwire.operations.table import find_operation
from groundwire_shapes.count import CountShapes, count_shapes

async def main():
    async with groundwire.open(".") as workspace:
        own = await workspace.run(count_shapes, CountShapes(file_path="a.shapes"))
        named = await workspace.run(find_operation("count_shapes"), CountShapes(file_path="a.shapes"))
        print(own.value.shapes, own.status.value, named.value == own.value)

asyncio.run(main())
"""

BROKEN = {
    "gw_not_there": "import a_module_that_is_not_there\n",
    "gw_raises": "raise RuntimeError('on purpose')\n",
    "gw_leaves": "import sys\nsys.exit(3)\n",
    "gw_of_tomorrow": "from groundwire.extending import Extension\nextension = Extension(api=2)\n",
    "gw_no_extension": "extension = {'name': 'toy'}\n",
    "gw_nothing": "",
    "gw_looks_at_tables": "from groundwire.operations.table import OPERATIONS\nextension = None\n",
    "gw_clashes": (
        "from groundwire.extending import Extension, find_symbol\n"
        "extension = Extension(api=1, operations=[find_symbol])\n"
    ),
    "gw_bad_data": (
        "from pathlib import Path\nfrom groundwire.extending import Extension\n"
        "extension = Extension(api=1, servers=[Path('/nowhere/x.server.toml')])\n"
    ),
}
CLUMSY = """
from groundwire.extending import Answer, Arguments, Extension, Result, Status, operation

class Nothing(Arguments, frozen=True):
    '''None.'''

class Said(Result, frozen=True):
    '''Words.'''
    words: str

@operation("Says hello.")
async def say_hello(call, arguments: Nothing) -> Answer[Said]:
    return Answer(value=Said(words="hello"), status=Status.CONFIRMED)

@operation("Fails.")
async def fail_always(call, arguments: Nothing) -> Answer[Said]:
    raise KeyError("nothing here")

def page(answer):
    raise KeyError("no page")

extension = Extension(api=1, operations=[say_hello, fail_always], renderers={Said: page})
"""
REASONS = {
    "gw_not_there": "ModuleNotFoundError: No module named 'a_module_that_is_not_there'",
    "gw_raises": "RuntimeError: on purpose",
    "gw_leaves": "SystemExit: 3",
    "gw_of_tomorrow": "it is made for version 2 of the contract, and this groundwire has 1",
    "gw_no_extension": "its entry point gives dict, not an Extension of groundwire.extending",
    "gw_nothing": "AttributeError: module 'gw_nothing' has no attribute 'extension'",
}


class Installation:
    """A user with packages and a project."""

    def __init__(self, directory: Path) -> None:
        self.site = directory / "site"
        self.project = directory / "project"
        self.project.mkdir(parents=True)
        (self.project / "a.shapes").write_text(DRAWING, "utf-8")
        (self.project / "shapes.toml").write_text("", "utf-8")
        self.environment = environment_of(self.site, directory / "home")

    def run(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return self.python("-m", "groundwire", *words, **environment)

    def python(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.project,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )

    def extensions(self, *words: str, **environment: str) -> dict[str, Any]:
        """By name, as ``status`` lists them."""
        done = self.run(*(words or ("status", "--json")), **environment)
        return {each["name"]: each for each in json.loads(done.stdout)["extensions"]}


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation(tmp_path_factory.mktemp("shapes"))
    install(EXAMPLE, made.site)
    return made


@pytest.fixture
def agent(shapes: Installation) -> Generator[Agent]:
    command = [sys.executable, "-m", "groundwire", "mcp", "--no-daemon", "--profile", "full"]
    agent = Agent([*command, "--root", str(shapes.project)], shapes.project, shapes.environment)
    yield agent
    agent.leave()


def test_its_operation_answers_on_the_command_line(shapes: Installation):
    done = shapes.run("count-shapes", "a.shapes")
    assert (done.stdout, done.stderr, done.returncode) == (COUNT, "", 0)


def test_its_operation_is_a_tool_of_mcp_clients_that_see_all_of_them(agent: Agent):
    agent.initialize()
    tools = {tool["name"]: tool for tool in agent.ask("tools/list")["result"]["tools"]}
    assert tools["count_shapes"]["inputSchema"]["required"] == ["file_path"]
    assert agent.use("count_shapes", file_path="a.shapes") + "\n" == COUNT


def test_a_daemon_has_it_too(shapes: Installation):
    environment = {name: value for name, value in shapes.environment.items() if name != "GROUNDWIRE_NO_DAEMON"}
    command = [sys.executable, "-m", "groundwire", "mcp", "--root", str(shapes.project), "--profile", "full"]
    agent = Agent(command, shapes.project, environment)
    try:
        agent.initialize()
        assert agent.use("count_shapes", file_path="a.shapes") + "\n" == COUNT
        assert "shapes 1.0.0: adds server shapes-ls" in agent.use("lsp_status")
        assert agent.leave() == 0
    finally:
        agent.kill()
        stopped = shapes.run("daemon", "stop", GROUNDWIRE_NO_DAEMON="")
    assert "Nothing to stop" not in stopped.stdout


def test_its_skill_is_among_the_others(shapes: Installation):
    assert "skill shapes-review" in shapes.extensions()["shapes"]["adds"]
    assert "Reviewing a drawing" in shapes.run("skills", "show", "shapes-review").stdout


def test_its_kind_of_project_is_built(shapes: Installation):
    done = shapes.run("build")
    assert "a.shapes:5:1  there is no shape 'blob'" in done.stdout
    assert "build runner shapes" in shapes.extensions()["shapes"]["adds"]


def test_its_operation_answers_in_python(shapes: Installation):
    done = shapes.python("-c", API)
    assert (done.stdout, done.stderr) == ("{'circle': 2, 'square': 1, 'blob': 1} confirmed True\n", "")


def test_its_server_serves_its_language(shapes: Installation):
    done = shapes.run("check", "a.shapes")
    assert "ERROR [5:1] there is no shape 'blob'" in done.stdout
    assert "confirmed by shapes-ls" in done.stdout


def test_status_says_what_it_adds_and_its_version(shapes: Installation):
    listed = shapes.extensions()["shapes"]
    assert (listed["package"], listed["version"], listed["state"]) == ("groundwire-shapes", "1.0.0", "loaded")
    assert {"server shapes-ls", "operation count_shapes"} <= set(listed["adds"])
    assert listed["left_out"] == []
    assert "shapes 1.0.0: adds server shapes-ls" in shapes.run("status").stdout


def test_one_variable_does_without_it(shapes: Installation):
    listed = shapes.extensions(GROUNDWIRE_EXTENSIONS="off")["shapes"]
    assert (listed["state"], listed["reason"]) == ("off", "GROUNDWIRE_EXTENSIONS is off")
    assert "there is no command" in shapes.run("count-shapes", "a.shapes", GROUNDWIRE_EXTENSIONS="off").stderr


def test_what_a_project_says_about_extensions_has_no_effect_and_says_so(shapes: Installation):
    config = shapes.project / "groundwire.toml"
    config.write_text("[extensions]\nenabled = false\n", "utf-8")
    try:
        assert shapes.extensions()["shapes"]["state"] == "loaded"
    finally:
        config.unlink()


def test_broken_extensions_are_listed_with_their_reasons_and_break_nothing(tmp_path: Path):
    user = Installation(tmp_path)
    install(EXAMPLE, user.site)
    for name, code in BROKEN.items():
        install_module(user.site, name, code)
    listed = user.extensions()
    assert {name: listed[name]["reason"] for name in REASONS} == REASONS
    assert all(listed[name]["state"] == "failed" for name in (*REASONS, "gw_looks_at_tables"))
    assert listed["gw_clashes"]["left_out"] == ["operation find_symbol: there is 'find_symbol' already"]
    assert "x.server.toml" in listed["gw_bad_data"]["left_out"][0]
    assert listed["shapes"]["state"] == "loaded"
    assert user.run("count-shapes", "a.shapes").stdout == COUNT
    (user.project / "a.shapes").write_text("circle 1\n", "utf-8")
    assert user.run("check", "a.shapes").returncode == 0


def test_an_operation_or_a_text_that_fails_is_an_error_of_its_extension_alone(tmp_path: Path):
    user = Installation(tmp_path)
    install_module(user.site, "gw_clumsy", CLUMSY)
    assert user.run("say-hello").stdout == "say_hello (confirmed)\nwords: hello\n"
    failed = user.run("fail-always")
    assert failed.returncode == 2
    assert "fail_always: KeyError: 'nothing here'" in failed.stderr
    assert "defect of the extension gw_clumsy" in failed.stderr


def test_the_doctor_is_not_content_with_a_broken_one(tmp_path: Path):
    user = Installation(tmp_path)
    install_module(user.site, "gw_raises", BROKEN["gw_raises"])
    (user.project / "a.shapes").unlink()
    (user.project / "shapes.toml").unlink()
    done = user.run("doctor")
    assert "gw_raises 0.1: failed: RuntimeError: on purpose" in done.stdout
    assert done.returncode == 1


def test_what_agents_start_again_and_again_never_looks_for_extensions(shapes: Installation):
    code = (
        "import sys; import groundwire; import groundwire.surfaces.mcp.shim_command;"
        " import groundwire.surfaces.hooks.client; print([name for name in sys.modules"
        " if name.startswith(('groundwire.extensions', 'importlib.metadata', 'groundwire_shapes'))])"
    )
    done = shapes.python("-c", code)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_catalogue_loads_no_metadata_where_no_extension_is_installed(tmp_path: Path):
    user = Installation(tmp_path)
    code = (
        "import sys; from groundwire.registry.catalog import load_catalog; load_catalog();"
        " print('importlib.metadata' in sys.modules)"
    )
    assert user.python("-c", code).stdout.strip() == "False"
