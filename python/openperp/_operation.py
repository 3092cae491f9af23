"""What the client knows about an operation."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional


class Unset:
    """The type of :data:`UNSET`: a field that is not given."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET = Unset()


class Operation(NamedTuple):
    name: str
    method: str
    #: Below the mount of the API.
    path: str
    #: How the reply is wrapped: ``bare``, ``envelope``, ``page`` or ``as_of``.
    wraps: str
    #: Type of the signed text; None: it is not signed, or has several signatures.
    signs: Optional[str] = None
    #: The request must name an account.
    of_account: bool = False
    #: An agent may not sign it.
    owner_only: bool = False
    #: Its pages are also available as CSV.
    csv: bool = False
    #: Also available over the websocket.
    ws: bool = False
    #: Served by sandboxes only.
    sandbox: bool = False
    #: Decimals of the request and of the reply.
    request: Any = None
    reply: Any = None
