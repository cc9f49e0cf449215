"""Settings files of other programs, as their documents show them."""

from pathlib import Path

import pytest

from groundwire.config.servers import effective_catalog
from groundwire.registry.catalog import load_catalog
from tests.config.projects import Project


def test_lsp_false_switches_everything_off(project: Project) -> None:
    project.write(".llxprt/settings.json", '{"theme": "dark", "lsp": false}')
    loaded = project.load()
    assert not loaded.settings.enabled
    assert loaded.problems == ()


@pytest.mark.parametrize("text", ['{"lsp": {}}', '{"lsp": true}', "{}", '{"mcpServers": {"x": {"command": "y"}}}'])
def test_an_object_or_nothing_leaves_everything_on(project: Project, text: str) -> None:
    project.write(".llxprt/settings.json", text)
    loaded = project.load()
    assert loaded.settings.enabled
    assert (loaded.problems, loaded.guarded) == ((), ())


def test_every_key_of_the_object_form_is_read(project: Project) -> None:
    project.write_user(
        "llxprt-code/settings.json",
        """{
  // comments are let through
  "lsp": {
    "diagnosticTimeout": 5000,
    "firstTouchTimeout": 15000,
    "requestTimeout": 2000,
    "maxDiagnosticsPerFile": 10,
    "maxProjectDiagnosticsFiles": 2,
    "includeSeverities": ["error", "warning"],
    "navigationTools": false,
    "servers": {
      "ruff": {"enabled": false},
      "typescript": {"command": "my-tsls", "args": ["--stdio"], "env": {"A": "b"},
                     "initializationOptions": {"hostInfo": "x"}},
      "my-lang": {"command": "my-ls", "args": ["serve"], "extensions": [".my"]}
    }
  }
}""",
    )
    loaded = project.load()
    assert loaded.problems == ()
    settings = loaded.settings
    assert settings.timeouts.diagnostics_warm == 5
    assert settings.timeouts.diagnostics_cold == 15
    assert settings.timeouts.request == 2
    assert (settings.max_per_file, settings.max_other_files, settings.severity) == (10, 2, "warning")
    assert not settings.navigation_tools
    assert settings.server("ruff").enabled is False
    catalog = effective_catalog(load_catalog(), settings)
    assert catalog.servers["typescript-language-server"].command == ("my-tsls", "--stdio")
    assert catalog.servers["typescript-language-server"].environment["A"] == "b"
    assert catalog.servers["typescript-language-server"].initialization_options["hostInfo"] == "x"
    assert catalog.servers["my-lang"].command == ("my-ls", "serve")
    assert catalog.language_of(Path("a.my")) == "my"
    assert catalog.linters_for("python") == ()


def test_the_keys_of_a_binding_are_read_as_well(project: Project) -> None:
    project.write(
        ".llxprt/settings.json",
        '{"lsp": {"enabled": true, "languages": ["rust"], "prewarm": ["rust"], "idle_teardown_secs": 60}}',
    )
    settings = project.load().settings
    assert (settings.enabled_languages, settings.prewarm, settings.idle_teardown_secs) == (("rust",), ("rust",), 60)
    project.write("groundwire.toml", 'enabled = false\nlanguages = ["go"]\nprewarm = []\nidle_teardown_secs = 30')
    settings = project.load().settings
    assert (settings.enabled, settings.enabled_languages, settings.prewarm) == (False, ("go",), ())


def test_what_another_program_knows_and_we_do_not_is_a_warning_with_a_line(project: Project) -> None:
    project.write(
        ".llxprt/settings.json",
        '{"lsp": {\n "navigationTool": true,\n "diagnosticTimeout": "soon",\n "servers": {\n  "nope": {},\n'
        '  "ruff": {"comand": "x"}\n}}}',
    )
    loaded = project.load()
    assert [str(problem).removeprefix(f"{project.workspace}/") for problem in loaded.problems] == [
        ".llxprt/settings.json:2: lsp.navigationTool: is not known here. Did you mean navigationTools?",
        ".llxprt/settings.json:5: lsp.servers.nope: names no server that is known.",
        ".llxprt/settings.json:6: lsp.servers.ruff.comand: is not known here. Did you mean command?",
        ".llxprt/settings.json:3: timeouts.diagnostics_warm: should be a valid number.",
    ]
    loaded.require_valid()


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"lsp": 7}', '{"lsp": {"servers": {"ruff": 7}}}'])
def test_a_broken_file_of_another_program_is_a_warning(project: Project, text: str) -> None:
    project.write("opencode.json", text)
    project.write(".llxprt/settings.json", text)
    loaded = project.load()
    assert loaded.problems
    loaded.require_valid()


OPENCODE = """{
  "$schema": "https://example.invalid/config.json",
  "lsp": {
    "typescript": {"disabled": true}, // its name for typescript-language-server
    "luau-lsp": {
      "command": ["luau-lsp", "lsp", "--definitions=globalTypes.d.luau"],
      "extensions": [".luau"],
      "env": {"X": "1"},
      "initialization": {"luau-lsp": {"sourcemap": {"autogenerate": true, "rojoProjectFile": "a.json"}}},
    },
  },
}"""


@pytest.mark.parametrize(
    "name", ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"]
)
def test_the_lsp_key_of_opencode_adds_and_disables_servers(project: Project, name: str) -> None:
    project.write(name, OPENCODE)
    loaded = project.load()
    assert loaded.problems == ()
    assert loaded.settings_when_trusted.server("typescript-language-server").enabled is False
    spec = effective_catalog(load_catalog(), loaded.settings_when_trusted).servers["luau-lsp"]
    assert spec.command == ("luau-lsp", "lsp", "--definitions=globalTypes.d.luau")
    assert spec.environment == {"X": "1"}
    assert spec.initialization_options["luau-lsp"] == {"sourcemap": {"autogenerate": True, "rojoProjectFile": "a.json"}}
    assert str(loaded.origin(("servers", "luau-lsp", "command"))) == f"{project.workspace / name}:6"


def test_a_list_of_servers_is_read_as_one_by_name(project: Project) -> None:
    project.write(
        "opencode.json",
        '{"lsp": [{"id": "mine", "command": ["mine"], "extensions": [".m1"]}, {"name": "rust", "disabled": true}]}',
    )
    settings = project.load().settings_when_trusted
    assert settings.server("mine").command == ("mine",)
    assert settings.server("rust-analyzer").enabled is False


@pytest.mark.parametrize("value", ["true", "false"])
def test_whether_opencode_runs_servers_itself_does_not_concern_us(project: Project, value: str) -> None:
    project.write("opencode.json", f'{{"lsp": {value}}}')
    loaded = project.load()
    assert loaded.settings.enabled
    assert loaded.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"mine": {"command": ["mine"], "extensions": [".m1"], "watch": "rojo sourcemap --watch -o s.json"}}',
        '{"lsp": {"mine": {"command": ["mine"], "watch": ["rojo", "sourcemap", "--watch", "-o", "s.json"]}}}',
        '{"servers": {"mine": {"command": ["mine"], "sidecar": "rojo sourcemap --watch -o s.json"}}}',
    ],
)
def test_dispatch_has_its_own_file_which_goes_in_place_of_opencodes(project: Project, text: str) -> None:
    project.write("opencode.json", '{"lsp": {"other": {"command": ["other"], "extensions": [".o"]}}}')
    project.write(".dispatch/lsp.json", text)
    settings = project.load().settings_when_trusted
    assert "other" not in settings.servers
    assert settings.server("mine").sidecar == ("rojo", "sourcemap", "--watch", "-o", "s.json")


def test_a_named_list_of_servers_replaces_what_would_be_found(project: Project, tmp_path: Path) -> None:
    named = tmp_path / "servers.json"
    named.write_text(
        """{"servers": [
  {"extensions": ["go"], "command": ["gopls"], "language_id": "go"},
  {"extensions": ["ts", "tsx"], "command": ["typescript-language-server", "--stdio"], "language_id": "typescript"},
  {"extensions": ["py"], "command": ["my-python-ls"]},
  {"extensions": ["zz"], "command": ["zz-ls", "-x"], "language_id": "zed"}
]}""",
        "utf-8",
    )
    loaded = project.load(config_file=named)
    assert (loaded.problems, loaded.guarded) == ((), ())
    catalog = effective_catalog(load_catalog(), loaded.settings)
    assert catalog.languages["typescript"].servers == ("typescript-language-server",)
    assert "typescript-language-server" not in catalog.languages["javascript"].servers
    assert catalog.languages["python"].servers == ("my-python-ls",)
    assert catalog.language_of(Path("a.zz")) == "zed"
    assert catalog.servers["zz-ls"].command == ("zz-ls", "-x")


def test_a_named_list_with_mistakes_is_an_error_for_it_is_meant_for_us(project: Project, tmp_path: Path) -> None:
    named = tmp_path / "servers.json"
    named.write_text('{"servers": [{"extensions": ["go"]}, 7]}', "utf-8")
    problems = project.load(config_file=named).problems
    assert [(problem.is_error, problem.message) for problem in problems] == [
        (True, "has no command"),
        (True, "must be an object"),
    ]


def test_a_named_file_may_be_our_own_in_json_or_that_of_another_program(project: Project, tmp_path: Path) -> None:
    named = tmp_path / "own.jsonc"
    named.write_text('{"mode": "off", /* as in TOML */ "timeouts": {"start": 3}}', "utf-8")
    assert project.load(config_file=named).settings.mode == "off"
    named.write_text('{"lsp": false}', "utf-8")
    assert not project.load(config_file=named).settings.enabled


def test_a_named_file_inside_the_workspace_is_the_projects_whoever_names_it(project: Project) -> None:
    named = project.write("servers.json", '{"servers": [{"extensions": ["go"], "command": ["evil"]}]}')
    loaded = project.load(config_file=named)
    assert [value.key for value in loaded.guarded] == [("servers", "evil", "command")]
    assert loaded.settings.server("evil").command is None


@pytest.mark.parametrize(
    "entry",
    [
        '{"command": ["groundwire", "lsp"], "extensions": [".py"]}',
        '{"command": ["/opt/bin/groundwire", "lsp"], "extensions": [".py"]}',
        '{"command": ["/usr/bin/python3", "-m", "groundwire", "lsp"], "extensions": [".py"]}',
    ],
)
def test_an_entry_that_leads_to_groundwire_itself_is_no_server(project: Project, entry: str) -> None:
    project.write("opencode.json", f'{{"lsp": {{"groundwire": {entry}}}}}')
    loaded = project.load()
    assert (loaded.problems, loaded.guarded, loaded.settings_when_trusted.servers) == ((), (), {})
