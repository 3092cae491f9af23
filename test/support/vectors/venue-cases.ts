// Vectors of texts that name their venue, written by hand as the others are.

import {
  account,
  agent,
  type Case,
  clientOrderId,
  header,
  subaccount,
  timestamp,
  venue,
} from './vector-case.ts'

const order = { symbol: 'BTC', price: '100000', amount: '0.1', side: 'bid', tif: 'GTC' }
const named = `"venue":"${venue}"`

export const venueCases: readonly Case[] = [
  {
    name: 'an order that names its venue, which is not part of data and stands last',
    type: 'create_order',
    body: { ...header, venue, ...order, reduce_only: false, client_order_id: clientOrderId },
    text:
      `{"data":{"amount":"0.1","client_order_id":"${clientOrderId}","price":"100000",` +
      '"reduce_only":false,"side":"bid","symbol":"BTC","tif":"GTC"},' +
      `"expiry_window":30000,"timestamp":1716200000000,"type":"create_order",${named}}`,
  },
  {
    name: 'a venue of null means none',
    type: 'cancel_order',
    body: { ...header, venue: null, symbol: 'BTC', order_id: 42069 },
    text:
      '{"data":{"order_id":42069,"symbol":"BTC"},"expiry_window":30000,' +
      '"timestamp":1716200000000,"type":"cancel_order"}',
  },
  {
    name: 'a withdrawal that can be paid by one venue alone',
    type: 'withdraw',
    body: { ...header, venue, amount: '400' },
    text:
      '{"data":{"amount":"400"},"expiry_window":30000,"timestamp":1716200000000,' +
      `"type":"withdraw",${named}}`,
  },
  {
    name: 'an agent is bound at one venue alone',
    type: 'bind_agent_wallet',
    body: { ...header, venue, agent_wallet: agent.address },
    text:
      `{"data":{"agent_wallet":"${agent.address}"},"expiry_window":30000,` +
      `"timestamp":1716200000000,"type":"bind_agent_wallet",${named}}`,
  },
  {
    name: 'an agent signs for a venue; expiry_window is not sent and not signed',
    type: 'cancel_all_orders',
    body: {
      account: account.address,
      agent_wallet: agent.address,
      ...{ timestamp, venue, all_symbols: true, exclude_reduce_only: false },
    },
    signer: agent,
    text:
      '{"data":{"all_symbols":true,"exclude_reduce_only":false},"timestamp":1716200000000,' +
      `"type":"cancel_all_orders",${named}}`,
  },
  {
    name: 'levels in the form of user, without a time, for a venue',
    type: 'set_position_tpsl',
    body: { user: account.address, venue, symbol: 'BTC', side: 'bid', stop_loss: null },
    text:
      '{"data":{"side":"bid","stop_loss":null,"symbol":"BTC"},"type":"set_position_tpsl",' +
      `${named}}`,
  },
  {
    name: 'a batch under one signature names its venue once, next to its actions',
    type: 'batch_orders',
    body: {
      ...header,
      venue,
      actions: [{ type: 'Cancel', data: { symbol: 'BTC', order_id: 42069 } }],
    },
    text:
      '{"data":{"actions":[{"data":{"order_id":42069,"symbol":"BTC"},"type":"Cancel"}]},' +
      `"expiry_window":30000,"timestamp":1716200000000,"type":"batch_orders",${named}}`,
  },
  {
    name: 'a read of one venue alone',
    type: 'read_account',
    body: { ...header, venue },
    text:
      '{"data":{},"expiry_window":30000,"timestamp":1716200000000,"type":"read_account",' +
      `${named}}`,
  },
]

export function venueSubaccountCase() {
  const initiate =
    `{"data":{"account":"${account.address}"},"expiry_window":30000,` +
    `"timestamp":1716200000000,"type":"subaccount_initiate",${named}}`
  const subSignature = subaccount.sign(initiate)
  const confirm =
    `{"data":{"signature":"${subSignature}"},"expiry_window":30000,` +
    `"timestamp":1716200000000,"type":"subaccount_confirm",${named}}`
  return {
    name: 'the same two texts, for one venue',
    body: {
      main_account: account.address,
      subaccount: subaccount.address,
      main_signature: account.sign(confirm),
      sub_signature: subSignature,
      timestamp,
      expiry_window: 30_000,
      venue,
    },
    sub_text: initiate,
    main_text: confirm,
  }
}

/** Each is signed as it stands: only the venue is wrong. */
export function refusedVenues() {
  const other = '0f0e0d0c0b0a09080706050403020100'
  const cases: readonly (readonly [string, string, string])[] = [
    ['signed for another venue', 'OTHER_VENUE', other],
    ['what is not the id of a venue', 'MALFORMED_REQUEST', venue.toUpperCase()],
  ]
  return cases.map(([name, error, wrong]) => {
    const text =
      '{"data":{"amount":"400"},"expiry_window":30000,"timestamp":1716200000000,' +
      `"type":"withdraw","venue":"${wrong}"}`
    const body = { ...header, amount: '400', venue: wrong, signature: account.sign(text) }
    return { name, error, type: 'withdraw', body }
  })
}
