"""Which symbols of a file others can use, by the rule of its language, as data; where there is no rule: all, and that
is said.

Pure. Above: ``impact``, ``risk``. Below: ``exported_lists`` (names that a file lists), ``masked_text``, ``syntaxes``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import msgspec

from groundwire.operations.text.exported_lists import Listed, python_list, script_list
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntaxes import syntax_of
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.protocol.symbol_tree import Symbol

_CLASS, _ENUM, _INTERFACE, _NAMESPACE, _STRUCT = 5, 10, 11, 3, 23
_TYPES = frozenset({_CLASS, _ENUM, _INTERFACE, _STRUCT})
_ACCESS = re.compile(r"\b(?P<access>public|protected|private)\s*(?:slots\s*)?:(?!:)|(?P<bracket>[{}])")
_STATEMENT_ENDS = re.compile(r"[;{}]")


class ExportRule(msgspec.Struct, frozen=True, kw_only=True):
    """All patterns are regular expressions; an empty one demands nothing."""

    name: str = ""
    """What the whole name is like."""
    needs: str = ""
    """What stands before the name in its declaration."""
    members_need: str | None = None
    """As ``needs``, of what is declared within a type; None: the same."""
    hides: str = ""
    """What must not stand before the name."""
    open_in: frozenset[int] = frozenset()
    """Kinds of types whose members need no such word."""
    inherits: bool = True
    """Whether a member of a type is exported only where the type is."""
    has_labels: bool = False
    """Whether ``private:`` holds for all that follows."""
    listed: Callable[[str], Listed] | None = None
    """Names that the file lists."""
    lists_in_code: bool = False
    """Whether they are read off the masked text."""


_SCRIPT = ExportRule(
    needs=r"\bexport\b", members_need="", hides=r"\bprivate\b|#$", listed=script_list, lists_in_code=True
)
_C = ExportRule(hides=r"\bstatic\b", has_labels=True)

RULES: Mapping[str, ExportRule] = {
    "go": ExportRule(name=r"[^\W\d_a-z]\w*", inherits=False),
    "python": ExportRule(name=r"[^\W\d_]\w*", listed=python_list),
    **dict.fromkeys(("typescript", "typescriptreact", "javascript", "javascriptreact"), _SCRIPT),
    "rust": ExportRule(needs=r"\bpub\b(?!\s*\(\s*self\s*\))", open_in=frozenset({_INTERFACE}), inherits=False),
    "java": ExportRule(needs=r"\b(?:public|protected)\b", open_in=frozenset({_INTERFACE})),
    "csharp": ExportRule(
        members_need=r"\b(?:public|protected|internal)\b", hides=r"\bprivate\b", open_in=frozenset({_INTERFACE, _ENUM})
    ),
    "kotlin": ExportRule(hides=r"\bprivate\b"),
    "scala": ExportRule(hides=r"\bprivate\b(?!\s*\[)"),
    "swift": ExportRule(hides=r"\b(?:file)?private\b(?!\s*\(\s*set\s*\))"),
    "c": _C,
    "cpp": _C,
    "objective-c": _C,
    "objective-cpp": _C,
    "cuda-cpp": _C,
    "dart": ExportRule(name=r"[^_]\w*"),
    "php": ExportRule(hides=r"\bprivate\b"),
    "zig": ExportRule(needs=r"\b(?:pub|export)\b"),
    "lua": ExportRule(hides=r"\blocal\b"),
    "elixir": ExportRule(hides=r"\b(?:defp|defmacrop)\b"),
}
"""By LSP's language id."""


class Exports:
    """What one text exports. ``note``: why that is only a guess; empty where the language has a rule."""

    def __init__(self, lines: Lines, language: str, encoding: PositionEncoding) -> None:
        self._lines = lines
        self._language = language
        self._encoding: PositionEncoding = encoding
        self._rule = RULES.get(language)
        self.note = "" if self._rule else f"what is exported in {language} is not known here: all symbols were taken"

    def is_exported(self, symbol: Symbol, around: Sequence[Symbol] = ()) -> bool:
        """Whether others can use it. ``around``: what it is declared in, the outermost first."""
        rule = self._rule
        if rule is None:
            return True
        types = [each for each in around if each.kind in _TYPES]
        if rule.inherits and types and not self.is_exported(types[-1], around[: around.index(types[-1])]):
            return False
        if rule.has_labels and any("anonymous" in each.name for each in around):
            return False
        return self._is_open(rule, symbol, around)

    def _is_open(self, rule: ExportRule, symbol: Symbol, around: Sequence[Symbol]) -> bool:
        name, parent = symbol.path[-1], around[-1] if around else None
        is_member = parent is not None and parent.kind not in (_NAMESPACE, 2, 4)
        if not is_member and rule.listed is not None:
            if self._listed.is_everything or name in self._listed.names:
                return True
            if self._listed.is_final:
                return False
        if parent is not None and is_member and rule.has_labels:
            return self._access(symbol, parent) != "private"
        if rule.name and not re.fullmatch(rule.name, name):
            return False
        if rule.hides and re.search(rule.hides, self._before(symbol)):
            return False
        if parent is not None and (parent.kind in rule.open_in or _is_of_trait(parent)):
            return True
        needed = rule.members_need if is_member and rule.members_need is not None else rule.needs
        return not needed or bool(re.search(needed, self._before(symbol)))

    def _before(self, symbol: Symbol) -> str:
        """The code of its declaration up to its name."""
        start = self._masked.line_start(self._offset(symbol, is_name=False))
        code = self._masked.code[start : self._offset(symbol, is_name=True)]
        ends = [found.end() for found in _STATEMENT_ENDS.finditer(code)]
        return code[ends[-1] :] if ends else code

    def _access(self, symbol: Symbol, parent: Symbol) -> str:
        """The label that holds for a member of a class."""
        start, end = self._offset(parent, is_name=True), self._offset(symbol, is_name=True)
        access, depth = "private" if self._is_class(parent) else "public", 0
        for found in _ACCESS.finditer(self._masked.code, start, end):
            bracket = found["bracket"]
            if bracket:
                depth += 1 if bracket == "{" else -1
            elif depth == 1:
                access = found["access"]
        return access

    def _is_class(self, parent: Symbol) -> bool:
        return parent.kind == _CLASS and re.search(r"\b(?:struct|union)\b", self._before(parent)) is None

    def _offset(self, symbol: Symbol, *, is_name: bool) -> int:
        return self._lines.offset(symbol.selection.start if is_name else symbol.range.start, self._encoding)

    @cached_property
    def _masked(self) -> Masked:
        return Masked(self._lines.text, syntax_of(self._language))

    @cached_property
    def _listed(self) -> Listed:
        if self._rule is None or self._rule.listed is None:
            return Listed()
        return self._rule.listed(self._masked.code if self._rule.lists_in_code else self._lines.text)


def _is_of_trait(parent: Symbol) -> bool:
    """``impl Shape for Square``: what is in there is as open as the trait."""
    return parent.name.startswith("impl") and " for " in parent.name
