"""Which names a text declares for others, as far as its lines show it: of every language at once, without its server.

A name that is declared less often than before is gone for somebody, though the text may still have it: in a comment, as
another class's member, in its own recursion. So is one that is not exported any more, is in another class, or comes
from another module. Rather too many names than too few: each is looked for and no more. Pure. Above: ``touched``.
Below: ``imported_names``.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from groundwire.operations.text.imported_names import IMPORTING, WORDS, bound_names, source_of_import

COMMENT = re.compile(
    r'\s*(?://|/\*|\*|--|;|"""|#(?!\s*(?:define|undef|include|import|if|ifdef|ifndef|elif|else|endif|pragma)\b|\[))'
)
"""Of many languages; C and its kin have more than comments behind a ``#``, and so has Rust."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_LONG_STRINGS = ('"""', "'''")
_SET_ASIDE = ((re.compile(r"\s*/\*"), "*/"), (re.compile(r"\s*#\s*if\s+0\b"), "#endif"))
"""What begins with such a line is no code up to the other mark."""
_LONGEST = 300
"""Characters: so far into a line a declaration is looked for."""

_WORD = r"[^\W\d]\w*"
_BEFORE_NAME = r"(?:(?:[\w<>\[\],.*&?|~@]|::)+\s+)*[*&~@$]*"
"""Modifiers and types."""
_INTRODUCED = re.compile(
    r"\b(?:alias|class|const|def|define|defmacro|defmodule|defp|delegate|enum|event|extension|fn|fun|func|function"
    r"|interface|let|macro|macro_rules|mod|module|namespace|object|package|protocol|record|static|struct|sub|trait|type"
    r"|typealias|typedef|union|val|var)\b!?"
    rf"\s+(?:\([^)\n]*\)\s*)?[*&]*({_WORD})"
)
_ASSIGNED = re.compile(
    rf"\s*{_BEFORE_NAME}({_WORD}(?:\s*,\s*{_WORD})*)\s*(?:\[[^\]\n]*\]\s*)*(?:[?!]?:(?!:)|:?=(?![=>~]))"
)
_CALLABLE = re.compile(rf"\s*{_BEFORE_NAME}(?:\w+::)*~?({_WORD})\s*(?:<[^()\n]*>|\[[^()\n]*\])?\s*\(")
_MEMBER = re.compile(rf"\s*(?:(?:local\s+)?function\s+)?{_WORD}(?:[.:]{_WORD})*[.:]({_WORD})\s*(?:=(?![=>~])|\()")
_BARE = re.compile(rf"\s*({_WORD})(?:(?:\s|::)+[\w<>\[\],.:*&?]+)*?(?:\s+[*&$]*({_WORD}))?\s*(?:[,;{{`\"]|$)")
"""Members of enumerations, fields whose type stands beside them, entries of a list of imports."""
_ATTRIBUTE = re.compile(
    rf"(?:\b(?:self|this|cls)\.|(?<![\w@])@{{1,2}}(?=\w+\s*\|?\|?=))({_WORD})\s*(?::[^=\n]+)?=(?![=~])"
)

_RENAMED = re.compile(rf"\bas\s+({_WORD})")
_GLOBAL = re.compile(r"^[ \t]*global[ \t]+([\w \t,]+)", re.MULTILINE)

_STATEMENT = re.compile(
    r"\s*(?:\}\s*)?(?:(?:assert|await|break|case|catch|continue|do|elif|else|elsif|except|for|foreach|goto|if|raise|return"
    r"|switch|throw|unless|until|while|yield)\b|(?:default|defer|del|delete|echo|finally|go|loop|match|new|not|pass|print"
    r"|select|try|when|with)\b(?!\s*[(:=?]))"
)
"""What some of them begin with are names of methods elsewhere."""
_FUNCTION = re.compile(r"\b(?:def|fn|fun|func|function|init|lambda|proc|sub)\b|=>|->\s*\{|\bdo\b\s*(?:\|[^|]*\|)?\s*$")
_TYPE = re.compile(
    r"\b(?:class|enum|extension|impl|interface|module|mod|namespace|object|protocol|record|struct|trait|type|union)\b"
)
_GROUP = re.compile(
    r"\s*(?:(?:const|from|import|type|use|var)\b[^=(]*\(?\s*$|export\s*(?:type\s*)?\{|def(?:impl|module|protocol)\b)"
)
"""The head of several declarations, or of what is imported."""
_CONTINUES = re.compile(r"\s*[)\]}{]|\s*(?:where|throws)\b")
_OPEN = re.compile(r"\s*(?:export|open|pub|public)\b")
_MEMBERED = re.compile(r"\b(?:class|enum|impl|interface|protocol|record|struct|trait|union)\b")
_MACRO = re.compile(r"\s*#\s*define\b")


def lost_declarations(before: str, after: str, removed: Iterable[int]) -> set[str]:
    """Names that lines of ``before`` declare, those with the numbers in ``removed``, and ``after`` does less often."""
    old = DeclaringText(before)
    named = {name for number in removed if number < len(old.lines) for name in old.declared_at(number)}
    if not named:
        return set()
    earlier, now = old.counted(named), DeclaringText(after).counted(named)
    return {declared[0] for declared, times in earlier.items() if now[declared] < times}


class DeclaringText:
    """Its lines, looked at no further than is asked for: every edit asks."""

    def __init__(self, text: str) -> None:
        self.lines = _LINE_END.split(text)  # not at what else may end one: numbers are those of the protocol
        has_strings = any(mark in text for mark in _LONG_STRINGS)
        has_others = "/*" in text or "#if" in text
        self._shared = {name for found in _GLOBAL.finditer(text) for name in WORDS.findall(found[1])}
        self._aside = list(_lines_set_aside(self.lines)) if has_strings or has_others else []

    def counted(self, names: Collection[str]) -> Counter[tuple[str, str]]:
        """How many lines declare each of them, in all and in each of the ways that matter to others."""
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
        near = (number for number, line in enumerate(self.lines) if pattern.search(line))
        return Counter(each for number in near for each in self._ways_at(number, names))

    def declared_at(self, number: int) -> set[str]:
        """The names that a line declares."""
        line = self.lines[number]
        if not self.is_code(number):
            return set()
        found = {match[1] for match in _ATTRIBUTE.finditer(line)}
        others = _declared_by(line)
        if self._shared:  # a function gives these their values for everybody
            found |= self._shared.intersection(WORDS.findall(line) if _GLOBAL.match(line) else others)
        return found if others <= found or self._scope(number) is None else found | others

    def is_code(self, number: int) -> bool:
        """Whether a line is more than a comment or the middle of a string."""
        line = self.lines[number]
        is_aside = bool(self._aside) and self._aside[number]
        return not is_aside and not COMMENT.match(line) and bool(line.strip())

    def is_in_function(self, number: int) -> bool:
        """Whether a line concerns nobody outside."""
        return self._scope(number) is None

    def names_for_others(self) -> set[str]:
        """All that it declares and that is no member of a type."""
        numbers = (
            number for number, line in enumerate(self.lines) if not indent_of(line) or not self._is_member(number)
        )
        return {name for number in numbers for name in self.declared_at(number)}

    def _is_member(self, number: int) -> bool:
        head = self._heads[number]
        return head >= 0 and _MEMBERED.search(self.lines[head]) is not None

    def _ways_at(self, number: int, names: Collection[str]) -> Iterator[tuple[str, str]]:
        declared = self.declared_at(number).intersection(names)
        if not declared:
            return
        line = self.lines[number]
        ways = ["", f"in {self._scope(number)}"]
        ways += ["open"] if _OPEN.match(line) else []
        ways += [line] if _MACRO.match(line) else []
        yield from ((name, way) for name in declared for way in ways)
        source = self._source_at(number)
        if source:
            bound = bound_names(line).items()
            yield from ((name, f"{source} {original}") for name, original in bound if name in declared)

    def imported_at(self, number: int) -> set[str]:
        """The names on a line that come from elsewhere."""
        source = self._source_at(number)
        if not source:
            return set()
        line = self.lines[number]
        renamed = _RENAMED.findall(line)  # ``import a.b as c``
        names = renamed if line.strip() == source and renamed else re.findall(_WORD, line.split(source, 1)[-1])
        return self.declared_at(number).intersection(names)

    def _source_at(self, number: int) -> str:
        """Where the names on a line are imported from: it may stand above them, or at the end of their list."""
        if IMPORTING.match(self.lines[number]):
            return source_of_import(self.lines[number])
        head = self._heads[number]
        if head < 0 or not IMPORTING.match(self.lines[head]):
            return ""
        below = (line for line in self.lines[number + 1 :] if _CONTINUES.match(line))
        return source_of_import(f"{self.lines[head]} {next(below, '')}")

    def _scope(self, number: int) -> str | None:
        """What it is declared in; None: a function, which concerns nobody else.

        The headers above it are those that are each indented less than what is below them.
        """
        names: list[str] = []
        above = self._heads[number] if indent_of(self.lines[number]) else -1
        while above >= 0:
            line = self.lines[above]
            is_continued = _CONTINUES.match(line) is not None
            if not is_continued and _begins_function(line):
                return None
            names.append(_scope_name(line))
            above = self._beginning(above) if is_continued else self._heads[above]
        return ".".join(filter(None, names))

    def _beginning(self, number: int) -> int:
        """Of a head that goes on over lines, the line above its last one that is indented no more."""
        indent = indent_of(self.lines[number])
        above = (each for each in range(number - 1, -1, -1) if indent_of(self.lines[each]) <= indent)
        return next(filter(self.is_code, above), -1)

    @cached_property
    def _heads(self) -> list[int]:
        """Of each line the next one above it that is indented less; -1: none is."""
        heads: list[int] = []
        open_: list[tuple[int, int]] = []
        for number, line in enumerate(self.lines):
            indent = indent_of(line)
            if not self.is_code(number):  # nothing ends there, however little it is indented
                heads.append(next((head for depth, head in reversed(open_) if depth < indent), -1))
                continue
            while open_ and open_[-1][0] >= indent:
                open_.pop()
            heads.append(open_[-1][1] if open_ else -1)
            open_.append((indent, number))
        return heads


def _declared_by(line: str) -> set[str]:
    """As if it were not within a function."""
    head = line[:_LONGEST]
    if _STATEMENT.match(head):
        return set()
    found = {match[1] for match in _INTRODUCED.finditer(head)}
    if IMPORTING.match(head):
        found.update(WORDS.findall(line))
    for pattern in (_ASSIGNED, _CALLABLE, _MEMBER, _BARE):
        if match := pattern.match(head):
            found.update(name for group in match.groups() if group for name in WORDS.findall(group))
    return found


def _begins_function(line: str) -> bool:
    head = line[:_LONGEST]
    if _GROUP.match(head):
        return False
    if _FUNCTION.search(head):
        return True
    return not _TYPE.search(head) and not _STATEMENT.match(head) and _CALLABLE.match(head) is not None


def begins_scope(line: str) -> bool:
    """Whether what is indented below it is a member of what it declares."""
    return bool(_scope_name(line)) and not COMMENT.match(line)


def _scope_name(line: str) -> str:
    head = line[:_LONGEST]
    found = _INTRODUCED.search(head) if _TYPE.search(head) else None
    return found[1] if found else ""


def indent_of(line: str) -> int:
    """How far from the left it begins."""
    return len(line) - len(line.lstrip())


def _lines_set_aside(lines: Iterable[str]) -> Iterator[bool]:
    """Of each line, whether it begins within a string that goes on over lines, or within a comment that does."""
    until, is_string = "", False
    for line in lines:
        yield bool(until)
        if until:
            ends = line.count(until) % 2 == 1 if is_string else until in line
            until = "" if ends else until
            continue
        until = next((mark for mark in _LONG_STRINGS if line.count(mark) % 2), "")
        is_string = bool(until)
        if not until:
            until = next((end for begin, end in _SET_ASIDE if begin.match(line) and end not in line), "")
