"""What is decided before anything is started."""

import pytest

from groundwire.errors import InvalidArgument
from tests.operations.workspaces import Workspace


def test_a_configuration_with_mistakes_is_refused_with_all_of_them(workspace: Workspace) -> None:
    workspace.configure("mod = 1\nseverty = 2")
    with pytest.raises(InvalidArgument, match="2 errors"):
        workspace.decisions()


def test_servers_that_others_are_named_instead_of_are_told_with_the_place_that_names_them(workspace: Workspace) -> None:
    workspace.write("groundwire.toml", '[languages.python]\nservers = ["ty"]\n')
    kept_out = {each.server: each for each in workspace.decisions().kept_out("python")}
    assert kept_out["pyright"].why == "languages.python.servers does not name it (groundwire.toml:2)"
    assert not kept_out["pyright"].is_switched_off
    assert "ty" not in kept_out


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("enabled = false", "enabled"),
        ('languages = ["go"]', "enabled_languages"),
        ("[languages.python]\nenabled = false", "languages.python.enabled"),
    ],
)
def test_a_language_that_is_off_is_told_with_the_key_that_says_so(workspace: Workspace, text: str, key: str) -> None:
    workspace.write("groundwire.toml", text)
    assert workspace.decisions().why_off("python").startswith(f"{key} switches it off (groundwire.toml")


def test_trust_helps_only_where_something_waits_for_it(workspace: Workspace) -> None:
    assert not workspace.decisions().trust_helps
    workspace.configure('project_code = "never"')
    assert not workspace.decisions().trust_helps
    workspace.write("groundwire.toml", '[servers.clangd]\nargs = ["-x"]\n')
    assert workspace.decisions().trust_helps
