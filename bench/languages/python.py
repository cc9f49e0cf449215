"""A Python project: orders of several regions, over three sibling modules.

Above: ``projects``. Below: nothing.
"""

SIBLINGS = {
    "pyproject.toml": '[project]\nname = "orders"\nversion = "0"\n\n[tool.ruff]\nline-length = 120\n',
    "money.py": '''"""Amounts of money."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    """An amount in cents."""

    cents: int
    currency: str = "EUR"

    def plus(self, other: "Money") -> "Money":
        """The sum."""
        return Money(self.cents + other.cents, self.currency)

    def times(self, factor: float) -> "Money":
        """A multiple, rounded."""
        return Money(round(self.cents * factor), self.currency)

    def text(self) -> str:
        """For people."""
        return f"{self.cents / 100:.2f} {self.currency}"
''',
    "catalog.py": '''"""What can be bought."""

from dataclasses import dataclass, field

from money import Money


@dataclass
class Item:
    """One thing with a price."""

    name: str
    price: Money
    tags: list[str] = field(default_factory=list)

    def has_tag(self, tag: str) -> bool:
        """Whether it is tagged so."""
        return tag in self.tags


@dataclass
class Order:
    """Items and how many of each."""

    number: int
    lines: dict[str, int]
    items: dict[str, Item]

    def total(self) -> Money:
        """What it costs."""
        amount = Money(0)
        for name, count in self.lines.items():
            amount = amount.plus(self.items[name].price.times(count))
        return amount
''',
    "storage.py": '''"""Where orders are kept."""

from collections.abc import Iterator

from catalog import Order


class Storage:
    """Orders by number."""

    def __init__(self) -> None:
        self._orders: dict[int, Order] = {}

    def put(self, order: Order) -> None:
        """Keep an order."""
        self._orders[order.number] = order

    def get(self, number: int) -> Order | None:
        """The order, if it is known."""
        return self._orders.get(number)

    def __iter__(self) -> Iterator[Order]:
        return iter(self._orders.values())
''',
}

MAIN = "main.py"

HEAD = '''"""Ledgers of all regions."""

from collections.abc import Iterable
from dataclasses import dataclass

from catalog import Item, Order
from money import Money
from storage import Storage


@dataclass(frozen=True)
class Rate:
    """What a region adds to a price."""

    region: str
    factor: float
'''

BLOCK = '''

class @Name@Ledger:
    """The orders of @name@."""

    def __init__(self, storage: Storage) -> None:
        self.rate = Rate("@name@", 1.0@number@)
        self._storage = storage
        self._seen: set[int] = set()

    def add(self, order: Order) -> Money:
        """Keep an order and tell what it costs here."""
        self._storage.put(order)
        self._seen.add(order.number)
        return self.gross(order)

    def gross(self, order: Order) -> Money:
        """The price with the addition of the region."""
        return order.total().times(self.rate.factor)

    def cheapest(self, items: Iterable[Item]) -> Item | None:
        """The item with the lowest price."""
        best: Item | None = None
        for item in items:
            if best is None or item.price.cents < best.price.cents:
                best = item
        return best
'''

TAIL = '''

def grand_total(orders: Iterable[Order], rate: Rate) -> Money:
    """The sum of all orders at one rate."""
    amount = Money(0)
    for order in orders:
        amount = amount.plus(order.total().times(rate.factor))
    return amount


def summary(storage: Storage) -> list[str]:
    """One line for each order."""
    return [f"{order.number}: {order.total().text()}" for order in storage]
'''

RIGHT = "amount = amount.plus(order.total().times(rate.factor))"
WRONG = "amount = amount.plus(order.total().times(missing_@error@))"
ABOUT = "missing_@error@"
SYMBOL = "class Money"
