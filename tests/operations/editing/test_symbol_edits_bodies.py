"""Replacing bodies: whole definitions, indentation, expressions, comments on the line of the signature."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.editing.body_edits import replace_body
from tests.operations.symbols_in_text import Spot, located


def replaced(text: str, language: str, body: str, *, name: str = "f", whole: str = "", kind: int = 12) -> str:
    return replace_body(located(text, language, name, Spot(name, whole or text.strip(), kind)), body).applied_to(text)


@pytest.mark.parametrize(
    ("language", "text", "body", "expected"),
    [
        ("csharp", "int f(int a) => a + 1;\n", "a + 2", "int f(int a) => a + 2;\n"),
        ("csharp", "int f(int a) => a + 1;\n", "{ return 2; }", "int f(int a) {\n    return 2;\n}\n"),
        ("csharp", 'int f() { return $"{g("}")}"; }\n', "return 2;", "int f() { return 2; }\n"),
        ("kotlin", 'fun f(a: Int = 1): String = "${g("}")}"\n', '"b"', 'fun f(a: Int = 1): String = "b"\n'),
        ("kotlin", "fun f(a: Int): Int {\n    return a\n}\n", "return 2", "fun f(a: Int): Int {\n    return 2\n}\n"),
        ("scala", "def f(a: Int): Int = a + 1\n", "{ a\na }", "def f(a: Int): Int = {\n  a\n  a\n}\n"),
        ("swift", 'func f(a: Int) -> String { "\\(g("}"))" }\n', '"b"', 'func f(a: Int) -> String { "b" }\n'),
        ("dart", "int f(int a) => a;\n", "a + 1;", "int f(int a) => a + 1;\n"),
        ("php", 'function f($a) {\n    return "}";\n}\n', "return 1;", "function f($a) {\n    return 1;\n}\n"),
        ("lua", 'function f(a,\n  b)\n  return "end"\nend\n', "return 1", "function f(a,\n  b)\n  return 1\nend\n"),
        ("lua", "function f(a) return a end\n", "return 1", "function f(a) return 1 end\n"),
        ("ruby", 'def f(a)\n  "#{a} end"\nend\n', "a + 1", "def f(a)\n  a + 1\nend\n"),
        ("elixir", "def f(a) when a > 1 do\n  a\nend\n", "a + 1", "def f(a) when a > 1 do\n  a + 1\nend\n"),
        ("elixir", "def f(a), do: a\n", "a + 1", "def f(a), do: a + 1\n"),
        ("zig", "fn f(a: u8) u8 {\n    return a;\n}\n", "return 1;", "fn f(a: u8) u8 {\n    return 1;\n}\n"),
        ("unknown", "def f(a)\n  use a\n", "use b", "def f(a)\n  use b\n"),
        ("unknown", "rule f {\n  use a\n}\n", "use b", "rule f {\n  use b\n}\n"),
    ],
)
def test_each_way_to_write_a_body_is_understood(language: str, text: str, body: str, expected: str) -> None:
    assert replaced(text, language, body) == expected


@pytest.mark.parametrize(
    ("text", "body", "expected"),
    [
        ("const f = (a) => a + 1;", "a + 2;", "const f = (a) => a + 2;"),
        ("const f = (a) => a + 1;", "return 2;", "const f = (a) => {\n  return 2;\n};"),
        ("const f = (a) => ({ a });", "{ b: 1 }", "const f = (a) => ({ b: 1 });"),
        ("const f = (a) => ({ a });", "{ return 1; }", "const f = (a) => {\n  return 1;\n};"),
        ("const f = a => (b) => { return a; };", "return b;", "const f = a => (b) => { return b; };"),
        ("const f: (a: T) => { b: 1 } = (a) => g(a);", "h(a)", "const f: (a: T) => { b: 1 } = (a) => h(a);"),
        ("const f = (a) => a ? { b: 1 } : { c: 2 };", "a", "const f = (a) => a;"),
    ],
)
def test_functions_that_are_values_are_understood(text: str, body: str, expected: str) -> None:
    whole = text.removeprefix("const ").removesuffix(";")
    assert replaced(f"{text}\n", "typescript", body, whole=whole, kind=14) == f"{expected}\n"


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("typescript", "f = { a() {} }", 14),
        ("typescript", "f = memo(() => { return 1; })", 14),
        ("typescript", "f(): () => { a: number };", 6),
        ("go", "f = map[string]int{}", 13),
        ("go", "func f() interface{}", 12),
        ("cpp", "int f{1};", 13),
        ("cpp", "int f() try { } catch (...) { }", 12),
        ("java", "Runnable f = new Runnable() { public void run() {} };", 8),
        ("python", "f = lambda a: {\n}", 13),
        ("rust", "const f: T = T { a: 1 };", 14),
    ],
)
def test_what_only_looks_like_a_body_is_none(language: str, text: str, kind: int) -> None:
    with pytest.raises(InvalidArgument, match="has no body"):
        replaced(f"{text}\n", language, "a", kind=kind)


@pytest.mark.parametrize(
    ("language", "text", "given"),
    [
        ("python", "# c\n@d\ndef f(a):\n    return 1\n", "async def f(b):\n    return 2"),
        ("typescript", "// c\nexport function f(a) {\n  return 1;\n}\n", "export function f(b) {\n  return 2;\n}"),
        ("go", "// c\nfunc (s *S) f(a int) int {\n\treturn 1\n}\n", "func (s *S) f(b int) int {\n\treturn 2\n}"),
        ("rust", "/// c\npub fn f(a: u8) -> u8 {\n    1\n}\n", "fn f<T>(b: T) -> u8 {\n    2\n}"),
        ("cpp", "// c\nint f(int a) {\n  return 1;\n}\n", "static int f(int b) {\n  return 2;\n}"),
        ("java", "/** c */\n@A\npublic int f(int a) {\n    return 1;\n}\n", "int f(int b) {\n    return 2;\n}"),
    ],
)
def test_a_whole_definition_replaces_the_whole_symbol(language: str, text: str, given: str) -> None:
    at = located(text, language, "f", Spot("f", text.strip(), 12))
    change = replace_body(at, given)
    above = text[: next(text.index(line) for line in text.split("\n") if " f(" in line)]
    assert change.applied_to(text) == f"{above}{given}\n"
    assert "whole definition" in change.notes[0]


def test_a_whole_definition_that_brings_its_comments_replaces_those_too() -> None:
    text = "x = 1\n\n# old\n@old\ndef f(a):\n    return 1\n"
    at = located(text, "python", "f", Spot("f", "def f(a):\n    return 1"))
    new = replace_body(at, "# new\n@new\ndef f(a):\n    return 2\n").applied_to(text)
    assert new == "x = 1\n\n# new\n@new\ndef f(a):\n    return 2\n"


@pytest.mark.parametrize(
    ("language", "text", "kind", "body"),
    [
        ("python", "def f(a):\n    return 1\n", 12, "return f(a - 1)"),
        ("python", "def f(a):\n    return 1\n", 12, "f(a)\ndef g():\n    pass"),
        ("typescript", "f(a) {\n  return 1;\n}\n", 6, "f(a - 1);\nif (a) { g(); }"),
        ("cpp", "int f(int a) {\n  return 1;\n}\n", 12, "return f(a);"),
        ("java", "int f(int a) {\n    return 1;\n}\n", 6, "f(a);\nwhile (a) { g(); }"),
        ("go", "func f(a int) {\n\tg()\n}\n", 12, "f(a)\ndefer func() { f(a) }()"),
    ],
)
def test_a_call_of_itself_is_no_definition(language: str, text: str, kind: int, body: str) -> None:
    change = replace_body(located(text, language, "f", Spot("f", text.strip(), kind)), body)
    assert change.notes == ()
    assert change.applied_to(text).startswith(text.partition("\n")[0])


def test_comments_on_the_lines_of_the_braces_stay() -> None:
    text = "int f(int a) { // why\n  return 1;\n} // end\nint g;\n"
    new = replaced(text, "cpp", "return 2;", whole="int f(int a) { // why\n  return 1;\n}")
    assert new == "int f(int a) { // why\n  return 2;\n} // end\nint g;\n"


def test_a_comment_at_the_end_does_not_swallow_the_brace() -> None:
    assert replaced("int f() { return 1; }\n", "cpp", "return 2; // two") == "int f() {\n  return 2; // two\n}\n"


@pytest.mark.parametrize(
    ("language", "expected"), [("python", "def f(a):\n    pass\n"), ("go", "func f(a int) {\n}\n")]
)
def test_an_empty_body_leaves_what_parses(language: str, expected: str) -> None:
    text = "def f(a):\n    g()\n" if language == "python" else "func f(a int) {\n\tg()\n}\n"
    assert replaced(text, language, "\n") == expected


def test_braces_that_do_not_match_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="do not match"):
        replaced("int f() { return 1; }\n", "cpp", "if (a) { return 2;")


def test_the_body_takes_the_indentation_of_its_place() -> None:
    text = "class C:\n\tdef f(self):\n\t\treturn 1\n"
    at = located(text, "python", "C.f", Spot("C", text.strip(), 5, (Spot("f", "def f(self):\n\t\treturn 1", 6),)))
    new = replace_body(at, '        """Say.\n\n        More.\n        """\n        if a:\n            b()').applied_to(
        text
    )
    assert new == 'class C:\n\tdef f(self):\n\t\t"""Say.\n\n\t\tMore.\n\t\t"""\n\t\tif a:\n\t\t\tb()\n'


def test_a_first_line_that_lost_its_indentation_gets_it_back() -> None:
    text = "class C {\n  f() {\n    return 1;\n  }\n}\n"
    at = located(text, "typescript", "C.f", Spot("C", text.strip(), 5, (Spot("f", "f() {\n    return 1;\n  }", 6),)))
    new = replace_body(at, "if (a) {\n      b();\n    }").applied_to(text)
    assert new == "class C {\n  f() {\n    if (a) {\n      b();\n    }\n  }\n}\n"


def test_a_server_that_tells_only_names_is_enough() -> None:
    text = "def act(a):\n    return {\n1: 2}\n\n\nint = 1\n"
    new = replaced(text, "python", "return 2", name="act", whole="act")
    assert new == "def act(a):\n    return 2\n\n\nint = 1\n"
    script = 'function act(a: { b: 1 }) {\n  return "}";\n}\nlet c;\n'
    new = replaced(script, "typescript", "return 2;", name="act", whole="act")
    assert new == "function act(a: { b: 1 }) {\n  return 2;\n}\nlet c;\n"
