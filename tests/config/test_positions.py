"""On which line each key of a TOML file stands."""

from groundwire.config.positions import line_of, toml_lines

TEXT = """mode = "all" # a comment
"quoted key" = 1

[timeouts]
request = 5
[servers."a.b"] # with a dot
command = ["x"]
env.PATH = "y"

[[several]]
a = 1
"""


def test_keys_and_tables_have_their_lines() -> None:
    assert toml_lines(TEXT) == {
        ("mode",): 1,
        ("quoted key",): 2,
        ("timeouts",): 4,
        ("timeouts", "request"): 5,
        ("servers", "a.b"): 6,
        ("servers", "a.b", "command"): 7,
        ("servers", "a.b", "env", "PATH"): 8,
        ("several",): 10,
        ("several", "a"): 11,
    }


def test_a_key_without_a_line_has_that_of_the_table_round_it() -> None:
    lines = toml_lines(TEXT)
    assert line_of(("servers", "a.b", "env", "HOME"), lines) == 6
    assert line_of(("nowhere",), lines) is None


def test_what_only_looks_like_a_key_does_no_harm() -> None:
    assert toml_lines('a = """\n[ = ]\nb = 1\n"""')[("a",)] == 1
