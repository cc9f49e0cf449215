"""Another program that creates files: as many as it is told, saying of each when it is there.

Run as ``file_maker.py ROOT PATH TEXT``; ``{n}`` in path and text stands for the number of the file, ``{d}`` for that of
its directory. Every line on standard input is a number: create the files up to it. Above: ``test_many_files``.
"""

import sys
from pathlib import Path

IN_A_DIRECTORY = 50


def filled(template: str, number: int) -> str:
    """A path or text for one file."""
    return template.replace("{n}", str(number)).replace("{d}", str(number // IN_A_DIRECTORY))


def main() -> None:
    """Creates until the input ends."""
    root, path, text = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    number = 0
    for line in sys.stdin:
        while number < int(line):
            file = root / filled(path, number)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(filled(text, number), "utf-8")
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()
            number += 1


if __name__ == "__main__":
    main()
