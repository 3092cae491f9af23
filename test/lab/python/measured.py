"""What the programs of this folder have in common: wall and processor time."""

import resource
import time


def processor_seconds():
    """Of this process and of the venues that it has closed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Measured:
    def __enter__(self):
        self._wall, self._processor = time.perf_counter(), processor_seconds()
        return self

    def __exit__(self, *_):
        self.wall = time.perf_counter() - self._wall
        self.processor = processor_seconds() - self._processor

    def __str__(self):
        return f"{self.wall:.1f} s, {self.processor:.1f} s of the processor"
