"""Streams against a running exchange: channels, resuming, gaps, the book, trading."""

import asyncio
import json
import random
import threading
import unittest
import zlib
from decimal import Decimal

from openperp import ApiRefusal, Client, NetworkFailure, SlowReader, TimeoutFailure
from openperp._follow import Follow
from openperp._subscription import Frame, Gap, Handlers, Subscription, channel_of
from openperp._websocket import WebSocket
from openperp.book import Book

from .live import LiveCase, eventually

ORDER = dict(symbol="BTC", amount="0.01", tif="ALO", reduce_only=False)


def cut(stream):
    """Cuts the connection as a network would: without a close frame."""
    stream._connection._socket.socket.shutdown(2)


class Streams(LiveCase):
    def open(self, client, **options):
        stream = client.stream(backoff=(0.01, 0.05), **options)
        self.addCleanup(stream.close)
        return stream

    def test_frames_have_decimals_and_come_after_the_acknowledgement(self):
        alice = self.trader()
        frames = []
        stream = self.open(alice)
        stream.subscribe("account_data", frames.append)
        eventually(lambda: frames)
        self.assertEqual(frames[0].data["b"], Decimal(100_000))
        self.assertTrue(frames[0].begins)
        self.assertEqual(stream.health().state, "open")

    def test_events_resume_after_a_lost_connection(self):
        alice = self.trader()
        stream = self.open(alice)
        updates, gaps = [], []
        stream.subscribe("account_order_updates", updates.append, gap=gaps.append)
        ids = []
        for step in range(6):
            if step % 2:
                cut(stream)  # Orders are placed while the stream is down.
            ids.append(alice.create_order(side="bid", price=90_000 + step, **ORDER)["order_id"])
            eventually(lambda: len(updates) == len(ids))
        self.assertEqual([frame.data[0]["i"] for frame in updates], ids)
        self.assertEqual(gaps, [])
        self.assertEqual(updates[0].data[0]["ip"], Decimal(90_000))

    def test_a_channel_that_cannot_resume_reports_the_gap(self):
        stream = self.open(Client(self.url))
        gaps = []
        stream.subscribe("trades", lambda frame: None, gap=gaps.append, symbol="BTC")
        cut(stream)
        eventually(lambda: gaps == [Gap("reconnected")])

    def test_the_book_is_whole_after_each_connection_and_notices_a_lost_change(self):
        alice = self.trader()
        stream = self.open(Client(self.url))
        tops, gaps = [], []
        book = stream.book("ETH", lambda b: tops.append(b.bids[:1]), gap=gaps.append)
        self.assertTrue(book.is_whole)
        order = {**ORDER, "symbol": "ETH", "amount": "0.1", "side": "bid"}
        mark = next(row["mark"] for row in alice.get_prices() if row["symbol"] == "ETH")
        price = int(mark) - 100

        def place(at):
            alice.create_order(price=price + at, **order)
            eventually(lambda: book.is_whole and book.bids and book.bids[0].price == price + at)

        place(0)
        cut(stream)
        place(1)
        # A change that never arrives: the next one does not follow the last that did.
        real, lost = book._take, []
        book._take = lambda data: lost.append(data)
        alice.create_order(price=price + 2, **order)
        eventually(lambda: lost)
        book._take = real
        place(3)
        self.assertEqual(book.repairs, 1)
        self.assertIn(Gap("sequence"), gaps)
        # A change that arrives damaged.
        def damaged(data):
            book._take = real
            data["l"][0][0]["a"] = "7"
            real(data)

        book._take = damaged
        place(4)
        self.assertEqual(book.repairs, 2)
        self.assertIn(Gap("checksum"), gaps)
        self.assertEqual([level.price for level in book.bids],
                         [price + 4, price + 3, price + 2, price + 1, price])
        self.assertEqual(book.bids[0].amount, Decimal("0.1"))
        book.close()
        alice.cancel_all_orders(all_symbols=True, exclude_reduce_only=False)

    def test_the_book_equals_the_exchanges_through_drops_and_lost_frames(self):
        alice, chance = self.trader(), random.Random(1)
        stream = self.open(Client(self.url))
        gaps, crossed = [], []

        def changed(book):
            if book.bids and book.asks and book.bids[0].price >= book.asks[0].price:
                crossed.append(book.li)

        book = stream.book("BTC", changed, gap=gaps.append)
        take, lost = book._take, []

        def lose(data):
            book._take = take
            lost.append(data["li"])

        for step in range(24):
            if step % 4 == 1:
                book._take = lose
            if step % 4 == 2:
                self.venue.drop_connections(kind="ws")
            for _ in range(3):
                side = chance.choice(["bid", "ask"])
                price = 100_000 + chance.randrange(1, 50) * (1 if side == "ask" else -1)
                alice.create_order(side=side, price=price, **ORDER)
            if step % 6 == 5:
                alice.cancel_all_orders(all_symbols=True, exclude_reduce_only=False)
            self.venue.settle()
            eventually(stream.is_quiet)
            if lost and lost[-1] > book.li:
                # Frames after a lost one show that it is missing; this one was the last so far.
                self.assertTrue(step % 4 == 1 or not book.is_whole)
                continue
            self.assertTrue(book.is_whole)
            served = alice.get_book(symbol="BTC", depth=1_000)["l"]
            mine = [[tuple(level) for level in side] for side in (book.bids, book.asks)]
            rows = [[(row["p"], row["a"], row["n"]) for row in side] for side in served]
            self.assertEqual(mine, rows)
        self.assertEqual(crossed, [])
        self.assertEqual(len(lost), 6)
        self.assertEqual(gaps.count(Gap("sequence")), book.repairs)

    def test_a_book_whose_first_frame_is_lost_is_requested_again(self):
        alice = self.trader()
        stream = self.open(Client(self.url))
        book = stream.book("BTC")
        take = book._take
        book._take = lambda data: setattr(book, "_take", take)
        cut(stream)
        eventually(lambda: book._take is take)
        self.assertFalse(book.is_whole)
        alice.create_order(side="bid", price=90_000, **ORDER)
        eventually(lambda: book.is_whole)
        self.assertEqual((book.repairs, len(book.bids)), (1, 1))

    def test_orders_are_placed_and_refused_over_the_websocket(self):
        alice = self.trader()
        stream = self.open(alice)
        stream.subscribe("account_orders", lambda frame: None)
        placed = stream.call("create_order", side="bid", price=90_000, **ORDER)
        self.assertEqual(placed["s"], "BTC")
        with self.assertRaises(ApiRefusal) as caught:
            stream.call("create_order", side="bid", price="90000.3", **ORDER)
        self.assertEqual((caught.exception.code, caught.exception.rule), (52, "INVALID_TICK_SIZE"))
        self.assertEqual(caught.exception.nearest, (Decimal(90_000), Decimal(90_001)))
        with self.assertRaisesRegex(ValueError, "get_info is not served over the websocket"):
            stream.call("get_info")

    def test_cancel_on_disconnect_is_armed_again_on_each_connection(self):
        alice = self.trader()
        stream = self.open(alice)
        frames = []
        stream.subscribe("account_orders", frames.append)
        stream.cancel_on_disconnect()
        for _ in range(2):
            alice.create_order(side="bid", price=90_000, **ORDER)
            self.assertEqual(len(alice.get_open_orders()["rows"]), 1)
            before = len(frames)
            cut(stream)
            eventually(lambda: alice.get_open_orders()["rows"] == [])
            eventually(lambda: len(frames) > before and stream.health().state == "open")
            # The answer to a later request: the stream is armed.
            stream.subscribe("bbo", lambda frame: None, symbol="BTC").close()
        stream.cancel_on_disconnect(None)

    def test_frames_are_read_in_a_loop_of_a_thread_or_of_asyncio(self):
        alice = self.trader()
        stream = self.open(alice)
        with stream.follow("account_order_updates") as updates:
            placed = alice.create_order(side="bid", price=90_000, **ORDER)
            frame = updates.read(20)
            self.assertEqual(frame.data[0]["i"], placed["order_id"])
        self.assertIsNone(updates.read(0))
        with self.assertRaises(TimeoutError):
            stream.follow("account_trades").read(0)

        async def scene():
            follow = stream.follow("account_order_updates")
            asyncio.get_running_loop().call_later(
                0.01, lambda: alice.create_order(side="bid", price=90_001, **ORDER)
            )
            async for frame in follow:
                follow.close()
                return frame.data[0]["ip"]

        self.assertEqual(asyncio.run(scene()), Decimal(90_001))

    def test_what_cannot_be_subscribed_is_refused_by_name(self):
        stream = self.open(Client(self.url))
        for source, params, error, said in [
            ("tradess", {}, ValueError, "'tradess' is not a channel; channels: book, orderbook"),
            ("trades", {}, TypeError, "trades needs symbol"),
            ("trades", {"simbol": "BTC"}, TypeError, "simbol is not a parameter of trades"),
            ("account_data", {}, ValueError, "account_data is of an account"),
            ("trades", {"symbol": "NOPE"}, ApiRefusal, "."),
        ]:
            with self.assertRaisesRegex(error, said):
                stream.subscribe(source, print, **params)
        stream.subscribe("trades", print, symbol="BTC")
        with self.assertRaisesRegex(ValueError, "already subscribed to trades BTC"):
            stream.subscribe("trades", print, symbol="BTC")
        with self.assertRaisesRegex(ValueError, "this one's is"):
            self.open(self.trader()).subscribe("account_data", print, account="1" * 32)

    def test_an_error_of_a_handler_does_not_end_the_stream(self):
        alice = self.trader()
        errors, frames = [], []
        stream = self.open(alice, on_error=errors.append)

        def handle(frame):
            frames.append(frame)
            if len(frames) == 1:
                stream.call("cancel_order", symbol="BTC", order_id=1)

        stream.subscribe("account_order_updates", handle)
        for price in (90_000, 90_001):
            alice.create_order(side="bid", price=price, **ORDER)
        eventually(lambda: len(frames) == 2)
        self.assertIn("a handler cannot wait for the stream", str(errors[0]))

    def test_a_closed_stream_ends_its_loops_and_has_no_thread(self):
        before = threading.active_count()
        stream = self.trader().stream()
        follow = stream.follow("account_data")
        follow.read(20)
        stream.close()
        self.assertIsNone(follow.read(0))
        self.assertEqual(threading.active_count(), before)
        with self.assertRaises(NetworkFailure):
            stream._connection.request({"method": "ping"})
        self.assertTrue(stream.is_quiet())

    def test_a_stream_without_an_exchange_says_why(self):
        stream = Client("http://127.0.0.1:1").stream(timeout=0.2, backoff=(0.01, 0.01))
        with self.assertRaisesRegex(TimeoutFailure, "not acknowledged within 0.2 s"):
            stream.subscribe("trades", print, symbol="BTC")
        self.assertIn("127.0.0.1:1", stream.health().ended)
        stream.close()

    def test_a_server_that_is_no_websocket_is_named(self):
        with self.assertRaisesRegex(NetworkFailure, "the handshake was answered with HTTP/1.1 404"):
            WebSocket(self.url.replace("http", "ws") + "/nothing", {}, 5)
        socket = WebSocket(self.url.replace("http", "ws") + "/ws", {}, 5)
        for size in (1, 126, 70_000):
            text = json.dumps({"method": "x" * size})
            socket.send(text)
            self.assertIn('"channel":"error"', socket.receive())
        socket.close()
        socket.release()


class Places(unittest.TestCase):
    """The position of a subscription, without an exchange."""

    def subscription(self, source, **params):
        frames, gaps = [], []
        handlers = Handlers(frames.append, gaps.append)
        made = Subscription(channel_of(source), params, handlers, lambda _: None)
        return made, frames, gaps

    def test_a_frame_that_does_not_follow_the_last_is_a_gap(self):
        made, frames, gaps = self.subscription("account_trades", account="a")
        made.acknowledge({"li": 5, "data": {}})
        made.take({"li": 7, "prev": 5, "data": []})
        made.take({"li": 9, "prev": 8, "data": []})
        self.assertEqual(gaps, [Gap("sequence")])
        self.assertEqual([(f.li, f.begins, f.gap) for f in frames],
                         [(7, True, None), (9, False, Gap("sequence"))])
        made.down()
        self.assertEqual(made.request()["resume_from"], 9)
        made.take({"li": 10, "prev": 9, "data": []})  # Of the connection before.
        made.acknowledge({"li": 12, "data": {"resumed": False}})
        self.assertEqual(gaps[1:], [Gap("not_resumed")])
        self.assertEqual(len(frames), 2)

    def test_skipped_frames_are_a_gap(self):
        made, frames, gaps = self.subscription("trades", symbol="BTC")
        made.acknowledge({"li": 5, "data": {}})
        made.take({"li": 9, "prev": None, "skipped": 3, "data": []})
        made.take({"li": 11, "prev": 9, "data": [{"p": "1"}]})
        self.assertEqual(gaps, [Gap("skipped", 3)])
        self.assertEqual([(f.data[0]["p"], f.gap) for f in frames], [(Decimal(1), gaps[0])])

    def test_of_a_state_only_the_newest_is_kept_and_others_end_with_slow_reader(self):
        frame = Frame("prices", [], 1, True, Gap("reverted"))
        state = Follow("prices", 2, True)
        state._push(frame)
        state._push(Frame("prices", [], 2, False, None))
        self.assertEqual(state.read(0), Frame("prices", [], 2, True, Gap("reverted")))
        events = Follow("trades", 2, False)
        for _ in range(3):
            events._push(frame)
        events.read(0), events.read(0)
        with self.assertRaisesRegex(SlowReader, "trades: 2 frames were not read in time"):
            events.read(0)

    def test_a_book_of_many_changes_equals_a_sorted_table(self):
        chance = random.Random(1)
        table = ({}, {})
        book = Book("BTC", changed=None, renew=self.fail, end=lambda: None)

        def best(side):
            rows = sorted(table[side].items(), key=lambda row: row[0] * (1 if side else -1))
            return [(str(p), a) for p, (a, n) in rows]

        def delta(prev, li, rows):
            texts = [",".join(f"{p}:{a}" for p, a in best(side)[:25]) for side in (0, 1)]
            return {"s": "BTC", "l": rows, "t": li, "li": li, "prev": prev,
                    "cs": zlib.crc32("|".join(texts).encode())}

        book._take(delta(None, 1, [[], []]))
        for li in range(2, 400):
            rows = [[], []]
            for _ in range(chance.randrange(4)):
                side, price = chance.randrange(2), Decimal(chance.randrange(1, 120)) / 10
                count = chance.randrange(3)
                amount = str(chance.randrange(1, 9))
                if count:
                    table[side][price] = (amount, count)
                else:
                    table[side].pop(price, None)
                rows[side].append({"p": str(price), "a": amount, "n": count})
            book._take(delta(li - 1, li, rows))
        self.assertTrue(book.is_whole)
        for side, levels in ((0, book.bids), (1, book.asks)):
            self.assertEqual([(str(each.price), str(each.amount)) for each in levels], best(side))
        self.assertGreater(len(book.asks), 30)


if __name__ == "__main__":
    unittest.main()
