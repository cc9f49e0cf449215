"""Which lines above a symbol belong to it."""

import pytest

from groundwire.operations.text.source_lines import first_line
from groundwire.protocol.positions import Lines

BELONGS = [
    ("# why\ndef f(): ...", "python", 1),
    ("x = 1\n# why\n# more\ndef f(): ...", "python", 2),
    ("# apart\n\ndef f(): ...", "python", 0),
    ("x = 1\ndef f(): ...", "python", 0),
    ("@cache\n@other(1)\ndef f(): ...", "python", 2),
    ("@other(\n    1,\n    [2],\n)\ndef f(): ...", "python", 4),
    ('class A:\n    """What it is."""\n    def f(self): ...', "python", 0),
    ("call(\n    1,\n)\ndef f(): ...", "python", 0),
    ("/** Why.\n * More.\n */\nfunction f() {}", "typescript", 3),
    ("const x = 1; /* why\n */\nfunction f() {}", "typescript", 0),
    ("}\nfunction f() {}", "typescript", 0),
    ("/// Why.\n#[derive(Debug)]\nstruct S;", "rust", 2),
    ("#include <x.h>\nint f(void);", "c", 0),
    ("// Why.\nint f(void);", "c", 1),
    ("[Fact]\nvoid F() {}", "csharp", 1),
    ("[1, 2].forEach(g)\nfunction f() {}", "javascript", 0),
    ("-- why\nlocal function f() end", "lua", 1),
]


@pytest.mark.parametrize(("text", "language", "count"), BELONGS)
def test_comments_and_decorators_directly_above_belong_to_a_symbol(text: str, language: str, count: int):
    lines = Lines(text)
    assert first_line(lines, lines.line_count - 1, language) == lines.line_count - 1 - count
