"""An event loop of asyncio whose time is the engine time of a venue.

While the program under test waits, time jumps to its next timer or to the venue's next event,
whichever is earlier. Before a jump, all work of both sides is done, so that a run repeats: I/O is
delivered only while nothing else is ready, in the order of the file descriptors, and jobs of
executors run one after the other. With a plan of latencies, time also moves while the request of
a job is on its way, and the next job starts when it is done.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import random
import selectors
import threading
import time
import uuid
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Callable, Coroutine, Iterator, List, NamedTuple, Optional, Tuple, TypeVar

from .stream import open_streams
from .venue import Venue

__all__ = ["VirtualLoop"]

_T = TypeVar("_T")
_Events = List[Tuple[selectors.SelectorKey, int]]

# A program that never waits, because it polls with sleep(0), gets its I/O after this many turns.
_BUSY_TURNS = 1_000
# A job that takes longer may wait for another one, which then starts.
_JOB_SECONDS = 10.0
# Between two questions whether the request of a job waits in the line.
_PAUSE_MIN = 0.002
_PAUSE_MAX = 0.05
_STREAM_SECONDS = 15.0

# The real clock and sleep, whatever is frozen.
_monotonic = time.monotonic
_sleep = time.sleep


class _Job(NamedTuple):
    work: concurrent.futures.Future
    result: asyncio.Future
    start: Callable[[], None]


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is the engine time of a venue with a manual clock::

        with Venue() as venue, VirtualLoop(venue, freeze=True) as loop:
            loop.run(main())

    ``asyncio.sleep``, ``loop.time`` and timeouts are in engine time. Only the venue is waited for:
    other servers that the program calls must answer from within the same loop.

    :param venue: a venue with a manual clock, as :class:`Venue` starts it.
    :param freeze: whether ``time.time`` and ``time.monotonic`` (also with ``_ns``) show engine time
        during :meth:`run`, and ``random`` and ``uuid.uuid4`` start from the seed. Names that were
        imported before, as in ``from time import time``, are not replaced, nor is ``datetime.now``.
    :param seed: of ``random`` and ``uuid.uuid4`` (default: the seed of the venue).
    """

    def __init__(self, venue: Venue, *, freeze: bool = False, seed: Optional[int] = None) -> None:
        self._venue = venue
        self._freeze = freeze
        self._seed = venue.seed if seed is None else seed
        self._jobs: List[_Job] = []
        # A job has begun, and its request or reply waits in the line until time moves.
        self._held: Optional[_Job] = None
        self._others = 0
        self._outside: List[Tuple[str, asyncio.Handle]] = []
        self._lock = threading.Lock()
        self._thread = threading.get_ident()
        self._seconds = venue.now() / 1_000
        self._next_event = 0
        #: How often time has moved.
        self.jumps = 0
        self._gate = _Gate(self, selectors.DefaultSelector())
        super().__init__(self._gate)
        # A timer is due if it is less than this ahead. A float of seconds since 1970 resolves a
        # quarter of a microsecond.
        self._clock_resolution = 1e-6

    def __enter__(self) -> VirtualLoop:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def time(self) -> float:
        """Engine time in seconds since 1970. It never goes back."""
        now = self._venue.engine_now / 1_000
        if now > self._seconds:
            self._seconds = now
        return self._seconds

    def run(self, main: Coroutine[Any, Any, _T]) -> _T:
        """Runs a coroutine to its end, cancels the tasks that it left, and returns its result."""
        self._thread = threading.get_ident()
        with self._frozen():
            asyncio.set_event_loop(self)
            try:
                return self.run_until_complete(main)
            finally:
                try:
                    self._cancel_tasks()
                    self.run_until_complete(self.shutdown_asyncgens())
                finally:
                    asyncio.set_event_loop(None)

    def _cancel_tasks(self) -> None:
        tasks = asyncio.all_tasks(self)
        for task in tasks:
            task.cancel()
        if tasks:
            self.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))

    @contextmanager
    def _frozen(self) -> Iterator[None]:
        if not self._freeze:
            yield
            return
        chance = random.Random(self._seed)
        state = random.getstate()
        replaced = {
            (time, "time"): self.time,
            (time, "time_ns"): lambda: self._venue.engine_now * 1_000_000,
            (time, "monotonic"): self.time,
            (time, "monotonic_ns"): lambda: self._venue.engine_now * 1_000_000,
            (uuid, "uuid4"): lambda: uuid.UUID(int=chance.getrandbits(128), version=4),
        }
        real = {(module, name): getattr(module, name) for module, name in replaced}
        random.seed(self._seed)
        for (module, name), value in replaced.items():
            setattr(module, name, value)
        try:
            yield
        finally:
            for (module, name), value in real.items():
                setattr(module, name, value)
            random.setstate(state)

    # Other threads

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:
        """Calls of other threads wait until nothing is ready, so that their order repeats."""
        if threading.get_ident() == self._thread:
            return super().call_soon_threadsafe(callback, *args, context=context)
        handle = asyncio.Handle(callback, args, self, context)
        with self._lock:
            self._outside.append((threading.current_thread().name, handle))
        return handle

    def _let_in(self) -> None:
        with self._lock:
            outside, self._outside = self._outside, []
        for _, handle in sorted(outside, key=lambda each: each[0]):
            self._ready.append(handle)  # type: ignore[attr-defined]

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        """Jobs run one after the other, in the order in which they were requested."""
        if executor is None:
            executor = self._default_executor  # type: ignore[has-type]
            if executor is None:
                executor = concurrent.futures.ThreadPoolExecutor(thread_name_prefix="virtual-loop")
                self._default_executor = executor
        work: concurrent.futures.Future = concurrent.futures.Future()
        result = self.create_future()

        def start() -> None:
            if work.set_running_or_notify_cancel():
                executor.submit(func, *args).add_done_callback(lambda done: _copy(done, work))

        self._jobs.append(_Job(work, result, start))
        return result

    async def shutdown_default_executor(self, *_: Any) -> None:
        if self._default_executor is not None:
            self._default_executor.shutdown(wait=True)

    def _run_jobs(self) -> bool:
        """Runs the jobs that wait, and delivers their results; whether there were any. It stops at
        a job that waits for time to move."""
        done: List[_Job] = []
        while self._held or self._jobs:
            job, self._held = self._held or self._next_job(), None
            if job is None:
                continue
            if self._waits_for_time(job):
                self._held = job
                break
            done.append(job)
        for job in done:
            if job.work.done():
                _deliver(job)
            else:
                # It waits for something that the loop has to do first.
                job.work.add_done_callback(
                    lambda _, job=job: self.call_soon_threadsafe(_deliver, job)
                )
        return bool(done)

    def _next_job(self) -> Optional[_Job]:
        job = self._jobs.pop(0)
        if job.result.cancelled():
            job.work.cancel()
            return None
        # Requests of the program's own connections are not those of the job.
        self._others = self._callers() if self._listens else 0
        job.start()
        return job

    def _waits_for_time(self, job: _Job) -> bool:
        """Waits until the job is done, or its request waits in the line; whether it does."""
        until, pause = _monotonic() + _JOB_SECONDS, _PAUSE_MIN
        while _monotonic() < until:
            concurrent.futures.wait([job.work], pause)
            if job.work.done():
                return False
            if self._callers() > self._others:
                # Those of others may arrive before this one.
                self._others = 0
                return True
            pause = min(2 * pause, _PAUSE_MAX)
        return False

    def _callers(self) -> int:
        return self._venue.latency_report()["callers"]

    # Time

    def _idle(self, timeout: Optional[float]) -> _Events:
        """Called when nothing is ready: returns when something is, or when a timer is due."""
        while True:
            if self._run_jobs():
                return []
            # Without an open connection nothing can arrive.
            events = self._arrived() if self._listens else []
            self._let_in()
            if events or self._ready:  # type: ignore[attr-defined]
                return events
            timers = self._scheduled  # type: ignore[attr-defined]
            due = timers[0].when() if timeout is not None and timers else None
            if due is not None and _ceil_ms(due) <= self._venue.engine_now:
                # Less than the microsecond that a float of seconds resolves.
                self._seconds = max(self.time(), due)
                return []
            self._jump(due)

    def _arrived(self) -> _Events:
        """What has arrived when all replies and frames are sent, and the streams of our clients
        have processed them."""
        self._next_event = self._venue.settle()["next_event_at"]
        until = _monotonic() + _STREAM_SECONDS
        pause = 0.0
        for stream in list(open_streams):
            while not stream.is_quiet() and _monotonic() < until:
                _sleep(pause)
                pause = 0.0005
        return self._gate.arrived()

    def _jump(self, due: Optional[float]) -> None:
        if due is None or self._listens or self._held:
            if not self._listens:
                self._next_event = self._venue.settle()["next_event_at"]
            target = self._next_event if due is None else min(self._next_event, _ceil_ms(due))
        else:
            target = _ceil_ms(due)
        left = max(1, target - self._venue.engine_now)
        self._venue.advance(timedelta(milliseconds=left))
        self.jumps += 1

    @property
    def _listens(self) -> bool:
        """Whether an event of the venue can reach the program. The loop itself has one socket."""
        return bool(open_streams) or len(self._gate.get_map()) > 1


def _ceil_ms(seconds: float) -> int:
    """Microseconds below are rounding errors of a float, which has 53 bits."""
    return -int(-round(seconds * 1_000, 3) // 1)


def _copy(done: concurrent.futures.Future, work: concurrent.futures.Future) -> None:
    if done.cancelled():
        work.set_exception(concurrent.futures.CancelledError())
        return
    error = done.exception()
    if error is None:
        work.set_result(done.result())
    else:
        work.set_exception(error)


def _deliver(job: _Job) -> None:
    if job.result.done():
        return
    error = job.work.exception()
    if error is None:
        job.result.set_result(job.work.result())
    else:
        job.result.set_exception(error)


class _Gate(selectors.BaseSelector):
    """The selector of the loop: it delivers I/O only when nothing else is ready."""

    def __init__(self, loop: VirtualLoop, real: selectors.BaseSelector) -> None:
        self._loop = loop
        self._real = real
        self._busy = 0

    def select(self, timeout: Optional[float] = None) -> _Events:
        if timeout is not None and timeout <= 0:
            self._busy += 1
            if self._busy % _BUSY_TURNS:
                return []
            self._loop._run_jobs()
            events = self._loop._arrived()
            self._loop._let_in()
            return events
        self._busy = 0
        return self._loop._idle(timeout)

    def arrived(self) -> _Events:
        return sorted(self._real.select(0), key=lambda event: event[0].fd)

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._real.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        return self._real.modify(fileobj, events, data)

    def close(self) -> None:
        self._real.close()

    def get_map(self) -> Any:
        return self._real.get_map()
