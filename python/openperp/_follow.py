"""Frames as an iterator with a bounded buffer, for a loop of a thread or of asyncio."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import Callable, Deque, List, Optional, Tuple

from ._subscription import Frame
from .errors import SlowReader

_Waiter = Tuple[asyncio.AbstractEventLoop, "asyncio.Future[None]"]


class Follow:
    """The frames of a subscription: ``for frame in follow`` or ``async for frame in follow``."""

    def __init__(self, source: str, buffer: int, keeps_newest: bool) -> None:
        self._source = source
        self._buffer = buffer
        self._keeps_newest = keeps_newest
        self._frames: Deque[Frame] = deque()
        self._changed = threading.Condition()
        self._waiters: List[_Waiter] = []
        self._error: Optional[Exception] = None
        self._done = False
        self._end: Callable[[], None] = lambda: None

    def __enter__(self) -> Follow:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the subscription and the loop."""
        self._end()
        self._finish()

    def __iter__(self) -> Follow:
        return self

    def __next__(self) -> Frame:
        frame = self.read()
        if frame is None:
            raise StopIteration
        return frame

    def read(self, timeout: Optional[float] = None) -> Optional[Frame]:
        """The next frame; None when the subscription has ended.

        :raises TimeoutError: None came within ``timeout`` seconds.
        """
        with self._changed:
            is_ready = self._changed.wait_for(lambda: self._is_ready, timeout)
            if not is_ready:
                raise TimeoutError(f"no frame of {self._source} within {timeout} s")
            return self._taken()

    def __aiter__(self) -> Follow:
        return self

    async def __anext__(self) -> Frame:
        while True:
            with self._changed:
                if self._is_ready:
                    frame = self._taken()
                    break
                loop = asyncio.get_running_loop()
                future: asyncio.Future[None] = loop.create_future()
                self._waiters.append((loop, future))
            await future
        if frame is None:
            raise StopAsyncIteration
        return frame

    @property
    def _is_ready(self) -> bool:
        return bool(self._frames) or self._done or self._error is not None

    def _taken(self) -> Optional[Frame]:
        if self._frames:
            return self._frames.popleft()
        if self._error is not None:
            raise self._error
        return None

    def _push(self, frame: Frame) -> None:
        with self._changed:
            if self._done or self._error is not None:
                return
            if self._keeps_newest and self._frames:
                # What is discarded may be the frame that reported the gap.
                old = self._frames.pop()
                frame = frame._replace(begins=frame.begins or old.begins, gap=frame.gap or old.gap)
            if len(self._frames) >= self._buffer:
                self._error = SlowReader(
                    f"{self._source}: {self._buffer} frames were not read in time"
                )
            else:
                self._frames.append(frame)
            self._notify()
        if self._error is not None:
            self._end()

    def _fail(self, error: Exception) -> None:
        with self._changed:
            self._error = error
            self._notify()

    def _finish(self) -> None:
        with self._changed:
            self._done = True
            self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        waiters, self._waiters = self._waiters, []
        for loop, future in waiters:
            loop.call_soon_threadsafe(_resolve, future)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
