"""Placeholders: filled where they can be, left out with their key where not, refused where they mean nothing."""

from groundwire.registry.placeholders import fill_command, fill_table, unknown_placeholders


def lookup(name: str, argument: str) -> str | None:
    return {"root": "/p", "found": f"/bin/{argument}"}.get(name)


def test_placeholders_are_filled_at_any_depth() -> None:
    table = {"a": {"b": ["{root}/x", 1], "c": True}, "d": "{found:zig} in {root}", "e": "plain"}
    assert fill_table(table, lookup) == {
        "a": {"b": ["/p/x", 1], "c": True},
        "d": "/bin/zig in /p",
        "e": "plain",
    }


def test_what_has_no_value_is_left_out_with_its_key() -> None:
    assert fill_table({"a": {"b": "{python}"}, "c": ["{python}", "x"]}, lookup) == {"a": {}, "c": ["x"]}
    assert fill_table({"a": "{root} {python}"}, lookup) == {}
    assert fill_command(("x", "{python}", "{root}"), lookup) == ("x", "/p")


def test_a_null_can_be_written() -> None:
    assert fill_table({"a": "{null}", "b": ["{null}"]}, lookup) == {"a": None, "b": [None]}


def test_other_braces_are_left_alone() -> None:
    table = {"a": "**/*.{ts,tsx}", "b": "{}", "c": "{Root}", "d": "${HOME}"}
    assert fill_table(table, lookup) == table


def test_a_table_is_not_changed_but_made_anew() -> None:
    table = {"a": {"b": "{root}"}}
    fill_table(table, lookup)
    assert table == {"a": {"b": "{root}"}}


def test_a_value_is_not_filled_again() -> None:
    assert fill_table({"a": "{root}"}, lambda _, __: "{root}") == {"a": "{root}"}


def test_placeholders_without_a_meaning_are_named() -> None:
    assert unknown_placeholders({"a": ["{root}", "{rot}"], "b": {"c": "{found:x} {fund:x}"}, "d": 1}) == [
        "{rot}",
        "{fund:x}",
    ]
