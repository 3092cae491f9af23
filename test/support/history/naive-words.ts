// What ends are called, and which rows a question is about.

import type { Command } from '../../../src/core/index.ts'
import type { OrderEventRow } from '../../../src/projections/history/history.ts'

export const endings: Readonly<Record<string, OrderEventRow['event']>> = {
  owner: 'cancel',
  replaced: 'cancel',
  scheduled: 'cancel',
  disconnected: 'cancel',
  oco: 'cancel',
  expired: 'expired',
  post_only_rejected: 'post_only_rejected',
  self_trade_prevented: 'self_trade_prevented',
}

export function fits(
  market: number,
  atMs: number,
  wanted: Readonly<{ market: number | null; startMs: number | null; endMs: number | null }>,
): boolean {
  return (
    (wanted.market === null || wanted.market === market) &&
    (wanted.startMs === null || atMs >= wanted.startMs) &&
    (wanted.endMs === null || atMs <= wanted.endMs)
  )
}

export function actionOf(command: Command, index: number): string {
  return command.type === 'Batch' ? command.actions[index]!.type : ''
}
