// Take-profit and stop-loss levels of a position (TRIG-2, TRIG-4).

import { findRow } from '../accounts/position-row.ts'
import { marketAdmissionRefusal } from '../admit.ts'
import type { Level, SetPositionTpsl } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Market } from '../markets/market.ts'
import { findClientId, repeatsClientId } from '../orders/client-ids.ts'
import { sideOf } from '../orders/draft.ts'
import { levelsRefusal } from '../policies/check-policy.ts'
import type { State } from '../state/state.ts'
import { textRefusal } from '../texts/text-refusal.ts'
import { levelSizeRefusal, trailCountRefusal, watchPrices } from './level-checks.ts'
import { levelTickRefusal, settingRefusal } from './place-stop.ts'
import { STOP_LOSS, TAKE_PROFIT, triggerKindOf } from './trigger-kinds.ts'
import { addTrigger, becomeLevel, cancelTrigger } from './trigger-life.ts'

type WantedLevel = Readonly<{ kind: number; level: Level; up: boolean; present: number }>

export function setPositionTpsl(
  state: State,
  log: EventLog,
  command: SetPositionTpsl,
): Rejection | null {
  return (
    marketAdmissionRefusal(state, log, command, 'trade') ?? setAdmittedTpsl(state, log, command)
  )
}

export function setAdmittedTpsl(
  state: State,
  log: EventLog,
  command: SetPositionTpsl,
): Rejection | null {
  const { account } = command
  const market = state.markets[command.market]!
  const row = findRow(market, account)
  const refusal = tpslRefusal(state, market, row, command)
  if (refusal !== null) return refusal
  setLevel(state, log, row, TAKE_PROFIT, command)
  setLevel(state, log, row, STOP_LOSS, command)
  return null
}

function tpslRefusal(
  state: State,
  market: Market,
  row: number,
  command: SetPositionTpsl,
): Rejection | null {
  const disabled = settingRefusal(state, command.account, market)
  if (disabled !== null) return disabled
  const side = sideOf(command.side)
  if (side < 0 || !watchPrices(command.takeProfit, command.stopLoss))
    return refuse('INVALID_ORDER_TYPE')
  const lots = row === 0 ? 0 : state.positions.lots[row]!
  if (lots === 0) return refuse('POSITION_NOT_FOUND')
  const wanted = wantedLevels(state, row, command)
  return (
    clientIdRefusal(state, command.account, wanted) ??
    countRefusal(state, command.account, wanted) ??
    trailCountRefusal(state, command.account, command.stopLoss, state.positions.stopLoss[row]!) ??
    first(wanted, ({ level, up }) => levelTickRefusal(market, level, up)) ??
    (lots > 0 === (side === 0) ? null : refuse('INVALID_STOP_ORDER_SIDE')) ??
    first(wanted, ({ level }) =>
      level.size === null ? null : levelSizeRefusal(level.size, Math.abs(lots)),
    ) ??
    (wanted.length === 0 ? null : levelsRefusal(state, command)) ??
    first(wanted, ({ level }) => textRefusal(level.clientOrderId))
  )
}

function first<T>(all: readonly T[], check: (one: T) => Rejection | null): Rejection | null {
  for (const one of all) {
    const refusal = check(one)
    if (refusal !== null) return refusal
  }
  return null
}

function wantedLevels(state: State, row: number, command: SetPositionTpsl): WantedLevel[] {
  const { positions } = state
  const long = positions.lots[row]! > 0
  const wanted: WantedLevel[] = []
  if (command.takeProfit != null)
    wanted.push({
      kind: TAKE_PROFIT,
      level: command.takeProfit,
      up: long,
      present: positions.takeProfit[row]!,
    })
  if (command.stopLoss != null)
    wanted.push({
      kind: STOP_LOSS,
      level: command.stopLoss,
      up: !long,
      present: positions.stopLoss[row]!,
    })
  return wanted
}

/** A client id may be that of the very level it replaces. */
function clientIdRefusal(
  state: State,
  account: number,
  wanted: readonly WantedLevel[],
): Rejection | null {
  if (repeatsClientId(wanted.map(({ level }) => level.clientOrderId)))
    return refuse('DUPLICATE_CLIENT_ORDER_ID')
  for (const { level, present } of wanted) {
    const found =
      level.clientOrderId === null ? 0 : findClientId(state, account, level.clientOrderId)
    if (found !== 0 && found !== present) return refuse('DUPLICATE_CLIENT_ORDER_ID')
  }
  return null
}

function countRefusal(
  state: State,
  account: number,
  wanted: readonly WantedLevel[],
): Rejection | null {
  const open = state.accounts.openCount[account]!
  const added = wanted.filter(({ present }) => present === 0).length
  if (added === 0 || open + added <= state.rules.limits.ordersPerAccount) return null
  return refuse('OPEN_ORDER_LIMIT_REACHED', open, state.rules.limits.ordersPerAccount)
}

function setLevel(
  state: State,
  log: EventLog,
  row: number,
  kind: number,
  { proof, takeProfit, stopLoss }: SetPositionTpsl,
): void {
  const level = kind === TAKE_PROFIT ? takeProfit : stopLoss
  if (level === undefined) return
  const { positions } = state
  const { level: slot, firesAbove } = triggerKindOf(kind)
  const present = slot === null ? 0 : positions[slot][row]!
  if (level === null) {
    if (present !== 0) cancelTrigger(state, log, state.triggers.get(present)!, 'owner')
    return
  }
  if (present !== 0) cancelTrigger(state, log, state.triggers.get(present)!, 'replaced')
  const side = positions.lots[row]! > 0 ? 1 : 0
  const trigger = addTrigger(state, log, level, {
    agent: proof?.agent ?? null,
    position: row,
    side,
    kind,
    reduceOnly: true,
    up: firesAbove(side),
    expireTime: null,
    parent: 0,
    armed: true,
  })
  becomeLevel(state, log, trigger)
}
