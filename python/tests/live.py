"""The venue that the tests of this folder share: the program of this clone, or of OPENPERP_BIN."""

import atexit
import os
import time
import unittest
from pathlib import Path

from openperp import Client, Key, Venue

PROGRAM = os.environ.get("OPENPERP_BIN") or str(
    Path(__file__).resolve().parents[2] / "scripts" / "openperp.mjs"
)

_venues = []


def shared_venue():
    if not _venues:
        venue = Venue(program=PROGRAM, seed=7, accounts={"alice": 50_000, "bob": 10_000}).start()
        atexit.register(venue.close)
        _venues.append(venue)
    return _venues[0]


class LiveCase(unittest.TestCase):
    """Tests against a venue in the state after its start, with BTC at 100,000."""

    @classmethod
    def setUpClass(cls):
        cls.venue = shared_venue()

    def setUp(self):
        self.venue.reset()
        self.venue.set_price("BTC", 100_000)

    @property
    def url(self):
        return self.venue.url

    def trader(self, usd=100_000, **options):
        client = Client(self.url, Key.new(), **options)
        self.addCleanup(client.close)
        client.sandbox_faucet(amount=usd)
        return client


def eventually(check, seconds=20.0):
    """Waits for a condition, however slow the machine is."""
    until = time.monotonic() + seconds
    while not check():
        if time.monotonic() > until:
            raise AssertionError("it did not happen")
        time.sleep(0.002)
