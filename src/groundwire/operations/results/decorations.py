"""What servers tell about the text of a file, as it is shown: hints, tokens, ranges, lenses.

Above: the operations and ``render``. Below: ``results``.
"""

from groundwire.operations.answer import Place
from groundwire.operations.operation import Result
from groundwire.operations.results.found import Item


class Hint(Item, frozen=True):
    """What an editor would show within the text just before this place."""

    line: int
    column: int
    label: str
    kind: str = ""
    text: str = ""


class Hints(Result, frozen=True):
    """A page of the inlay hints of a file."""

    file: str
    hints: tuple[Hint, ...]
    total: int
    offset: int = 0


class TokenEntry(Item, frozen=True):
    """A word and what it is. ``length`` counts characters."""

    line: int
    column: int
    length: int
    text: str
    type: str
    modifiers: tuple[str, ...] = ()


class Tokens(Result, frozen=True):
    """A page of the semantic tokens of a file."""

    file: str
    tokens: tuple[TokenEntry, ...]
    total: int
    offset: int = 0


class Fold(Item, frozen=True):
    """Lines that belong together."""

    start_line: int
    end_line: int
    kind: str = ""


class Folds(Result, frozen=True):
    """A page of the folding ranges of a file."""

    file: str
    ranges: tuple[Fold, ...]
    total: int
    offset: int = 0


class Selections(Result, frozen=True):
    """What encloses a place, from the smallest to the whole; ``text`` is the first line of each."""

    ranges: tuple[Place, ...]
    total: int


class Lens(Item, frozen=True):
    """A command that is offered at a place."""

    line: int
    column: int
    title: str
    command: str = ""
    text: str = ""


class Lenses(Result, frozen=True):
    """A page of the code lenses of a file."""

    file: str
    lenses: tuple[Lens, ...]
    total: int
    offset: int = 0
