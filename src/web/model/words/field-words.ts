// Names of the API's fields and routes as used in the terminal: the labels of its fields, and where
// to find them.

/** Labels for use within a sentence. */
export const fieldWords: Readonly<Record<string, string>> = {
  stop_price: 'trigger price',
  limit_price: 'limit price',
  activation_price: 'price it starts at',
  trailing_percent: 'distance in percent',
  trailing_distance: 'distance',
  display_amount: 'size shown',
  amount: 'size',
  slippage_percent: 'slippage',
  duration_in_seconds: 'duration in seconds',
  expire_time: 'end time',
  expires_at: 'time at which it ends',
  agent_wallet: 'address of the key',
  mark_price: 'the mark',
  last_trade_price: 'the last price',
  mid_price: 'the mid',
  reduce_only: 'reduce only',
  client_order_id: 'client id',
  max_slippage_percent: 'distance from the mark',
  max_order_value: 'value of an order',
  max_position_value: 'value of a position',
  max_daily_loss: 'loss of a day',
  symbols: 'markets',
  symbol: 'market',
  take_profit: 'take profit',
  stop_loss: 'stop loss',
  stop_order: 'stop',
}

/** Applied in this order. A route in brackets is removed with its brackets, unless it is listed
 *  here. */
export const routeWords: readonly (readonly [RegExp, string])[] = [
  [/: POST \/api\/v1\/positions\/tpsl/g, ' (TP / SL of the position)'],
  [/GET \/api\/v1\/info lists them all \(book not found\)/g, 'the list of markets has them all'],
  [/GET \/api\/v1\/info lists them all/g, 'the list of markets has them all'],
  [/with POST \/api\/v1\/positions\/add_isolated_margin/g, 'in the row of the position'],
  [/; GET \/api\/v1\/info\/risk shows the status of a market/g, ''],
  [/bind it with POST \/api\/v1\/agent\/bind/g, "the account's owner can bind it under Keys"],
  [/the account sets another with POST \/api\/v1\/agent\/policy/g, 'its owner sets another'],
  [/ \([^()]*\b(GET|POST) \/[^()]*\)/g, ''],
  [/\b(GET|POST) \/\S+/g, 'the API'],
]
