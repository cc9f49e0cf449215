"""A Rust crate: orders of several regions, over three modules of its own.

The error is a wrong number of arguments: rust-analyzer itself, without cargo check, reports no unknown names.
Above: ``projects``. Below: nothing.
"""

SIBLINGS = {
    "Cargo.toml": '[package]\nname = "orders"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n',
    "Cargo.lock": 'version = 4\n\n[[package]]\nname = "orders"\nversion = "0.0.0"\n',
    "src/money.rs": """//! Amounts of money.

#[derive(Clone, Copy)]
pub struct Money {
    pub cents: i64,
}

impl Money {
    pub fn plus(self, other: Money) -> Money {
        Money { cents: self.cents + other.cents }
    }

    pub fn times(self, factor: i64) -> Money {
        Money { cents: self.cents * factor / 100 }
    }
}
""",
    "src/catalog.rs": """//! What can be bought.

use crate::money::Money;

#[derive(Clone, Copy)]
pub struct Item {
    pub price: Money,
    pub weight: i64,
}

pub struct Order {
    pub number: usize,
    pub count: i64,
    pub item: Item,
}

impl Order {
    pub fn total(&self) -> Money {
        self.item.price.times(self.count * 100)
    }
}
""",
    "src/storage.rs": """//! Where orders are kept.

use crate::catalog::Order;

pub struct Storage {
    pub orders: [Option<Order>; 64],
}

impl Storage {
    pub fn put(&mut self, order: Order) {
        let number = order.number;
        self.orders[number] = Some(order);
    }
}
""",
}

MAIN = "src/lib.rs"

HEAD = """//! Orders of all regions.

pub mod catalog;
pub mod money;
pub mod storage;

use catalog::{Item, Order};
use money::Money;
use storage::Storage;

/// What a region adds to a price.
#[derive(Clone, Copy)]
pub struct Rate {
    pub region: i64,
    pub factor: i64,
}
"""

BLOCK = """
/// The orders of @name@.
pub struct @Name@Ledger<'a> {
    pub rate: Rate,
    pub storage: &'a mut Storage,
    pub seen: i64,
}

impl @Name@Ledger<'_> {
    /// Keep an order and tell what it costs here.
    pub fn add(&mut self, order: Order) -> Money {
        let amount = self.gross(&order);
        self.storage.put(order);
        self.seen += @number@;
        amount
    }

    pub fn gross(&self, order: &Order) -> Money {
        order.total().times(self.rate.factor)
    }

    pub fn cheaper(&self, one: Item, other: Item) -> Item {
        if one.price.cents < other.price.cents {
            one
        } else {
            other
        }
    }
}
"""

TAIL = """
/// The price of two orders at one rate.
pub fn grand_total(one: &Order, other: &Order, rate: Rate) -> Money {
    let amount = one.total().plus(other.total());
    let addition = amount.times(rate.factor);
    amount.plus(addition)
}

/// Whether a rate is that of a region.
pub fn is_region(rate: Rate, region: i64) -> bool {
    rate.region == region
}
"""

RIGHT = "let addition = amount.times(rate.factor);"
WRONG = "let addition = amount.times(rate.factor@arguments@);"
ABOUT = "expected 1 argument, found @count@"
SYMBOL = "pub struct Money"
