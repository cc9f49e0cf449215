"""Kernel queues in trouble: the real one, with fewer watches than it has, or with an event of our own."""

import errno

from groundwire.pool.inotify_queue import IN_Q_OVERFLOW, Event, KernelQueue


class LimitedQueue(KernelQueue):
    """A kernel that has only so many watches left."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.left = limit
        self.held: set[int] = set()

    def watch(self, path: str, *, follow: bool) -> int:
        if not self.left:
            raise OSError(errno.ENOSPC, "No space left on device", path)
        watch = super().watch(path, follow=follow)
        if watch not in self.held:
            self.held.add(watch)
            self.left -= 1
        return watch

    def unwatch(self, watch: int) -> None:
        super().unwatch(watch)
        self.held.discard(watch)


class ForgetfulQueue(KernelQueue):
    """A kernel whose queue was full: it lost everything and says so."""

    def __init__(self, *, is_always_full: bool = False) -> None:
        super().__init__()
        self.is_always_full = is_always_full
        self.is_full = is_always_full

    def read(self) -> list[Event]:
        events = super().read()
        if not self.is_full:
            return events
        self.is_full = self.is_always_full
        return [Event(-1, IN_Q_OVERFLOW, "")]
