"""Which names a text declares for others, as far as its lines show it: of every language at once, without its server.

A name that is declared less often than before is gone for somebody, though the text may still have it: in a comment, as
another class's member, in its own recursion. Rather too many names than too few: each is looked for and no more. Pure.
Above: ``touched``. Below: nothing.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

COMMENT = re.compile(
    r'\s*(?://|/\*|\*|--|;|"""|#(?!\s*(?:define|undef|include|import|if|ifdef|ifndef|elif|else|endif|pragma)\b|\[))'
)
"""Of many languages; C and its kin have more than comments behind a ``#``, and so has Rust."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_LONG_STRINGS = ('"""', "'''")
_LONGEST = 300
"""Characters: so far into a line a declaration is looked for."""

_WORD = r"[^\W\d]\w*"
_WORDS = re.compile(_WORD)
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
_IMPORTING = re.compile(
    r"\s*(?:pub(?:\([^)]*\))?\s+)?"
    r"(?:(?:from|import|use|using|attr_\w+)[\s{*\"]|export\s*(?:type\s*)?[{*]|(?:module\.)?exports\b)"
)
"""All its words may be names; what is declared as it is exported is found by its own word."""
_ATTRIBUTE = re.compile(
    rf"(?:\b(?:self|this|cls)\.|(?<![\w@])@{{1,2}}(?=\w+\s*\|?\|?=))({_WORD})\s*(?::[^=\n]+)?=(?![=~])"
)

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


def lost_declarations(before: str, after: str, removed: Iterable[int]) -> set[str]:
    """Names that lines of ``before`` declare, those with the numbers in ``removed``, and ``after`` does less often."""
    old = _Text(before)
    named = {name for number in removed if number < len(old.lines) for name in old.declared_at(number)}
    if not named:
        return set()
    earlier, now = old.counted(named), _Text(after).counted(named)
    return {name for name in named if now[name] < earlier[name]}


class _Text:
    """Its lines, looked at no further than is asked for: every edit asks."""

    def __init__(self, text: str) -> None:
        self.lines = _LINE_END.split(text)  # not at what else may end one: numbers are those of the protocol
        self._strings = list(_lines_in_strings(self.lines)) if any(mark in text for mark in _LONG_STRINGS) else []

    def counted(self, names: Collection[str]) -> Counter[str]:
        """How many lines declare each of them."""
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
        near = (number for number, line in enumerate(self.lines) if pattern.search(line))
        return Counter(name for number in near for name in self.declared_at(number) if name in names)

    def declared_at(self, number: int) -> set[str]:
        """The names that a line declares."""
        line = self.lines[number]
        if not self._is_code(number):
            return set()
        found = {match[1] for match in _ATTRIBUTE.finditer(line)}
        others = _declared_by(line)
        return found if others <= found or self._is_local(number) else found | others

    def _is_code(self, number: int) -> bool:
        line = self.lines[number]
        is_in_string = bool(self._strings) and self._strings[number]
        return not is_in_string and not COMMENT.match(line) and bool(line.strip())

    def _is_local(self, number: int) -> bool:
        """Whether it is within a function: one of the headers above, each indented less than what is below it, is."""
        indent, continued = _indent(self.lines[number]), False
        for above in range(number - 1, -1, -1):
            line = self.lines[above]
            here = _indent(line)
            if here > indent or (here == indent and not continued) or not self._is_code(above):
                continue
            indent, continued = here, _CONTINUES.match(line) is not None
            if not continued and _begins_function(line):
                return True
            if not indent and not continued:
                return False
        return False


def _declared_by(line: str) -> set[str]:
    """As if it were not within a function."""
    head = line[:_LONGEST]
    if _STATEMENT.match(head):
        return set()
    found = {match[1] for match in _INTRODUCED.finditer(head)}
    if _IMPORTING.match(head):
        found.update(_WORDS.findall(line))
    for pattern in (_ASSIGNED, _CALLABLE, _MEMBER, _BARE):
        if match := pattern.match(head):
            found.update(name for group in match.groups() if group for name in _WORDS.findall(group))
    return found


def _begins_function(line: str) -> bool:
    head = line[:_LONGEST]
    if _GROUP.match(head):
        return False
    if _FUNCTION.search(head):
        return True
    return not _TYPE.search(head) and not _STATEMENT.match(head) and _CALLABLE.match(head) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _lines_in_strings(lines: Iterable[str]) -> Iterator[bool]:
    """Of each line, whether it begins within a string that goes on over lines."""
    until = ""
    for line in lines:
        yield bool(until)
        if until:
            until = "" if line.count(until) % 2 else until
        else:
            until = next((mark for mark in _LONG_STRINGS if line.count(mark) % 2), "")
