"""What a project may decide by itself, and what needs the user's trust."""

import pytest

from groundwire.config.server_settings import ServerSettings
from tests.config.projects import Project


def guarded(project: Project) -> list[str]:
    return [".".join(value.key) for value in project.load().guarded]


@pytest.mark.parametrize(
    "text",
    [
        'mode = "off"\nseverity = "hint"\nmax_per_file = 1\nmax_lines = 5\nidle_teardown_secs = 1\nmax_restarts = 0',
        'prewarm = ["gopls"]\n[timeouts]\nstart = 1\n[memory]\ntotal_mb = 100',
        '[languages.python]\nservers = ["ty"]\nlinters = []',
        '[servers.gopls]\nenabled = false\ntimeout = 3\nmax_restarts = 1\nroot_markers = ["x"]\nextensions = [".go"]',
        'languages = ["python"]',
        "enabled = false",
        'project_code = "never"\n[permissions]\nrename_symbol = "deny"\nfind_symbol = "ask"',
    ],
)
def test_choices_limits_and_restrictions_need_no_trust(project: Project, text: str) -> None:
    project.write("groundwire.toml", text)
    loaded = project.load()
    assert (loaded.problems, loaded.guarded) == ((), ())
    assert loaded.settings == loaded.settings_when_trusted


@pytest.mark.parametrize(
    "line",
    [
        'command = ["x"]',
        'args = ["x"]',
        'env = { PATH = "." }',
        'sidecar = ["x"]',
        'connect = "evil.example:1"',
        "settings = { rust-analyzer = { check = { overrideCommand = ['x'] } } }",
        "initialization_options = { a = 1 }",
        'also_named = ["sh"]',
        'version_command = ["-c", "x"]',
        "executes_project_code = false",
        "settle = { measured = true }",
        "readiness = {}",
        "must_run_version = false",
        "activates_venv = true",
    ],
)
def test_whatever_can_lead_to_a_command_or_to_a_false_proof_is_withheld(project: Project, line: str) -> None:
    project.write("groundwire.toml", f"[servers.rust-analyzer]\ntimeout = 3\n{line}")
    loaded = project.load()
    assert guarded(project) == [f"servers.rust-analyzer.{line.split(' =', maxsplit=1)[0]}"]
    assert loaded.settings.server("rust-analyzer") == ServerSettings(timeout=3)
    assert loaded.settings_when_trusted.server("rust-analyzer") != ServerSettings(timeout=3)


def test_the_users_own_file_needs_no_trust(project: Project) -> None:
    project.write_user("groundwire/config.toml", '[servers.gopls]\ncommand = ["x"]\n[permissions]\nwrite = "allow"')
    loaded = project.load(GROUNDWIRE_SERVERS__RUFF__COMMAND="y", flags={"servers.ty.command": "z"})
    assert loaded.guarded == ()
    assert loaded.settings.server("gopls").command == ("x",)


@pytest.mark.parametrize(
    ("user", "own", "withheld"),
    [
        ("", '[permissions]\nx = "allow"', ["permissions.x"]),
        ('[permissions]\nx = "deny"', '[permissions]\nx = "ask"', ["permissions.x"]),
        ('[permissions]\nx = "allow"', '[permissions]\nx = "ask"', []),
        ('project_code = "never"', 'project_code = "trusted"', ["project_code"]),
        ('project_code = "never"', 'project_code = "allow"', ["project_code"]),
        ("enabled = false", "enabled = true", ["enabled"]),
        ("[servers.gopls]\nenabled = false", "[servers.gopls]\nenabled = true", ["servers.gopls.enabled"]),
        ("[languages.go]\nenabled = false", "[languages.go]\nenabled = true", ["languages.go.enabled"]),
        ('languages = ["go"]', 'languages = ["go", "rust"]', ["enabled_languages"]),
        ('languages = ["go"]', "languages = []", ["enabled_languages"]),
        ('languages = ["go", "rust"]', 'languages = ["go"]', []),
        ("", "enabled = true\n[servers.gopls]\nenabled = true", []),
    ],
)
def test_a_project_may_tighten_what_the_user_set_and_not_loosen_it(
    project: Project, user: str, own: str, withheld: list[str]
) -> None:
    project.write_user("groundwire/config.toml", user)
    project.write("groundwire.toml", own)
    assert guarded(project) == withheld


def test_what_the_user_says_above_the_project_holds_without_trust(project: Project) -> None:
    project.write("groundwire.toml", '[servers.gopls]\ncommand = ["evil"]\nargs = ["evil"]')
    loaded = project.load(GROUNDWIRE_SERVERS__GOPLS__COMMAND='["mine"]')
    assert loaded.settings.server("gopls").command == ("mine",)
    assert loaded.settings_when_trusted.server("gopls").args is None


def test_every_project_file_is_held_to_it(project: Project) -> None:
    entry = '{"gopls": {"command": ["evil"]}}'
    project.write("opencode.json", f'{{"lsp": {entry}}}')
    project.write("opencode.jsonc", f'{{"lsp": {entry}}} //')
    project.write(".opencode/opencode.json", f'{{"lsp": {entry}}}')
    project.write(".llxprt/settings.json", f'{{"lsp": {{"servers": {entry}}}}}')
    project.write("pyproject.toml", '[tool.groundwire.servers.gopls]\ncommand = ["evil"]')
    assert guarded(project) == ["servers.gopls.command"] * 5
    project.write(".dispatch/lsp.json", entry)
    assert guarded(project) == ["servers.gopls.command"] * 3
    assert project.load().settings.servers["gopls"] == ServerSettings()


def test_editor_settings_are_never_read(project: Project) -> None:
    project.write(".vscode/settings.json", '{"rust-analyzer.check.overrideCommand": ["evil"], "lsp": {"x": {}}}')
    project.write(".zed/settings.json", '{"lsp": {"rust-analyzer": {"binary": {"path": "evil"}}}}')
    loaded = project.load()
    assert (loaded.guarded, loaded.problems) == ((), ())
    assert {layer.file for layer in loaded.layers} == {None}
