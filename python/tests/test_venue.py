"""The venue: what tests do with it, how it starts and how it ends."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

from openperp import (
    ApiRefusal,
    Client,
    FixtureError,
    Key,
    NetworkFailure,
    OpenperpError,
    OutcomeUnknown,
    Venue,
)
from openperp._durations import milliseconds
from openperp.stream import Gap

from .live import PROGRAM, LiveCase, eventually

ORDER = dict(symbol="BTC", price=100_000, amount="0.1", tif="GTC", reduce_only=False)
CCXT = Path(__file__).resolve().parents[2] / "node_modules" / "ccxt" / "js" / "src" / "pacifica.js"
START = 1_767_225_600_000


class Use(LiveCase):
    def trade(self):
        self.venue.account("alice").create_order(side="ask", **ORDER)
        self.venue.account("bob").create_order(side="bid", **ORDER)

    def test_a_long_position_gains_when_the_price_rises(self):
        self.trade()
        self.venue.set_price("BTC", "101000")
        self.assertEqual(self.venue.advance("1h"), START + 3_600_000)
        bob = self.venue.account("bob")
        self.assertGreater(bob.get_account()["account_equity"], 10_000)
        self.assertEqual(len(bob.get_funding_history()["rows"]), 1)

    def test_the_same_requests_lead_to_the_same_hash(self):
        hashes = []
        for _ in range(2):
            self.venue.reset()
            self.venue.set_price("BTC", 100_000)
            self.trade()
            self.venue.advance("10m")
            hashes.append(self.venue.hash())
        self.trade()
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(self.venue.hash(), hashes[0])

    def test_a_fork_and_its_original_go_on(self):
        self.venue.account("alice").create_order(side="ask", **ORDER)
        before, now = self.venue.hash(), self.venue.now()
        with self.venue.fork() as fork:
            self.assertEqual((fork.hash(), fork.now(), fork.engine_now), (before, now, now))
            bob = fork.account("bob")
            bob.create_order(side="bid", **ORDER)
            with bob.stream() as stream:
                stream.subscribe("account_orders", lambda frame: None)
                cancelled = stream.call("cancel_all_orders", all_symbols=True, exclude_reduce_only=False)
                self.assertEqual(cancelled["cancelled_count"], 0)
            self.assertEqual(len(fork.account("bob").get_positions()), 1)
            fork.advance("1h")
            self.assertEqual((self.venue.hash(), self.venue.now()), (before, now))
            self.assertEqual(len(self.venue.account("alice").get_open_orders()["rows"]), 1)
            url = fork.url
            self.venue.end_forks()
            with self.assertRaises(OpenperpError):
                fork.now()
        with self.assertRaises(NetworkFailure):
            Client(url).get_info()
        with self.assertRaisesRegex(ApiRefusal, "neither an entry"):
            self.venue.fork("soon")
        with self.assertRaisesRegex(ValueError, "leave out key"):
            Client(self.url, Key.new(), act_as=bob.account)
        with self.assertRaisesRegex(ApiRefusal, "x-act-as is for forks"):
            Client(self.url, act_as=bob.account).get_account()

    def test_latency_is_exact_in_engine_time(self):
        alice = self.venue.account("alice")
        alice.check_venue()
        report = self.venue.latency(lines=[{"order": {"const_us": 5_000}, "reply": {"const_us": 4_000}}])
        self.assertEqual((report["clock"], report["lines"]), ("engine", 1))
        placed = []
        thread = threading.Thread(target=lambda: placed.append(alice.create_order(side="ask", **ORDER)))
        thread.start()
        eventually(lambda: self.venue.latency_report()["in_line"] == 1)
        self.venue.advance("50ms")
        thread.join(30)
        self.assertEqual(len(placed), 1)
        late = {leg["leg"]: leg["late_us"]["max"] for leg in self.venue.latency_report()["legs"]}
        self.assertEqual(late["order"], 0)
        self.assertEqual(self.venue.latency()["lines"], 0)
        with self.assertRaises(ApiRefusal):
            self.venue.latency("moon")

    def test_faults_from_a_seed_and_what_a_client_must_believe(self):
        alice = self.venue.account("alice")
        alice.check_venue()
        self.venue.faults(rules=[{"id": "r", "fault": "reset", "done": True, "for": "1s"}])
        with self.assertRaises(NetworkFailure):
            alice.create_order(side="ask", **ORDER)
        report = self.venue.report()
        self.assertEqual([fault["client"] for fault in report["faults"]], ["connection reset"])
        wrong = [each["subject"] for each in report["differences"] if each["until"] is None]
        self.assertEqual(wrong, ["order 1", "request 1 orders/create"])
        self.venue.advance("1s")
        self.assertEqual(len(alice.get_open_orders()["rows"]), 1)
        self.assertTrue(all(each["until"] for each in self.venue.report()["differences"]))
        self.assertEqual(self.venue.faults()["rules"], 0)

    def test_a_reply_that_does_not_come_leaves_the_outcome_of_its_order_open(self):
        alice = self.venue.account("alice")
        alice.check_venue()
        self.venue.faults(rules=[{"fault": "slow", "match": {"op": "orders/create"}}])
        caught = []

        def trade():
            try:
                alice.create_order(side="ask", **ORDER)
            except OutcomeUnknown as error:
                caught.append(error)

        trading = threading.Thread(target=trade)
        trading.start()
        eventually(lambda: alice.get_open_orders()["rows"])
        self.venue.reset()
        trading.join(10)
        self.assertEqual(caught[0].operation, "create_order")
        self.assertIn("signature", caught[0].body)
        self.assertRegex(str(caught[0]), "^REPLY_WITHHELD: .*was carried out")
        self.venue.faults()

    def test_plans_are_names_objects_or_keywords(self):
        rule = {"fault": "timeout_lost", "match": {"op": "orders/create"}, "times": 1}
        for set_plan in (
            lambda: self.venue.faults({"rules": [rule]}),
            lambda: self.venue.faults(rules=[rule]),
        ):
            self.assertEqual(set_plan()["rules"], 1)
        self.assertEqual(self.venue.faults("bad-day")["rules"], 8)
        self.assertEqual(self.venue.faults({"profile": "bad-day"}, rules=[rule])["rules"], 9)
        self.assertEqual(self.venue.faults()["rules"], 0)
        lines = [{"order": {"const_us": 5}}]
        for plan in ("home", {"preset": "home"}, {"lines": lines}):
            self.assertEqual(self.venue.latency(plan)["lines"], 1)
        self.assertEqual(self.venue.latency()["lines"], 0)
        with self.assertRaisesRegex(ValueError, "no field 'line'; it has preset, lines, seed"):
            self.venue.latency({"line": lines})
        with self.assertRaisesRegex(ApiRefusal, "profile must be one of gentle"):
            self.venue.faults("monday")

    def test_a_refusal_names_the_entry_that_explains_it(self):
        alice = self.venue.account("alice")
        with self.assertRaises(ApiRefusal) as caught:
            alice.create_order(side="ask", **{**ORDER, "amount": "40"})
        explained = alice.explain_refusal(seq=caught.exception.seq)
        self.assertRegex(explained["title"], f"{caught.exception.rule}$")
        self.assertEqual(alice.explain_refusal(seq="latest"), explained)
        with alice.stream() as stream:
            stream.subscribe("account_orders", lambda frame: None)
            with self.assertRaises(ApiRefusal) as caught:
                stream.call("create_order", side="ask", **{**ORDER, "amount": "40"})
        self.assertGreater(caught.exception.seq, 0)

    def test_a_reset_forgets_everything_but_the_named_accounts(self):
        bob = self.venue.account("bob")
        self.trade()
        carol = self.venue.account("carol", usd=5)
        self.assertEqual(carol.get_account()["balance"], Decimal(5))
        self.venue.advance("1h")
        self.venue.reset()
        self.assertEqual(self.venue.now(), START)
        self.assertEqual(bob.get_account()["balance"], Decimal(10_000))
        self.assertEqual(bob.get_positions(), [])
        with self.assertRaises(ApiRefusal):
            carol.get_account()

    def test_a_reset_is_a_gap_of_every_stream_and_all_of_them_go_on(self):
        alice = self.venue.account("alice")
        with alice.stream() as stream:
            states, updates, gaps = [], [], []
            stream.subscribe("account_data", states.append)
            stream.subscribe("account_order_updates", updates.append, gap=gaps.append)
            book = stream.book("BTC", gap=gaps.append)
            self.trade()
            self.venue.reset()
            self.venue.settle()
            eventually(lambda: stream.is_quiet() and book.is_whole)
            self.assertEqual(gaps, [Gap("reverted"), Gap("reverted")])
            self.assertEqual((book.bids, book.asks), ([], []))
            self.assertEqual(states[-1].data["b"], Decimal(50_000))
            self.assertTrue(states[-1].begins)
            before = len(updates)
            placed = alice.create_order(side="bid", **{**ORDER, "price": 90_000})
            eventually(lambda: len(updates) > before)
            self.assertEqual(updates[-1].data[0]["i"], placed["order_id"])
            self.assertEqual(updates[before].gap, Gap("reverted"))

    def test_a_snapshot_is_returned_to(self):
        saved = self.venue.snapshot()
        self.trade()
        self.venue.revert(saved)
        self.assertEqual(self.venue.account("bob").get_positions(), [])

    def test_an_account_has_the_usd_that_are_requested(self):
        dave = self.venue.account("dave", usd="2.5")
        self.assertIs(dave, self.venue.account("dave", usd=4))
        self.assertEqual(dave.get_account()["balance"], Decimal(4))
        with self.assertRaisesRegex(ValueError, "bob has 10000 USD already, more than 10: start"):
            self.venue.account("bob", usd=10)
        with self.assertRaisesRegex(TypeError, "the USD of bob are 0.5"):
            self.venue.account("bob", usd=0.5)

    def test_a_long_time_is_more_than_one_request(self):
        with unittest.mock.patch("openperp.venue._STEP_MAX", 2_000):
            self.assertEqual(self.venue.advance(timedelta(seconds=5)), START + 5_000)

    def test_dropped_connections_are_opened_again(self):
        alice = self.venue.account("alice")
        with alice.stream(backoff=(0.01, 0.05)) as stream:
            frames, lost = [], []
            stream.subscribe("account_order_updates", frames.append, down=lambda: lost.append(1))
            self.assertEqual(self.venue.drop_connections("bob"), 0)
            self.assertEqual(self.venue.drop_connections("alice"), 1)
            eventually(lambda: lost)
            alice.create_order(side="bid", **{**ORDER, "price": 90_000})
            eventually(lambda: frames)
            self.assertIsNone(frames[0].gap)

    @unittest.skipUnless(CCXT.exists(), "the ccxt of the clone is not installed")
    def test_ccxt_trades_with_the_settings(self):
        """With the JavaScript of ccxt, which has the settings of its Python."""
        program = """
import { pathToFileURL } from 'node:url'
const [file, settings] = process.argv.slice(1)
const { default: Pacifica } = await import(pathToFileURL(file))
const exchange = new Pacifica(JSON.parse(settings))
const order = await exchange.createOrder('BTC/USDC:USDC', 'limit', 'buy', 0.01, 90_000)
console.log(order.id, (await exchange.fetchBalance()).total.USDC)
"""
        settings = json.dumps(self.venue.ccxt("alice"))
        command = ["node", "--input-type=module", "-e", program, str(CCXT), settings]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        (row,) = self.venue.account("alice").get_open_orders()["rows"]
        self.assertEqual(done.stdout.split(), [str(row["order_id"]), "50000"])

    def test_the_venue_of_another_process_is_used_by_its_address(self):
        with Venue(self.url) as other:
            self.assertEqual(other.now(), START)
            self.assertEqual(other.ws_url, self.venue.ws_url)
            self.assertEqual(other.account("bob").get_account()["balance"], Decimal(10_000))
            self.assertEqual(other.hash(), self.venue.hash())
        self.venue.now()


class Durations(unittest.TestCase):
    def test_durations_are_text_seconds_or_timedelta(self):
        for given, ms in [
            ("1h", 3_600_000),
            ("1h30m", 5_400_000),
            ("250ms", 250),
            ("2d", 172_800_000),
            (90, 90_000),
            (0.25, 250),
            (timedelta(minutes=1), 60_000),
        ]:
            self.assertEqual(milliseconds(given), ms)

    def test_what_is_no_duration_is_refused(self):
        for given in ("", "1", "1 h", "h", "-1h", "1h 30m", 0, -5, True, 0.0001, None):
            with self.assertRaisesRegex(ValueError, "is not a duration: pass seconds"):
                milliseconds(given)


class Start(unittest.TestCase):
    def test_a_program_that_does_not_start_says_why(self):
        with self.assertRaisesRegex(FixtureError, "--start-at must be a UTC time"):
            Venue(program=PROGRAM, start_at="2026").start()
        with self.assertRaisesRegex(FixtureError, "there is no program /nowhere/openperp"):
            Venue(program="/nowhere/openperp").start()
        with self.assertRaisesRegex(FixtureError, "not ready within 0.05 s"):
            waiting = f"{sys.executable} -c 'import sys; sys.stdin.read()'"
            Venue(program=waiting, timeout=0.05).start()
        with self.assertRaisesRegex(ValueError, "start_at has no time zone"):
            Venue(start_at=datetime(2026, 1, 1))
        with self.assertRaisesRegex(Exception, "the venue is not started"):
            Venue().now()

    def test_a_start_time_is_a_time_of_any_zone(self):
        venue = Venue(start_at=datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=1))))
        self.assertIn("2026-03-01T11:00:00.000Z", venue._flags)

    def test_an_image_runs_in_a_container_and_ends_with_this_process(self):
        """The container runtime here is a program that runs the command on this machine."""
        with tempfile.TemporaryDirectory() as folder:
            runtime = Path(folder) / "docker"
            runtime.write_text(f"""#!{sys.executable}
import os, sys
given = sys.argv[1:]
assert given[:3] == ["run", "--rm", "--interactive"], given
at = given.index("openperp:test")
ports = [p.split(":") for p in given[3:at] if p != "--publish"]
assert all(p[0] == "127.0.0.1" and p[1] == p[2] for p in ports), ports
os.execvp("node", ["node", {PROGRAM!r}, *given[at + 1:]])
""")
            runtime.chmod(runtime.stat().st_mode | stat.S_IXUSR)
            program = """
import os
from openperp import Venue
venue = Venue(image="openperp:test").start()
print(venue._fixture.pid, venue.account("bob").get_account()["balance"], flush=True)
os.kill(os.getpid(), 9)
"""
            env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
            done = subprocess.run(
                [sys.executable, "-c", program], stdout=subprocess.PIPE, env=env, text=True
            )
        pid, balance = done.stdout.split()
        self.assertEqual(balance, "100000")

        def has_exited():
            try:
                os.kill(int(pid), 0)
                # It may wait for its parent, which is not this process.
                return Path(f"/proc/{pid}/stat").read_text().split(") ")[1].startswith("Z")
            except (OSError, IndexError):
                return True

        eventually(has_exited, 60)


if __name__ == "__main__":
    unittest.main()
