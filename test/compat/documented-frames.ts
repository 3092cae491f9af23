// A frame of each channel in the format documented by the venue that existing clients were written
// for. The values are examples; only the fields and their types matter.

const t = 1_765_018_588_190
const u = '42trU9A5o8wXTnMhJLZVb8gGnMDfgy5u8zEjHoWUeJHy'
const li = 1_559_912_767

export const documentedFrames: Readonly<Record<string, Frame>> = {
  book: {
    data: {
      l: [[{ a: '37.86', n: 4, p: '157.47' }], [{ a: '2.4', n: 1, p: '157.49' }]],
      s: 'BTC',
      t,
      li,
    },
  },
  bbo: { data: { s: 'BTC', i: 7, t, b: '87185', B: '1.234', a: '87186', A: '2.3', li } },
  trades: {
    data: [
      { h: 80_062_522, s: 'BTC', a: '0.00001', p: '89471', d: 'close_short', tc: 'normal', t, li },
    ],
  },
  candle: {
    data: {
      ...{ t, T: t, s: 'BTC', i: '1m', o: '157.3', c: '157.32' },
      ...{ h: '157.32', l: '157.3', v: '1.22', n: 8 },
    },
  },
  mark_price_candle: {
    data: {
      ...{ t, T: t, s: 'BTC', i: '1m', o: '157.3', c: '157.32' },
      ...{ h: '157.32', l: '157.3', v: '0', n: 8 },
    },
  },
  prices: {
    data: [
      {
        ...{ funding: '0.00010529', mark: '1.084819', mid: '1.08615', next_funding: '0.0001' },
        ...{ open_interest: '3634796', oracle: '1.084524', symbol: 'BTC', timestamp: t },
        ...{ volume_24h: '20896698.0672', yesterday_price: '1.3412' },
      },
    ],
  },
  account_info: {
    data: {
      ...{ ae: '2000', as: '1500', aw: '1400', b: '2000', f: 1, mu: '500', cm: '400' },
      ...{ oc: 10, pb: '0', pc: 2, sc: 2, t },
    },
  },
  account_positions: {
    data: [
      {
        ...{ s: 'BTC', d: 'bid', a: '0.00022', p: '87185', m: '0', f: '-0.00023989' },
        ...{ i: false, l: null, t },
      },
    ],
  },
  account_orders: {
    data: [
      {
        ...{ i: 1_559_665_358, I: null, s: 'BTC', d: 'bid', p: '89501', a: '0.00012', f: '0' },
        ...{ c: '0', t, ot: 'limit', sp: null, ro: false },
      },
    ],
  },
  account_order_updates: {
    data: [
      {
        ...{ i: 1_559_912_767, I: null, u, s: 'BTC', d: 'ask', p: null, a: '0.1', f: '0' },
        ...{ oe: 'make', os: 'open', ot: 'limit', sp: null, si: null, r: false },
        ...{ ct: t, ut: t, li },
      },
    ],
  },
  account_trades: {
    data: [
      {
        ...{ h: 80_063_441, i: 1_559_912_767, I: null, u, s: 'BTC', p: '89477', o: '89505' },
        ...{ a: '0.00036', te: 'fulfill_taker', ts: 'close_long', tc: 'normal', f: '0.012885' },
        ...{ n: '-0.022965', t, li },
      },
    ],
  },
  account_margin: { data: { u, s: 'BTC', i: true, t } },
  account_leverage: { data: { u, s: 'BTC', l: '12', t } },
}

type Value = string | number | boolean | null | readonly unknown[]
export type Fields = Readonly<Record<string, Value>>
export type Frame = Readonly<{ data: Fields | readonly Fields[] }>
