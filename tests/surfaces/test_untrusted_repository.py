"""A hostile repository gets nothing run before ``groundwire trust``, and nothing once it has changed after that."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.surfaces.hostile_repository import Hostile

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

FILES = {
    "a.py": "a: int = 1\n",
    "a.go": "package a\n",
    "a.rs": "fn main() {}\n",
    "a.c": "int a;\n",
    "a.ts": "export const a = 1;\n",
    "a.sh": "echo a\n",
    "a.evil": "",
}


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    repository = Hostile(tmp_path)
    for name, text in FILES.items():
        repository.write(name, text)
    return repository


def configuration(hostile: Hostile, table: str = "servers") -> str:
    """Every value of our own format that can lead to a command."""
    evil = json.dumps(hostile.marking("new-server"))
    override = json.dumps(hostile.marking("override-command"))
    return f"""
[{table}.ty]
command = {json.dumps(hostile.marking("command"))}
[{table}.gopls]
args = ["--evil"]
env = {{ LD_PRELOAD = "/evil.so", NODE_OPTIONS = "-r evil", PYTHONPATH = "/evil", EVIL = "1", PATH = "/evil" }}
[{table}.rust-analyzer]
initialization_options = {{ check = {{ overrideCommand = {override} }} }}
[{table}.bash-language-server]
sidecar = {json.dumps(hostile.marking("sidecar"))}
[{table}.evil]
command = {evil}
extensions = [".evil"]
"""


def foreign(hostile: Hostile) -> dict[str, object]:
    """The same for the files of other programs: they know fewer keys."""
    new = {"command": hostile.marking("new-server"), "extensions": [".evil"]}
    return {"ty": {"command": hostile.marking("command"), "extensions": [".py"]}, "evil": new}


def hostile_file(hostile: Hostile, name: str) -> str:
    """A hostile file of the kind that its name tells."""
    match name:
        case "groundwire.toml":
            return configuration(hostile)
        case "pyproject.toml":
            return configuration(hostile, "tool.groundwire.servers")
        case ".dispatch/lsp.json":
            return json.dumps(foreign(hostile))
        case ".llxprt/settings.json":
            return json.dumps({"lsp": {"servers": foreign(hostile)}})
        case _:
            return json.dumps({"lsp": foreign(hostile)})


OWN_FILES = ("groundwire.toml", "pyproject.toml")
FOREIGN_FILES = (
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
    ".dispatch/lsp.json",
    ".llxprt/settings.json",
)


@pytest.mark.parametrize("name", [*OWN_FILES, *FOREIGN_FILES])
def test_a_hostile_configuration_runs_nothing_before_trust_and_nothing_after_a_change(
    hostile: Hostile, name: str
) -> None:
    text = hostile_file(hostile, name)
    hostile.write(name, text)
    hostile.commit()
    files = tuple(FILES) if name in OWN_FILES else ("a.py", "a.evil")

    outcome = hostile.check(*files)
    assert hostile.marks() == set()
    assert not {each for each in hostile.started() if "-got-" in each}
    assert "groundwire trust" in outcome.reason("a.evil")
    assert "not trusted" in outcome.reason("a.evil")

    assert hostile.trust().code == 0
    hostile.check(*files)
    ran = hostile.marks()
    assert {"command", "new-server"} <= ran
    if name in OWN_FILES:
        assert {"override-command", "sidecar"} <= ran
        assert {"gopls-got-LD_PRELOAD", "gopls-got-EVIL", "gopls-got-an-argument"} <= hostile.started()

    hostile.write(name, text.replace(": >", ":  >"))
    outcome = hostile.check(*files)
    assert hostile.marks() == set()
    assert "groundwire trust" in outcome.reason("a.evil")


def test_values_without_which_a_built_in_server_runs_are_told_with_the_command_to_run(hostile: Hostile) -> None:
    hostile.write("groundwire.toml", configuration(hostile))
    hostile.commit()
    outcome = hostile.check("a.go")
    assert "servers.gopls.args" in outcome.text
    assert "groundwire trust" in outcome.text


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        listening.settimeout(0)
        yield listening


def was_called(listener: socket.socket) -> bool:
    """Whether somebody connected since the last time."""
    try:
        caller, _ = listener.accept()
    except BlockingIOError:
        return False
    caller.close()
    return True


def test_an_address_of_the_project_is_not_connected_to_before_trust(hostile: Hostile, listener: socket.socket) -> None:
    address = f"127.0.0.1:{listener.getsockname()[1]}"
    hostile.write("groundwire.toml", f'[servers.clangd]\nconnect = "{address}"\n')
    hostile.commit()
    hostile.run("check", "a.c", "--wait", "2")
    assert not was_called(listener)
    assert hostile.started() == {"clangd"}
    hostile.trust()
    hostile.run("check", "a.c", "--wait", "2")
    assert was_called(listener)
    assert hostile.started() == set()


def test_editor_settings_are_nobodys_business(hostile: Hostile) -> None:
    override = hostile.marking("vscode")
    settings = {
        "rust-analyzer.check.overrideCommand": override,
        "rust-analyzer.server.path": str(hostile.program("tools/evil", "vscode")),
        "rust-analyzer.server.extraEnv": {"EVIL": "1"},
        "python.defaultInterpreterPath": "tools/evil",
        "typescript.tsdk": "tools/lib",
        "lsp": foreign(hostile),
    }
    hostile.write("tools/lib/tsserver.js", hostile.script("vscode-tsserver"))
    for name in (".vscode/settings.json", ".groundwire.json", ".idea/workspace.xml", ".lsp.json", ".neoconf.json"):
        hostile.write(name, json.dumps(settings))
    hostile.commit()
    outcome = hostile.check("a.py", "a.rs", "a.ts")
    assert hostile.marks() == set()
    assert not {each for each in hostile.started() if "-got-" in each}
    assert outcome.answer["status"] == "confirmed", outcome.text
    assert "needs trust" in hostile.run("trust").text


def plant_programs(hostile: Hostile) -> None:
    """A program or library in each place where groundwire or a server looks for one."""
    for directory in (".venv", "venv", ".conda"):
        for program in ("python", "ty", "ruff", "pyright-langserver", "node", "git"):
            hostile.program(f"{directory}/bin/{program}", f"{directory}-{program}")
    for program in ("tsc", "typescript-language-server", "gopls", "rust-analyzer", "clangd", "shellcheck", "git"):
        hostile.program(f"node_modules/.bin/{program}", f"node_modules-{program}")
    for place in ("node_modules", ".yarn/sdks", ".vscode/pnpify"):
        hostile.write(f"{place}/typescript/lib/tsserver.js", hostile.script("tsserver"))
        hostile.write(f"{place}/typescript/package.json", '{"name": "typescript", "version": "5.9.3"}')
    hostile.write("pyproject.toml", "[project]\nname = 'x'\nversion = '1'\n[tool.ruff]\n[tool.pyright]\n")


@pytest.mark.parametrize("has_repository", [True, False])
def test_programs_that_come_with_the_project_are_not_run_before_trust(hostile: Hostile, has_repository: bool) -> None:
    plant_programs(hostile)
    if has_repository:
        hostile.commit()
    outcome = hostile.check(*FILES)
    assert hostile.marks() == set()
    assert "groundwire trust" in outcome.text

    assert hostile.trust().code == 0
    hostile.check(*FILES)
    ran = hostile.marks()
    assert {"node_modules-gopls", "node_modules-rust-analyzer", "node_modules-clangd"} <= ran
    assert ran & {".venv-ty", ".venv-pyright-langserver"}

    for name in ("gopls", "rust-analyzer", "clangd"):
        hostile.program(f"node_modules/.bin/{name}", f"changed-{name}")
    if has_repository:
        hostile.commit()
    hostile.check("a.go", "a.rs", "a.c")
    assert hostile.marks() == set()


def test_links_out_of_the_tree_and_into_it_are_the_projects_all_the_same(hostile: Hostile, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "bin").mkdir(parents=True)
    evil = hostile.program("tools/evil", "link")
    for name in ("ty", "python", "gopls"):
        (outside / "bin" / name).symlink_to(evil)
    (hostile.root / ".venv").symlink_to(outside)
    (hostile.root / "node_modules").mkdir()
    (hostile.root / "node_modules/.bin").symlink_to("../tools")
    hostile.program("tools/gopls", "link")
    hostile.program("tools/clangd", "link")
    hostile.commit()
    hostile.check("a.py", "a.go", "a.c")
    assert hostile.marks() == set()
    hostile.trust()
    hostile.check("a.go", "a.c")
    assert hostile.marks() == {"link"}


@pytest.mark.parametrize("tracked", [".venv/bin/node", ".venv/lib/python3/site-packages/evil.pth"])
def test_one_tracked_file_in_the_users_own_environment_keeps_it_from_being_used(hostile: Hostile, tracked: str) -> None:
    hostile.program(tracked, "companion")
    hostile.commit()
    hostile.program(".venv/bin/python", "python")
    hostile.program(".venv/bin/ty", "ty")
    hostile.check("a.py")
    assert hostile.marks() == set()


def test_git_is_not_made_to_run_anything(hostile: Hostile) -> None:
    plant_programs(hostile)
    hostile.write(".gitattributes", "* filter=evil diff=evil\n")
    hostile.commit()
    trap = hostile.program(".git/trap", "git")
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external", "core.askPass"):
        hostile.git("config", key, str(trap))
    for key in ("alias.ls-files", "alias.rev-parse"):
        hostile.git("config", key, f"!{trap}")
    hostile.git("config", "filter.evil.clean", str(trap))
    hostile.git("config", "core.hooksPath", ".git/traps")
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"):
        hostile.program(f".git/traps/{hook}", "hook")
    hostile.marks()
    hostile.check(*FILES)
    assert hostile.marks() == set()
    hostile.run("trust")
    assert hostile.marks() == set()


def test_modules_in_the_working_directory_are_not_imported(hostile: Hostile) -> None:
    for name in ("sitecustomize", "usercustomize", "json", "asyncio", "msgspec", "ty", "ruff", "groundwire", "psutil"):
        hostile.module(f"{name}/__init__.py", name)
        hostile.module(f"sub/{name}.py", name)
    hostile.write("sub/b.py", "b: int = 1\n")
    hostile.write("ruff.toml", "")
    hostile.commit()
    assert hostile.check("a.py", "sub/b.py").answer["status"] == "confirmed"
    hostile.run("check", "b.py", cwd="sub")
    assert hostile.marks() == set()


def test_servers_that_execute_the_projects_code_can_be_held_back_until_it_is_trusted(hostile: Hostile) -> None:
    hostile.write("groundwire.toml", 'project_code = "allow"\n')
    hostile.commit()
    policy = {"GROUNDWIRE_PROJECT_CODE": "trusted"}
    outcome = hostile.check("a.rs", "a.go", **policy)
    assert hostile.started() == {"gopls"}
    assert "groundwire trust" in outcome.reason("a.rs")
    hostile.trust(**policy)
    hostile.check("a.rs", "a.go", **policy)
    assert hostile.started() == {"gopls", "rust-analyzer"}
    hostile.check("a.rs", GROUNDWIRE_PROJECT_CODE="never")
    assert hostile.started() == set()
    hostile.check("a.rs")
    assert hostile.started() == {"rust-analyzer"}
