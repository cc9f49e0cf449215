"""Through what a change goes on: functions without a written result, variables, attributes, classes."""

import msgspec
import pytest

from groundwire.operations.reporting.carriers import (
    Carrier,
    Source,
    attributes_at,
    carriers_of,
    is_called,
    keeps_result,
    losers_of,
    owners_of,
    touched_carriers,
)
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol

FUNCTION, CLASS, METHOD, VARIABLE, CONSTRUCTOR = 12, 5, 6, 13, 9
PYTHON, TYPESCRIPT, GO = (("->",), ("return", "yield")), ((":",), ("return", "yield", "=>")), (None, ())

Language = tuple[tuple[str, ...] | None, tuple[str, ...]]


def symbol(text: str, name: str, kind: int, *, lines: tuple[int, int], children: tuple[Symbol, ...] = ()) -> Symbol:
    source = Lines(text)
    first, last = lines
    column = source.line(first).index(name)
    return Symbol(
        name=name,
        kind=kind,
        range=Range(Position(first, 0), Position(last, 200)),
        selection=Range(Position(first, column), Position(first, column + len(name))),
        path=(name,),
        children=children,
    )


def source_of(text: str, language: Language, *symbols: Symbol) -> Source:
    return Source(Lines(text), symbols, "utf-16", *language)


def through(source: Source, word: str, *, is_type: bool = False) -> list[str]:
    """The names that a use of the word (its last one) goes on through."""
    before = source.lines.text[: source.lines.text.rindex(word)]
    place = Position(before.count("\n"), len(before.rpartition("\n")[2]))
    found = carriers_of(source, Range(place, place), is_type=is_type)
    return [_word_at(source, each.position) for each in found]


def _word_at(source: Source, place: Position) -> str:
    rest = source.lines.line(place.line)[place.character :]
    return "".join(each if each.isidentifier() else " " for each in rest).split()[0]


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("def go():\n    return used()\n", PYTHON, ["go"]),
        ("def go() -> int:\n    return used()\n", PYTHON, []),
        ("def go(a, b=(1, 2)) -> (\n    int\n):\n    return used()\n", PYTHON, []),
        ("def go(a=f(1)):\n    yield used()\n", PYTHON, ["go"]),
        ("def go():\n    used()\n", PYTHON, []),
        ("function go() {\n  return used();\n}\n", TYPESCRIPT, ["go"]),
        ("function go(): number {\n  return used();\n}\n", TYPESCRIPT, []),
        ("function go({ a }: { a: number }) {\n  return used();\n}\n", TYPESCRIPT, ["go"]),
        ("function go(f: (x: number) => void): void {\n  f(used());\n}\n", TYPESCRIPT, []),
        ("func go() int {\n\treturn used()\n}\n", GO, []),
    ],
)
def test_a_function_carries_a_change_unless_its_result_is_written_down_or_there_is_none(
    text: str, language: Language, names: list[str]
):
    function = symbol(text, "go", FUNCTION, lines=(0, text.count("\n") - 1))
    assert through(source_of(text, language, function), "used") == names


def test_a_signature_that_mentions_a_changed_type_carries_it_even_where_everything_is_written_down():
    text = "func go(a used) int {\n\treturn 1\n}\n"
    source = source_of(text, GO, symbol(text, "go", FUNCTION, lines=(0, 2)))
    assert through(source, "used", is_type=True) == ["go"]
    assert through(source, "used") == []


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("held = used()\n", PYTHON, ["held"]),
        ("held: int = used()\n", PYTHON, []),
        ("const held = used();\n", TYPESCRIPT, ["held"]),
        ("const held: number = used();\n", TYPESCRIPT, []),
        ("var held = used()\n", GO, ["held"]),
        ("var held int = used()\n", GO, []),
        ("static held: u8 = used();\n", GO, []),
        ("held := used()\n", GO, ["held"]),
    ],
)
def test_a_variable_carries_a_change_unless_its_type_is_written_down(text: str, language: Language, names: list[str]):
    assert through(source_of(text, language, symbol(text, "held", VARIABLE, lines=(0, 0))), "used") == names


def test_a_class_carries_what_it_inherits():
    text = "class Heir(used):\n    pass\n"
    assert through(source_of(text, PYTHON, symbol(text, "Heir", CLASS, lines=(0, 1))), "used") == ["Heir"]


@pytest.mark.parametrize(
    "body", ["self.held = used()", "self.held = (\n            used()\n        )", "self.held = call(\n  1,\n  used())"]
)
def test_an_attribute_carries_its_value_and_the_function_that_sets_it_does_not(body: str):
    text = f"class Box:\n    def __init__(self):\n        {body}\n"
    last = text.count("\n") - 1
    method = symbol(text, "__init__", METHOD, lines=(1, last))
    source = source_of(text, PYTHON, symbol(text, "Box", CLASS, lines=(0, last), children=(method,)))
    assert through(source, "used") == ["held"]


def test_a_comparison_sets_no_attribute():
    text = "if self.held == 1: pass\n"
    assert list(attributes_at(source_of(text, PYTHON), [0, 99])) == []


@pytest.mark.parametrize(
    "text",
    [
        "from a import used as other\n",
        "from a import (\n    one,\n    used as other,\n)\n",
        'export { used as other } from "./a";\n',
        "pub use a::used as other;\n",
    ],
)
def test_an_import_that_gives_another_name_carries_a_change_by_that_one(text: str):
    assert through(source_of(text, PYTHON), "used") == ["other"]
    assert through(source_of("value = used as Other\n", TYPESCRIPT), "used") == ["value"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("if used:\n    one = 1\nelse:\n    def two(): ...\nthree = 3\n", ["one", "two"]),
        ("if (\n    True\n    and used\n):\n    one = 1\nthree = 3\n", ["one"]),
        ("if True and \\\n    used:\n    one = 1\nthree = 3\n", ["one"]),
        ("with other(), used() as (one, two):\n    pass\n", ["one", "two"]),
        ("if used:\n    from p import one as two, three\n", ["one", "two", "three"]),
        ("match used:\n    case 1:\n        one = 1\n    case two:\n        pass\n", ["one", "two"]),
        ("with used() as one:\n    two = 2\n", ["one", "two"]),
        ("for one, two in used():\n    pass\n", ["one", "two"]),
        ("print(one := used())\n", ["one"]),
        ("one += used()\n", ["one"]),
        ("zero = 0\nif used:\n    raise ImportError\none = 1\n", ["zero", "one"]),
        ("used()\none = 1\n", []),
    ],
)
def test_a_use_in_no_declaration_decides_what_is_named_there_or_stands_below_it(text: str, names: list[str]):
    assert through(source_of(text, PYTHON), "used") == names


def test_what_stands_in_a_function_below_a_condition_is_nobody_elses():
    text = "if used:\n    def one():\n        two = 2\n"
    assert through(source_of(text, PYTHON, symbol(text, "one", FUNCTION, lines=(1, 2))), "used") == ["one"]


def test_all_that_one_statement_gives_a_value_carry_it():
    text = "one, two = used()\n"
    both = (symbol(text, name, VARIABLE, lines=(0, 0)) for name in ("one", "two"))
    assert through(source_of(text, PYTHON, *both), "used") == ["one", "two"]


def test_the_colon_behind_a_name_that_a_block_gives_a_value_announces_no_type():
    text = "with used() as held:\n    pass\n"
    assert through(source_of(text, PYTHON, symbol(text, "held", VARIABLE, lines=(0, 1))), "used") == ["held"]


def test_what_decorates_a_function_decides_what_it_is():
    text = "@used\ndef go() -> int:\n    return 1\n"
    go = msgspec.structs.replace(
        symbol(text, "go", FUNCTION, lines=(1, 2)), range=Range(Position(0, 0), Position(2, 9))
    )
    assert through(source_of(text, PYTHON, go), "used") == ["go"]


def test_what_is_used_in_no_symbol_goes_no_further():
    text = "from a import used\n"
    assert through(source_of(text, PYTHON), "used") == []


def test_what_lies_in_a_value_that_holds_functions_goes_on_through_both():
    text = "const table = {\n  entry() {\n    return used();\n  },\n};\n"
    entry = symbol(text, "entry", METHOD, lines=(1, 3))
    table = symbol(text, "table", VARIABLE, lines=(0, 4), children=(entry,))
    assert through(source_of(text, TYPESCRIPT, table), "used") == ["table", "entry"]


@pytest.mark.parametrize(
    ("text", "language", "lines", "spreads"),
    [
        ("def go() -> int:\n    x = 1\n    return 1\n", PYTHON, {1}, False),
        ("def go() -> int:\n    x = 1\n    return 1\n", PYTHON, {0}, True),
        ("def go():\n    x = 1\n    return 1\n", PYTHON, {1}, True),
        ("def go(\n    a,\n) -> int:\n    return 1\n", PYTHON, {1}, True),
        ("func go() int {\n\treturn 1\n}\n", GO, {1}, False),
        ("func go() int {\n\treturn 1\n}\n", GO, {0}, True),
    ],
)
def test_a_change_in_the_body_of_a_function_is_seen_outside_only_where_its_result_is_inferred(
    text: str, language: Language, lines: set[int], spreads: bool
):
    function = symbol(text, "go", FUNCTION, lines=(0, text.count("\n") - 1))
    assert list(touched_carriers(source_of(text, language, function), [function], lines)) == [(function, spreads)]


@pytest.mark.parametrize(
    ("before", "after", "lines", "keeps"),
    [
        ("func go(a int) int {", "func go(a, b int) int {", {0}, True),
        ("func go(a int) int {", "func go(\n\ta int,\n\tb func(int) string,\n) int {", {0, 1, 2, 3}, True),
        ("func go(a int) {", "func go() {", {0}, True),
        ("func (b *Box) go(a int) int {", "func (b *Box) go() int {", {0}, True),
        ("func go(a int) string {", "func go(a, b int) int {", {0}, False),
        ("func go(a int) (int, error) {", "func go(a int) int {", {0}, False),
        ("func (b *Box[T]) go(a int) T {", "func (b *Box[U]) go(a int) T {", {0}, False),
        ("func go[T any](a T) T {", "func go[T any](a []T) T {", {0}, False),
        ("func go(a int) (", "func go(b int) (", {0, 1}, False),
        ("func other(a int) int {", "func go(a int) int {", {0}, False),
        ("func go(a int", "func go(a int) int {", {0}, False),
        ("/*\nfunc go() int {\n*/\nfunc go() string {", "func go(a int) int {", {0}, False),
    ],
)
def test_a_function_of_which_only_parameters_changed_gives_what_it_gave(
    before: str, after: str, lines: set[int], keeps: bool
):
    rest = "\n\treturn 1\n}\n"
    text = after + rest
    function = symbol(text, "go", FUNCTION, lines=(0, text.count("\n") - 1))
    source = source_of(text, GO, function)
    assert keeps_result(source._replace(has_overloads=False), function, lines, before + rest) is keeps
    assert not keeps_result(source, function, lines, before + rest)


def test_a_result_on_a_line_of_its_own_that_changed_is_not_kept():
    text, before = "long\ngo(int a) {\n\treturn 1;\n}\n", "int\ngo(int a) {\n\treturn 1;\n}\n"
    function = msgspec.structs.replace(
        symbol(text, "go", FUNCTION, lines=(1, 3)), range=Range(Position(0, 0), Position(3, 1))
    )
    source = source_of(text, GO, function)._replace(has_overloads=False)
    assert keeps_result(source, function, {1}, before)
    assert not keeps_result(source, function, {0, 1}, before)


@pytest.mark.parametrize(("text", "called"), [("go(1)", True), ("go (1)", True), ("go", False), ("go\n(1)", False)])
def test_a_function_is_called_where_a_parenthesis_opens_behind_its_name(text: str, called: bool):
    assert is_called(source_of(text, GO), Range(Position(0, 0), Position(0, 2))) is called


@pytest.mark.parametrize(("language", "only_heirs"), [(PYTHON, False), (GO, True)])
def test_a_type_is_another_with_each_of_its_members_and_by_name_only_for_its_heirs(
    language: Language, only_heirs: bool
):
    text = "class Box:\n    def size(self): pass\n"
    method = msgspec.structs.replace(symbol(text, "size", METHOD, lines=(1, 1)), path=("Box", "size"))
    source = source_of(text, language, symbol(text, "Box", CLASS, lines=(0, 1), children=(method,)))
    source = source._replace(is_structural=not only_heirs)
    assert list(owners_of(source, [method])) == [Carrier(Position(0, 6), is_type=True, only_heirs=only_heirs)]


def test_a_member_that_stands_elsewhere_names_the_type_it_belongs_to():
    text = "func (p Part) Run() int {\n\treturn 1\n}\n"
    method = msgspec.structs.replace(symbol(text, "Run", METHOD, lines=(0, 2)), path=("Part", "Run"))
    (owner,) = owners_of(source_of(text, GO, method), [method])
    assert owner.position == Position(0, 8)


@pytest.mark.parametrize(
    ("line", "words", "names"),
    [(1, {"x"}, ["Box"]), (3, {"x"}, ["Box"]), (4, {"x"}, ["Box"]), (5, {"x"}, []), (9, {"Box", "y"}, ["Box"])],
)
def test_a_type_that_lost_a_member_is_the_one_round_it_or_before_it_or_among_its_words(
    line: int, words: set[str], names: list[str]
):
    text = "class Box:\n    size = 1\n\n\nlast = 2\n"
    source = source_of(text, PYTHON, symbol(text, "Box", CLASS, lines=(0, 1)))
    assert [_word_at(source, each.position) for each in losers_of(source, [(line, words)])] == names


def test_only_types_are_heirs():
    text = "class Heir(used):\n    def go(self):\n        return used()\n"
    method = symbol(text, "go", METHOD, lines=(1, 2))
    source = source_of(text, PYTHON, symbol(text, "Heir", CLASS, lines=(0, 2), children=(method,)))
    inherits, calls = Range(Position(0, 11), Position(0, 15)), Range(Position(2, 15), Position(2, 19))
    heirs = [*carriers_of(source, inherits, is_type=True, only_heirs=True)]
    assert heirs == [Carrier(Position(0, 6), is_type=True, only_heirs=True)]
    assert [*carriers_of(source, calls, is_type=True, only_heirs=True)] == []
