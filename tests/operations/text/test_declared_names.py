"""Names that a text declares less often than it did are gone for somebody, though the text may still have them."""

import time

import pytest

from groundwire.operations.reporting.touched import lost_names
from groundwire.operations.text.declared_names import lost_declarations

DECLARATIONS = [
    ("def {}(a, b):\n    return a\n", "python"),
    ("async def {}():\n    pass\n", "python"),
    ("class {}(Base):\n    pass\n", "python"),
    ("{} = 1\n", "python"),
    ("{}: int = 1\n", "python"),
    ("one, {} = 1, 2\n", "python"),
    ("class A:\n    {} = 1\n", "python"),
    ("class A:\n    def {}(self):\n        pass\n", "python"),
    ("class A:\n    def __init__(self):\n        self.{} = 1\n", "python"),
    ("from a import b, {}\n", "python"),
    ("from a import (\n    b,\n    {},\n)\n", "python"),
    ("if True:\n    def {}():\n        pass\n", "python"),
    ("export function {}(a: number): void {{\n}}\n", "typescript"),
    ("export const {} = 1;\n", "typescript"),
    ("export default class {} {{\n}}\n", "typescript"),
    ("interface A {{\n  {}: string;\n}}\n", "typescript"),
    ("interface A {{\n  {}?: string;\n}}\n", "typescript"),
    ("class A {{\n  async {}(a: number) {{\n    return 1;\n  }}\n}}\n", "typescript"),
    ("class A {{\n  private readonly {} = 1;\n}}\n", "typescript"),
    ("export {{ a, {} }} from './b';\n", "typescript"),
    ("enum A {{\n  One,\n  {},\n}}\n", "typescript"),
    ("export type {} = string | number;\n", "typescript"),
    ("export type {} = keyof typeof wanted;\nexport const wanted = {{}};\n", "typescript"),
    ("func {}(a int) int {{\n\treturn 1\n}}\n", "go"),
    ("func (s *Store) {}() {{\n}}\n", "go"),
    ("type {} struct {{\n\tA int\n}}\n", "go"),
    ('type A struct {{\n\t{} string `json:"x"`\n}}\n', "go"),
    ("const (\n\tOne = iota\n\t{}\n)\n", "go"),
    ("pub fn {}(a: u8) -> u8 {{\n    1\n}}\n", "rust"),
    ("pub struct A {{\n    pub {}: u8,\n}}\n", "rust"),
    ("enum A {{\n    One(u8),\n    {}(u8),\n}}\n", "rust"),
    ("impl A {{\n    fn {}(&self) {{\n    }}\n}}\n", "rust"),
    ("pub use a::{{b, {}}};\n", "rust"),
    ("macro_rules! {} {{\n}}\n", "rust"),
    ("int {}(int a) {{\n  return 1;\n}}\n", "c++"),
    ("int {}(int a);\n", "c++"),
    ("struct A {{\n  std::vector<int> {};\n}};\n", "c++"),
    ("int A::{}(int a) {{\n  return 1;\n}}\n", "c++"),
    ("#define {} 10\n", "c"),
    ("class A {{\n  public string ${} = '';\n}}\n", "php"),
    ("class A {{\n  public ${};\n}}\n", "php"),
    ("class A\n  attr_reader :one, :{}\nend\n", "ruby"),
    ("class A\n  def {}\n    1\n  end\nend\n", "ruby"),
    ("function M.{}(a)\n  return 1\nend\n", "lua"),
    ("Thing.prototype.{} = function () {{\n}};\n", "javascript"),
    ("defmodule A do\n  def {}(a) do\n    a\n  end\nend\n", "elixir"),
    ("class A\n{{\n    public static int {}(int a)\n    {{\n        return 1;\n    }}\n}}\n", "java"),
    ("class A {{\n    private final Map<String, Integer> {} = null;\n}}\n", "java"),
]


@pytest.mark.parametrize(("text", "language"), DECLARATIONS)
def test_a_declaration_that_is_gone_is_noticed_wherever_else_its_name_still_stands(text: str, language: str) -> None:
    mark = "#" if language == "python" else "//"
    rest = f"{mark} wanted is spoken of here\nuse(wanted, 'wanted')\n"
    before = text.format("wanted") + rest
    after = text.format("other") + rest
    lines = before.splitlines()
    removed = [number for number, line in enumerate(lines) if line not in after.splitlines()]
    assert "wanted" in lost_declarations(before, after, removed)


def test_one_of_two_that_have_the_same_name_is_noticed_to_be_gone() -> None:
    text = "class A:\n    def read(self): ...\n\nclass B:\n    def read(self): ...\n"
    assert lost_declarations(text, text.replace("    def read(self): ...\n", "    pass\n", 1), [1]) == {"read"}


@pytest.mark.parametrize("name", ["delete", "print", "match", "with", "default"])
def test_a_method_may_be_called_as_a_statement_is_elsewhere(name: str) -> None:
    text = f"class A {{\n  {name}(a: number) {{\n    return 1;\n  }}\n}}\na.{name}(1);\n"
    assert lost_declarations(text, text.replace(f"  {name}(a", "  other(a"), [1]) == {name}


def test_lines_are_those_of_the_protocol() -> None:
    text = "one = 1\n\x0ctwo = 2\n\u2028three = 3\r\nfour = 4\rfive = 5\n"
    found = [lost_declarations(text, "", [number]) for number in range(5)]
    assert found == [{"one"}, {"two"}, {"three"}, {"four"}, {"five"}]


def test_what_moves_within_a_file_is_not_lost() -> None:
    one, two = "def one():\n    pass\n", "def two():\n    pass\n"
    assert lost_declarations(one + two, two + one, [0, 1]) == set()


@pytest.mark.parametrize(
    "line",
    [
        "    return wanted",
        "    wanted = 1",
        "    wanted: int = 1",
        "    if wanted(1):",
        "    # wanted = 1",
        "    wanted(1)",
        "    for wanted in range(3):",
    ],
)
def test_what_is_gone_within_a_function_concerns_nobody_else(line: str) -> None:
    before = f"def f():\n    one = 1\n{line}\n    return one\n\ndef g():\n    wanted = 2\n"
    assert lost_declarations(before, before.replace(f"{line}\n", ""), [2]) == set()


@pytest.mark.parametrize(
    "text",
    [
        "int f(int a)\n{\n    int wanted = 1;\n    return a;\n}\n",
        "export function f(\n  a: number,\n): void {\n  const wanted = 1;\n}\n",
        "describe('x', () => {\n  const wanted = 1;\n});\n",
        "def f(\n    a: int,\n) -> int:\n    wanted = 1\n    return a\n",
        'class A:\n    """About it.\n\n    wanted: as it says.\n    """\n',
    ],
)
def test_headers_over_several_lines_and_long_strings_are_understood(text: str) -> None:
    number = next(number for number, line in enumerate(text.splitlines()) if "wanted" in line)
    without = "".join(line for line in text.splitlines(keepends=True) if "wanted" not in line)
    assert lost_declarations(text, without, [number]) == set()


def fastest(line: str) -> float:
    """Of a few tries, in seconds of its own: others may be busy."""
    took: list[float] = []
    for _ in range(5):
        began = time.process_time()
        lost_declarations(f"{line}\nx = 1\n", "", [0, 1])
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.parametrize("piece", ["a ", "a, ", "a<", "(", "*&", "a.b ", "self.a", "x: ", "@@"])
def test_a_line_ten_times_as_long_takes_no_hundred_times_as_long(piece: str) -> None:
    assert fastest(piece * 200_000) < 40 * fastest(piece * 20_000)


REDIRECTED = [
    ("from .first import Thing\n", "from .second import Thing\n"),
    ("from .first import (\n    Thing,\n)\n", "from .second import (\n    Thing,\n)\n"),
    ("from .first import Thing\n", "from .first import Thing as Thong\n"),
    ("import first as Thing\n", "import second as Thing\n"),
    ("export { Thing } from './first';\n", "export { Thing } from './second';\n"),
    ("export {\n  Thing,\n} from './first';\n", "export {\n  Thing,\n} from './second';\n"),
    ("export * as Thing from './first';\n", "export * as Thing from './second';\n"),
    ("export { Thing } from './first';\n", "export type { Thing } from './first';\n"),
    ("import Thing from './first';\n", "import Thing from './second';\n"),
    ("export { one as Thing, two as Other } from './a';\n", "export { two as Thing, one as Other } from './a';\n"),
    ("pub use first::Thing;\n", "pub use second::Thing;\n"),
]


@pytest.mark.parametrize(("before", "after"), REDIRECTED)
def test_a_name_that_comes_from_elsewhere_is_another(before: str, after: str) -> None:
    assert "Thing" in lost_names(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from .first import Thing\n", "from .first import Other, Thing\n"),
        ("from .first import Thing\n", "from .first import Thing  # noqa: F401\n"),
        ("from .first import Thing\n", "from .first import (\n    Other,\n    Thing,\n)\n"),
        ("import Thing\n", "import Other, Thing\n"),
        ("import Thing from './first';\n", "import Thing, { other } from './first';\n"),
        ("export { Thing } from './first';\n", "export { Other, Thing } from './first';\n"),
    ],
)
def test_a_name_that_comes_from_where_it_came_from_is_the_same(before: str, after: str) -> None:
    assert "Thing" not in lost_names(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("export function wanted() {\n}\n", "function wanted() {\n}\n"),
        ("pub fn wanted() {\n}\n", "fn wanted() {\n}\n"),
        ("export type wanted = number;\n", "type wanted = number;\n"),
        ("class A:\n    def wanted(self):\n        pass\n", "class A:\n    pass\n\ndef wanted(self):\n    pass\n"),
        ("def wanted():\n    pass\n", "class A:\n    def wanted():\n        pass\n"),
        ("#define wanted 1\n", "#define wanted 2\n"),
        ("def go():\n    global wanted\n    wanted = 1\n", "def go():\n    global wanted\n    print()\n"),
        ("def go():\n    global wanted\n    wanted = 1\n", "def go():\n    wanted = 1\n"),
        ("__all__ = ['one', 'wanted']\none = wanted = 1\n", "__all__ = ['one']\none = wanted = 1\n"),
    ],
)
def test_what_others_cannot_have_as_they_had_it_is_lost(before: str, after: str) -> None:
    assert lost_names(before, after) == {"wanted"}
    assert lost_names(after, before) <= {"wanted", "A"}


def test_what_is_exported_only_now_was_nobody_elses() -> None:
    module = "export const one = 1;\n"
    before, after = "function wanted() {\n}\n", "export function wanted() {\n}\n"
    assert lost_names(module + before, module + after) == set()
    assert lost_names(before, after) == {"wanted"}  # a script without any export: it was everybody's


@pytest.mark.parametrize("between", ["\n", "# a comment\n", "\n\n    # another\n"])
def test_what_is_no_code_ends_no_class(between: str) -> None:
    text = f"class A:\n    one = 1\n{between}    def wanted(self):\n        pass\n"
    out = text.replace("    def wanted(self):\n        pass\n", "\ndef wanted(self):\n    pass\n")
    assert lost_names(text, out) == {"wanted"}
    local = f"def f():\n    one = 1\n{between}    wanted = 2\n    return one\n"
    assert lost_names(local, local.replace("    wanted = 2\n", "")) == set()
