"""The client of one exchange: it signs and sends requests, and opens streams."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote, urlencode

from . import _base58
from ._batches import batch_body
from ._decimals import received, sent
from ._operation import UNSET, Operation
from ._operations import OPERATIONS, Operations
from ._transport import Answer, Transport
from ._venues import AUTO, VenueGuard
from .errors import ApiRefusal, OutcomeUnknown, UnexpectedReply, leaves_open
from .keys import Key, Signer
from .signing import (
    hardware_message,
    signing_text,
    subaccount_confirm_text,
    subaccount_initiate_text,
)

if TYPE_CHECKING:
    from .stream import Stream

__all__ = ["Client", "Table"]

_MOUNT = "/api/v1"
_SIGNATURE = 64
_READ_WINDOW_MS = 600_000
# Reads of an account, or of an order, that do not require an address.
_ALSO_OF_ACCOUNT = frozenset(["get_position_history", "get_order_events", "get_twap_events"])
_CANCELS = frozenset(
    ["cancel_order", "cancel_all_orders", "cancel_stop_order", "cancel_twap_order"]
)
_READ_FIELDS = ("account", "agent_wallet", "timestamp", "expiry_window", "venue")


class Table(NamedTuple):
    """A page of a list as comma-separated values."""

    text: str
    #: ``cursor`` of the next page; None on the last one.
    next_cursor: Optional[str]


class Client(Operations):
    """A client of the exchange at an address. It has one method for each operation of the API.

    Decimals of replies are :class:`decimal.Decimal`. In requests they are decimals, integers or
    text; a float is refused. A client may be used by several threads.

    :param url: address of the exchange, without ``/api/v1``.
    :param key: the key of the account: a :class:`Key`, a secret in base58, or any signer. Without
        one the client reads public data.
    :param account: the account's address, if its key is not here.
    :param agent: a key that is bound as the account's agent. It then signs what an agent may.
    :param act_as: of a fork only: address of the account that requests act for, without a key or a
        signature.
    :param api_key: sent with every request and with the websocket.
    :param venue: id of the venue that texts name; None: they name none (default: the venue with
        which the key was first used).
    :param expiry_window: validity of a signature in milliseconds (default: 30,000).
    :param sign_reads: whether reads of the account are signed, so that the exchange shows the owner
        everything (default: with a local key and without ``api_key``).
    :param timeout: maximum wait for an answer, in seconds.
    :param read_retries: how often a read is repeated after a 503 with a retry time.
    :param sandbox_token: bearer token of a sandbox that is not on loopback.
    """

    def __init__(
        self,
        url: str,
        key: Union[Signer, str, None] = None,
        *,
        account: Optional[str] = None,
        agent: Union[Signer, str, None] = None,
        act_as: Optional[str] = None,
        api_key: Optional[str] = None,
        venue: Optional[str] = AUTO,
        expiry_window: Optional[int] = None,
        sign_reads: Optional[bool] = None,
        timeout: float = 15.0,
        read_retries: int = 3,
        sandbox_token: Optional[str] = None,
    ) -> None:
        if act_as is not None:
            given = {"key": key, "account": account, "agent": agent, "api_key": api_key}
            given["sign_reads"] = sign_reads
            for name in (name for name, value in given.items() if value is not None):
                raise ValueError(f"act_as signs nothing and names the account: leave out {name}")
        self._act_as = act_as
        self._signer = _signer_of(key)
        self._agent = _signer_of(agent)
        own = None if self._signer is None else self._signer.address
        #: Address of the account that requests are for; None: none was given.
        self.account = act_as or (own if account is None else account)
        self._api_key = api_key
        self._expiry_window = expiry_window
        self._timeout = timeout
        self._read_retries = read_retries
        self._sandbox_token = sandbox_token
        self._transport = Transport(url, timeout)
        #: Address of the exchange.
        self.url = self._transport.url
        self._venues = VenueGuard(self.url, venue, self.get_venue)
        by = self._read_signer()
        is_free = isinstance(by, Key) and api_key is None
        self._signs_reads = by is not None and (is_free if sign_reads is None else sign_reads)
        self._signed_read: Optional[tuple] = None
        self._lock = threading.Lock()
        self._last_timestamp = 0
        self._ahead_ms = 0

    def __repr__(self) -> str:
        return f"Client({self.url!r}, account={self.account!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections. The client can be used again."""
        self._transport.close()

    # Requests

    def call(self, name: str, /, **fields: Any) -> Any:
        """Runs any operation by its name, such as ``create_order``. The methods do the same.

        :raises ApiRefusal: The exchange refused the request.
        :raises NetworkFailure: No reply came: it may have been executed.
        :raises TimeoutFailure: No reply came in time: it may have been executed.
        :raises OutcomeUnknown: The reply leaves open whether it was executed.
        """
        return self.send(name, self.body(name, **fields))

    def body(self, name: str, /, **fields: Any) -> Dict[str, Any]:
        """What :meth:`send` sends: the query of a GET, or the body of a POST with its signature."""
        operation = _operation(name)
        given = {field: value for field, value in fields.items() if value is not UNSET}
        if name == "batch_orders":
            return batch_body(given, lambda type, data: self._signed(type, data))
        if name == "create_subaccount":
            return self._subaccount(given["subaccount"])
        body = sent(given, operation.request)
        if operation.signs is not None:
            return self._signed(operation.signs, body)
        if operation.of_account and body.get("account") is None:
            body["account"] = self._account_for(name)
        return body

    def send(self, name: str, body: Mapping[str, Any]) -> Any:
        """Sends what :meth:`body` made. A signed body may be sent again after a failure: it is
        executed once, and ``REPLAYED`` means that it was processed before."""
        operation = _operation(name)
        answer = self._answer(operation, body)
        return received(_unwrapped(operation, _parsed(self.url, answer)), operation.reply)

    def rows(self, name: str, /, **fields: Any) -> Iterator[Any]:
        """All rows of a list with pages, newest first. Pages are requested during the loop."""
        if _operation(name).wraps != "page":
            pages = ", ".join(each for each, op in OPERATIONS.items() if op.wraps == "page")
            raise ValueError(f"{name} has no pages; these have: {pages}")
        while True:
            page = self.call(name, **fields)
            yield from page["rows"]
            if page["next_cursor"] is None:
                return
            fields = {**fields, "cursor": page["next_cursor"]}

    def table(self, name: str, /, **fields: Any) -> Table:
        """One page of a list as comma-separated values, with a header row."""
        operation = _operation(name)
        if not operation.csv:
            tables = ", ".join(each for each, op in OPERATIONS.items() if op.csv)
            raise ValueError(f"{name} is not served as a table; these are: {tables}")
        answer = self._answer(operation, {**self.body(name, **fields), "format": "csv"})
        if answer.status != 200:
            raise _refusal(self.url, answer, _parsed(self.url, answer))
        return Table(answer.body.decode(), answer.headers.get("x-next-cursor"))

    def sync_clock(self) -> int:
        """Uses the exchange's clock for the time of signatures from now on, for a machine whose own
        is wrong. Returns how far it is ahead of the machine's, in milliseconds."""
        before = _now_ms()
        now = self.get_time()["now"]
        with self._lock:
            self._ahead_ms = round(now - (before + _now_ms()) / 2)
            self._signed_read = None
            return self._ahead_ms

    def check_venue(self) -> Optional[str]:
        """The id of the venue that this client's signed texts name; None if they name none.

        :raises VenueMismatch: The key belongs to another exchange.
        """
        by = self._agent or self._signer
        return None if by is None else self._venues.venue_for(by.address, False)

    # Streams

    def stream(self, **options: Any) -> Stream:
        """Opens a websocket for live channels and for trading. It is opened again when it is lost.
        :class:`openperp.stream.Stream` has the options."""
        from .stream import Stream

        return Stream(self, **options)

    # What a stream needs of its client

    @property
    def _key_headers(self) -> Dict[str, str]:
        if self._act_as is None:
            return {} if self._api_key is None else {"PF-API-KEY": self._api_key}
        token = self._sandbox_token
        access = {} if token is None else {"authorization": f"Bearer {token}"}
        return {"x-act-as": self._act_as, **access}

    def _read_body(self) -> Optional[Dict[str, Any]]:
        """A signed read; None if no key signs reads."""
        if not self._signs_reads:
            return None
        by = self._read_signer()
        assert by is not None
        agent = by if by is not self._signer else None
        window = {"expiry_window": _READ_WINDOW_MS, "timestamp": _now_ms() + self._ahead_ms}
        return self._signed_by(by, agent, "read_account", window)

    def _refused(self, error: BaseException) -> None:
        """If the exchange was replaced by another one, its venue id is requested again."""
        if isinstance(error, ApiRefusal) and error.rule == "OTHER_VENUE":
            self._venues.reset()
            self._signed_read = None

    # Signing

    def _account_for(self, name: str) -> str:
        if self.account is not None:
            return self.account
        raise ValueError(f"{name} is about an account: name it, or make the client with a key")

    def _read_signer(self) -> Optional[Signer]:
        """The account's own key if it is here, otherwise its agent's."""
        own = self._signer
        is_own = own is not None and own.address == self.account
        return self._agent if not is_own or (self._agent and not isinstance(own, Key)) else own

    def _signed(self, type: str, fields: Mapping[str, Any]) -> Dict[str, Any]:
        if self._act_as is not None:
            return dict(fields)
        operation = OPERATIONS.get(type)
        owner_only = operation is not None and operation.owner_only
        agent = None if owner_only else self._agent
        own = self._signer
        by = agent or (own if own is not None and own.address == self.account else None)
        if by is None:
            whose = "the account's own key" if owner_only else "a key"
            raise ValueError(f"{type} has to be signed by {whose}, which this client does not have")
        header: Dict[str, Any] = {"timestamp": self._timestamp()}
        if self._expiry_window is not None:
            header["expiry_window"] = self._expiry_window
        return self._signed_by(by, agent, type, {**fields, **header})

    def _signed_by(
        self, by: Signer, agent: Optional[Signer], type: str, fields: Mapping[str, Any]
    ) -> Dict[str, Any]:
        body = {**fields, "account": self._account_for(type)}
        if agent is not None:
            body["agent_wallet"] = agent.address
        takes_away = type in _CANCELS or type == "schedule_cancel" or type.startswith("revoke_")
        venue = self._venues.venue_for(by.address, takes_away)
        if venue is not None:
            body["venue"] = venue
        return {**body, "signature": _signature(by, signing_text(type, body))}

    def _timestamp(self) -> int:
        """Never the same twice, because a text is accepted once."""
        with self._lock:
            self._last_timestamp = max(self._last_timestamp + 1, _now_ms() + self._ahead_ms)
            return self._last_timestamp

    def _subaccount(self, subaccount: Signer) -> Dict[str, Any]:
        main = self._signer
        if main is None:
            raise ValueError("create_subaccount needs the key of the main account")
        header: Dict[str, Any] = {"timestamp": self._timestamp()}
        if self._expiry_window is not None:
            header["expiry_window"] = self._expiry_window
        venue = self._venues.venue_for(main.address, False)
        if venue is not None:
            header["venue"] = venue
        first = _signature(subaccount, subaccount_initiate_text(main.address, header))
        second = _signature(main, subaccount_confirm_text(first, header))
        return {
            "main_account": main.address,
            "subaccount": subaccount.address,
            "main_signature": second,
            "sub_signature": first,
            **header,
        }

    # HTTP

    def _answer(self, operation: Operation, body: Mapping[str, Any]) -> Answer:
        is_owners_read = operation.signs is None and (
            operation.of_account or operation.name in _ALSO_OF_ACCOUNT
        )
        answer = self._sent(operation, body, is_owners_read)
        if answer.status == 200:
            return answer
        error = _refusal(self.url, answer, _parsed(self.url, answer))
        self._refused(error)
        rule = _rule_of(error)
        # A read whose agent is no longer the account's is sent without its signature.
        # AGENT_NOT_FOUND is about the agent that a request names.
        gave_up = rule.startswith("AGENT_") and rule != "AGENT_NOT_FOUND"
        if is_owners_read and self._signs_reads and gave_up:
            self._signs_reads = False
            return self._sent(operation, body, False)
        raise self._without_outcome(error, operation, body)

    def _without_outcome(
        self, error: Exception, operation: Operation, body: Mapping[str, Any]
    ) -> Exception:
        if not leaves_open(error) or operation.method == "GET" or operation.sandbox:
            return error
        unknown = OutcomeUnknown(str(error), operation.name, body)
        unknown.__cause__ = error
        return unknown

    def _sent(self, operation: Operation, body: Mapping[str, Any], is_owners: bool) -> Answer:
        """Only reads are sent again, when the exchange says that it is not ready for them."""
        left = self._read_retries
        while True:
            answer = self._sent_once(operation, body, is_owners)
            seconds = _retry_after(answer)
            if answer.status != 503 or seconds is None or operation.method != "GET" or left <= 0:
                return answer
            left -= 1
            time.sleep(seconds)

    def _sent_once(self, operation: Operation, body: Mapping[str, Any], is_owners: bool) -> Answer:
        headers = {"accept": "application/json", **self._key_headers}
        if operation.sandbox and self._sandbox_token is not None:
            headers["authorization"] = f"Bearer {self._sandbox_token}"
        if is_owners and self._signs_reads:
            headers["openperp-signed-read"] = self._read_header()
        if operation.method == "GET":
            path, others = _addressed(_path(operation), body)
            query = urlencode({name: _word(v) for name, v in others.items() if v is not None})
            address = f"{path}?{query}" if query else path
            return self._transport.request("GET", address, headers)
        headers["content-type"] = "application/json"
        return self._transport.request(
            "POST", _path(operation), headers, json.dumps(body, separators=(",", ":")).encode()
        )

    def _read_header(self) -> str:
        with self._lock:
            made = self._signed_read
        now = _now_ms()
        if made is None or not 0 <= now - made[0] < _READ_WINDOW_MS / 2:
            body = self._read_body()
            assert body is not None
            signature = body["signature"]
            parts = [f"{name}={body[name]}" for name in _READ_FIELDS if name in body]
            if isinstance(signature, str):
                parts.append(f"signature={signature}")
            else:
                parts += [f"signature={signature['value']}", f"type={signature['type']}"]
            made = (now, "&".join(parts))
            with self._lock:
                self._signed_read = made
        return made[1]


# The machine's own, whatever a virtual loop shows to the program: texts are valid at this time.
_clock = time.time


def _now_ms() -> int:
    return int(_clock() * 1_000)


def _signer_of(key: Union[Signer, str, None]) -> Optional[Signer]:
    return Key.of_secret(key) if isinstance(key, str) else key


def _operation(name: str) -> Operation:
    operation = OPERATIONS.get(name)
    if operation is None:
        raise ValueError(f"there is no operation {name!r}; their names are those of the methods")
    return operation


def _path(operation: Operation) -> str:
    return operation.path if operation.path == "/status" else _MOUNT + operation.path


def _addressed(path: str, body: Mapping[str, Any]) -> Tuple[str, Mapping[str, Any]]:
    """The path with the field that is its last segment, and the other fields."""
    head, brace, name = path.rstrip("}").partition("{")
    if not brace:
        return path, body
    others = {field: value for field, value in body.items() if field != name}
    return head + quote(_word(body[name]), safe=""), others


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _signature(signer: Signer, text: str) -> Any:
    is_hardware = getattr(signer, "hardware", False) is True
    made = signer.sign(hardware_message(text)) if is_hardware else signer.sign(text)  # type: ignore
    value = made if isinstance(made, str) else _base58.encode(made)
    if _base58.decode(value, _SIGNATURE) is None:
        raise ValueError(f"the signer of {signer.address} returned no {_SIGNATURE}-byte signature")
    return {"type": "hardware", "value": value} if is_hardware else value


def _parsed(url: str, answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except ValueError:
        begins = " ".join(answer.body[:80].decode(errors="replace").split())
        text = f"{url} answered {answer.status} and no JSON: {begins}"
        raise UnexpectedReply(text, answer.status) from None


def _refusal(url: str, answer: Answer, body: Any) -> Exception:
    details = body if isinstance(body, dict) else {}
    error, code = details.get("error"), details.get("code")
    if not isinstance(error, str):
        text = f"{url} answered {answer.status} without an error of this API"
        return UnexpectedReply(text, answer.status)
    seq = answer.headers.get("openperp-seq", "")
    return ApiRefusal(
        error,
        status=answer.status,
        code=code if isinstance(code, int) else answer.status,
        retry_after=_retry_after(answer),
        seq=int(seq) if seq.isdigit() else None,
        details=details,
    )


def _rule_of(error: Exception) -> str:
    return error.rule if isinstance(error, ApiRefusal) else ""


def _retry_after(answer: Answer) -> Optional[int]:
    seconds = answer.headers.get("retry-after", "")
    return int(seconds) if seconds.isdigit() and len(seconds) <= 6 else None


def _unwrapped(operation: Operation, body: Any) -> Any:
    """The reply of the operation, without the envelope."""
    if operation.wraps == "bare":
        return body
    if operation.wraps == "envelope":
        return body["data"]
    rest = {k: v for k, v in body.items() if k not in ("success", "error", "code", "data")}
    return {"rows": body["data"], **rest}
