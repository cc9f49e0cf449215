"""Signature and documentation are told apart in what go doc, pydoc and servers say."""

import pytest

from groundwire.operations.text.documented_text import parse_go_doc, parse_hover, parse_pydoc

GO_TYPE = """package x // import "example.test/x"

type Store struct {
\ta int

\t// B is b.
\tB int
}
    Store keeps.

    Twice.

func (s *Store) Get(n int) int
"""


def test_a_go_type_is_its_declaration_and_the_comment_names_its_package():
    signature, doc = parse_go_doc(GO_TYPE)
    assert signature == "type Store struct {\n\ta int\n\n\t// B is b.\n\tB int\n}"
    assert doc == 'package x // import "example.test/x"\n\nStore keeps.\n\nTwice.\n\nfunc (s *Store) Get(n int) int'


def test_a_go_function_without_a_comment_has_only_its_package():
    assert parse_go_doc('package x // import "x"\n\nfunc hidden()\n') == (
        "func hidden()",
        'package x // import "x"',
    )


def test_a_go_package_is_its_own_signature():
    assert parse_go_doc('package x // import "x"\n\nPackage x is for tests.\n\nfunc F()\n') == (
        'package x // import "x"',
        "Package x is for tests.\n\nfunc F()",
    )


def test_pydoc_of_a_function_is_its_signature_without_its_other_name():
    text = "function dumps in json\n\njson.dumps = dumps(obj, *, indent=None)\n    Serialize it.\n    \n    Well.\n"
    assert parse_pydoc(text) == ("dumps(obj, *, indent=None)", "function dumps in json\n\nSerialize it.\n\nWell.")


def test_pydoc_of_a_module_is_all_that_is_said():
    assert parse_pydoc("package json\n\nNAME\n    json\n") == ("package json", "NAME\n    json")


@pytest.mark.parametrize(
    ("hover", "parts"),
    [
        (
            "```python\n(function) def f(a: int) -> int\n```\n---\nDoubles.",
            ("(function) def f(a: int) -> int", "Doubles."),
        ),
        ("```go\nfunc F()\n```", ("func F()", "")),
        ("f(a)\n\nDoubles.", ("f(a)", "Doubles.")),
        ("", ("", "")),
    ],
)
def test_a_hover_is_its_first_block_of_code_and_the_rest(hover: str, parts: tuple[str, str]):
    assert parse_hover(hover) == parts
