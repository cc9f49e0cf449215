"""Layers: where each comes from, which has the last word, and what is told when something is wrong."""

from pathlib import Path

import pytest

from groundwire.config.problems import Origin
from groundwire.errors import InvalidArgument
from tests.config.projects import Project


def test_without_any_file_the_defaults_hold_and_nothing_is_wrong(project: Project) -> None:
    loaded = project.load()
    assert loaded.problems == ()
    assert loaded.guarded == ()
    settings = loaded.settings
    assert (settings.mode, settings.idle_teardown_secs, settings.max_restarts) == ("errors", 600, 3)
    assert (settings.timeouts.diagnostics_warm, settings.timeouts.diagnostics_cold) == (3, 10)
    assert (settings.max_per_file, settings.other_files, settings.navigation_tools) == (20, "introduced", True)
    assert loaded.origin("mode") == Origin("defaults")


def test_each_layer_goes_before_the_one_below(project: Project, tmp_path: Path) -> None:
    project.write_user("opencode/opencode.json", "{}")
    project.write_user("llxprt-code/settings.json", '{"lsp": {"maxDiagnosticsPerFile": 1}}')
    assert project.load().settings.max_per_file == 1
    project.write_user("groundwire/config.toml", "max_per_file = 2")
    assert project.load().settings.max_per_file == 2
    project.write(".llxprt/settings.json", '{"lsp": {"maxDiagnosticsPerFile": 3}}')
    assert project.load().settings.max_per_file == 3
    project.write("pyproject.toml", "[tool.groundwire]\nmax_per_file = 4")
    assert project.load().settings.max_per_file == 4
    project.write("groundwire.toml", "max_per_file = 5")
    assert project.load().settings.max_per_file == 5
    named = tmp_path / "named.toml"
    named.write_text("max_per_file = 6", "utf-8")
    assert project.load(config_file=named).settings.max_per_file == 6
    assert project.load(GROUNDWIRE_CONFIG=str(named)).settings.max_per_file == 6
    assert project.load(config_file=named, GROUNDWIRE_MAX_PER_FILE="7").settings.max_per_file == 7
    last = project.load(config_file=named, GROUNDWIRE_MAX_PER_FILE="7", flags={"max_per_file": 8})
    assert last.settings.max_per_file == 8


def test_tables_are_merged_key_by_key_and_lists_as_a_whole(project: Project) -> None:
    project.write_user("groundwire/config.toml", 'prewarm = ["ty"]\n[timeouts]\nstart = 1\nrequest = 2')
    project.write("groundwire.toml", 'prewarm = ["ruff"]\n[timeouts]\nrequest = 3')
    settings = project.load().settings
    assert (settings.timeouts.start, settings.timeouts.request, settings.prewarm) == (1, 3, ("ruff",))


def test_the_origin_of_a_value_names_the_layer_the_file_and_the_line(project: Project) -> None:
    user = project.write_user("groundwire/config.toml", 'mode = "all"\n[timeouts]\nstart = 1')
    own = project.write("pyproject.toml", "[project]\nname = 'x'\n[tool.groundwire]\n\nmax_lines = 9")
    foreign = project.write(".llxprt/settings.json", '{\n  "lsp": {\n    "navigationTools": false\n  }\n}')
    loaded = project.load(GROUNDWIRE_MAX_RESTARTS="0", flags={"severity": "hint"})
    assert loaded.origin("mode") == Origin("user", user, 1)
    assert loaded.origin("timeouts.start") == Origin("user", user, 3)
    assert loaded.origin("max_lines") == Origin("project", own, 5)
    assert loaded.origin("navigation_tools") == Origin("project", foreign, 3)
    assert str(loaded.origin("max_restarts")) == "GROUNDWIRE_MAX_RESTARTS"
    assert loaded.origin("severity").layer == "flags"


def test_all_errors_are_told_at_once_each_with_file_line_key_and_suggestion(project: Project) -> None:
    project.write(
        "groundwire.toml",
        """mdoe = "off"
languages = ["pyton"]
prewarm = ["golps"]
[timeouts]
request = "long"
strat = 1
[servers.pyrigth]
timeout = 3
[servers.pyright]
command = 5
max_restarts = -1
[servers.gopls.settle]
puhs = "never"
[memory]
total_mb = inf
""",
    )
    assert project.told() == [
        "groundwire.toml:15: memory.total_mb: inf is not a finite number.",
        "groundwire.toml:5: timeouts.request: should be a valid number.",
        "groundwire.toml:6: timeouts.strat: there is no such key. Did you mean start?",
        "groundwire.toml:10: servers.pyright.command: should be a valid string, or should be a valid array.",
        "groundwire.toml:11: servers.pyright.max_restarts: should be greater than or equal to 0.",
        "groundwire.toml:12: servers.gopls.settle: object contains unknown field `puhs`.",
        "groundwire.toml:1: mdoe: there is no such key. Did you mean mode?",
        "groundwire.toml:7: servers.pyrigth: there is no such server. Did you mean pyright?",
        "groundwire.toml:2: enabled_languages: no language is called 'pyton'. Did you mean python?",
        "groundwire.toml:3: prewarm: no server or language is called 'golps'. Did you mean gopls?",
    ]


def test_what_is_right_in_a_file_holds_although_other_keys_are_wrong(project: Project) -> None:
    project.write("groundwire.toml", 'mode = "loud"\nmax_lines = 7')
    loaded = project.load()
    assert (loaded.settings.mode, loaded.settings.max_lines) == ("errors", 7)


def test_errors_of_several_files_become_one_typed_error(project: Project) -> None:
    project.write_user("groundwire/config.toml", "max_lines = true")
    project.write("groundwire.toml", "mode = \nmax_lines")
    with pytest.raises(InvalidArgument) as refused:
        project.load(GROUNDWIRE_MAX_PER_FILE="many").require_valid()
    message = refused.value.message
    assert message.startswith("the configuration has 3 errors:")
    assert "config.toml:1: max_lines: should be a valid integer." in message
    assert "groundwire.toml:1: is not TOML: Invalid value (at line 1, column 8)." in message
    assert "GROUNDWIRE_MAX_PER_FILE: max_per_file: should be a valid integer" in message


def test_a_valid_configuration_is_let_through(project: Project) -> None:
    project.write("groundwire.toml", 'mode = "off"')
    project.load().require_valid()
    assert project.load().settings.mode == "off"


def test_an_unknown_key_with_nothing_near_is_answered_with_what_there_is(project: Project) -> None:
    project.write("groundwire.toml", "[memory]\nzzz = 1")
    assert project.told() == [
        "groundwire.toml:2: memory.zzz: there is no such key. Known in [memory] are per_server_mb, total_mb."
    ]


def test_a_broken_pyproject_is_a_warning_for_its_own_tools_complain_of_it(project: Project) -> None:
    project.write("pyproject.toml", "[tool.groundwire\n")
    (problem,) = project.load().problems
    assert not problem.is_error
    assert problem.line == 1


def test_a_pyproject_that_does_not_mention_groundwire_is_not_our_business(project: Project) -> None:
    project.write("pyproject.toml", "[[broken")
    assert project.load().problems == ()


def test_groundwire_toml_goes_before_pyproject_and_says_so(project: Project) -> None:
    project.write("pyproject.toml", '[tool.groundwire]\nmode = "off"')
    project.write("groundwire.toml", "")
    loaded = project.load()
    assert loaded.settings.mode == "errors"
    assert [str(problem.message) for problem in loaded.problems] == [
        "[tool.groundwire] is not read, because there is a groundwire.toml"
    ]
    loaded.require_valid()


def test_a_named_file_that_is_not_there_is_an_error(project: Project) -> None:
    (problem,) = project.load(config_file=Path("nowhere.toml")).problems
    assert problem.is_error
    assert problem.message == "there is no such file"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"#" * (1024 * 1024 + 1)])
def test_a_file_that_cannot_be_a_configuration_is_an_error_and_no_crash(project: Project, content: bytes) -> None:
    (project.workspace / "groundwire.toml").write_bytes(content)
    (problem,) = project.load().problems
    assert problem.is_error


def test_a_new_server_needs_a_command_and_something_to_serve(project: Project) -> None:
    project.write("groundwire.toml", '[servers.mine]\ncommand = "mine"\n[servers.zzzz]\nenabled = true')
    assert project.told() == [
        "groundwire.toml:1: servers.mine: is a new server that serves nothing. Set its extensions or its languages.",
        "groundwire.toml:3: servers.zzzz: there is no such server. A new server needs a command or an address.",
    ]


def test_a_marker_that_leads_out_of_its_directory_is_refused(project: Project) -> None:
    for marker in ("/etc/*", "../x", "**/x"):
        project.write("groundwire.toml", f'[servers.gopls]\nroot_markers = ["{marker}"]')
        assert len(project.load().problems) == 1


def test_every_shape_of_a_server_is_read(project: Project) -> None:
    project.write_user(
        "groundwire/config.toml",
        """[servers.mine]
command = ["mine", "--stdio"]
args = ["--fast"]
env = { A = "1" }
settings = { mine = { deep = true } }
initialization_options = { x = [1, 2] }
extensions = ["mine", ".yours"]
root_markers = [["mine.lock"], ["mine.toml"]]
timeout = 2.5
max_restarts = 0
sidecar = ["helper", "--watch"]
idle_teardown_secs = 0
[servers.remote]
connect = "localhost:9999"
languages = ["go"]
""",
    )
    loaded = project.load()
    assert loaded.problems == ()
    mine = loaded.settings.server("mine")
    assert mine.extensions == (".mine", ".yours")
    assert mine.sidecar == ("helper", "--watch")
    assert loaded.settings.server("remote").connect == "localhost:9999"
    assert loaded.settings.max_restarts_of("mine") == 0
    assert loaded.settings.max_restarts_of("gopls") == 3
    assert loaded.settings.request_timeout_of("mine") == 2.5
    assert loaded.settings.idle_teardown_of("mine") == 0
    assert loaded.settings.idle_teardown_of("gopls") == 600


def test_an_address_without_a_port_is_refused(project: Project) -> None:
    project.write("groundwire.toml", '[servers.gopls]\nconnect = "localhost"')
    assert len(project.load().problems) == 1


def test_languages_can_be_listed_or_switched_off(project: Project) -> None:
    project.write("groundwire.toml", 'languages = ["python", "go"]')
    assert [project.load().settings.serves(name) for name in ("python", "rust")] == [True, False]
    project.write("groundwire.toml", "[languages.rust]\nenabled = false")
    assert [project.load().settings.serves(name) for name in ("python", "rust")] == [True, False]
    project.write("groundwire.toml", "enabled = false")
    assert not project.load().settings.serves("python")


@pytest.mark.parametrize(
    ("text", "least"),
    [("", "error"), ("include_warnings = true", "warning"), ('severity = "hint"\ninclude_warnings = true', "hint")],
)
def test_include_warnings_lowers_the_severity_to_warnings(project: Project, text: str, least: str) -> None:
    project.write("groundwire.toml", text)
    assert project.load().settings.least_severity == least
