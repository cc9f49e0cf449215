"""The small shop on which skills are tried, the same in several languages: a call written for Python becomes one for
another language by its words.

Above: ``test_skills``, ``scripts/generate-skill-transcripts``. Below: nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from groundwire.operations.workflow.skills_calls import WrittenCall

_PYTHON = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "pricing.py": "def total(prices: list[int]) -> int:\n"
    '    """The sum of all prices."""\n'
    "    return sum(prices)\n\n\n"
    "def largest(prices: list[int]) -> int:\n"
    "    return max(prices)\n\n\n"
    "def smallest(prices: list[int]) -> int:\n"
    "    return min(prices)\n",
    "cart.py": "from pricing import largest, total\n\n\n"
    "def summary(prices: list[int]) -> str:\n"
    '    return f"{total(prices)} (largest {largest(prices)})"\n',
    "invoice.py": "from pricing import total\n\n\n"
    "def invoice(prices: list[int]) -> int:\n"
    "    net = total(prices)\n"
    "    return net + net // 10\n",
    "rules.py": "from abc import ABC, abstractmethod\n\n\n"
    "class Rule(ABC):\n"
    "    @abstractmethod\n"
    "    def price(self, amount: int) -> int: ...\n\n\n"
    "class Discount(Rule):\n"
    "    def price(self, amount: int) -> int:\n"
    "        return amount - 1\n\n\n"
    "class Tax(Rule):\n"
    "    def price(self, amount: int) -> int:\n"
    "        return amount + 2\n",
    "store.py": "from threading import Lock\n\n\n"
    "class Store:\n"
    "    def __init__(self) -> None:\n"
    "        self.lock = Lock()\n"
    "        self.sold = 0\n\n"
    "    def sell(self) -> None:\n"
    "        with self.lock:\n"
    "            self.sold += 1\n\n"
    "    def report(self) -> int:\n"
    "        return self.sold\n",
    "tests/test_pricing.py": "from pricing import total\n\n\n"
    "def test_total() -> None:\n"
    "    assert total([1, 2]) == 3\n",
}

_TYPESCRIPT = {
    "package.json": '{"name": "shop", "version": "1.0.0", "type": "module"}\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
    '"target": "es2022", "lib": ["es2022"], "types": [], "noEmit": true}}\n',
    "pricing.ts": "/** The sum of all prices. */\n"
    "export function total(prices: number[]): number {\n"
    "  return prices.reduce((sum, price) => sum + price, 0);\n"
    "}\n\n"
    "export function largest(prices: number[]): number {\n"
    "  return Math.max(...prices);\n"
    "}\n\n"
    "export function smallest(prices: number[]): number {\n"
    "  return Math.min(...prices);\n"
    "}\n",
    "cart.ts": 'import { largest, total } from "./pricing";\n\n'
    "export function summary(prices: number[]): string {\n"
    "  return `${total(prices)} (largest ${largest(prices)})`;\n"
    "}\n",
    "invoice.ts": 'import { total } from "./pricing";\n\n'
    "export function invoice(prices: number[]): number {\n"
    "  const net = total(prices);\n"
    "  return net + Math.floor(net / 10);\n"
    "}\n",
    "rules.ts": "export interface Rule {\n"
    "  price(amount: number): number;\n"
    "}\n\n"
    "export class Discount implements Rule {\n"
    "  price(amount: number): number {\n"
    "    return amount - 1;\n"
    "  }\n"
    "}\n\n"
    "export class Tax implements Rule {\n"
    "  price(amount: number): number {\n"
    "    return amount + 2;\n"
    "  }\n"
    "}\n",
    "store.ts": "export class Store {\n"
    "  sold = 0;\n\n"
    "  sell(): void {\n"
    "    this.sold += 1;\n"
    "  }\n\n"
    "  report(): number {\n"
    "    return this.sold;\n"
    "  }\n"
    "}\n",
    "tests/pricing.test.ts": 'import { total } from "../pricing";\n\n'
    "export function testTotal(): boolean {\n"
    "  return total([1, 2]) === 3;\n"
    "}\n",
}

_GO = {
    "go.mod": "module example.test/shop\n\ngo 1.19\n",
    "pricing.go": "package shop\n\n"
    "// total is the sum of all prices.\n"
    "func total(prices []int) int {\n"
    "\tsum := 0\n"
    "\tfor _, price := range prices {\n"
    "\t\tsum += price\n"
    "\t}\n"
    "\treturn sum\n"
    "}\n",
    "invoice.go": "package shop\n\n"
    "func invoice(prices []int) int {\n"
    "\tnet := total(prices)\n"
    "\treturn net + net/10\n"
    "}\n\n"
    "var _ = invoice\n",
    "pricing_test.go": 'package shop\n\nimport "testing"\n\n'
    "func TestTotal(t *testing.T) {\n"
    "\tif total([]int{1, 2}) != 3 {\n"
    '\t\tt.Fatal("not the sum")\n'
    "\t}\n"
    "}\n",
}

_RUST = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod invoice;\npub mod pricing;\n",
    "src/pricing.rs": "/// The sum of all prices.\n"
    "pub fn total(prices: &[i64]) -> i64 {\n"
    "    prices.iter().sum()\n"
    "}\n\n"
    "#[cfg(test)]\n"
    "mod tests {\n"
    "    #[test]\n"
    "    fn test_total() {\n"
    "        assert_eq!(super::total(&[1, 2]), 3);\n"
    "    }\n"
    "}\n",
    "src/invoice.rs": "use crate::pricing::total;\n\n"
    "pub fn invoice(prices: &[i64]) -> i64 {\n"
    "    let net = total(prices);\n"
    "    net + net / 10\n"
    "}\n",
}


@dataclass(frozen=True)
class Shop:
    """The files of a project in one language, and the words in which its calls differ from those for Python."""

    server: str
    files: Mapping[str, str]
    ending: str = ".py"
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    """Texts of calls as they are in this language; elsewhere only the ending of files differs."""
    lines: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """Lines of files of the Python project as they are here."""
    lacks: frozenset[str] = frozenset()
    """What its server cannot be asked."""
    never_safe: bool = False
    """Nothing can be proven of an edit before it is written."""
    extra: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """What else there is for a skill."""
    helpers: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Which other servers it is tried with."""

    def write(self, root: Path, skill: str = "") -> Path:
        """All files; the directory without links, as servers see it."""
        for name, text in {**self.files, **self.extra.get(skill, {})}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, "utf-8")
        return root.resolve()

    def call(self, call: WrittenCall) -> WrittenCall:
        """A call for Python as one for this language."""
        return WrittenCall(call.tool, {name: self._said(value, call.given) for name, value in call.given.items()})

    def _said(self, value: object, given: Mapping[str, object]) -> object:
        if isinstance(value, str):
            return self.words.get(value, value.replace(".py", self.ending))
        if isinstance(value, list):
            return [self._said(each, given) for each in cast("list[object]", value)]
        if isinstance(value, dict):
            members = cast("dict[str, object]", value)
            return {name: self._said(each, members) for name, each in members.items()}
        if isinstance(value, int) and not isinstance(value, bool):
            return self.lines.get((str(given.get("file_path")), value), value)
        return value


_NET = "    return net + net // 10\n"
_WITH_TAX = "    return with_tax(net)\n\n\ndef with_tax(net: int) -> int:\n    return net + net // 10\n"
_TAX = "    return net + tax(net)\n\n\ndef tax(net: int) -> int:\n    return net // 10\n"

_TYPESCRIPT_WORDS = {
    "tests/test_pricing.py": "tests/pricing.test.ts",
    "def largest(prices: list[int])": "export function largest(prices: number[])",
    "def largest(prices: list[int], least: int)": "export function largest(prices: number[], least: number)",
    "def largest(prices: list[int], least: int = 0)": "export function largest(prices: number[], least = 0)",
    "return sorted(prices)[-1]": "return [...prices].sort()[prices.length - 1];",
    "return max(prices)": "return Math.max(...prices);",
    "return str(max(prices))": "return String(Math.max(...prices));",
    "return max(prices, default=0)": "return Math.max(0, ...prices);",
    "def smallest(prices: list[int]) -> int:": "export function smallest(prices: number[]): number {",
    "def smallest(prices: list[int], least: int) -> int:": (
        "export function smallest(prices: number[], least: number): number {"
    ),
    "return min(prices)": "return Math.min(...prices);",
    "return max(least, min(prices))": "return Math.max(least, Math.min(...prices));",
    _NET: "  return net + Math.floor(net / 10);\n}\n",
    _WITH_TAX: "  return withTax(net);\n}\n\n"
    "function withTax(net: number): number {\n  return net + Math.floor(net / 10);\n}\n",
    _TAX: "  return net + tax(net);\n}\n\nfunction tax(net: number): number {\n  return Math.floor(net / 10);\n}\n",
    "class Free(Rule):\n    def price(self, amount: int) -> int:\n        return 0": (
        "export class Free implements Rule {\n  price(amount: number): number {\n    return 0;\n  }\n}"
    ),
}

SHOPS: Mapping[str, Shop] = {
    "python": Shop(
        "ty",
        _PYTHON,
        extra={
            "lsp-fix-all": {"draft.py": "print(total([1, 2]))\n"},
            "lsp-format-code": {"loose.py": "def loose( prices ):\n    return   [ *prices ]\n"},
        },
        helpers={"lsp-format-code": ("ruff",)},
    ),
    "typescript": Shop(
        "tsc",
        _TYPESCRIPT,
        extra={
            "lsp-fix-all": {"draft.ts": "export const sum = total([1, 2]);\n"},
            "lsp-format-code": {
                "loose.ts": "export function loose( prices: number[] ){\n    return   [ ...prices ]\n}\n"
            },
        },
        ending=".ts",
        words=_TYPESCRIPT_WORDS,
        lines={
            ("store.py", 7): 2,
            ("invoice.py", 5): 4,
            ("invoice.py", 6): 5,
            ("rules.py", 13): 11,
            ("rules.py", 15): 15,
        },
        lacks=frozenset({"type_hierarchy", "run_tests"}),
    ),
    "go": Shop(
        "gopls",
        _GO,
        ending=".go",
        words={
            "cart.py": "pricing.go",
            "tests/test_pricing.py": "pricing_test.go",
            _NET: "\treturn net + net/10\n",
            _TAX: "\treturn net + tax(net)\n}\n\nfunc tax(net int) int {\n\treturn net / 10\n",
        },
    ),
    "rust": Shop(
        "rust-analyzer",
        _RUST,
        ending=".rs",
        words={
            **{f"{name}.py": f"src/{name}.rs" for name in ("pricing", "invoice")},
            "cart.py": "src/pricing.rs",
            "tests/test_pricing.py": "src/pricing.rs",
            "pricing.py::total": "src/pricing.rs::total",
            _NET: "    net + net / 10\n",
            _TAX: "    net + tax(net)\n}\n\nfn tax(net: i64) -> i64 {\n    net / 10\n",
        },
        never_safe=True,
    ),
}
