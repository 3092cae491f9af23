// Vectors of stops that trail, quotes and protection, written by hand as the others are.

import { agent, type Case, clientOrderId, header } from './vector-case.ts'

const quote = { symbol: 'BTC', side: 'bid', client_order_id: clientOrderId }

export const makerCases: readonly Case[] = [
  {
    name: 'an order that rests and a stop, of which one happens',
    type: 'create_oco_order',
    body: {
      ...header,
      symbol: 'BTC',
      legs: [
        { side: 'ask', reduce_only: true, price: '120000', amount: '0.1' },
        { stop_price: '90000', side: 'ask', amount: '0.1', reduce_only: true },
      ],
    },
    text:
      '{"data":{"legs":[{"amount":"0.1","price":"120000","reduce_only":true,"side":"ask"},' +
      '{"amount":"0.1","reduce_only":true,"side":"ask","stop_price":"90000"}],"symbol":"BTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_oco_order"}',
  },
  {
    name: 'a stop that follows the mark from a price on',
    type: 'create_stop_order',
    body: {
      ...header,
      ...{ symbol: 'BTC', side: 'ask', reduce_only: true },
      stop_order: { trailing_percent: '1.5', activation_price: '105000', amount: '0.1' },
    },
    text:
      '{"data":{"reduce_only":true,"side":"ask","stop_order":{"activation_price":"105000",' +
      '"amount":"0.1","trailing_percent":"1.5"},"symbol":"BTC"},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_stop_order"}',
  },
  {
    name: 'a stop that brings the levels of what it opens',
    type: 'create_stop_order',
    body: {
      ...header,
      ...{ symbol: 'BTC', side: 'bid', reduce_only: false },
      stop_order: { stop_price: '105000', amount: '0.1' },
      take_profit: [{ stop_price: '110000', amount: '0.05' }, { stop_price: '120000' }],
      stop_loss: { trailing_percent: '2' },
    },
    text:
      '{"data":{"reduce_only":false,"side":"bid","stop_loss":{"trailing_percent":"2"},' +
      '"stop_order":{"amount":"0.1","stop_price":"105000"},"symbol":"BTC","take_profit":' +
      '[{"amount":"0.05","stop_price":"110000"},{"stop_price":"120000"}]},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"create_stop_order"}',
  },
  {
    name: 'quotes, protected and ended, under one signature of an agent',
    type: 'batch_orders',
    body: {
      ...header,
      agent_wallet: agent.address,
      actions: [
        { type: 'Quote', data: { ...quote, price: '99990', amount: '0.5', mmp: true } },
        { type: 'Quote', data: { ...quote, side: 'ask', price: '100010', amount: '0' } },
      ],
    },
    signer: agent,
    text:
      `{"data":{"actions":[{"data":{"amount":"0.5","client_order_id":"${clientOrderId}",` +
      '"mmp":true,"price":"99990","side":"bid","symbol":"BTC"},"type":"Quote"},{"data":' +
      `{"amount":"0","client_order_id":"${clientOrderId}","price":"100010","side":"ask",` +
      '"symbol":"BTC"},"type":"Quote"}]},"expiry_window":30000,"timestamp":1716200000000,' +
      '"type":"batch_orders"}',
  },
  {
    name: 'an iceberg that shows a part of itself',
    type: 'create_iceberg_order',
    body: {
      ...header,
      ...{ symbol: 'BTC', side: 'bid', amount: '10', display_amount: '0.5', price: '95000' },
      reduce_only: false,
    },
    text:
      '{"data":{"amount":"10","display_amount":"0.5","price":"95000","reduce_only":false,' +
      '"side":"bid","symbol":"BTC"},"expiry_window":30000,"timestamp":1716200000000,' +
      '"type":"create_iceberg_order"}',
  },
  {
    name: 'a chase, for half an hour',
    type: 'create_chase_order',
    body: {
      ...header,
      ...{ symbol: 'BTC', side: 'ask', amount: '1', price: '94990', reduce_only: true },
      expire_time: 1716201800000,
    },
    text:
      '{"data":{"amount":"1","expire_time":1716201800000,"price":"94990","reduce_only":true,' +
      '"side":"ask","symbol":"BTC"},"expiry_window":30000,"timestamp":1716200000000,' +
      '"type":"create_chase_order"}',
  },
  {
    name: 'quotes of a market are protected',
    type: 'set_mmp',
    body: {
      ...header,
      ...{ symbol: 'BTC', window_ms: 1_000, frozen_ms: 5_000, max_amount: '0.3' },
    },
    text:
      '{"data":{"frozen_ms":5000,"max_amount":"0.3","symbol":"BTC","window_ms":1000},' +
      '"expiry_window":30000,"timestamp":1716200000000,"type":"set_mmp"}',
  },
  {
    name: 'what protects them is taken away',
    type: 'set_mmp',
    body: { ...header, symbol: 'BTC', remove: true },
    text:
      '{"data":{"remove":true,"symbol":"BTC"},"expiry_window":30000,' +
      '"timestamp":1716200000000,"type":"set_mmp"}',
  },
  {
    name: 'a freeze of the protection ends',
    type: 'reset_mmp',
    body: { ...header, symbol: 'BTC' },
    text:
      '{"data":{"symbol":"BTC"},"expiry_window":30000,"timestamp":1716200000000,' +
      '"type":"reset_mmp"}',
  },
]
