"""The client of openperp, an exchange for perpetual futures, and tools to test bots against it."""

from ._version import VERSION as __version__
from .client import Client, Table
from .errors import (
    ApiRefusal,
    NetworkFailure,
    OpenperpError,
    OutcomeUnknown,
    SlowReader,
    TimeoutFailure,
    UnexpectedReply,
    VenueMismatch,
)
from .keys import Key, Signer, sandbox_key
from .venue import FixtureError, Venue
from .virtual_loop import VirtualLoop

__all__ = [
    "ApiRefusal",
    "Client",
    "FixtureError",
    "Key",
    "NetworkFailure",
    "OpenperpError",
    "OutcomeUnknown",
    "Signer",
    "SlowReader",
    "Table",
    "TimeoutFailure",
    "UnexpectedReply",
    "Venue",
    "VenueMismatch",
    "VirtualLoop",
    "__version__",
    "sandbox_key",
]
