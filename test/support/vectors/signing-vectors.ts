// The signing vectors that docs/api/signing-vectors.json publishes. The texts are written by hand
// from the rules and not made by the code that they check.

import { base58 } from '@scure/base'
import { bigIntOf, groupOrder, littleEndian } from '../curve-points.ts'
import type { Signer } from '../signer.ts'
import { makerCases } from './maker-cases.ts'
import {
  account,
  agent,
  type Case,
  clientOrderId,
  type Fields,
  header,
  subaccount,
  timestamp,
  venue,
} from './vector-case.ts'
import { refusedVenues, venueCases, venueSubaccountCase } from './venue-cases.ts'

const limitOrder = {
  symbol: 'BTC',
  price: '100000',
  amount: '0.1',
  side: 'bid',
  tif: 'GTC',
  reduce_only: false,
}
const limitOrderText =
  '{"data":{"amount":"0.1","price":"100000","reduce_only":false,"side":"bid","symbol":"BTC",' +
  '"tif":"GTC"},"expiry_window":30000,"timestamp":1716200000000,"type":"create_order"}'

const cases: readonly Case[] = [
  {
    name: 'a limit order',
    type: 'create_order',
    body: { ...header, ...limitOrder, client_order_id: clientOrderId },
    text:
      `{"data":{"amount":"0.1","client_order_id":"${clientOrderId}","price":"100000",` +
      '"reduce_only":false,"side":"bid","symbol":"BTC","tif":"GTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_order"}',
  },
  {
    name: 'an order with an expiry, cancelled in favour of its own maker',
    type: 'create_order',
    body: { ...header, ...limitOrder, expire_time: 1_716_200_600_000, stp: 'cancel_taker' },
    text:
      '{"data":{"amount":"0.1","expire_time":1716200600000,"price":"100000","reduce_only":false,' +
      '"side":"bid","stp":"cancel_taker","symbol":"BTC","tif":"GTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_order"}',
  },
  {
    name: 'a market order that ends with the order of its owner that it meets',
    type: 'create_market_order',
    body: {
      ...header,
      ...{ symbol: 'BTC', amount: '0.1', side: 'ask', slippage_percent: '0.5' },
      ...{ reduce_only: true, stp: 'cancel_both' },
    },
    text:
      '{"data":{"amount":"0.1","reduce_only":true,"side":"ask","slippage_percent":"0.5",' +
      '"stp":"cancel_both","symbol":"BTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_market_order"}',
  },
  {
    name: 'a stop that ends at a time of its own',
    type: 'create_stop_order',
    body: {
      ...header,
      ...{ symbol: 'BTC', side: 'ask', reduce_only: true, expire_time: 1_716_200_600_000 },
      stop_order: { stop_price: '90000', amount: '0.1' },
    },
    text:
      '{"data":{"expire_time":1716200600000,"reduce_only":true,"side":"ask",' +
      '"stop_order":{"amount":"0.1","stop_price":"90000"},"symbol":"BTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_stop_order"}',
  },
  {
    name: 'keys are sorted at every depth',
    type: 'create_order',
    body: {
      ...header,
      ...limitOrder,
      take_profit: { stop_price: '120000', limit_price: '119990', amount: '0.1' },
      stop_loss: { trigger_price_type: 'mark_price', stop_price: '90000' },
    },
    text:
      '{"data":{"amount":"0.1","price":"100000","reduce_only":false,"side":"bid",' +
      '"stop_loss":{"stop_price":"90000","trigger_price_type":"mark_price"},"symbol":"BTC",' +
      '"take_profit":{"amount":"0.1","limit_price":"119990","stop_price":"120000"},"tif":"GTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_order"}',
  },
  {
    name: 'nulls are signed, but an agent_wallet of null means no agent',
    type: 'create_order',
    body: { ...header, agent_wallet: null, ...limitOrder, take_profit: null },
    text:
      '{"data":{"amount":"0.1","price":"100000","reduce_only":false,"side":"bid","symbol":"BTC",' +
      '"take_profit":null,"tif":"GTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_order"}',
  },
  {
    name: 'fields that the exchange does not know are signed too',
    type: 'create_order',
    body: { ...header, builder_code: 'desk', ...limitOrder, zone: { list: [{ b: 1, a: [] }, {}] } },
    text:
      '{"data":{"amount":"0.1","builder_code":"desk","price":"100000","reduce_only":false,' +
      '"side":"bid","symbol":"BTC","tif":"GTC","zone":{"list":[{"a":[],"b":1},{}]}},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_order"}',
  },
  {
    name: 'keys in byte order; text escaped as JSON demands and no further',
    type: 'create_order',
    body: { ...header, ...limitOrder, 9: '\\/"<\n', 10: 'a\u0001b', Z: ' ', _: -7 },
    text:
      '{"data":{"10":"a\\u0001b","9":"\\\\/\\"<\\n","Z":" ","_":-7,"amount":"0.1",' +
      '"price":"100000","reduce_only":false,"side":"bid","symbol":"BTC","tif":"GTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_order"}',
  },
  {
    name: 'an agent signs; expiry_window is not sent and not signed',
    type: 'cancel_order',
    body: {
      account: account.address,
      agent_wallet: agent.address,
      timestamp,
      symbol: 'BTC',
      order_id: 42069,
    },
    signer: agent,
    text:
      '{"data":{"order_id":42069,"symbol":"BTC"},"timestamp":1716200000000,' +
      '"type":"cancel_order"}',
  },
  {
    name: 'where agent_wallet is a field of the request, it is signed, by the account',
    type: 'bind_agent_wallet',
    body: { ...header, agent_wallet: agent.address },
    text:
      `{"data":{"agent_wallet":"${agent.address}"},"expiry_window":30000,` +
      '"timestamp":1716200000000,"type":"bind_agent_wallet"}',
  },
  {
    name: 'a key is bound with its policy and its addresses',
    type: 'bind_agent_wallet',
    body: {
      ...header,
      agent_wallet: agent.address,
      policy: { symbols: ['BTC'], max_position_value: '5000', max_daily_loss: '100' },
      ips: ['203.0.113.7'],
    },
    text:
      `{"data":{"agent_wallet":"${agent.address}","ips":["203.0.113.7"],"policy":` +
      '{"max_daily_loss":"100","max_position_value":"5000","symbols":["BTC"]}},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"bind_agent_wallet"}',
  },
  {
    name: 'the policy of a key is taken away',
    type: 'set_agent_policy',
    body: { ...header, agent_wallet: agent.address, remove: true },
    text:
      `{"data":{"agent_wallet":"${agent.address}","remove":true},"expiry_window":30000,` +
      '"timestamp":1716200000000,"type":"set_agent_policy"}',
  },
  {
    name: 'nothing but the header: data is empty',
    type: 'create_api_key',
    body: header,
    text: '{"data":{},"expiry_window":30000,"timestamp":1716200000000,"type":"create_api_key"}',
  },
  {
    name: 'a connection is armed, over the websocket, by a type of its own',
    type: 'cancel_on_disconnect',
    body: { ...header, keep_protective: false },
    text:
      '{"data":{"keep_protective":false},"expiry_window":30000,"timestamp":1716200000000,' +
      '"type":"cancel_on_disconnect"}',
  },
  {
    name: 'take profit and stop loss in the form of user, without a time',
    type: 'set_position_tpsl',
    body: {
      user: account.address,
      symbol: 'BTC',
      side: 'bid',
      take_profit: { stop_tick_level: 120000, limit_tick_level: 119990, amount: '0.1' },
      stop_loss: null,
    },
    text:
      '{"data":{"side":"bid","stop_loss":null,"symbol":"BTC","take_profit":{"amount":"0.1",' +
      '"limit_tick_level":119990,"stop_tick_level":120000}},"type":"set_position_tpsl"}',
  },
  {
    name: "an action of a batch: its data is signed as the action's own request would be",
    type: 'create_order',
    body: { ...header, ...limitOrder },
    text: limitOrderText,
  },
  {
    name: 'a batch under one signature; its actions have no signing fields',
    type: 'batch_orders',
    body: {
      ...header,
      actions: [
        { type: 'Create', data: limitOrder },
        { type: 'CancelAll', data: { all_symbols: true, exclude_reduce_only: true } },
      ],
    },
    text:
      '{"data":{"actions":[{"data":{"amount":"0.1","price":"100000","reduce_only":false,' +
      '"side":"bid","symbol":"BTC","tif":"GTC"},"type":"Create"},{"data":{"all_symbols":true,' +
      '"exclude_reduce_only":true},"type":"CancelAll"}]},"expiry_window":30000,' +
      '"timestamp":1716200000000,"type":"batch_orders"}',
  },
  ...makerCases,
  ...venueCases,
]

function signedCase({ name, type, body, text, signer = account }: Case) {
  return { name, type, body: { ...body, signature: signer.sign(text) }, text }
}

/** 0xFF, "solana offchain", version 0, format 0, u16 little-endian length, text. */
function hardwareBytes(text: string): Buffer {
  const length = Buffer.from([text.length & 255, text.length >> 8])
  return Buffer.concat([
    Buffer.from([255]),
    Buffer.from('solana offchain'),
    Buffer.from([0, 0]),
    length,
    Buffer.from(text),
  ])
}

function hardwareCase() {
  const message = hardwareBytes(limitOrderText)
  const signature = { type: 'hardware', value: account.sign(message) }
  return {
    name: 'a hardware wallet signs message_hex',
    type: 'create_order',
    body: { ...header, ...limitOrder, signature },
    text: limitOrderText,
    message_hex: message.toString('hex'),
  }
}

function subaccountCase() {
  const initiate =
    `{"data":{"account":"${account.address}"},"expiry_window":30000,` +
    '"timestamp":1716200000000,"type":"subaccount_initiate"}'
  const subSignature = subaccount.sign(initiate)
  const confirm =
    `{"data":{"signature":"${subSignature}"},"expiry_window":30000,` +
    '"timestamp":1716200000000,"type":"subaccount_confirm"}'
  return {
    name: 'the subaccount signs sub_text, then the main account main_text',
    body: {
      main_account: account.address,
      subaccount: subaccount.address,
      main_signature: account.sign(confirm),
      sub_signature: subSignature,
      timestamp,
      expiry_window: 30_000,
    },
    sub_text: initiate,
    main_text: confirm,
  }
}

const signatureOf = (text: string) => account.signBytes(text)

/** S + L is the same scalar again, written differently. */
function withLargerS(signature: Uint8Array): Uint8Array {
  const S = littleEndian(bigIntOf(signature.subarray(32)) + groupOrder)
  return Buffer.concat([signature.subarray(0, 32), S])
}

const smallOrderAddress = base58.encode(new Uint8Array(32).fill(0).fill(1, 0, 1))

function refusedCases() {
  const body = { ...header, ...limitOrder }
  const good = account.sign(limitOrderText)
  const case_ = (name: string, error: string, change: Fields, type = 'create_order') => ({
    name,
    error,
    type,
    body: { ...body, signature: good, ...change },
  })
  return [
    case_('tampered: another price', 'INVALID_SIGNATURE', { price: '100001' }),
    case_('tampered: a field added', 'INVALID_SIGNATURE', { note: null }),
    case_('tampered: another time', 'INVALID_SIGNATURE', { timestamp: timestamp + 1 }),
    case_('signed for another operation', 'INVALID_SIGNATURE', {}, 'edit_order'),
    case_('signed by another key', 'INVALID_SIGNATURE', {
      signature: agent.sign(limitOrderText),
    }),
    case_('S + L in the place of S', 'INVALID_SIGNATURE', {
      signature: base58.encode(withLargerS(signatureOf(limitOrderText))),
    }),
    case_('one byte short', 'INVALID_SIGNATURE', {
      signature: base58.encode(signatureOf(limitOrderText).subarray(0, 63)),
    }),
    case_('the plain signature called a hardware one', 'INVALID_SIGNATURE', {
      signature: { type: 'hardware', value: good },
    }),
    case_('a public key of small order', 'INVALID_ADDRESS', {
      account: smallOrderAddress,
      signature: base58.encode(Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])),
    }),
    case_('signed without a venue, and one added', 'INVALID_SIGNATURE', { venue }),
    ...refusedVenues(),
    case_('no time', 'MALFORMED_REQUEST', { timestamp: null }),
    case_('a window beyond ten minutes', 'MALFORMED_REQUEST', { expiry_window: 600_001 }),
  ]
}

const refusedBodies = [
  ['a character outside ASCII', '{"symbol":"BTC\u00e9"}'],
  ['the same, escaped', '{"symbol":"BTC\\u00e9"}'],
  ['a key twice', '{"price":"1","price":"2"}'],
  ['a key twice, once escaped', '{"a":{"price":"1","pric\\u0065":"1"}}'],
  ['a decimal as a number', '{"price":1.5}'],
  ['an exponent', '{"price":1e3}'],
  ['minus zero', '{"price":-0}'],
  ['a number that a double cannot hold', '{"order_id":9007199254740993}'],
  ['17 levels', `{"a":${'['.repeat(16)}${']'.repeat(16)}}`],
].map(([name, body_text]) => ({ name, body_text }))

const keyOf = ({ seed, address }: Signer) => ({
  seed_hex: Buffer.from(seed).toString('hex'),
  address,
})

export function signingVectors() {
  return {
    about: 'Described in docs/api/signing.md. Valid at any time up to 30 s after the timestamp.',
    venue,
    keys: { account: keyOf(account), agent: keyOf(agent), subaccount: keyOf(subaccount) },
    valid: [...cases.map(signedCase), hardwareCase()],
    subaccount: subaccountCase(),
    venue_subaccount: venueSubaccountCase(),
    refused: refusedCases(),
    refused_bodies: refusedBodies,
  }
}
