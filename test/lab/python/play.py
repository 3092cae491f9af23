"""Sends the requests of a file, one after the other, to new fixtures, and prints their hashes."""

import json
import sys

from openperp import ApiRefusal, Venue

seed, runs, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with open(file, encoding="utf-8") as text:
    requests = json.load(text)
for _ in range(runs):
    with Venue(seed=seed, accounts={"alice": 50_000, "bob": 50_000}) as venue:
        for trader, name, fields in requests:
            try:
                getattr(venue.account(trader), name)(**fields)
            except ApiRefusal:
                pass  # In every run alike.
        print(venue.hash(), flush=True)
