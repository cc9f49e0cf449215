"""How a language is written, as data: its comments, strings and blocks, and what may stand before a declaration.

Enough to tell code from strings and comments and to find where a block ends; never a grammar. Above: ``syntaxes`` (the
table), ``masked_text`` and the edits of symbols. Below: nothing.
"""

import re
from functools import cached_property
from typing import Literal, NamedTuple

import msgspec

Block = Literal["braces", "indent", "end", "any"]
"""What holds a body together; ``any``: to be seen from the text itself."""


class HoledString(NamedTuple):
    """A string with code in it: ``open`` is a pattern, ``hole`` begins code that ends with the bracket it opens."""

    open: str
    close: str
    hole: str
    doubled_hole: str = ""
    """Written so, it is no hole."""
    is_multiline: bool = False


class Syntax(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One way of writing. All patterns are regular expressions over the text, or over its masked form where said."""

    block: Block
    comments: tuple[str, ...]
    """Whole comments."""
    nested_comment: bool = False
    """Whether ``/* */`` may stand in itself."""
    strings: tuple[str, ...]
    """Whole strings, and whatever else must not be read as code."""
    holed: tuple[HoledString, ...] = ()
    attributes: str = ""
    """Masked: what a decorator or attribute begins with; brackets that follow belong to it."""
    not_above: str = ""
    """Comments that belong to what they stand in, and not to what they stand above."""
    declaring: frozenset[str] = frozenset()
    """Words just before the name that make a declaration."""
    type_before: str = ""
    """Masked, before a ``{``: what makes it a type in the signature of a function, and not its body."""
    function_value: str = ""
    """Masked, behind a ``=``: the beginning of a function that is a value."""
    arrow: str = ""
    """Between the parameters of a function that is a value and its body."""
    expression: str = ""
    """Before a body that is an expression, in a declaration that might have had a block instead."""
    keeps_expression_mark: bool = False
    """Whether that mark stands before a block too."""
    grouped: str = ""
    """Masked, before a ``(``: what makes it hold declarations."""
    colon: bool = False
    """Whether the signature ends with a colon."""
    ends_with_line: bool = False
    """Whether a statement may end where its line does, without a mark."""
    unit: str = "    "
    """One level of indentation where the file shows none."""
    gap: int = 1
    """Blank lines between outermost definitions where the file shows none."""

    @cached_property
    def skipped(self) -> re.Pattern[str]:
        """The next comment or string, or the beginning of one with code in it."""
        comments = [*(("(?P<nested>/\\*)",) if self.nested_comment else ()), *(f"(?:{each})" for each in self.comments)]
        holed = [f"(?P<holed{number}>{each.open})" for number, each in enumerate(self.holed)]
        return re.compile(
            f"(?P<comment>{'|'.join(comments)})|{'|'.join([*holed, *self.strings])}", re.DOTALL | re.MULTILINE
        )
