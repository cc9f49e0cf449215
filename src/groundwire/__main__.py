"""``python -m groundwire`` and the ``groundwire`` command.

Above: the shell. Below: ``surfaces.cli``.
"""

import sys

from groundwire.surfaces.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
