"""The words of the data, filled with the command."""

from groundwire.surfaces.setup.launch import Launch
from groundwire.surfaces.setup.words import filled, filled_text, words_for

WORDS = words_for(Launch("/bin/groundwire", ("-x",), "linux"), root="/p", agent="cursor")


def test_a_value_is_filled_however_deep() -> None:
    value = {"a": ["$program", {"args": "$mcp"}], "b": "$unknown", "c": 1, "d": "x $program"}
    assert filled(value, WORDS) == {
        "a": ["/bin/groundwire", {"args": ["-x", "mcp", "--root", "/p"]}],
        "b": "$unknown",
        "c": 1,
        "d": "x $program",
    }


def test_in_a_text_lines_stay_lines_and_lists_are_json() -> None:
    text = "const command = $command; // $hook\nawait $`ls ${x} $y`"
    assert filled_text(text, WORDS) == (
        'const command = ["/bin/groundwire", "-x"]; // /bin/groundwire -x hook --agent cursor\nawait $`ls ${x} $y`'
    )
