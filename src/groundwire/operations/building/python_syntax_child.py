"""Run as a script by an interpreter of the project: whether files can be compiled. Nothing is written or imported.

Above: ``ecosystems.python_checkers``. Below: the standard library of any Python 3.
"""

import sys
import warnings


def main(names: str) -> int:
    """One line for each file that cannot be."""
    warnings.simplefilter("ignore")
    status = 0
    with open(names, encoding="utf-8", errors="surrogateescape") as listed:  # noqa: PTH123  it has to start at once
        files = [name for name in listed.read().split("\0") if name]
    for name in files:
        try:
            with open(name, "rb") as stream:  # noqa: PTH123
                compile(stream.read(), name, "exec", dont_inherit=True)
        except SyntaxError as error:
            status = 1
            print(f"{name}:{error.lineno or 1}:{error.offset or 1}: {error.msg}")  # noqa: T201  that is its answer
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            status = 1
            print(f"{name}:1:1: {type(error).__name__}: {error}")  # noqa: T201
    print(f"{len(files)} files")  # noqa: T201
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
