"""Whether code that was given for a body is the whole definition again.

Pure. Above: ``body_edits``. Below: ``masked_text``, ``symbol_spans``.
"""

import re

from groundwire.operations.editing.symbol_spans import Located, skip_attributes
from groundwire.operations.text.masked_text import BLANK, Masked

_STATEMENT = re.compile(
    r"(?:return|throw|raise|await|new|yield|if|else|for|while|switch|match|delete|co_return|case|typeof|go|defer|assert)"
    r"(?!\w)"
)


def is_whole_definition(given: Masked, located: Located) -> bool:
    """Whether its first code is the symbol's signature, and not a statement of its body."""
    start = skip_attributes(given, 0, len(given.code))
    name = located.masked.text[located.span.name : located.span.name_end]
    found = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])").search(given.text, start) if name else None
    if found is None or given.code[found.start()] != given.text[found.start()]:
        return False
    before = given.code[start : found.start()]
    if re.search(r"[\n;{}=]", _without_brackets(before)) or _STATEMENT.match(before):
        return False
    own = located.masked.code[located.span.first : located.span.name]
    keywords = given.syntax.declaring & set(re.findall(r"\w+", own))
    if keywords:
        return bool(given.syntax.declaring & set(re.findall(r"\w+", before)))
    return _has_own_body(given, found.end())


def _without_brackets(code: str) -> str:
    """A receiver or a type's arguments may be over several lines."""
    return re.sub(r"\([^()]*\)|<[^<>]*>|\[[^\[\]]*\]", "", code)


def _has_own_body(given: Masked, name_end: int) -> bool:
    """``name(…) … { … }`` up to the very end, or ``name = (…) => …``: no call is followed by a block."""
    code = given.code
    at = given.skip_blank(name_end, len(code))
    if code[at : at + 1] == "<":
        at = code.find("(", at)
    if code[at : at + 1] == "(":
        closing, end = given.partner(at), len(code.rstrip(f"{BLANK};"))
        opening = given.partner(end - 1) if code[end - 1 : end] == "}" else None
        return closing is not None and opening is not None and opening > closing and ";" not in code[closing:opening]
    value = re.compile(rf"[^=;{{}}]*=[\s\x02]*{given.syntax.function_value}").match(code, at)
    return bool(given.syntax.function_value and given.syntax.arrow and value)
