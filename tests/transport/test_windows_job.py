"""The part of the job object that can be checked anywhere: what is handed to the system has its form."""

import ctypes

from groundwire.transport.windows_job import BasicLimits, ExtendedLimits, kill_on_close_limits


def test_the_structures_have_the_size_the_system_expects():
    sixty_four_bits = ctypes.sizeof(ctypes.c_void_p) == 8
    assert ctypes.sizeof(BasicLimits) == (64 if sixty_four_bits else 48)
    assert ctypes.sizeof(ExtendedLimits) == (144 if sixty_four_bits else 112)


def test_the_one_limit_is_that_nobody_outlives_the_job():
    limits = bytes(kill_on_close_limits())
    # LimitFlags follows two 64-bit times.
    assert int.from_bytes(limits[16:20], "little") == 0x2000
    assert limits[:16] == bytes(16)
    assert not any(limits[20:])
