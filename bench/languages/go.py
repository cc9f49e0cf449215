"""A Go module: orders of several regions, over three packages of its own.

Above: ``projects``. Below: nothing.
"""

SIBLINGS = {
    "go.mod": "module example.com/orders\n\ngo 1.21\n",
    "money/money.go": """// Package money is about amounts.
package money

import "fmt"

// Money is an amount in cents.
type Money struct {
	Cents    int64
	Currency string
}

// Plus is the sum.
func (m Money) Plus(other Money) Money {
	return Money{m.Cents + other.Cents, m.Currency}
}

// Times is a multiple, rounded.
func (m Money) Times(factor float64) Money {
	return Money{int64(float64(m.Cents) * factor), m.Currency}
}

// String is for people.
func (m Money) String() string {
	return fmt.Sprintf("%.2f %s", float64(m.Cents)/100, m.Currency)
}
""",
    "catalog/catalog.go": """// Package catalog holds what can be bought.
package catalog

import "example.com/orders/money"

// Item is one thing with a price.
type Item struct {
	Name  string
	Price money.Money
	Tags  []string
}

// Order is items and how many of each.
type Order struct {
	Number int
	Lines  map[string]int
	Items  map[string]Item
}

// Total is what it costs.
func (o Order) Total() money.Money {
	amount := money.Money{Currency: "EUR"}
	for name, count := range o.Lines {
		amount = amount.Plus(o.Items[name].Price.Times(float64(count)))
	}
	return amount
}
""",
    "storage/storage.go": """// Package storage keeps orders.
package storage

import "example.com/orders/catalog"

// Storage holds orders by number.
type Storage struct {
	Orders map[int]catalog.Order
}

// Put keeps an order.
func (s *Storage) Put(order catalog.Order) {
	s.Orders[order.Number] = order
}

// Get is the order, if it is known.
func (s *Storage) Get(number int) (catalog.Order, bool) {
	order, ok := s.Orders[number]
	return order, ok
}
""",
}

MAIN = "main.go"

HEAD = """// Orders of all regions.
package main

import (
	"fmt"

	"example.com/orders/catalog"
	"example.com/orders/money"
	"example.com/orders/storage"
)

// Rate is what a region adds to a price.
type Rate struct {
	Region string
	Factor float64
}
"""

BLOCK = """
// @Name@Ledger holds the orders of @name@.
type @Name@Ledger struct {
	Rate    Rate
	Storage *storage.Storage
	seen    map[int]bool
}

// Add keeps an order and tells what it costs here.
func (l *@Name@Ledger) Add(order catalog.Order) money.Money {
	l.Storage.Put(order)
	l.seen[order.Number] = true
	return l.Gross(order)
}

// Gross is the price with the addition of the region.
func (l *@Name@Ledger) Gross(order catalog.Order) money.Money {
	return order.Total().Times(l.Rate.Factor)
}

// Cheapest is the item with the lowest price.
func (l *@Name@Ledger) Cheapest(items []catalog.Item) *catalog.Item {
	var best *catalog.Item
	for i := range items {
		if best == nil || items[i].Price.Cents < best.Price.Cents {
			best = &items[i]
		}
	}
	return best
}
"""

TAIL = """
// GrandTotal is the sum of all orders at one rate.
func GrandTotal(orders []catalog.Order, rate Rate) money.Money {
	amount := money.Money{Currency: "EUR"}
	for _, order := range orders {
		amount = amount.Plus(order.Total().Times(rate.Factor))
	}
	return amount
}

func main() {
	kept := storage.Storage{Orders: map[int]catalog.Order{}}
	ledger := NorthLedger{Rate{"north", 1.1}, &kept, map[int]bool{}}
	fmt.Println(ledger.Add(catalog.Order{Number: 1}))
}
"""

RIGHT = "amount = amount.Plus(order.Total().Times(rate.Factor))"
WRONG = "amount = amount.Plus(order.Total().Times(missing_@error@))"
ABOUT = "missing_@error@"
SYMBOL = "type Money"
