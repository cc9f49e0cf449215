"""How well a symbol's name fits what was typed: exact, then its beginning, then words of it, then letters in order.

Pure. Above: ``symbols``. Below: nothing.
"""

import re

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

EXACT, EXACT_IN_ANY_CASE, PREFIX, WORDS, SUBSEQUENCE, OTHERWISE = range(6)
"""From best to worst; the last is for what only the server's own rule finds."""


def rank(query: str, name: str) -> int:
    """The smaller, the better."""
    if name == query:
        return EXACT
    typed, own = query.casefold(), name.casefold()
    if own == typed:
        return EXACT_IN_ANY_CASE
    if own.startswith(typed):
        return PREFIX
    if _fits_words(typed, [word.casefold() for word in _WORDS.findall(name)]):
        return WORDS
    letters = iter(own)
    return SUBSEQUENCE if all(letter in letters for letter in typed) else OTHERWISE


def _fits_words(typed: str, words: list[str]) -> bool:
    """Whether what was typed is made of beginnings of words, in their order: ``gsn`` and ``symname`` of
    ``getSymbolName``."""
    typed = typed.replace("_", "")
    # How many letters of what was typed can be used up by the words so far.
    used = {0}
    for word in words:
        used |= {
            count + length
            for count in used
            for length in range(1, len(word) + 1)
            if typed[count : count + length] == word[:length]
        }
    return len(typed) in used
