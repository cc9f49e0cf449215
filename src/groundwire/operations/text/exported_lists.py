"""Names that a file lists as exported: Python's ``__all__``, the export lists of TypeScript and JavaScript.

Pure. Above: ``exported``. Below: nothing.
"""

import ast
import re

import msgspec


class Listed(msgspec.Struct, frozen=True):
    """``is_final``: nothing else is exported. ``is_everything``: the file is no module, and shares all it has."""

    names: frozenset[str] = frozenset()
    is_final: bool = False
    is_everything: bool = False


_ALL = "__all__"
_LIST = re.compile(r"\bexport\s*(?:type\s*)?\{(?P<names>[^}]*)\}(?P<from>\s*from\b)?")
_DEFAULT = re.compile(
    r"\bexport\s+default\s+(?P<name>[A-Za-z_$][\w$]*)\s*(?:;|$)|\bexport\s*=\s*(?P<is>[\w$]+)", re.MULTILINE
)
_COMMON = re.compile(r"\bmodule\.exports\s*=\s*(?:\{(?P<names>[^}]*)\}|(?P<name>[A-Za-z_$][\w$]*))")
_COMMON_MEMBER = re.compile(r"\b(?:module\.)?exports\.(?P<own>[\w$]+)\s*=\s*(?P<name>[A-Za-z_$][\w$]*)?")
_MODULE = re.compile(r"^\s*(?:import|export)\b|\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w", re.MULTILINE)
_NAME = re.compile(r"[\w$]+")


def python_list(text: str) -> Listed:
    """``__all__``, where it is written out; else nothing is listed."""
    if _ALL not in text:
        return Listed()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Listed()
    names: set[str] = set()
    is_there = False
    for statement in tree.body:
        value = _value_of_all(statement)
        if value is None:
            continue
        found = _strings(value)
        if found is None:
            return Listed()  # made of something else: what is in it is not seen here
        names |= found
        is_there = True
    return Listed(frozenset(names), is_final=True) if is_there else Listed()


def _value_of_all(statement: ast.stmt) -> ast.expr | None:
    match statement:
        case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
            return value
        case (
            ast.AnnAssign(target=ast.Name(id="__all__"), value=value)
            | ast.AugAssign(target=ast.Name(id="__all__"), value=value)
        ):
            return value
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__"), attr=method), args=[value])):
            return {"extend": value, "append": ast.List(elts=[value])}.get(method, statement.value)
        case _:
            return None


def _strings(value: ast.expr) -> set[str] | None:
    """None where it is not just a list of strings."""
    if not isinstance(value, ast.List | ast.Tuple | ast.Set):
        return None
    names = {each.value for each in value.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return names if len(names) == len({ast.dump(each) for each in value.elts}) else None


def script_list(code: str) -> Listed:
    """``export { a, b as c }``, ``export default a``, ``module.exports = { a }``, ``exports.a = …``."""
    if _MODULE.search(code) is None:
        return Listed(is_everything=True)
    names: set[str] = set()
    for found in _LIST.finditer(code):
        if not found["from"]:
            names.update(_first_words(found["names"]))
    for found in _DEFAULT.finditer(code):
        names.add(found["name"] or found["is"])
    for found in _COMMON.finditer(code):
        names.update(_first_words(found["names"]) | _last_words(found["names"]) if found["names"] else {found["name"]})
    for found in _COMMON_MEMBER.finditer(code):
        names.update(filter(None, (found["own"], found["name"])))
    return Listed(frozenset(names))


def _first_words(listed: str) -> set[str]:
    """``a`` of ``a as b``."""
    words = (_NAME.findall(part.replace("type ", " ", 1)) for part in listed.split(","))
    return {each[0] for each in words if each}


def _last_words(listed: str) -> set[str]:
    """``b`` of ``a: b``."""
    return {words[-1] for part in listed.split(",") if (words := _NAME.findall(part))}
