"""A C project: orders of several regions, over three headers.

Above: ``projects``. Below: nothing.
"""

SIBLINGS = {
    "compile_commands.json": (
        '[{"directory": "@root@", "file": "main.c", "arguments": ["cc", "-std=c11", "-Wall", "-I.", "-c", "main.c"]}]\n'
    ),
    "money.h": """#ifndef MONEY_H
#define MONEY_H

struct money {
    long cents;
    char currency[4];
};

static inline struct money money_of(long cents) {
    struct money amount = {cents, "EUR"};
    return amount;
}

static inline struct money money_plus(struct money one, struct money other) {
    one.cents += other.cents;
    return one;
}

static inline struct money money_times(struct money amount, double factor) {
    amount.cents = (long)((double)amount.cents * factor);
    return amount;
}

#endif
""",
    "catalog.h": """#ifndef CATALOG_H
#define CATALOG_H

#include <stddef.h>

#include "money.h"

struct item {
    const char *name;
    struct money price;
};

struct order {
    int number;
    size_t count;
    struct item items[16];
};

static inline struct money order_total(const struct order *order) {
    struct money amount = money_of(0);
    for (size_t i = 0; i < order->count; i++) {
        amount = money_plus(amount, order->items[i].price);
    }
    return amount;
}

#endif
""",
    "storage.h": """#ifndef STORAGE_H
#define STORAGE_H

#include "catalog.h"

struct storage {
    size_t count;
    struct order orders[64];
};

static inline void storage_put(struct storage *storage, const struct order *order) {
    storage->orders[storage->count++] = *order;
}

#endif
""",
}

MAIN = "main.c"

HEAD = """#include <stddef.h>
#include <string.h>

#include "catalog.h"
#include "money.h"
#include "storage.h"

struct rate {
    const char *region;
    double factor;
};
"""

BLOCK = """
/* The orders of @name@. */
struct @name@_ledger {
    struct rate rate;
    struct storage *storage;
    size_t seen;
};

struct money @name@_gross(const struct @name@_ledger *ledger, const struct order *order) {
    return money_times(order_total(order), ledger->rate.factor);
}

struct money @name@_add(struct @name@_ledger *ledger, const struct order *order) {
    storage_put(ledger->storage, order);
    ledger->seen++;
    return @name@_gross(ledger, order);
}

const struct item *@name@_cheapest(const struct order *order) {
    const struct item *best = NULL;
    for (size_t i = 0; i < order->count; i++) {
        if (best == NULL || order->items[i].price.cents < best->price.cents) {
            best = &order->items[i];
        }
    }
    return best;
}
"""

TAIL = """
struct money grand_total(const struct storage *storage, struct rate rate) {
    struct money amount = money_of(0);
    for (size_t i = 0; i < storage->count; i++) {
        amount = money_plus(amount, money_times(order_total(&storage->orders[i]), rate.factor));
    }
    return amount;
}

int is_region(struct rate rate, const char *name) {
    return strcmp(rate.region, name) == 0;
}
"""

RIGHT = "amount = money_plus(amount, money_times(order_total(&storage->orders[i]), rate.factor));"
WRONG = "amount = money_plus(amount, money_times(order_total(&storage->orders[i]), missing_@error@));"
ABOUT = "missing_@error@"
SYMBOL = "struct money"
