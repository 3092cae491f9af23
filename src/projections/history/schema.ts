// Tables of the history store, in one place. Its fingerprint covers the tables and every list of
// words whose indexes are stored: a store with another one is deleted and made anew from the
// journal, so there are no migrations.

import { createHash } from 'node:crypto'
import { words } from '../../core/events/event-fields.ts'
import { balanceEvents } from '../../protocol/words.ts'
import { orderWords } from './tables/order-words.ts'

/** To be raised when rows change their meaning without a change below. */
const version = 2

// A rowid is the last column of every index, so an index on `account` serves "the rows of this
// account below that id" with one seek. Rows of fills, orders and events come in rising order of
// their ids: the tables only ever grow at their end, and their pages are full.
export const schema = `
CREATE TABLE progress (
  exchange TEXT NOT NULL, fingerprint TEXT NOT NULL, seq INTEGER NOT NULL, marks TEXT NOT NULL
);
CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, marks TEXT NOT NULL);
CREATE TABLE deeds (
  seq INTEGER PRIMARY KEY, at INTEGER, who TEXT, why TEXT, what TEXT, command TEXT
);
CREATE TABLE accounts (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE);

CREATE TABLE fills (
  history INTEGER PRIMARY KEY, seq INTEGER, at INTEGER, account INTEGER, counterparty INTEGER,
  ord INTEGER, market INTEGER, kind INTEGER, role INTEGER, cause INTEGER, lots INTEGER,
  price INTEGER, value INTEGER, fee INTEGER, pnl INTEGER, entry_cost INTEGER, entry_lots INTEGER
);
CREATE INDEX fills_account ON fills (account);
CREATE INDEX fills_account_market ON fills (account, market);
CREATE INDEX fills_market ON fills (market);
CREATE TABLE fill_counts (
  level INTEGER, block INTEGER, account INTEGER, market INTEGER, n INTEGER,
  PRIMARY KEY (level, block, account, market)
) WITHOUT ROWID;

CREATE TABLE orders (
  id INTEGER PRIMARY KEY, at INTEGER, account INTEGER, market INTEGER, side INTEGER, type INTEGER,
  reduce_only INTEGER, price INTEGER, lots INTEGER, stop_price INTEGER, root INTEGER, client TEXT
);
CREATE INDEX orders_account ON orders (account);
CREATE INDEX orders_account_market ON orders (account, market);
CREATE INDEX orders_client ON orders (account, client COLLATE NOCASE) WHERE client IS NOT NULL;
CREATE TABLE order_events (
  id INTEGER PRIMARY KEY, ord INTEGER, at INTEGER, event INTEGER, status INTEGER, reason INTEGER,
  price INTEGER, filled INTEGER, cancelled INTEGER, value INTEGER, parent INTEGER, lots INTEGER
);
CREATE INDEX order_events_order ON order_events (ord);

CREATE TABLE twaps (
  id INTEGER PRIMARY KEY, at INTEGER, account INTEGER, market INTEGER, side INTEGER, lots INTEGER,
  slices INTEGER, reduce_only INTEGER, slippage INTEGER, client TEXT
);
CREATE INDEX twaps_account ON twaps (account);
CREATE TABLE twap_events (
  id INTEGER PRIMARY KEY, twap INTEGER, at INTEGER, event INTEGER, status INTEGER, past INTEGER,
  filled INTEGER, value INTEGER
);
CREATE INDEX twap_events_twap ON twap_events (twap);

CREATE TABLE trades (
  market INTEGER, history INTEGER, seq INTEGER, at INTEGER, kind INTEGER, side INTEGER,
  cause INTEGER, price INTEGER, lots INTEGER, PRIMARY KEY (market, history)
) WITHOUT ROWID;

CREATE TABLE bars (
  level INTEGER, market INTEGER, start INTEGER, volume INTEGER, lots INTEGER, trades INTEGER,
  first INTEGER, high INTEGER, low INTEGER, last INTEGER, oracle INTEGER, mark INTEGER,
  mark_first INTEGER, mark_high INTEGER, mark_low INTEGER, PRIMARY KEY (level, market, start)
) WITHOUT ROWID;
CREATE TABLE saved_bars (
  snapshot INTEGER, level INTEGER, market INTEGER, start INTEGER, volume INTEGER, lots INTEGER,
  trades INTEGER, first INTEGER, high INTEGER, low INTEGER, last INTEGER, oracle INTEGER,
  mark INTEGER, mark_first INTEGER, mark_high INTEGER, mark_low INTEGER,
  PRIMARY KEY (snapshot, market)
) WITHOUT ROWID;

CREATE TABLE funding_rates (
  id INTEGER PRIMARY KEY, at INTEGER, market INTEGER, epoch INTEGER, rate INTEGER, oracle INTEGER,
  impact_bid INTEGER, impact_ask INTEGER
);
CREATE UNIQUE INDEX funding_rates_epoch ON funding_rates (market, epoch);
CREATE TABLE funding_payments (
  id INTEGER PRIMARY KEY, at INTEGER, account INTEGER, market INTEGER, epoch INTEGER,
  lots INTEGER, payment INTEGER
);
CREATE INDEX funding_payments_account ON funding_payments (account);

CREATE TABLE balances (
  id INTEGER PRIMARY KEY, at INTEGER, account INTEGER, market INTEGER, event INTEGER,
  amount INTEGER, balance INTEGER, pending INTEGER, cash INTEGER, flow INTEGER, lots INTEGER,
  cost INTEGER, wallet INTEGER
);
CREATE INDEX balances_account ON balances (account);
CREATE INDEX balances_account_market ON balances (account, market);
`

export const fingerprint = createHash('sha256')
  .update(JSON.stringify([version, schema, words, orderWords, balanceEvents]))
  .digest('hex')
