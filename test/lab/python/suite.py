"""Fifty tests that each take a fresh venue, in one process."""

import sys
import unittest
from decimal import Decimal

from openperp import Venue

from measured import Measured

COUNT = int(sys.argv[1])


class Suite(unittest.TestCase):
    def setUp(self):
        venue.reset()
        venue.set_price("BTC", 95_000)


def a_test(number):
    def test(self):
        alice, bob = venue.account("alice"), venue.account("bob")
        price = 95_000 + number
        order = dict(symbol="BTC", price=price, amount="0.1", tif="GTC", reduce_only=False)
        alice.create_order(side="ask", **order)
        bob.create_order(side="bid", **order)
        venue.advance("1m")
        (position,) = bob.get_positions()
        self.assertEqual((position["amount"], position["entryPrice"]), (Decimal("0.1"), price))

    return test


for at in range(COUNT):
    setattr(Suite, f"test_{at:03}", a_test(at))

with Measured() as measured:
    with Venue() as venue:
        tests = unittest.defaultTestLoader.loadTestsFromTestCase(Suite)
        result = unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(tests)
print(f"suite      {result.testsRun} tests with a reset each: {measured}")
sys.exit(0 if result.wasSuccessful() else 1)
