"""Prints what ``pydoc`` says of a name. Run by another Python: ``python -I -S -B pydoc_child.py NAME``.

Documenting is importing. So only what is installed can be found, and nothing runs before it is asked for: no ``.pth``
file, editable install or link can lead to the project, which nobody may have trusted. This file is never imported, and
uses only what an old Python has too. Above: ``toolchain_docs``, which runs it. Below: nothing.
"""

import importlib.util
import os
import pydoc
import site
import sys
import sysconfig


def _packages() -> "list[str]":
    """Of the virtual environment whose interpreter this is: isolated as it is, it takes itself for the base's, and a
    base may have other names for its directories (Debian's ``dist-packages``) than every environment has.
    """
    own = os.path.dirname(os.path.dirname(sys.executable))  # noqa: PTH120 - links must stay
    if not os.path.exists(own + "/pyvenv.cfg"):  # noqa: PTH110
        return site.getsitepackages([sys.prefix])
    if os.name == "nt":
        return [own + "\\Lib\\site-packages"]
    version = "python{}.{}".format(*sys.version_info)
    return [own + "/" + library + "/" + version + "/site-packages" for library in ("lib", "lib64")]


def _is_below(path: str, places: "list[str]") -> bool:
    return (os.path.realpath(path) + os.sep).startswith(tuple(os.path.realpath(place) + os.sep for place in places))


def main(name: str) -> int:
    """Prints to what was standard output; whatever is printed while importing goes elsewhere."""
    out = os.dup(1)
    os.dup2(2, 1)
    packages = _packages()
    places = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *packages]
    sys.path[:] = [path for path in sys.path if _is_below(path, places)] + packages
    spec = importlib.util.find_spec(name.partition(".")[0])
    origins = [spec.origin] if spec and spec.has_location else list((spec and spec.submodule_search_locations) or [])
    if not all(origin and _is_below(origin, places) for origin in origins):
        return 1
    try:
        text = pydoc.plain(pydoc.render_doc(name, "%s"))
    except (ImportError, pydoc.ErrorDuringImport):
        return 1
    with open(out, "w", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123 - a descriptor
        stream.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
