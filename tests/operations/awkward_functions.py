"""The table of awkward functions: sources in ``awkward/``, and where real servers say that their symbols are.

The sources say themselves what belongs to what: ``in:NAME`` stands in the body of the symbol NAME, ``of:NAME`` in what
else is its own: comments, decorators, the signature. ``ranges.json`` holds what each server answered about its source
(name, kind, range, range of the name, children). For Java there are the ranges that jdtls gives: whole declarations,
with annotations and documentation.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from groundwire.operations.editing.symbol_spans import Located, SymbolText
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.symbol_paths import find_in_tree, parse_symbol_path
from groundwire.operations.text.syntaxes import syntax_of
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_answers import DocumentSymbol
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.protocol.symbol_tree import Symbol, symbol_tree, walk

SOURCES = Path(__file__).parent / "awkward"

_KEY = r"[\w~]+(?:(?:\.|::)[\w~=]+)*(?:\[\d\])?"
_TAG = re.compile(rf"(in|of):({_KEY})")

NEW_BODIES = {
    "python": ("raise ValueError('}{:')", 'if __name__:\n    raise ValueError("""\nleft {\n""")\nraise KeyError'),
    "typescript": ('throw new Error("}");', "if (Math.random()) {\n  throw `left\n{`;\n}\nthrow 1;"),
    "go": ('panic("}")', 'if true {\n\tpanic(`left\n{`)\n}\npanic("")'),
    "rust": ('loop { let _ = "}"; }', 'if true {\n    let _ = r#"left\n{"#;\n}\nloop {}'),
    "cpp": ('throw "}";', 'if (true) {\n  throw R"(left\n{)";\n}\nthrow 1;'),
    "java": ('throw new Error("}");', 'if (true) {\n    throw new Error("{");\n}\nthrow new Error();'),
}
"""On one line, and over several with a text that must not be moved; they fit every signature."""

OWN_BODIES = {
    ("rust", "made"): ("() => { 1 };", "() => {\n    1\n};"),
    ("rust", "nested"): ("|c| c", "let d = 1;\nmove |c| {\n    c + d\n}"),
    ("rust", "constant"): ("loop {}", "if true {\n    loop {}\n}\n[0; { N }]"),
    ("go", "Inner"): ("Size int", "Size int\nName string"),
    ("java", "Colour.RED"): ("int more() { return 1; }", "@Override\nint depth() {\n    return 2;\n}"),
}
"""For those that no such body fits."""


def new_bodies(language: str, key: str) -> tuple[str, str]:
    """A body on one line, and one over several."""
    return OWN_BODIES.get((language, key), NEW_BODIES[language])


class Source(NamedTuple):
    """What one server says of one source."""

    server: str
    language: str
    text: str
    tree: tuple[Symbol, ...]
    encoding: PositionEncoding

    def symbol(self, key: str) -> Symbol:
        """The only one that the key means."""
        (symbol,) = find_in_tree(parse_symbol_path(key, lambda _: False), walk(self.tree)).symbols
        return symbol

    def locate(self, key: str) -> Located:
        """Where that is."""
        masked = Masked(self.text, syntax_of(self.language))
        return SymbolText(masked, self.tree, self.encoding).locate(self.symbol(key))


def keys(text: str, *kinds: str) -> list[str]:
    """The symbols that the text has tags of these kinds for."""
    return sorted({key for kind, key in _TAG.findall(text) if kind in kinds})


def tags(text: str) -> dict[str, int]:
    """How often each tag stands in a text."""
    found = [f"{kind}:{key}" for kind, key in _TAG.findall(text)]
    return {tag: found.count(tag) for tag in sorted(set(found))}


MERGED = {"pyright": frozenset({"loaded", "Holder.prop"})}
"""Of symbols of one name, this server knows only the last."""


def cases(*kinds: str) -> list[tuple[str, str]]:
    """Server and symbol."""
    return [
        (server, key)
        for server, source in sources().items()
        for key in keys(source.text, *kinds)
        if key.partition("[")[0] not in MERGED.get(server, frozenset[str]())
    ]


@cache
def sources() -> dict[str, Source]:
    """By server."""
    recorded = cast("dict[str, dict[str, object]]", json.loads((SOURCES / "ranges.json").read_text("utf-8")))
    found = {server: _recorded(server, answer) for server, answer in recorded.items()}
    return {**found, "jdtls": _java()}


def source_text(language: str) -> str:
    """The source itself."""
    return (SOURCES / f"{language}.txt").read_bytes().decode()


def _recorded(server: str, answer: dict[str, object]) -> Source:
    language = cast("str", answer["language"])
    tree = symbol_tree([_symbol(each) for each in cast("list[list[object]]", answer["symbols"])])
    return Source(server, language, source_text(language), tree, cast("PositionEncoding", answer["encoding"]))


def _symbol(row: list[object]) -> DocumentSymbol:
    name, kind, whole, selection, children = row
    return DocumentSymbol(
        cast("str", name),
        cast("int", kind),
        _range(cast("list[int]", whole)),
        _range(cast("list[int]", selection)),
        children=[_symbol(each) for each in cast("list[list[object]]", children)],
    )


def _range(numbers: Sequence[int]) -> Range:
    return Range(Position(*numbers[:2]), Position(*numbers[2:]))


class Declared(NamedTuple):
    """A declaration: from the text that it begins with to the end of the one that it ends with."""

    name: str
    kind: int
    begin: str
    end: str
    inside: tuple["Declared", ...] = ()


_JAVA = (
    Declared(
        "Sample<T>",
        5,
        "/** Sample",
        'default "}"; }\n}',
        (
            Declared("NUMBERS", 8, "private static final", "2};"),
            Declared("plain(int, int...)", 6, "/**\n     * of:plain", "in:plain\n    }"),
            Declared("longSignature(K, Function<?, ?>)", 6, "public <K", "}};\n    }"),
            Declared("oneLiner(int)", 6, "int oneLiner", "length(); }"),
            Declared("missing(int)", 6, "abstract int missing", ";"),
            Declared("Sample(int)", 9, "Sample(int a)", "in:Sample.Sample\n    }"),
            Declared("size", 8, "int size", ";"),
            Declared("toString()", 6, "@Override public String", "; }"),
            Declared("hashCode()", 6, "@Override\n    public int hashCode", "value();\n    }"),
            Declared("loaded(int)", 6, "int loaded(int", "*/ }"),
            Declared("loaded(String)", 6, "int loaded(String", "in:loaded[2]\n    }"),
            Declared(
                "Shape",
                11,
                "interface Shape",
                "}\n    }",
                (
                    Declared("area(int)", 6, "int area", ";"),
                    Declared("twice()", 6, "default int twice", "in:Shape.twice\n        }"),
                ),
            ),
            Declared(
                "Colour",
                10,
                "enum Colour",
                "in:Colour.depth */ }\n    }",
                (
                    Declared("RED", 22, 'RED("}")', "*/ } }"),
                    Declared("GREEN", 22, "GREEN", ")"),
                    Declared("BLUE", 22, "BLUE", ")"),
                    Declared("name", 8, "final String name", ";"),
                    Declared("Colour(String)", 9, "Colour(String", "; }"),
                    Declared("depth()", 6, "int depth() { return 0", "*/ }"),
                ),
            ),
            Declared(
                "Pair",
                23,
                "record Pair",
                "        }\n    }",
                (Declared("Pair", 9, "Pair {\n", "\n        }"),),
            ),
            Declared("Marker", 11, "@interface Marker", '"}"; }'),
        ),
    ),
)


def _java() -> Source:
    text = source_text("java")
    lines = Lines(text)

    def declared(each: Declared, after: int) -> DocumentSymbol:
        start = text.index(each.begin, after)
        end = text.index(each.end, start) + len(each.end)
        name = re.split(r"[<(]", each.name)[0]
        found = re.compile(rf"(?<![\w.:]){name}\b").search(text, start + (3 if each.begin.startswith("/**") else 0))
        assert found is not None
        at = found.start() if name != "Sample" or each.kind == 9 else text.index("class Sample") + len("class ")
        children = [declared(child, start) for child in each.inside]
        whole, selection = lines.range(start, end, "utf-16"), lines.range(at, at + len(name), "utf-16")
        return DocumentSymbol(each.name, each.kind, whole, selection, children=children)

    return Source("jdtls", "java", text, symbol_tree([declared(each, 0) for each in _JAVA]), "utf-16")
