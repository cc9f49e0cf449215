"""What a file exports, by the rule of its language."""

import re
from collections.abc import Sequence

import pytest

from groundwire.operations.text.exported import RULES, Exports
from groundwire.protocol.lsp import Range
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol

CLASS, METHOD, INTERFACE, FUNCTION, VARIABLE, OBJECT = 5, 6, 11, 12, 13, 19


def symbol(lines: Lines, name: str, kind: int, path: tuple[str, ...], shown: str = "") -> Symbol:
    """The first place of the name as a word; all of it is the line."""
    found = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", lines.text)
    assert found is not None
    selection = lines.range(found.start(), found.end(), "utf-16")
    start = lines.text.rfind("\n", 0, found.start()) + 1
    whole = Range(lines.position(start, "utf-16"), lines.position(len(lines.text), "utf-16"))
    return Symbol(name=shown or name, kind=kind, range=whole, selection=selection, path=path)


def is_exported(language: str, text: str, names: Sequence[str], kinds: Sequence[int] = ()) -> bool:
    """Of the last name, which the others are round."""
    lines = Lines(text)
    wanted = [*kinds, *([CLASS] * (len(names) - 1 - len(kinds))), FUNCTION if len(names) == 1 else METHOD][: len(names)]
    way = [
        symbol(lines, name, kind, tuple(names[: at + 1]))
        for at, (name, kind) in enumerate(zip(names, wanted, strict=True))
    ]
    return Exports(lines, language, "utf-16").is_exported(way[-1], way[:-1])


CASES = [
    ("go", "func Area() {}", ["Area"], True),
    ("go", "func area() {}", ["area"], False),
    ("go", "func Éclair() {}", ["Éclair"], True),
    ("python", "def area(): ...", ["area"], True),
    ("python", "def _area(): ...", ["_area"], False),
    ("python", "class Box:\n    def area(self): ...", ["Box", "area"], True),
    ("python", "class Box:\n    def _area(self): ...", ["Box", "_area"], False),
    ("python", "class _Box:\n    def area(self): ...", ["_Box", "area"], False),
    ("python", "def area(): ...\n__all__ = ['size']", ["area"], False),
    ("python", "def _area(): ...\n__all__ = ('_area',)", ["_area"], True),
    ("python", "def area(): ...\n__all__ = ['size']\n__all__ += ['area']", ["area"], True),
    ("python", "def area(): ...\n__all__ = ['size'] + others", ["area"], True),
    ("python", "def area(): ...\n__all__ = []\n__all__.append('area')", ["area"], True),
    ("python", "def area(): ...\n__all__ = ['size'\n", ["area"], True),
    ("typescript", "export function area() {}", ["area"], True),
    ("typescript", "import x from 'y';\nfunction area() {}", ["area"], False),
    ("typescript", "function area() {}\nexport { area as size };", ["area"], True),
    ("typescript", "function area() {}\nexport { area } from './other';", ["area"], False),
    ("typescript", "function area() {}\n// export { area }\nexport {};", ["area"], False),
    ("typescript", "class area {}\nexport default area;", ["area"], True),
    ("typescript", "export const area = () => 1;", ["area"], True),
    ("typescript", "function area() {}", ["area"], True),
    ("typescript", "export class Box { private area() {} }", ["Box", "area"], False),
    ("typescript", "export class Box { area() {} }", ["Box", "area"], True),
    ("typescript", "class Box { area() {} }\nexport {};", ["Box", "area"], False),
    ("javascript", "function area() {}\nmodule.exports = { area };", ["area"], True),
    ("javascript", "function area() {}\nmodule.exports = { size: area };", ["area"], True),
    ("javascript", "function area() {}\nmodule.exports = size;", ["area"], False),
    ("javascript", "function area() {}\nexports.size = area;", ["area"], True),
    ("rust", "pub fn area() {}", ["area"], True),
    ("rust", "pub(crate) fn area() {}", ["area"], True),
    ("rust", "pub(self) fn area() {}", ["area"], False),
    ("rust", "fn area() {} // pub", ["area"], False),
    ("java", "public class Box { public int area() {} }", ["Box", "area"], True),
    ("java", "public class Box { int area() {} }", ["Box", "area"], False),
    ("java", "class Box { public int area() {} }", ["Box", "area"], False),
    ("csharp", "class Box { internal int Area() {} }", ["Box", "Area"], True),
    ("csharp", "class Box { int Area() {} }", ["Box", "Area"], False),
    ("kotlin", "fun area() = 1", ["area"], True),
    ("kotlin", "private fun area() = 1", ["area"], False),
    ("swift", "func area() {}", ["area"], True),
    ("swift", "fileprivate func area() {}", ["area"], False),
    ("swift", "private(set) var area = 1", ["area"], True),
    ("c", "int area(void) {}", ["area"], True),
    ("c", "static int area(void) {}", ["area"], False),
    ("cpp", "class Box { int area(); };", ["Box", "area"], False),
    ("cpp", "class Box { public: int area(); };", ["Box", "area"], True),
    ("cpp", "class Box { public: struct In { private: int x; }; int area(); };", ["Box", "area"], True),
    ("cpp", "struct Box { int area(); };", ["Box", "area"], True),
    ("cpp", "struct Box { static int area(); };", ["Box", "area"], True),
    ("dart", "int _area() => 1;", ["_area"], False),
    ("zig", "pub fn area() void {}", ["area"], True),
    ("lua", "local function area() end", ["area"], False),
    ("elixir", "defp area do end", ["area"], False),
]


@pytest.mark.parametrize(("language", "text", "names", "expected"), CASES)
def test_a_symbol_is_exported_by_the_rule_of_its_language(
    language: str, text: str, names: list[str], *, expected: bool
) -> None:
    assert is_exported(language, text, names) is expected


def test_members_of_an_interface_need_no_modifier():
    assert is_exported("java", "public interface Shape { int area(); }", ["Shape", "area"], [INTERFACE])


def test_what_implements_a_trait_is_as_open_as_the_trait():
    lines = Lines("impl Shape for Square {\n    fn area() {}\n}")
    block = symbol(lines, "Square", OBJECT, ("Square",), "impl Shape for Square")
    area = symbol(lines, "area", METHOD, ("Square", "area"))
    assert Exports(lines, "rust", "utf-16").is_exported(area, [block])


def test_what_is_in_a_namespace_without_a_name_is_not_exported():
    lines = Lines("namespace {\nint area() { return 1; }\n}")
    space = symbol(lines, "namespace", 3, ("(anonymous namespace)",), "(anonymous namespace)")
    assert not Exports(lines, "cpp", "utf-16").is_exported(symbol(lines, "area", FUNCTION, ("area",)), [space])


def test_a_language_without_a_rule_exports_everything_and_that_is_said():
    lines = Lines("sub area")
    exports = Exports(lines, "perl", "utf-16")
    assert exports.is_exported(symbol(lines, "area", FUNCTION, ("area",)))
    assert "perl" in exports.note
    assert all(Exports(lines, language, "utf-16").note == "" for language in RULES)
