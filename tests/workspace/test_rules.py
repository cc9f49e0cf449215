"""The rules as data: kebab-case, unknown keys refused, and defaults that prove nothing by themselves."""

import msgspec
import pytest

from groundwire.workspace.rules import ReadinessRule, Rule, SaveCheck, SettleRule


def test_keys_are_written_with_hyphens() -> None:
    rule = msgspec.convert({"publishes-unchanged": True, "debounce-ms": 200}, SettleRule)
    assert rule.publishes_unchanged
    assert rule.debounce_ms == 200


@pytest.mark.parametrize("shape", [SettleRule, ReadinessRule])
def test_an_unknown_key_is_refused(shape: type[Rule]) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({"publishes_unchanged": True, "progress_titles": []}, shape)


@pytest.mark.parametrize(
    ("shape", "key", "value"),
    [
        (SettleRule, "scope", "project"),
        (SettleRule, "pull", "always"),
        (SettleRule, "push", "sometimes"),
        (SettleRule, "sync-command", "other"),
        (SettleRule, "debounce-ms", "200"),
        (ReadinessRule, "progress-starts", "later"),
        (ReadinessRule, "references-need", "luck"),
    ],
)
def test_a_value_that_is_not_one_of_the_known_is_refused(shape: type[Rule], key: str, value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({key: value}, shape)


def test_a_save_check_is_a_table_of_its_own() -> None:
    rule = msgspec.convert({"save-check": {"name": "checker", "token-prefix": "check/"}}, SettleRule)
    assert rule.save_check == SaveCheck(name="checker", token_prefix="check/")


def test_a_save_check_without_a_token_prefix_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="token-prefix"):
        msgspec.convert({"save-check": {"name": "checker"}}, SettleRule)


def test_an_unmeasured_server_is_trusted_with_nothing() -> None:
    rule = SettleRule()
    assert not rule.measured
    assert rule.scope == "workspace"
    assert rule.push == "unknown"
    assert not rule.publishes_unchanged
    assert not rule.touch


def test_a_server_of_which_nothing_is_known_is_asked_across_files_only_when_loaded() -> None:
    rule = ReadinessRule()
    assert rule.gates_references
    assert rule.references_need == "nothing"
