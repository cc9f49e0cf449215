"""The first line of an answer: what was found, and how far that is proven.

Above: the renderers of each family of results. Below: ``operations.answer``, ``wording``.
"""

from groundwire.operations.answer import Answer, Status, T
from groundwire.render.wording import counted, known_by, plural


def found(answer: Answer[T], total: int, noun: str, where: str = "") -> str:
    """So many of something. None are called none only where that is proven."""
    note = noted(answer)
    is_confirmed = answer.status is Status.CONFIRMED
    if not total:
        if not is_confirmed:
            return f"{plural(noun).capitalize()}{where}: not known: {reason(answer)}{note}"
        return f"No {plural(noun)}{where} ({known_by(answer.servers)}){note}"
    statement = f"{counted(total, noun)}{where}"
    if is_confirmed:
        return f"{statement} ({known_by(answer.servers)}){note}"
    return f"At least {statement}; whether that is all is not known: {reason(answer)}{note}"


def shown(answer: Answer[T], title: str) -> str:
    """One thing that is shown below, which has no number."""
    if answer.status is Status.CONFIRMED:
        return f"{title} ({known_by(answer.servers)}){noted(answer)}"
    return f"{title}; not proven: {reason(answer)}{noted(answer)}"


def reason(answer: Answer[T]) -> str:
    """Why it is not proven."""
    return answer.reason or answer.status.value


def noted(answer: Answer[T]) -> str:
    """What the question was taken to mean, in brackets."""
    return f" [{answer.note}]" if answer.note else ""
