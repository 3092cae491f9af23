"""Fixtures of pytest: ``venue``, reset before each test, and ``venue_session``.

``--openperp-seed 7`` starts venues with this seed. ``--openperp-seeds 20`` repeats each test that
uses ``venue`` over as many seeds; the name of a test that fails contains its seed.
"""

from __future__ import annotations

import argparse
from typing import Any, Dict, Iterator, List, Optional

import pytest

from .venue import FixtureError, Venue

_KEY = "openperp_seed"


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("openperp")
    group.addoption(
        "--openperp-seed",
        type=int,
        default=1,
        metavar="SEED",
        help="seed of the venues (default: 1)",
    )
    group.addoption(
        "--openperp-seeds",
        type=_count,
        default=1,
        metavar="N",
        help="repeat each test that uses the fixture venue over N seeds (default: 1)",
    )


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to 10000")
    return int(text)


def pytest_generate_tests(metafunc: Any) -> None:
    if _KEY not in metafunc.fixturenames:
        return
    first = metafunc.config.getoption("--openperp-seed")
    seeds = list(range(first, first + metafunc.config.getoption("--openperp-seeds")))
    ids = [f"seed={seed}" for seed in seeds]
    # The scope orders the tests by seed, so that each seed starts one process.
    metafunc.parametrize(_KEY, seeds, ids=ids, indirect=True, scope="session")


@pytest.fixture(scope="session")
def openperp_seed(request: Any) -> int:
    """The seed of the venue of this test."""
    return request.param


@pytest.fixture(scope="session")
def openperp_options() -> Dict[str, Any]:
    """Options of the venues; override it in a ``conftest.py``, for instance for other accounts."""
    return {}


class _Venues:
    """Running venues by seed. Few are kept, because each is a process."""

    def __init__(self, options: Dict[str, Any], most: int = 2) -> None:
        self._options = options
        self._most = most
        self._running: List[Venue] = []
        #: Why no venue starts; it is not tried again for each test.
        self._failed: Optional[str] = None

    def of(self, seed: int) -> Venue:
        for venue in self._running:
            if venue.seed == seed:
                return venue
        while len(self._running) >= self._most:
            self._running.pop(0).close()
        venue = Venue(**{**self._options, "seed": seed})
        if self._failed is None:
            self._failed = _failure_of(venue)
        if self._failed is not None:
            pytest.fail(self._failed, pytrace=False)
        self._running.append(venue)
        return venue

    def close(self) -> None:
        for venue in self._running:
            venue.close()


def _failure_of(venue: Venue) -> Optional[str]:
    """Starts the venue; returns why it did not start."""
    try:
        venue.start()
    except FixtureError as error:
        return str(error)
    return None


@pytest.fixture(scope="session")
def _openperp_venues(openperp_options: Dict[str, Any]) -> Iterator[_Venues]:
    venues = _Venues(openperp_options)
    yield venues
    venues.close()


@pytest.fixture
def venue(openperp_seed: int, _openperp_venues: _Venues) -> Iterator[Venue]:
    """A venue in the state after its start. Its process is shared by the tests of a session."""
    found = _openperp_venues.of(openperp_seed)
    found.latency()
    found.faults()
    found.reset()
    yield found
    found.end_forks()


@pytest.fixture(scope="session")
def venue_session(request: Any, openperp_options: Dict[str, Any]) -> Iterator[Venue]:
    """A venue that the tests of a session share, and that is never reset."""
    seed = request.config.getoption("--openperp-seed")
    found = Venue(**{**openperp_options, "seed": seed})
    failed = _failure_of(found)
    if failed is not None:
        pytest.fail(failed, pytrace=False)
    with found:
        yield found


def pytest_runtest_makereport(item: Any, call: Any) -> None:
    """A failure names the seed with which it repeats."""
    seed = getattr(item, "callspec", None) and item.callspec.params.get(_KEY)
    if call.when == "call" and call.excinfo is not None and seed is not None:
        item.add_report_section(
            "call", "openperp", f"seed {seed}: repeat this test with --openperp-seed {seed}"
        )
