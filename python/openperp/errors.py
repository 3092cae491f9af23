"""Errors of requests. A refusal is an answer; after a failure there is none, and the outcome of the
request is unknown."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Mapping, Optional, Tuple

__all__ = [
    "ApiRefusal",
    "NetworkFailure",
    "OpenperpError",
    "OutcomeUnknown",
    "SlowReader",
    "TimeoutFailure",
    "UnexpectedReply",
    "VenueMismatch",
]

_RULE = re.compile(r"[A-Z][A-Z_]+(?=:)")
_NEAREST = re.compile(r"nearest(?: price that rests is|:) ([^;(]*)")
_VALUE = re.compile(r"(?:^|(?: or | and ))(-?\d+(?:\.\d+)?)(?![\w.]*\d)")


class OpenperpError(Exception):
    """Base of all errors of this package."""


class ApiRefusal(OpenperpError):
    """The exchange refused the request: it had no effect.

    :ivar status: HTTP status; over the websocket the status or the engine's code.
    :ivar code: the engine's code if a rule refused, otherwise the HTTP status.
    :ivar rule: the name with which the message begins, such as ``INVALID_TICK_SIZE``.
    :ivar nearest: the nearest values that would be accepted; empty if the message names none.
    :ivar retry_after: seconds after which to try again; None if the exchange does not say.
    :ivar seq: entry of history with the refusal, for ``explain_refusal``. If the request was refused
        before it had one, None or the newest entry.
    :ivar details: the whole body of the answer.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: int,
        retry_after: Optional[int] = None,
        seq: Optional[int] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.retry_after = retry_after
        self.seq = seq
        self.details: Mapping[str, Any] = {} if details is None else details
        rule = _RULE.match(message)
        self.rule = "UNKNOWN" if rule is None else rule.group()
        self.nearest: Tuple[Decimal, ...] = nearest_in(message)


def nearest_in(message: str) -> Tuple[Decimal, ...]:
    """The nearest accepted values that a refusal names."""
    found = _NEAREST.search(message)
    return () if found is None else tuple(map(Decimal, _VALUE.findall(found.group(1))))


class NetworkFailure(OpenperpError):
    """No reply came: there was no connection, or it was lost. A signed request may have been
    executed."""


class TimeoutFailure(OpenperpError):
    """No reply came in time. A signed request may have been executed."""


class OutcomeUnknown(OpenperpError):
    """The exchange answered with an error that leaves open whether it executed a signed request.
    :meth:`Client.send` with the same ``operation`` and ``body`` executes it at most once.

    :ivar operation: the operation it was sent to.
    :ivar body: what was sent, with its signature.
    """

    def __init__(self, message: str, operation: str, body: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.operation = operation
        self.body = body


_OPEN = ("INTERNAL_ERROR", "REPLY_WITHHELD")
_OPEN_TEXTS = ("it is carried out once", "the exchange is stopping")


def leaves_open(error: BaseException) -> bool:
    """Whether a request that got this reply may have been executed."""
    return isinstance(error, ApiRefusal) and (
        error.rule in _OPEN or (error.rule == "NOT_READY" and error.message.endswith(_OPEN_TEXTS))
    )


class UnexpectedReply(OpenperpError):
    """The answer is not of this API: it comes from another program, or from a proxy."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class VenueMismatch(OpenperpError):
    """The key belongs to another exchange than the one at this address. Nothing was signed."""

    def __init__(self, url: str, address: str, expected: str, found: Optional[str]) -> None:
        other = "does not say which exchange it is" if found is None else f"is venue {found}"
        super().__init__(
            f"{url} {other}, and the key {address} belongs to venue {expected}; nothing was signed"
        )
        self.address = address
        self.expected = expected
        self.found = found


class SlowReader(OpenperpError):
    """A loop over frames reads more slowly than they arrive."""
