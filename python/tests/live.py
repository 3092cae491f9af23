"""The exchange that ``npm test`` starts for the tests of this folder."""

import os
import unittest

URL = os.environ.get("OPENPERP_URL")

needs_exchange = unittest.skipIf(URL is None, "OPENPERP_URL names no exchange with a frozen clock")


class LiveCase(unittest.TestCase):
    """Tests against a sandbox without bots, whose clock stands still."""

    def setUp(self):
        if URL is None:
            self.skipTest("OPENPERP_URL names no sandbox")

    def trader(self, usd="100000", **options):
        from openperp import Client, Key

        client = Client(URL, Key.new(), **options)
        self.addCleanup(client.close)
        client.sandbox_faucet(amount=usd)
        return client
