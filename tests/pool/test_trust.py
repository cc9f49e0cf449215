"""Nothing of a project takes effect before it is trusted, and nothing after it has changed."""

import json
import shutil
from pathlib import Path
from typing import cast

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundwire.pool.trust import canonical_digest
from groundwire.registry.catalog import load_catalog
from tests.pool.repositories import Project

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def hostile_files(mark: Path, server: str) -> dict[str, str]:
    """One hostile file of each kind: each makes the server run a shell that leaves the mark."""
    shell = json.dumps(["sh", "-c", f": > '{mark}'"])
    entry = f'{{"{server}": {{"command": {shell}, "extensions": [".py"]}}}}'
    return {
        "groundwire.toml": f"[servers.{server}]\ncommand = {shell}\nextensions = ['.py']",
        "pyproject.toml": f"[tool.groundwire.servers.{server}]\ncommand = {shell}\nextensions = ['.py']",
        "opencode.json": f'{{"lsp": {entry}}}',
        "opencode.jsonc": f'{{"lsp": {entry},}} // x',
        ".opencode/opencode.json": f'{{"lsp": {entry}}}',
        ".dispatch/lsp.json": entry,
        ".llxprt/settings.json": f'{{"lsp": {{"servers": {entry}}}}}',
    }


@pytest.mark.parametrize("server", ["pyright", "brand-new"])
@pytest.mark.parametrize("name", list(hostile_files(Path(), "x")))
def test_a_hostile_file_runs_nothing_before_trust_and_again_nothing_after_one_byte_changed(
    project: Project, name: str, server: str
) -> None:
    text = hostile_files(project.mark, server)[name]
    project.write(name, text)
    assert not project.start(server)
    assert [withheld.server for withheld in project.plan().withheld] == [server]

    project.trust()
    assert project.plan().withheld == ()
    assert project.start(server)

    project.write(name, text.replace(": >", ":  >"))
    assert not project.start(server)
    project.write(name, text)
    assert project.start(server)
    assert project.store.revoke(project.workspace)
    assert not project.start(server)


def test_hostile_variables_run_nothing_before_trust(project: Project) -> None:
    project.program("tools/ty")
    project.write("groundwire.toml", f'[servers.ty]\nenv = {{ PATH = "{project.workspace}/tools" }}')
    assert not project.start("ty")
    project.trust()
    assert project.start("ty")


def test_editor_settings_run_nothing_at_all(project: Project) -> None:
    shell = ["sh", "-c", f": > '{project.mark}'"]
    project.write(
        ".vscode/settings.json",
        json.dumps({"rust-analyzer.server.path": "sh", "rust-analyzer.check.overrideCommand": shell}),
    )
    plan = project.plan()
    assert plan.withheld == ()
    assert plan.catalog.servers == load_catalog().servers
    assert project.request().is_empty


def test_settings_sidecars_and_addresses_are_withheld_and_given_after_trust(project: Project) -> None:
    project.write(
        "groundwire.toml",
        """[servers.rust-analyzer]
settings = { rust-analyzer = { check = { overrideCommand = ["evil"] } } }
initialization_options = { check = { overrideCommand = ["evil"] } }
sidecar = ["evil"]
connect = "evil.example:1"
timeout = 7
""",
    )
    plan = project.plan()
    assert "evil" not in str(msgspec.to_builtins(plan.catalog.servers["rust-analyzer"]))
    assert "evil" not in str(plan.settings)
    assert plan.settings.request_timeout_of("rust-analyzer") == 7
    assert [withheld.key for withheld in plan.withheld] == [
        "servers.rust-analyzer.settings",
        "servers.rust-analyzer.initialization_options",
        "servers.rust-analyzer.sidecar",
        "servers.rust-analyzer.connect",
    ]
    project.trust()
    plan = project.plan()
    assert plan.settings.server("rust-analyzer").sidecar == ("evil",)
    assert plan.catalog.servers["rust-analyzer"].initialization_options["check"] == {"overrideCommand": ["evil"]}


def test_what_is_withheld_is_told_with_its_place_and_what_happens_instead(project: Project) -> None:
    project.write(
        "groundwire.toml", '[servers.gopls]\nargs = ["-x"]\n[servers.mine]\ncommand = "m"\nextensions = ["m"]'
    )
    told = [str(withheld).replace(f"{project.workspace}/", "") for withheld in project.plan().withheld]
    assert told == [
        'servers.gopls.args = ["-x"] (groundwire.toml:2) is not trusted: gopls is used without it',
        'servers.mine.command = "m" (groundwire.toml:4) is not trusted: mine is not started',
    ]


def test_a_file_only_an_untrusted_server_serves_is_a_typed_refusal(project: Project) -> None:
    project.write("groundwire.toml", '[servers.mine]\ncommand = "m"\nextensions = ["mine"]')
    plan = project.plan()
    refusal = plan.refusal(Path("a.mine"))
    assert refusal is not None
    assert (refusal.kind, "groundwire trust" in refusal.hint) == ("Untrusted", True)
    assert 'servers.mine.command = "m"' in refusal.message
    assert plan.refused_server("mine") is not None
    assert plan.refused_server("gopls") is None
    assert plan.refusal(Path("a.py")) is None
    project.trust()
    assert project.plan().refusal(Path("a.mine")) is None


def test_trust_does_not_hold_for_a_copy_nor_for_another_project(project: Project, tmp_path: Path) -> None:
    project.write("groundwire.toml", hostile_files(project.mark, "pyright")["groundwire.toml"])
    project.trust()
    other = Project(tmp_path, "other")
    shutil.copytree(project.workspace, other.workspace, dirs_exist_ok=True)
    assert other.plan().withheld
    assert project.plan().withheld == ()


def test_trust_holds_through_a_link_to_the_same_workspace_and_not_for_what_replaces_it(
    project: Project, tmp_path: Path
) -> None:
    project.write("groundwire.toml", hostile_files(project.mark, "pyright")["groundwire.toml"])
    project.trust()
    link = tmp_path / "link"
    link.symlink_to(project.workspace)
    project.workspace = link
    assert project.plan().withheld == ()
    link.unlink()
    (tmp_path / "elsewhere").mkdir()
    link.symlink_to(tmp_path / "elsewhere")
    project.write("groundwire.toml", hostile_files(project.mark, "pyright")["groundwire.toml"])
    assert project.plan().withheld


def test_a_script_that_a_trusted_command_names_is_trusted_as_it_is(project: Project) -> None:
    project.write("tools/server.py", "print(1)")
    project.write("groundwire.toml", '[servers.mine]\ncommand = ["python3", "tools/server.py"]\nextensions = ["m"]')
    project.trust()
    assert project.plan().withheld == ()
    project.write("tools/server.py", "print(2)")
    assert project.plan().withheld


def test_data_that_a_command_names_may_change(project: Project) -> None:
    project.write("sourcemap.json", "{}")
    project.write("groundwire.toml", '[servers.gopls]\nsidecar = ["rojo", "sourcemap", "-o", "sourcemap.json"]')
    project.trust()
    project.write("sourcemap.json", '{"other": 1}')
    assert project.plan().withheld == ()


def test_what_needs_no_trust_may_change_without_ending_it(project: Project) -> None:
    project.write("groundwire.toml", '[servers.gopls]\nargs = ["-x"]')
    project.trust()
    project.write("groundwire.toml", 'mode = "off"\n# a comment\n[servers.gopls]\ntimeout = 3\nargs = [ "-x" ]')
    assert project.plan().withheld == ()


def test_both_of_two_files_that_add_to_one_value_are_part_of_what_is_trusted(project: Project) -> None:
    project.write("opencode.json", '{"lsp": {"gopls": {"initialization": {"a": 1}}}}')
    project.write("groundwire.toml", "[servers.gopls]\ninitialization_options = { b = 2 }")
    project.trust()
    assert project.plan().catalog.servers["gopls"].initialization_options["a"] == 1
    project.write("opencode.json", '{"lsp": {"gopls": {"initialization": {"a": 3}}}}')
    assert project.plan().withheld


def test_a_command_with_a_path_is_meant_from_the_workspace(project: Project) -> None:
    project.write("groundwire.toml", '[servers.mine]\ncommand = "tools/mine"\nextensions = ["m"]')
    project.trust()
    assert project.plan().catalog.servers["mine"].command == (str(project.workspace.resolve() / "tools/mine"),)


@pytest.mark.parametrize("policy", ["trusted", "never"])
def test_servers_that_execute_the_projects_code_can_be_held_back(project: Project, policy: str) -> None:
    user = Path(project.environment["HOME"], ".config/groundwire/config.toml")
    user.parent.mkdir(parents=True, exist_ok=True)
    user.write_text(f'project_code = "{policy}"', "utf-8")
    plan = project.plan()
    assert plan.catalog.languages["rust"].servers == ()
    assert "rust-analyzer" in {withheld.server for withheld in plan.withheld}
    assert (plan.refusal(Path("a.rs")) is not None) == (policy == "trusted")
    project.trust()
    assert (project.plan().catalog.languages["rust"].servers != ()) == (policy == "trusted")


def test_by_default_they_run(project: Project) -> None:
    assert project.plan().catalog.languages["rust"].servers == load_catalog().languages["rust"].servers
    assert project.request().is_empty


def shuffled(value: object, draw: st.DataObject) -> object:
    if isinstance(value, dict):
        items = draw.draw(st.permutations(list(cast("dict[str, object]", value).items())))
        return {key: shuffled(inner, draw) for key, inner in items}
    if isinstance(value, list):
        return [shuffled(inner, draw) for inner in cast("list[object]", value)]
    return value


@given(VALUES, st.data())
def test_the_digest_does_not_depend_on_the_order_of_keys(value: object, data: st.DataObject) -> None:
    assert canonical_digest(shuffled(value, data)) == canonical_digest(value)


@given(VALUES, VALUES)
def test_the_digest_depends_on_every_value(one: object, other: object) -> None:
    assume(json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True))
    assert canonical_digest(one) != canonical_digest(other)
    assert canonical_digest({"a": one}) != canonical_digest({"a": other})
