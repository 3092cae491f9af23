"""A sandbox for tests: started for them, with a clock that moves only by request."""

from __future__ import annotations

from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._durations import Duration, milliseconds
from ._fixture import (
    Fixture,
    FixtureError,
    Line,
    container_command,
    container_flags,
    free_ports,
    is_named,
    program_command,
    without_program,
)
from ._operation import UNSET
from .client import Client
from .errors import ApiRefusal, NetworkFailure, OpenperpError
from .keys import Key, sandbox_key
from .schemas import DecimalLike

__all__ = ["FixtureError", "Venue"]

# A longer request could take more time than a client waits for an answer.
_STEP_MAX = 3 * 3_600_000
_TRADERS: Mapping[str, DecimalLike] = {"alice": 100_000, "bob": 100_000}


class Venue:
    """An exchange for tests, as a context manager::

        with Venue(accounts={"alice": 50_000, "bob": 10_000}) as venue:
            venue.set_price("BTC", "95000")
            venue.account("alice").create_order(…)
            venue.advance("1h")

    It starts ``openperp start --fixture``: the program that OPENPERP_BIN names, or ``npx
    openperp``. It ends with the block, and also with this process.

    :param url: use this sandbox in place of starting one.
    :param seed: of the simulated prices and the bots.
    :param accounts: funded accounts by name, in USD. A name is the same key everywhere.
    :param start_at: the first engine time (default: 2026-01-01, UTC).
    :param bots: whether bots quote while time passes.
    :param speed_bump: whether orders that may take wait 200 ms of engine time, as in a venue.
    :param program: the openperp program, in place of OPENPERP_BIN.
    :param image: run it in a container of this image, by docker or podman.
    :param flags: further flags of ``openperp start``.
    :param sandbox_token: with ``url``: the token of a sandbox that is not on loopback.
    :param timeout: maximum wait for the start, in seconds.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        seed: int = 1,
        accounts: Mapping[str, DecimalLike] = _TRADERS,
        start_at: Union[datetime, str, None] = None,
        bots: bool = False,
        speed_bump: bool = False,
        program: Optional[str] = None,
        image: Optional[str] = None,
        flags: Sequence[str] = (),
        sandbox_token: Optional[str] = None,
        timeout: float = 120.0,
    ) -> None:
        #: Seed of the venue, which a test can use for its own random numbers.
        self.seed = seed
        self._url = url
        self._program = program
        self._image = image
        self._timeout = timeout
        self._fixture: Optional[Fixture] = None
        self._line: Optional[Line] = None
        self._clients: Dict[Any, Client] = {}
        self._fork_of: Optional[Tuple[Venue, str]] = None
        self._forks: List[Venue] = []
        #: Engine time in milliseconds, as a method of this object last saw it.
        self.engine_now = 0
        if url is not None:
            self._line = Line(url.rstrip("/"), None, None, None, None, sandbox_token)
            return
        funded = ",".join(f"{name}:{_usd(name, usd)}" for name, usd in accounts.items())
        self._flags: List[str] = [
            *("--seed", str(seed)),
            *("--accounts", funded),
            *("--start-at", _start_text(start_at)),
            *("--bots", "on" if bots else "off"),
            *("--speed-bump", "on" if speed_bump else "off"),
            *flags,
        ]

    def __enter__(self) -> Venue:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> Venue:
        """Starts the venue, as entering a ``with`` block does.

        :raises FixtureError: It could not be started.
        """
        if self._line is None:
            command = self._command()
            try:
                self._fixture = Fixture(command, self._timeout)
            except FixtureError as error:
                if self._image is not None or is_named(self._program) or "npm err" not in str(error).lower():
                    raise
                raise without_program(error) from None
            self._line = self._fixture.line
        return self

    def _command(self) -> List[str]:
        start = ["start", "--fixture", *self._flags]
        if self._image is None:
            return [*program_command(self._program), *start]
        ports = free_ports(3)
        published = [part for p in ports for part in ("--publish", f"127.0.0.1:{p}:{p}")]
        command = container_command(self._image)
        return [*command, *published, self._image, *start, *container_flags(ports)]

    def close(self) -> None:
        """Closes the clients, and ends the process that :meth:`start` or :meth:`fork` started."""
        try:
            self.end_forks()
        finally:
            self._close()

    def _close(self) -> None:
        for client in self._clients.values():
            client.close()
        self._clients.clear()
        if self._fork_of is not None:
            original, id = self._fork_of
            self._fork_of = self._line = None
            original._forks.remove(self)
            original._end_fork(id)
        if self._fixture is not None:
            self._fixture.close()
            self._fixture = self._line = None

    def _ready(self) -> Line:
        if self._line is None:
            raise OpenperpError("the venue is not started: use it in a with block, or call start()")
        return self._line

    # Addresses and accounts

    @property
    def url(self) -> str:
        """Address of the API, without ``/api/v1``."""
        return self._ready().url

    @property
    def ws_url(self) -> str:
        """Address of the websocket."""
        return self._ready().ws or self.url.replace("http", "ws", 1) + "/ws"

    @property
    def compat_url(self) -> str:
        """Address for ccxt and other existing clients."""
        return self._ready().compat_url or f"{self.url}/ccxt"

    @property
    def client(self) -> Client:
        """A client without an account, for public data."""
        return self._client_of(None, {})

    def key(self, name: str) -> Key:
        """The key of a named account."""
        known = (self._ready().accounts or {}).get(name)
        return sandbox_key(name) if known is None else Key.of_secret(known["secret"])

    def account(self, name: str, usd: Optional[DecimalLike] = None, **options: Any) -> Client:
        """The client of a named account.

        :param usd: the balance that the account has then: what it lacks is added as test money.
        :param options: further options of :class:`Client`.
        :raises ValueError: The account has more than ``usd`` already.
        """
        client = self._client_of(name, options)
        if usd is not None:
            wanted = Decimal(_usd(name, usd))
            try:
                balance = client.get_account()["balance"]
            except ApiRefusal as error:
                if error.status != 404:
                    raise
                balance = Decimal(0)
            if balance > wanted:
                raise ValueError(
                    f"{name} has {balance} USD already, more than {wanted}: start the venue with "
                    f"accounts={{{name!r}: …}}, or use another name"
                )
            if balance < wanted:
                client.sandbox_faucet(amount=wanted - balance)
        return client

    def _client_of(self, name: Optional[str], options: Mapping[str, Any]) -> Client:
        if options:
            return self._new_client(name, options)
        if name not in self._clients:
            self._clients[name] = self._new_client(name, {})
        return self._clients[name]

    def _new_client(self, name: Optional[str], options: Mapping[str, Any]) -> Client:
        line = self._ready()
        key = None if name is None else self.key(name)
        given = {"sandbox_token": line.sandbox_token, **options}
        if key is not None and self._fork_of is not None:
            return Client(line.url, act_as=key.address, **given)
        return Client(line.url, key, **given)

    def ccxt(self, name: str, **options: Any) -> Dict[str, Any]:
        """The settings with which ``ccxt.pacifica`` and ``ccxt.pro.pacifica`` trade here for a
        named account: ``ccxt.pacifica(venue.ccxt("alice"))``.

        :param options: for the ``options`` of ccxt, such as ``apiKey``.
        """
        key = self.key(name)
        rest = f"{self.url}/ccxt"
        return {
            "walletAddress": key.address,
            "privateKey": key.secret,
            "urls": {"api": {"public": rest, "private": rest, "ws": {"public": self.ws_url}}},
            "enableRateLimit": False,
            "options": {"builderFee": False, **options},
        }

    # Time, prices and states

    def now(self) -> int:
        """Engine time, in milliseconds."""
        return self._at(self.client.sandbox_get_clock())

    def _at(self, reply: Any) -> int:
        self.engine_now = reply["engine_now"]
        return self.engine_now

    def advance(self, duration: Duration) -> int:
        """Moves engine time: prices, funding and all other work in between happen at their own
        times. Returns the engine time, in milliseconds.

        :param duration: seconds, a ``timedelta``, or text such as ``"1h"`` or ``"250ms"``.
        """
        left = milliseconds(duration)
        while True:
            step = min(left, _STEP_MAX)
            now = self._at(self.client.sandbox_set_clock(advance_ms=step))
            left -= step
            if left == 0:
                return now

    def set_price(self, symbol: str, price: DecimalLike, *, jump: bool = True) -> None:
        """Sets the index price of a market, which holds until it is set again.

        :param jump: whether index and mark jump to the price immediately. Otherwise the index
            follows within the limit of a tick, as prices of a feed do.
        """
        self.client.sandbox_set_oracle(
            symbol=symbol, price=price, jump=UNSET if jump else False
        )

    def snapshot(self) -> str:
        """Saves the state of the exchange; returns the id to which :meth:`revert` returns."""
        return self.client.sandbox_snapshot()["id"]

    def revert(self, id: str) -> None:
        """Returns the whole exchange to a saved state."""
        self.client.sandbox_revert(id=id)
        self.now()

    def reset(self) -> None:
        """Returns to the state after the start. Named accounts keep their keys, and sockets stay
        open; API keys and agents that were made since do not exist any longer."""
        self._at(self.client.sandbox_reset())

    def fork(self, at: Union[int, str, datetime, None] = None) -> Venue:
        """A second venue with the state of this one. Both go on independently, with their own
        times. Closing it, as a ``with`` block does, ends it; it also ends with this venue. Its
        named accounts need no signatures (``act_as``).

        :param at: the last entry, or a time that no entry may be later than (default: now).
        """
        if self._image is not None:
            raise OpenperpError(
                "a fork listens on the loopback of its container, which is not reached from here: "
                "use program= in place of image="
            )
        line = self._ready()
        point = _time_text("at", at) if isinstance(at, datetime) else at
        with self._new_client(None, {"timeout": self._timeout}) as client:
            made = client.sandbox_fork(at=UNSET if point is None else point)
        fork = Venue(made["url"], seed=self.seed, timeout=self._timeout)
        fork._fork_of = (self, made["id"])
        fork._line = line._replace(
            url=made["url"], ws=made["ws"], compat_url=made["compat_url"], admin_url=None
        )
        fork.engine_now = made["engine_now"]
        self._forks.append(fork)
        return fork

    def end_forks(self) -> None:
        """Closes the forks that :meth:`fork` made here and that are open."""
        for fork in list(self._forks):
            fork.close()

    def _end_fork(self, id: str) -> None:
        try:
            self.client.sandbox_end_fork(id=id)
        except (ApiRefusal, NetworkFailure) as error:
            # It may have ended, also with this venue.
            if isinstance(error, ApiRefusal) and error.status != 404:
                raise

    def settle(self) -> Any:
        """Waits until every reply and frame so far has been sent. Returns ``seq``, ``engine_now``
        and ``next_event_at``, the next engine time at which something happens by itself."""
        settled = self.client.sandbox_settle()
        self._at(settled)
        return settled

    def drop_connections(
        self, account: Optional[str] = None, *, kind: Optional[str] = None
    ) -> int:
        """Cuts open connections, as a lost network does; returns how many.

        :param account: only websockets of this account, by its name or address.
        :param kind: ``"ws"`` (default) or ``"http"``.
        """
        known = self._ready().accounts or {}
        address = self.key(account).address if account in known else account
        reply = self.client.sandbox_drop_connections(
            account=UNSET if address is None else address, kind=UNSET if kind is None else kind
        )
        return reply["dropped"]

    def latency(
        self,
        plan: Union[str, Mapping[str, Any], None] = None,
        *,
        preset: Optional[str] = None,
        lines: Optional[Sequence[Mapping[str, Any]]] = None,
        seed: Union[int, str, None] = None,
    ) -> Any:
        """Sets the delays between clients and the venue, in engine time. Without arguments, removes
        them. A request that waits needs another thread that calls :meth:`advance`; a
        ``VirtualLoop`` moves time itself.

        :param plan: the name of a preset, or a plan with the fields ``preset``, ``lines``, ``seed``.
        :param preset: ``"colo"``, ``"region"``, ``"home"`` or ``"mobile"``.
        :param lines: such as ``[{"match": {"account": "alice"}, "order": {"const_us": 5000}}]``.
        :param seed: of the jitter (default: the seed of the venue).
        """
        given = {"preset": preset, "lines": lines, "seed": seed}
        return self.client.sandbox_latency(**self._plan("preset", plan, given))

    def latency_report(self) -> Any:
        """The requested and achieved delays since the last :meth:`latency`."""
        return self.client.sandbox_get_latency()

    def faults(
        self,
        plan: Union[str, Mapping[str, Any], None] = None,
        *,
        profile: Optional[str] = None,
        rules: Optional[Sequence[Mapping[str, Any]]] = None,
        seed: Union[int, str, None] = None,
    ) -> Any:
        """Sets rules by which requests, frames and the venue fail. Without arguments, removes them;
        the report stays until the next plan.

        :param plan: the name of a profile, or a plan with the fields ``profile``, ``rules``,
            ``seed``.
        :param profile: ``"gentle"``, ``"bad-day"`` or ``"incident"``.
        :param rules: such as ``[{"fault": "timeout_done", "match": {"op": "orders/*"}}]``.
        :param seed: of the faults (default: the seed of the venue).
        """
        given = {"profile": profile, "rules": rules, "seed": seed}
        return self.client.sandbox_faults(**self._plan("profile", plan, given))

    def _plan(
        self, name: str, plan: Union[str, Mapping[str, Any], None], given: Mapping[str, Any]
    ) -> Dict[str, Any]:
        """A plan of a name, of a mapping and of keywords. ``given`` has a list as second field."""
        fields = {name: plan} if plan is None or isinstance(plan, str) else dict(plan)
        for field in (field for field in fields if field not in given):
            raise ValueError(f"a plan has no field {field!r}; it has {', '.join(given)}")
        rows = list(given)[1]
        fields.update({field: value for field, value in given.items() if value is not None})
        made = {rows: [], "seed": self.seed, **fields}
        return {field: value for field, value in made.items() if value is not None}

    def report(self) -> Any:
        """The faults since the last plan of :meth:`faults`, and in ``differences`` where a client must
        believe something that is not true."""
        return self.client.sandbox_get_faults()

    def hash(self) -> str:
        """The trading hash: two runs with the same one have the same accounts, orders, positions
        and prices."""
        return self.client.sandbox_get_hash()["trading_hash"]


def _usd(name: str, usd: DecimalLike) -> str:
    if isinstance(usd, float) or isinstance(usd, bool):
        raise TypeError(f"the USD of {name} are {usd!r}: pass a decimal, an integer or text")
    return format(Decimal(usd), "f")


def _start_text(start_at: Union[datetime, str, None]) -> str:
    if start_at is None:
        return "2026-01-01T00:00:00Z"
    if isinstance(start_at, str):
        return start_at
    return _time_text("start_at", start_at)


def _time_text(name: str, time: datetime) -> str:
    if time.tzinfo is None:
        raise ValueError(f"{name} has no time zone; add tzinfo=timezone.utc")
    at = time.astimezone(timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%S") + f".{at.microsecond // 1_000:03}Z"
