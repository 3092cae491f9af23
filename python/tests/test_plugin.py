"""The pytest plugin, where pytest is installed."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .live import shared_venue

SUITE = '''
import os
import pytest


@pytest.fixture(scope="session")
def openperp_options():
    url = os.environ["SHARED_URL"]
    return {"url": url} if url else {}


@pytest.mark.parametrize("at", range(3))
def test_each_test_has_a_fresh_venue(venue, at):
    assert venue.now() == 1767225600000
    alice = venue.account("alice")
    assert alice.get_account()["balance"] == 50_000
    alice.withdraw(amount=10)
    venue.advance("1h")


def test_of_some_seeds(venue):
    assert venue.seed != 8


def test_the_session_is_shared_1(venue_session):
    venue_session.seen = venue_session.now()


def test_the_session_is_shared_2(venue_session):
    assert venue_session.seen == venue_session.now()
'''


@unittest.skipIf(importlib.util.find_spec("pytest") is None, "pytest is not installed")
class Plugin(unittest.TestCase):
    def run_pytest(self, *flags, **variables):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "test_suite.py").write_text(SUITE)
            package = str(Path(__file__).resolve().parents[1])
            env = {**os.environ, "PYTHONPATH": package, "SHARED_URL": shared_venue().url}
            env = {**env, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables}
            command = [sys.executable, "-m", "pytest", "-q", "-p", "openperp.pytest_plugin"]
            return subprocess.run(
                [*command, "-p", "no:cacheprovider", *flags],
                cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )

    def test_tests_have_a_fresh_venue_and_repeat_over_seeds(self):
        done = self.run_pytest("--openperp-seed=7", "--openperp-seeds=2")
        self.assertIn("1 failed, 9 passed", done.stdout)
        self.assertIn("test_of_some_seeds[seed=8]", done.stdout)
        self.assertIn("seed 8: repeat this test with --openperp-seed 8", done.stdout)

    def test_each_seed_starts_one_process(self):
        done = self.run_pytest("--openperp-seed=1", "--openperp-seeds=3", "-vv")
        seeds = [line.split("seed=")[1][0] for line in done.stdout.splitlines() if "] PASSED" in line]
        self.assertEqual(seeds, sorted(seeds))

    def test_a_missing_program_is_one_short_error(self):
        with tempfile.TemporaryDirectory() as folder:
            npx = Path(folder) / "npx"
            npx.write_text("#!/bin/sh\necho npm error code E404 >&2\nexit 1\n")
            npx.chmod(0o755)
            path = f"{folder}{os.pathsep}{os.environ['PATH']}"
            done = self.run_pytest("-k", "some_seeds", SHARED_URL="", OPENPERP_BIN="", PATH=path)
        self.assertIn("name the openperp program in OPENPERP_BIN", done.stdout)
        self.assertNotIn("Traceback", done.stdout)
        self.assertNotIn("_fixture.py", done.stdout)

    def test_a_number_that_is_none_is_refused(self):
        done = self.run_pytest("--openperp-seeds=0")
        self.assertIn("0 is not a number from 1 to 10000", done.stdout)


if __name__ == "__main__":
    unittest.main()
