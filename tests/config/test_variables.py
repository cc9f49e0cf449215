"""Settings from the environment and from flags."""

import pytest

from tests.config.projects import Project


def test_a_variable_sets_a_key_and_two_underscores_go_one_table_deeper(project: Project) -> None:
    settings = project.load(
        GROUNDWIRE_MODE="all",
        GROUNDWIRE_VERBOSE_STATUS="true",
        GROUNDWIRE_TIMEOUTS__REQUEST="2.5",
        GROUNDWIRE_MEMORY__TOTAL_MB="4096",
        GROUNDWIRE_PERMISSIONS__RENAME_SYMBOL="deny",
    ).settings
    assert (settings.mode, settings.verbose_status) == ("all", True)
    assert (settings.timeouts.request, settings.memory.total_mb) == (2.5, 4096)
    assert settings.permissions == {"rename_symbol": "deny"}


@pytest.mark.parametrize("text", ["gopls,ruff", " gopls , ruff ", '["gopls", "ruff"]'])
def test_a_list_is_words_with_commas_or_as_in_toml(project: Project, text: str) -> None:
    assert project.load(GROUNDWIRE_PREWARM=text).settings.prewarm == ("gopls", "ruff")


def test_names_with_hyphens_and_dots_are_found(project: Project) -> None:
    settings = project.load(
        GROUNDWIRE_SERVERS__RUST_ANALYZER__ENABLED="false",
        GROUNDWIRE_LANGUAGES__GO_MOD__ENABLED="false",
        GROUNDWIRE_SERVERS__PYRIGHT__COMMAND="/opt/pyright",
        GROUNDWIRE_SERVERS__GOPLS__COMMAND='["gopls", "-v"]',
    ).settings
    assert settings.server("rust-analyzer").enabled is False
    assert not settings.serves("go.mod")
    assert settings.server("pyright").command == "/opt/pyright"
    assert settings.server("gopls").command == ("gopls", "-v")


def test_a_variable_that_sets_nothing_is_a_warning_with_a_suggestion(project: Project) -> None:
    loaded = project.load(GROUNDWIRE_MOED="all")
    assert [str(problem) for problem in loaded.problems] == [
        "GROUNDWIRE_MOED: sets nothing that is known. Did you mean GROUNDWIRE_MODE?"
    ]
    loaded.require_valid()


def test_variables_with_other_purposes_are_left_alone(project: Project) -> None:
    loaded = project.load(GROUNDWIRE_TOKEN="x", GROUNDWIRE_OUTPUT="json", GROUNDWIRE_TEST_WORKERS="2")
    assert loaded.problems == ()


def test_a_variable_with_a_wrong_value_is_an_error_that_names_it(project: Project) -> None:
    (problem,) = project.load(GROUNDWIRE_MODE="loud").problems
    assert problem.where == "GROUNDWIRE_MODE"
    assert "'introduced', 'errors', 'all'" in problem.message


def test_flags_may_be_dotted_and_go_before_everything(project: Project) -> None:
    loaded = project.load(GROUNDWIRE_TIMEOUTS__START="1", flags={"timeouts.start": 2, "memory": {"total_mb": 3}})
    assert (loaded.settings.timeouts.start, loaded.settings.memory.total_mb) == (2, 3)


def test_a_wrong_flag_is_an_error_of_the_command_line(project: Project) -> None:
    (problem,) = project.load(flags={"timeouts.strat": 2}).problems
    assert str(problem) == "the command line: timeouts.strat: there is no such key. Did you mean start?"
