"""The small project of the demonstration, and the edits that break and mend it.

Above: ``demo``. Below: nothing.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

EDITED = "pricing.py"
SYMBOL = "total"

FILES: Mapping[str, str] = {
    "pricing.py": '''"""What things cost, in cents."""


def total(prices: list[int]) -> int:
    """All prices together."""
    return sum(prices)


def average(prices: list[int]) -> int:
    return total(prices) // len(prices)
''',
    "cart.py": '''"""What a customer wants to buy."""

from pricing import total


def checkout(cart: dict[str, int]) -> str:
    return f"To pay: {total(list(cart.values()))}"
''',
    "invoice.py": '''"""What a customer has to pay."""

from pricing import average, total


def invoice(customer: str, prices: list[int]) -> str:
    due = total(prices)
    return f"{customer} owes {due}, {average(prices)} for each item"
''',
    "shop.py": '''"""Ties it together; knows nothing of prices."""

from cart import checkout
from invoice import invoice


def serve(customer: str, cart: dict[str, int]) -> None:
    print(checkout(cart), invoice(customer, list(cart.values())))
''',
}


class Edit(msgspec.Struct, frozen=True):
    """A piece of text that takes the place of another, once."""

    file: str
    old: str
    new: str


BREAK = (
    Edit(
        "pricing.py",
        "def total(prices: list[int]) -> int:",
        "def total(prices: list[int], discount: int) -> int:",
    ),
    Edit("pricing.py", "return sum(prices)", "return sum(prices) - discount"),
)

MEND = (
    Edit("pricing.py", "total(prices) //", "total(prices, 0) //"),
    Edit("cart.py", "total(list(cart.values()))", "total(list(cart.values()), discount=0)"),
    Edit("invoice.py", "total(prices)", "total(prices, discount=50)"),
)


def write_project(directory: Path) -> None:
    """Puts the files there."""
    for name, text in FILES.items():
        (directory / name).write_text(text, "utf-8")


def apply(edits: tuple[Edit, ...], directory: Path) -> None:
    """Makes the edits on disk, as an agent's own tools would: groundwire is not told."""
    for edit in edits:
        file = directory / edit.file
        text = file.read_text("utf-8")
        file.write_text(text.replace(edit.old, edit.new, 1), "utf-8")


def line_and_column(text: str, piece: str) -> tuple[int, int]:
    """Where the piece first begins, counted from one."""
    before = text[: text.index(piece)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def broken_calls() -> frozenset[tuple[str, int]]:
    """File and line of every call that the first edit breaks: just those that the second mends."""
    return frozenset((edit.file, line_and_column(FILES[edit.file], edit.old)[0]) for edit in MEND)
