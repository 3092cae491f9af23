"""The virtual loop: time of the venue for programs of asyncio."""

import asyncio
import json
import random
import time
import unittest
import uuid
from decimal import Decimal

from openperp import VirtualLoop
from openperp.signing import signing_text
from openperp.virtual_loop import _ceil_ms

from .live import LiveCase

START = 1_767_225_600
ORDER = dict(symbol="BTC", amount="0.001", tif="ALO", reduce_only=False)


class Http:
    """A client with the streams of asyncio, as a bot may have its own."""

    def __init__(self, url):
        self._host, _, self._port = url.partition("//")[2].partition(":")
        self._streams = None

    async def get(self, path):
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, int(self._port))
        reader, writer = self._streams
        writer.write(f"GET /api/v1{path} HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())
        size = 0
        while True:
            line = await reader.readline()
            if line in (b"\r\n", b""):
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        return json.loads(await reader.readexactly(size))["data"]

    def close(self):
        self._streams[1].close()


class Time(LiveCase):
    def loop(self, **options):
        loop = VirtualLoop(self.venue, **options)
        self.addCleanup(loop.close)
        return loop

    def test_sleeping_moves_the_engine_and_nothing_else(self):
        async def main():
            began = asyncio.get_running_loop().time()
            await asyncio.sleep(600)
            return began, asyncio.get_running_loop().time()

        self.assertEqual(self.loop().run(main()), (START, START + 600))
        self.assertEqual(self.venue.now(), (START + 600) * 1_000)

    def test_timers_run_in_order_and_at_their_time(self):
        async def main():
            loop, seen = asyncio.get_running_loop(), []
            began = loop.time()

            def note(delay):
                seen.append((delay, round(loop.time() - began, 3)))

            for delay in (0.3, 0.1, 0.0004, 0.25, 7, 0.1):
                loop.call_later(delay, note, delay)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 5)
            await asyncio.sleep(2.5)
            return seen

        self.assertEqual(
            self.loop().run(main()),
            [(0.0004, 0.001), (0.1, 0.1), (0.1, 0.1), (0.25, 0.25), (0.3, 0.3), (7, 7)],
        )

    def test_a_millisecond_is_not_lost_to_rounding(self):
        for ms in range(1_767_225_600_000, 1_767_225_602_000, 7):
            self.assertEqual(_ceil_ms(ms / 1_000), ms)
            self.assertEqual(_ceil_ms(ms / 1_000 + 0.0004), ms + 1)

    def test_frozen_clocks_and_random_numbers_repeat(self):
        async def main():
            first = (time.time(), time.monotonic(), random.random(), uuid.uuid4().hex)
            await asyncio.sleep(10)
            return (*first, time.time_ns(), uuid.uuid4().version)

        state = random.getstate()
        one = self.loop(freeze=True).run(main())
        self.venue.reset()
        two = self.loop(freeze=True).run(main())
        self.assertEqual(one, two)
        self.assertEqual(one[:2] + one[4:], (START, START, (START + 10) * 10**9, 4))
        self.assertEqual(random.getstate(), state)
        self.assertLess(time.monotonic(), START / 2)
        self.venue.reset()
        self.assertNotEqual(one[2:4], self.loop(freeze=True, seed=8).run(main())[2:4])

    def test_replies_arrive_before_time_moves(self):
        async def main():
            client, times = Http(self.url), []
            for _ in range(20):
                reply = await asyncio.wait_for(client.get("/time"), 0.001)
                times.append(reply["engine_now"])
                await asyncio.sleep(5)
            client.close()
            return times

        times = self.loop().run(main())
        self.assertEqual(times, [(START + 5 * i) * 1_000 for i in range(20)])

    def test_jobs_of_threads_run_in_order_before_time_moves(self):
        alice = self.venue.account("alice")

        async def main():
            placed = [
                asyncio.to_thread(alice.create_order, side="bid", price=90_000 + i, **ORDER)
                for i in range(5)
            ]
            await asyncio.wait_for(asyncio.gather(*placed), 0.001)
            with self.assertRaises(ZeroDivisionError):
                await asyncio.to_thread(lambda: 1 / 0)

        self.loop().run(main())
        prices = [row["price"] for row in alice.rows("get_order_history")]
        self.assertEqual(prices, [Decimal(90_000 + i) for i in reversed(range(5))])

    def test_requests_of_jobs_take_the_time_of_the_line(self):
        alice = self.venue.account("alice")
        alice.check_venue()

        async def bot():
            loop, took, ticks = asyncio.get_running_loop(), [], []

            async def tick():
                for _ in range(5):
                    await asyncio.sleep(0.004)
                    ticks.append(round((loop.time() - START) * 1_000))

            ticking = asyncio.ensure_future(tick())
            for _ in range(5):
                began = loop.time()
                price = 90_000 + random.randrange(1_000)
                reply = await asyncio.to_thread(
                    alice.create_order, side="bid", price=price, **ORDER
                )
                took.append(round((loop.time() - began) * 1_000))
                await asyncio.sleep(1)
            await ticking
            two = [asyncio.to_thread(alice.cancel_order, symbol="BTC", order_id=i) for i in (1, 2)]
            began = loop.time()
            await asyncio.gather(*two)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.to_thread(alice.get_account), 0.002)
            await asyncio.sleep(1)
            return took, ticks, round((loop.time() - began) * 1_000), reply["order_id"]

        legs = {"order": 7_000, "cancel": 2_500, "read": 3_000, "reply": 4_000}
        line = {leg: {"const_us": us} for leg, us in legs.items()}
        runs = []
        for _ in range(2):
            self.venue.reset()
            self.venue.latency(lines=[line])
            runs.append((*self.loop(freeze=True).run(bot()), self.venue.hash()))
        self.venue.latency()
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0][:4], ([11] * 5, [4, 8, 12, 16, 20], 7 + 7 + 2 + 1_000, 5))

    def test_frames_arrive_at_the_time_of_their_event(self):
        alice = self.venue.account("alice")

        async def main():
            loop, seen = asyncio.get_running_loop(), []
            with alice.stream() as stream:
                prices = stream.follow("prices")

                async def watch():
                    async for frame in prices:
                        row = next(row for row in frame.data if row["symbol"] == "ETH")
                        seen.append((round(loop.time() - START, 3), row["oracle"]))

                watching = asyncio.ensure_future(watch())
                await asyncio.sleep(30)
                watching.cancel()
            return seen

        one = self.loop().run(main())
        self.venue.reset()
        self.venue.set_price("BTC", 100_000)
        self.assertEqual(self.loop().run(main()), one)
        self.assertGreater(len(one), 5)
        self.assertGreater(len({at for at, _ in one}), 5)

    def test_a_program_that_never_waits_gets_its_replies(self):
        async def main():
            client = Http(self.url)
            reply = asyncio.ensure_future(client.get("/time"))
            while not reply.done():
                await asyncio.sleep(0)
            client.close()
            return reply.result()["engine_now"]

        self.assertEqual(self.loop().run(main()), START * 1_000)

    def test_an_unmodified_bot_repeats(self):
        async def bot(alice, minutes):
            for at in range(minutes * 12):
                price = 90_000 + random.randrange(1_000)
                await asyncio.to_thread(
                    alice.create_order, side="bid", price=price, client_order_id=str(uuid.uuid4()),
                    **ORDER,
                )
                if at % 12 == 11:
                    await asyncio.to_thread(
                        alice.cancel_all_orders, all_symbols=True, exclude_reduce_only=False
                    )
                await asyncio.sleep(5)

        hashes = set()
        for _ in range(2):
            self.venue.reset()
            self.loop(freeze=True).run(bot(self.venue.account("alice"), 3))
            hashes.add(self.venue.hash())
            self.assertEqual(self.venue.now(), (START + 180) * 1_000)
        self.assertEqual(len(hashes), 1)

    def test_a_bot_that_signs_by_the_frozen_clock_is_accepted(self):
        alice = self.venue.account("alice")
        key = self.venue.key("alice")

        async def main():
            placed = []
            for at in range(3):
                header = {"account": key.address, "timestamp": time.time_ns() // 1_000_000}
                body = {**ORDER, "side": "bid", "price": str(90_000 + at), **header}
                body["signature"] = key.sign(signing_text("create_order", body))
                placed.append(alice.send("create_order", body)["order_status"])
                await asyncio.sleep(60)
            return placed

        self.assertEqual(self.loop(freeze=True).run(main()), ["open"] * 3)

    def test_tasks_that_are_left_are_cancelled(self):
        ended = []

        async def other():
            try:
                await asyncio.sleep(10**6)
            finally:
                ended.append(True)

        async def main():
            asyncio.ensure_future(other())
            await asyncio.sleep(1)
            raise ValueError("of the program")

        with self.assertRaisesRegex(ValueError, "of the program"):
            self.loop().run(main())
        self.assertEqual(ended, [True])


if __name__ == "__main__":
    unittest.main()
