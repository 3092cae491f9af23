"""The programs of docs/python.md and of the README."""

import importlib.util
import re
import unittest
import unittest.mock
from pathlib import Path

from openperp import Venue

from .live import LiveCase

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / "python.md", ROOT / "python" / "README.md"]


def programs():
    for page in PAGES:
        for at, text in enumerate(re.findall(r"\n```python\n(.*?)```", page.read_text(), re.S)):
            yield f"{page.name} {at + 1}", text.replace("http://127.0.0.1:8080", "{url}")


class Pages(LiveCase):
    def test_every_program_runs(self):
        # Their venues are the shared one, which is quicker to get.
        patched = unittest.mock.patch("openperp.Venue", lambda **_: Venue(self.url))
        ran = 0
        for name, text in programs():
            needed = [part for part in ("ccxt", "pytest") if f"import {part}" in text]
            if any(importlib.util.find_spec(part) is None for part in needed):
                continue
            ran += 1
            self.venue.reset()
            self.venue.set_price("BTC", 100_000)
            with self.subTest(name), patched:
                self.run_program(name, text.replace("{url}", self.url))
        self.assertGreaterEqual(ran, 6)

    def run_program(self, name, text):
        names = {"__name__": "page", "print": lambda *_: None}
        # A shorter hour.
        exec(compile(text.replace("range(720)", "range(24)"), name, "exec"), names)
        for title, value in names.items():
            if title.startswith("test_"):
                value(self.venue_as_on_the_page())
            elif isinstance(value, type) and issubclass(value, unittest.TestCase):
                result = unittest.TestResult()
                unittest.defaultTestLoader.loadTestsFromTestCase(value).run(result)
                self.assertEqual((result.errors, result.failures), ([], []))
                self.assertEqual(result.testsRun, 1)

    def venue_as_on_the_page(self):
        """With as much money as the standard accounts have."""
        self.venue.account("bob", usd=100_000)
        self.venue.account("alice", usd=100_000)
        return self.venue


if __name__ == "__main__":
    unittest.main()
