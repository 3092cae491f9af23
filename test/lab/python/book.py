"""A book that is rebuilt from the stream while bots and a trader change it and connections drop.
It is compared with the exchange's own once a second."""

import random
import sys
import time

from openperp import ApiRefusal, Venue

SECONDS = int(sys.argv[1])
draw = random.Random(7)
drops = compared = changes = 0
ORDER = dict(symbol="BTC", amount="0.01", tif="GTC", reduce_only=False)


def is_crossed(book):
    bids, asks = book.bids, book.asks
    return bool(book.is_whole and bids and asks and bids[0].price >= asks[0].price)


def rows(levels):
    return [(row["p"], row["a"], row["n"]) for row in levels]


with Venue(bots=True, seed=7) as venue:
    alice = venue.account("alice")
    with venue.client.stream(backoff=(0.01, 0.05)) as stream:
        was_crossed = []

        def changed(book):
            global changes
            changes += 1
            if is_crossed(book):
                was_crossed.append(book.li)

        book = stream.book("BTC", changed)
        until = time.monotonic() + SECONDS
        compare_at = time.monotonic() + 1
        while time.monotonic() < until:
            (prices,) = [row for row in venue.client.get_prices() if row["symbol"] == "BTC"]
            price = int(prices["mark"]) + draw.randrange(-200, 200)
            side = draw.choice(("bid", "ask"))
            try:
                alice.create_order(side=side, price=price, **ORDER)
            except ApiRefusal:
                alice.cancel_all_orders(all_symbols=True, exclude_reduce_only=False)
            venue.advance(draw.randrange(1, 3_000) / 1_000)
            if draw.random() < 0.02:
                drops += venue.drop_connections()
            if time.monotonic() < compare_at:
                continue
            venue.settle()
            deadline = time.monotonic() + 60
            while True:
                served = venue.client.get_book(symbol="BTC")
                limit = len(served["l"][0]), len(served["l"][1])
                mine = [
                    [tuple(level) for level in side[:most]]
                    for side, most in zip((book.bids, book.asks), limit)
                ]
                if book.is_whole and mine == [rows(levels) for levels in served["l"]]:
                    break
                assert time.monotonic() < deadline, f"the book differs at {book.li}"
                time.sleep(0.005)
            compared += 1
            compare_at = time.monotonic() + 1
        repairs = book.repairs
print(
    f"book       {SECONDS} s: {changes} changes, {drops} dropped connections, {repairs} repairs, "
    f"{compared} comparisons equal, crossed {len(was_crossed)} times"
)
sys.exit(1 if was_crossed or compared == 0 or (drops == 0 and SECONDS >= 60) else 0)
