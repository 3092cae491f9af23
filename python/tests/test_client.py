"""The client against a running exchange: every operation, decimals, errors, agents and keys."""

import asyncio
import json
import subprocess
import threading
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

from openperp import (
    ApiRefusal,
    Client,
    Key,
    NetworkFailure,
    TimeoutFailure,
    UnexpectedReply,
    VenueMismatch,
)
from openperp._decimals import D, received, sent
from openperp._operations import OPERATIONS
from openperp._fixture import program_command
from openperp.errors import nearest_in

from .live import PROGRAM, LiveCase


class Decimals(unittest.TestCase):
    def test_decimals_are_received_where_the_schema_has_them(self):
        form = {"price": D, "rows": [{"p": D}], "book": ([{"a": D}], [{"a": D}]), "by": {"*": D}}
        value = {
            "price": "1.50",
            "id": "12",
            "rows": [{"p": None}, {"p": "-2"}],
            "book": [[{"a": "1"}], [{"a": "0.00000001"}]],
            "by": {"x": "3"},
            "absent": None,
        }
        made = received(value, form)
        self.assertEqual(made["price"], Decimal("1.50"))
        self.assertEqual(made["id"], "12")
        self.assertEqual(made["rows"], [{"p": None}, {"p": Decimal(-2)}])
        self.assertEqual(made["book"][1][0]["a"], Decimal("0.00000001"))
        self.assertEqual(made["by"], {"x": Decimal(3)})

    def test_decimals_are_sent_as_plain_text(self):
        form = {"price": D, "levels": [{"stop_price": D}]}
        for given, text in [
            (Decimal("1E+5"), "100000"),
            (Decimal("0.00000001"), "0.00000001"),
            (95000, "95000"),
            ("1.5", "1.5"),
        ]:
            made = sent({"price": given, "levels": {"stop_price": given}, "id": 3}, form)
            self.assertEqual(made, {"price": text, "levels": {"stop_price": text}, "id": 3})
        self.assertEqual(sent([Decimal(1)], None), ["1"])

    def test_a_float_is_refused_by_the_name_of_its_field(self):
        form = {"levels": [{"stop_price": D}]}
        with self.assertRaisesRegex(TypeError, r"levels\[0\]\.stop_price is the float 0\.1: pass"):
            sent({"levels": [{"stop_price": 0.1}]}, form)
        with self.assertRaisesRegex(TypeError, r"limit is the float 1\.0: it must be an integer"):
            sent({"limit": 1.0}, form)
        with self.assertRaisesRegex(ValueError, "price is NaN"):
            sent({"price": Decimal("nan")}, {"price": D})

    def test_the_nearest_values_are_read_from_the_message(self):
        for message, values in [
            ("INVALID_TICK_SIZE: price 1.5 must be …; nearest: 1 or 2", [1, 2]),
            ("A: worth 5 USD, the minimum is 10 USD; nearest: 0.0002 BTC", ["0.0002"]),
            ("A: it would trade; the nearest price that rests is 99999", [99999]),
            ("A: nearest: 12 1000PEPE", [12]),
            ("A: nothing", []),
        ]:
            self.assertEqual(list(nearest_in(message)), [Decimal(v) for v in values], message)


class Requests(LiveCase):
    def test_an_explanation_is_that_of_the_command_line(self):
        alice = self.venue.account("alice")
        stop = {"stop_order": {"stop_price": "110000", "amount": "0.01"}, "reduce_only": False}
        placed = alice.create_stop_order(symbol="BTC", side="bid", **stop)
        alice.cancel_stop_order(symbol="BTC", order_id=placed["order_id"])
        explained = alice.explain_order(order_id=placed["order_id"])
        self.assertIn("110000", explained["happened"][0]["what"])
        question = ["explain", "order", str(placed["order_id"]), "--url", self.url]
        options = ["--key", self.venue.key("alice").secret, "--json"]
        command = [*program_command(PROGRAM), *question, *options]
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(json.loads(printed), explained)

    def test_every_operation_of_the_document_is_a_method(self):
        document = json.loads(Client(self.url)._transport.request("GET", "/openapi.json", {}).body)
        named = {}
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                named[operation["operationId"]] = (method.upper(), path)
        own = {name: at for name, at in named.items() if not at[1].startswith("/ccxt/")}
        self.assertGreater(len(own), 80)
        known = {
            name: (each.method, each.path if name == "get_status" else f"/api/v1{each.path}")
            for name, each in OPERATIONS.items()
        }
        # A venue serves more of them than this sandbox does.
        self.assertEqual({name: known.get(name) for name in own}, own)
        for name in known:
            self.assertTrue(callable(getattr(Client, name)), name)
            self.assertTrue(getattr(Client, name).__doc__, name)

    def test_an_order_is_placed_read_and_cancelled(self):
        alice = self.trader()
        placed = alice.create_order(
            symbol="BTC", side="bid", price=90_000, amount=Decimal("0.1"), tif="ALO",
            reduce_only=False,
        )
        self.assertEqual(placed["order_status"], "open")
        orders = alice.get_open_orders()
        self.assertIsInstance(orders["last_order_id"], int)
        (row,) = orders["rows"]
        self.assertEqual((row["order_id"], row["price"]), (placed["order_id"], Decimal(90_000)))
        self.assertEqual(
            alice.cancel_order(symbol="BTC", order_id=placed["order_id"]), {"success": True}
        )
        self.assertEqual(alice.get_open_orders()["rows"], [])
        self.assertEqual(alice.get_account()["balance"], Decimal(100_000))

    def test_every_read_answers(self):
        alice = self.trader()
        given = {
            "symbol": "BTC", "interval": "1m", "start_time": 0, "time_range": "1d", "order_id": 1,
            "history_id": 1, "agent_wallet": Key.new().address,
        }
        alice.bind_agent_wallet(agent_wallet=given["agent_wallet"])
        names = [name for name, each in OPERATIONS.items() if each.method == "GET"]
        self.assertGreater(len(names), 40)
        for name in names:
            hints = getattr(Client, name).__annotations__
            required = [n for n, t in hints.items() if "Unset" not in t and n != "return"]
            required += ["order_id"] if "order_id" in hints else []
            with self.subTest(name):
                try:
                    values = {**given, "seq": "latest" if "liquidation" in name else 1}
                    getattr(alice, name)(**{n: values[n] for n in required})
                except ApiRefusal as error:
                    self.assertEqual(error.status, 404, error)

    def test_a_field_may_have_the_name_of_a_parameter(self):
        reply = self.venue.client.sandbox_scenario(name="crash", symbol="BTC")
        self.assertEqual(reply["name"], "crash")

    def test_a_refusal_has_code_rule_and_nearest(self):
        alice = self.trader()
        order = dict(symbol="BTC", side="bid", amount="0.1", tif="ALO", reduce_only=False)
        with self.assertRaises(ApiRefusal) as caught:
            alice.create_order(price="90000.3", **order)
        error = caught.exception
        self.assertEqual((error.status, error.code, error.rule), (422, 52, "INVALID_TICK_SIZE"))
        self.assertEqual(error.nearest, (Decimal(90_000), Decimal(90_001)))
        self.assertEqual(error.details["success"], False)
        with self.assertRaisesRegex(TypeError, "price is the float 90000.5"):
            alice.create_order(price=90_000.5, **order)
        with self.assertRaisesRegex(TypeError, "pricee"):
            alice.create_order(pricee="90000", **order)

    def test_a_body_is_executed_once(self):
        alice = self.trader()
        body = alice.body("create_order", symbol="BTC", side="bid", price="90000", amount="0.1",
                          tif="ALO", reduce_only=False)
        first = alice.send("create_order", body)
        with self.assertRaises(ApiRefusal) as caught:
            alice.send("create_order", body)
        self.assertEqual(caught.exception.rule, "REPLAYED")
        self.assertEqual([r["order_id"] for r in alice.get_open_orders()["rows"]],
                         [first["order_id"]])

    def test_requests_in_the_same_moment_have_different_texts(self):
        alice = self.trader()
        stamps = [alice.body("cancel_all_orders", all_symbols=True, exclude_reduce_only=False)
                  ["timestamp"] for _ in range(50)]
        self.assertEqual(len(set(stamps)), 50)

    def test_an_agent_trades_for_the_account(self):
        alice = self.trader()
        agent = Key.new()
        policy = {"max_position_value": 5_000, "symbols": ["BTC"]}
        alice.bind_agent_wallet(agent_wallet=agent.address, policy=policy)
        bot = Client(self.url, account=alice.account, agent=agent)
        placed = bot.create_order(symbol="BTC", side="bid", price="90000", amount="0.01",
                                  tif="ALO", reduce_only=False)
        self.assertEqual(bot.get_open_orders()["rows"][0]["order_id"], placed["order_id"])
        with self.assertRaisesRegex(ValueError, "withdraw has to be signed by the account's own"):
            bot.withdraw(amount="1")
        listed = alice.list_agent_wallets()["agents"][0]["policy"]
        self.assertEqual(listed["max_position_value"], Decimal(5_000))
        alice.revoke_agent_wallet(agent_wallet=agent.address)
        # The signed read of the agent is no longer accepted, and the read is sent without it.
        self.assertEqual(len(bot.get_open_orders()["rows"]), 1)

    def test_an_api_key_is_sent_with_requests(self):
        alice = self.trader()
        api_key = alice.create_api_key()["data"]["api_key"]
        reader = Client(self.url, account=alice.account, api_key=api_key)
        self.assertEqual(reader.get_account()["balance"], Decimal(100_000))
        other = api_key[:-1] + ("y" if api_key.endswith("x") else "x")
        with self.assertRaises(ApiRefusal) as caught:
            Client(self.url, account=alice.account, api_key=other).get_account()
        self.assertEqual(caught.exception.status, 401)

    def test_a_batch_has_one_signature_or_one_for_each_action(self):
        alice = self.trader()
        order = {"symbol": "BTC", "side": "bid", "amount": Decimal("0.01"), "tif": "ALO",
                 "reduce_only": False}
        actions = [{"type": "Create", "data": {**order, "price": p}} for p in (90_000, 90_001)]
        for together in (True, False):
            results = alice.batch_orders(actions=actions, together=together)["results"]
            self.assertEqual([each["success"] for each in results], [True, True])
        self.assertEqual(len(alice.get_open_orders()["rows"]), 4)
        with self.assertRaisesRegex(ValueError, r"actions\[0\].type is 'Creat'; actions: Create,"):
            alice.batch_orders(actions=[{"type": "Creat", "data": {}}])

    def test_a_subaccount_is_created_and_funded(self):
        alice = self.trader()
        sub = Key.new()
        alice.create_subaccount(subaccount=sub)
        alice.transfer_funds(to_account=sub.address, amount=100)
        (row,) = alice.list_subaccounts()["subaccounts"]
        self.assertEqual((row["address"], row["balance"]), (sub.address, Decimal(100)))

    def test_pages_are_read_one_after_the_other(self):
        alice = self.trader()
        for price in range(90_000, 90_005):
            alice.create_order(symbol="BTC", side="bid", price=price, amount="0.01", tif="ALO",
                               reduce_only=False)
        prices = [row["price"] for row in alice.rows("get_order_history", limit=2)]
        self.assertEqual(prices, list(range(90_004, 89_999, -1)))
        text, cursor = alice.table("get_order_history", limit=2)
        self.assertEqual(len(text.strip().splitlines()), 3)
        self.assertIsNotNone(cursor)
        with self.assertRaisesRegex(ValueError, "get_info has no pages; these have: get_trades"):
            next(alice.rows("get_info"))

    def test_threads_share_a_client(self):
        alice = self.trader()
        failures = []

        def place(price):
            try:
                alice.create_order(symbol="BTC", side="bid", price=price, amount="0.01", tif="ALO",
                                   reduce_only=False)
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=place, args=(90_000 + i,)) for i in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(len(alice.get_open_orders()["rows"]), 12)

    def test_a_text_names_the_venue_of_its_key(self):
        alice = self.trader()
        venue = alice.get_venue()["venue"]
        self.assertEqual(alice.check_venue(), venue)
        self.assertEqual(alice.body("cancel_order", symbol="BTC", order_id=1)["venue"], venue)
        unnamed = Client(self.url, Key.new(), venue=None)
        self.assertNotIn("venue", unnamed.body("cancel_order", symbol="BTC", order_id=1))
        with self.assertRaises(VenueMismatch):
            Client(self.url, Key.new(), venue="0" * 32).withdraw(amount=1)
        with self.assertRaisesRegex(ValueError, "32 lower-case hexadecimal digits"):
            Client(self.url, Key.new(), venue="here")

    def test_a_client_without_a_key_says_what_it_lacks(self):
        reader = Client(self.url)
        with self.assertRaisesRegex(ValueError, "get_account is about an account"):
            reader.get_account()
        with self.assertRaisesRegex(ValueError, "cancel_order has to be signed by a key, which"):
            reader.cancel_order(symbol="BTC", order_id=1)
        with self.assertRaisesRegex(ValueError, "there is no operation 'creat_order'"):
            reader.call("creat_order")
        self.assertIsInstance(reader.sync_clock(), int)

    def test_a_key_is_not_printed(self):
        key = Key.new()
        self.assertNotIn(key.secret, repr(Client(self.url, key)))



class Answers(BaseHTTPRequestHandler):
    """Answers each request with the next of ``plan``: a status, headers and a body, or nothing."""

    plan = []
    seen = []
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        Answers.seen.append(self.path)
        step = Answers.plan.pop(0)
        if step is None:
            self.close_connection = True
            return
        status, headers, body = step
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Failures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = HTTPServer(("127.0.0.1", 0), Answers)
        cls.thread = threading.Thread(target=cls.server.serve_forever)
        cls.thread.start()
        cls.url = f"http://127.0.0.1:{cls.server.server_port}"

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.thread.join()
        cls.server.server_close()

    def run_plan(self, *plan, **options):
        Answers.plan, Answers.seen = list(plan), []
        with Client(self.url, **options) as client:
            return client.get_time()

    def test_a_read_is_repeated_while_the_exchange_is_not_ready(self):
        later = (503, {"retry-after": "0"}, b'{"error":"NOT_READY: later","code":503}')
        good = (200, {}, b'{"success":true,"data":{"now":5},"error":null,"code":null}')
        self.assertEqual(self.run_plan(later, later, good), {"now": 5})
        with self.assertRaises(ApiRefusal) as caught:
            self.run_plan(later, later, read_retries=1)
        self.assertEqual((caught.exception.rule, caught.exception.retry_after), ("NOT_READY", 0))

    def test_an_answer_that_is_not_of_this_api_is_named(self):
        with self.assertRaisesRegex(UnexpectedReply, "answered 200 and no JSON: <html>"):
            self.run_plan((200, {}, b"<html> \n"))
        with self.assertRaisesRegex(UnexpectedReply, "answered 502 without an error of this API"):
            self.run_plan((502, {}, b"{}"))

    def test_no_answer_is_a_failure(self):
        with self.assertRaises(NetworkFailure):
            self.run_plan(None)
        with self.assertRaisesRegex(NetworkFailure, "no answer from http://127.0.0.1:1"):
            Client("http://127.0.0.1:1").get_time()
        with self.assertRaisesRegex(ValueError, "url is 'localhost:8080'; it must be an address"):
            Client("localhost:8080")

    def test_an_answer_that_does_not_come_is_a_timeout(self):
        async def scene():
            async def quiet(reader, writer):
                await reader.read()
                writer.close()

            server = await asyncio.start_server(quiet, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            client = Client(f"http://127.0.0.1:{port}", timeout=0.05)
            with self.assertRaisesRegex(TimeoutFailure, "did not answer /api/v1/time within 0.05"):
                await asyncio.get_running_loop().run_in_executor(None, client.get_time)
            server.close()

        asyncio.run(scene())


if __name__ == "__main__":
    unittest.main()
