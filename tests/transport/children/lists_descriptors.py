"""Prints the numbers of the descriptors it was given."""

import os


def is_open(number: int) -> bool:
    """Whether that descriptor is open here."""
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


print(*(number for number in range(1024) if is_open(number)), flush=True)
