"""An unmodified asyncio bot with sleeps: a simulated hour with 720 requests, several times."""

import asyncio
import random
import sys

from openperp import Venue, VirtualLoop

from measured import Measured

RUNS = int(sys.argv[1])
ORDER = dict(symbol="BTC", side="bid", amount="0.01", tif="ALO", reduce_only=False)


async def bot(client):
    order_id = None
    for _ in range(720):
        if order_id is None:
            price = 95_000 - random.randrange(100)
            placed = await asyncio.to_thread(client.create_order, price=price, **ORDER)
            order_id = placed["order_id"]
        else:
            await asyncio.to_thread(client.cancel_order, symbol="BTC", order_id=order_id)
            order_id = None
        await asyncio.sleep(5)


hashes = []
with Measured() as whole:
    with Venue() as venue:
        for _ in range(RUNS):
            venue.reset()
            venue.set_price("BTC", 100_000)
            began = venue.now()
            with Measured() as measured, VirtualLoop(venue, freeze=True) as loop:
                loop.run(bot(venue.account("alice")))
            assert venue.now() - began >= 3_595_000, "less than an hour has passed"
            hashes.append(venue.hash())
            print(f"hour       {hashes[-1][:16]}  {measured.wall:.1f} s")
equal = hashes.count(hashes[0])
print(f"hour       {equal} of {RUNS} equal; with the venue {whole}")
sys.exit(0 if equal == RUNS else 1)
