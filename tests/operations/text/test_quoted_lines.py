"""Statements are quoted as they stand in the file, over as many lines as they take."""

import pytest

from groundwire.operations.text.quoted_lines import import_statements, statement_at
from groundwire.protocol.positions import Lines


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        (
            "python",
            "import os\nfrom a import (\n    b,\n    c,\n)\nx = 1\n",
            [(0, "import os"), (1, "from a import (\n    b,\n    c,\n)")],
        ),
        ("python", '"""from here on we import things"""\nimportant = 1\n', []),
        ("python", "def f():\n    import os\n", [(1, "import os")]),
        ("go", 'package a\n\nimport (\n\t"fmt"\n\t"os"\n)\n', [(2, 'import (\n\t"fmt"\n\t"os"\n)')]),
        (
            "typescript",
            'import {\n  a,\n} from "./a";\nexport * from "./b";\n',
            [(0, 'import {\n  a,\n} from "./a";'), (3, 'export * from "./b";')],
        ),
        ("javascript", 'const a = require("a");\nconst b = await import("b");\n', [(0, 'const a = require("a");')]),
        ("rust", "use a::{\n    b,\n};\npub mod c;\nmod d { }\n", [(0, "use a::{\n    b,\n};"), (3, "pub mod c;")]),
        ("c", '#include <stdio.h>\n# include "a.h"\nint a;\n', [(0, "#include <stdio.h>"), (1, '# include "a.h"')]),
        ("java", "import java.util.List;\nimportant();\n", [(0, "import java.util.List;")]),
        ("toy", "import os\n", []),
    ],
)
def test_imports_are_found_where_the_language_is_known(language: str, text: str, found: list[tuple[int, str]]):
    assert list(import_statements(Lines(text), language)) == found


def test_a_declaration_over_several_lines_is_quoted_to_its_end():
    lines = Lines("def f(\n    a: int,\n) -> int:\n    return a\n")
    assert statement_at(lines, 0) == ["def f(", "    a: int,", ") -> int:"]


def test_a_bracket_that_is_never_closed_leaves_the_first_line():
    assert statement_at(Lines("def f(\n" + "    a,\n" * 100), 0) == ["def f("]
