"""Durations as text: ``1h``, ``1h30m``, ``250ms``."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Union

Duration = Union[str, int, float, timedelta]

_UNITS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
_PART = re.compile(r"(\d+)(ms|[dhms])")


def milliseconds(duration: Duration) -> int:
    """A number is in seconds.

    :raises ValueError: It is not a duration of at least a millisecond.
    """
    if isinstance(duration, timedelta):
        found = duration // timedelta(milliseconds=1)
    elif isinstance(duration, bool):
        found = 0
    elif isinstance(duration, (int, float)):
        found = round(duration * 1_000)
    else:
        parts = _PART.findall(duration) if isinstance(duration, str) else []
        is_whole = "".join(number + unit for number, unit in parts) == duration
        found = sum(int(number) * _UNITS[unit] for number, unit in parts) if is_whole else 0
    if found < 1:
        raise ValueError(
            f"{duration!r} is not a duration: pass seconds, a timedelta, or text such as '1h', "
            "'1h30m' or '250ms', at least 1 ms"
        )
    return found
