// Why an order, a stop or an algo ended, in words, by the reason of its event.

export const endReasons: Readonly<Record<string, string>> = {
  finished: 'done',
  replaced: 'replaced by another',
  expired: 'expired',
  post_only_rejected: 'post-only, and would have taken',
  self_trade_prevented: 'would have traded with your own order',
  margin: 'not enough margin',
  reduce_only: 'nothing left to reduce',
  open_interest: 'open interest limit of the market',
  liquidation: 'the account was liquidated',
  market_closed: 'the market was closed',
  scheduled: 'scheduled cancel',
  parent_ended: 'the order it belonged to ended',
  refused: 'refused',
  disconnected: 'the connection ended',
  mmp: 'maker protection',
  force_cancel: 'ended by the exchange',
  oco: 'the other leg of the OCO executed or ended',
}
