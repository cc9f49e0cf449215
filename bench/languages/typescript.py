"""A TypeScript project: orders of several regions, over three sibling modules.

Above: ``projects``. Below: nothing.
"""

SIBLINGS = {
    "tsconfig.json": (
        '{"compilerOptions": {"strict": true, "target": "es2022", "module": "es2022", "moduleResolution": "bundler",'
        ' "types": [], "lib": ["es2022"], "noEmit": true}, "include": ["*.ts"]}\n'
    ),
    "package.json": '{"name": "orders", "version": "0.0.0", "private": true, "type": "module"}\n',
    "money.ts": """/** An amount in cents. */
export class Money {
  constructor(
    readonly cents: number,
    readonly currency: string = "EUR",
  ) {}

  plus(other: Money): Money {
    return new Money(this.cents + other.cents, this.currency);
  }

  times(factor: number): Money {
    return new Money(Math.round(this.cents * factor), this.currency);
  }

  text(): string {
    return `${(this.cents / 100).toFixed(2)} ${this.currency}`;
  }
}
""",
    "catalog.ts": """import { Money } from "./money";

/** One thing with a price. */
export interface Item {
  name: string;
  price: Money;
  tags: string[];
}

/** Items and how many of each. */
export class Order {
  constructor(
    readonly number: number,
    readonly lines: Map<string, number>,
    readonly items: Map<string, Item>,
  ) {}

  total(): Money {
    let amount = new Money(0);
    for (const [name, count] of this.lines) {
      const item = this.items.get(name);
      if (item !== undefined) {
        amount = amount.plus(item.price.times(count));
      }
    }
    return amount;
  }
}
""",
    "storage.ts": """import { Order } from "./catalog";

/** Orders by number. */
export class Storage {
  private readonly orders = new Map<number, Order>();

  put(order: Order): void {
    this.orders.set(order.number, order);
  }

  get(number: number): Order | undefined {
    return this.orders.get(number);
  }

  all(): Order[] {
    return [...this.orders.values()];
  }
}
""",
}

MAIN = "main.ts"

HEAD = """import { Item, Order } from "./catalog";
import { Money } from "./money";
import { Storage } from "./storage";

/** What a region adds to a price. */
export interface Rate {
  region: string;
  factor: number;
}
"""

BLOCK = """
/** The orders of @name@. */
export class @Name@Ledger {
  readonly rate: Rate = { region: "@name@", factor: 1.0@number@ };
  private readonly seen = new Set<number>();

  constructor(private readonly storage: Storage) {}

  /** Keep an order and tell what it costs here. */
  add(order: Order): Money {
    this.storage.put(order);
    this.seen.add(order.number);
    return this.gross(order);
  }

  gross(order: Order): Money {
    return order.total().times(this.rate.factor);
  }

  cheapest(items: Iterable<Item>): Item | undefined {
    let best: Item | undefined;
    for (const item of items) {
      if (best === undefined || item.price.cents < best.price.cents) {
        best = item;
      }
    }
    return best;
  }
}
"""

TAIL = """
/** The sum of all orders at one rate. */
export function grandTotal(orders: Iterable<Order>, rate: Rate): Money {
  let amount = new Money(0);
  for (const order of orders) {
    amount = amount.plus(order.total().times(rate.factor));
  }
  return amount;
}

/** One line for each order. */
export function summary(storage: Storage): string[] {
  return storage.all().map((order) => `${order.number}: ${order.total().text()}`);
}
"""

RIGHT = "amount = amount.plus(order.total().times(rate.factor));"
WRONG = "amount = amount.plus(order.total().times(missing_@error@));"
ABOUT = "missing_@error@"
SYMBOL = "class Money"
