// Sets the take-profit and stop-loss levels of a position (TRIG-2, TRIG-4, TRIG-12).

import { marketAdmissionRefusal } from '../admission/admit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { Level, SetPositionTpsl } from '../commands/commands.ts'
import { levelList } from '../commands/level-ids.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { findClientId, repeatsClientId } from '../drafts/client-ids.ts'
import { sideOf } from '../drafts/draft.ts'
import type { EventLog } from '../events/event-log.ts'
import { findRow } from '../margin/position-row.ts'
import { levelsRefusal } from '../policies/check-policy.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { STOP_LOSS, TAKE_PROFIT, triggerKindOf } from '../state/trigger-kinds.ts'
import { levelTickRefusal, settingRefusal } from '../triggers/place-stop.ts'
import { addTrigger } from '../triggers/trigger-life.ts'
import { endLevels } from './end-levels.ts'
import {
  firstRefusal,
  kindCountRefusal,
  levelSizeRefusal,
  slippageRefusal,
  trailCountRefusal,
  watchPrices,
} from './level-checks.ts'
import { joinLevels, levelIdsOf } from './position-levels.ts'

/** The requested levels of one kind, and the levels that they replace. */
type Wanted = Readonly<{ levels: readonly Level[]; up: boolean; replaced: readonly number[] }>

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
  setLevels(state, log, row, TAKE_PROFIT, command)
  setLevels(state, log, row, STOP_LOSS, command)
  return null
}

function tpslRefusal(
  state: State,
  market: Market,
  row: number,
  command: SetPositionTpsl,
): Rejection | null {
  const { account } = command
  const disabled = settingRefusal(state, account, market)
  if (disabled !== null) return disabled
  const side = sideOf(command.side)
  const takeProfits = levelList(command.takeProfit)
  const stopLosses = levelList(command.stopLoss)
  if (side < 0 || !watchPrices(takeProfits, stopLosses)) return refuse('INVALID_ORDER_TYPE')
  const lots = row === 0 ? 0 : state.positions.lots[row]!
  if (lots === 0) return refuse('POSITION_NOT_FOUND')
  const present = levelIdsOf(state, row)
  const wanted = [
    wantedOf(takeProfits, lots > 0, present.takeProfit),
    wantedOf(stopLosses, lots < 0, present.stopLoss),
  ]
  const all = [...takeProfits, ...stopLosses]
  return (
    clientIdRefusal(state, account, wanted) ??
    countRefusal(state, account, wanted) ??
    trailCountRefusal(state, account, stopLosses, present.stopLoss) ??
    kindCountRefusal(state, takeProfits, stopLosses) ??
    firstRefusal(wanted, ({ levels, up }) =>
      firstRefusal(levels, (level) => levelTickRefusal(market, level, up)),
    ) ??
    firstRefusal(all, (level) => slippageRefusal(market, level)) ??
    (lots > 0 === (side === 0) ? null : refuse('INVALID_STOP_ORDER_SIDE')) ??
    firstRefusal(all, ({ size }) =>
      size === null ? null : levelSizeRefusal(size, Math.abs(lots)),
    ) ??
    (all.length === 0 ? null : levelsRefusal(state, command)) ??
    firstRefusal(all, ({ clientOrderId }) => textRefusal(clientOrderId))
  )
}

/** An empty list replaces nothing: the present levels stay, or are removed separately. */
function wantedOf(levels: readonly Level[], up: boolean, present: readonly number[]): Wanted {
  return { levels, up, replaced: levels.length === 0 ? [] : present }
}

/** A client id may repeat that of a level that is being replaced. */
function clientIdRefusal(
  state: State,
  account: number,
  wanted: readonly Wanted[],
): Rejection | null {
  const ids = wanted.flatMap(({ levels }) => levels.map((level) => level.clientOrderId))
  if (repeatsClientId(ids)) return refuse('DUPLICATE_CLIENT_ORDER_ID')
  for (const { levels, replaced } of wanted)
    for (const { clientOrderId } of levels) {
      const found = clientOrderId === null ? 0 : findClientId(state, account, clientOrderId)
      if (found !== 0 && !replaced.includes(found)) return refuse('DUPLICATE_CLIENT_ORDER_ID')
    }
  return null
}

function countRefusal(state: State, account: number, wanted: readonly Wanted[]): Rejection | null {
  const open = state.accounts.openCount[account]!
  let added = 0
  for (const { levels, replaced } of wanted) added += levels.length - replaced.length
  if (added <= 0 || open + added <= state.rules.limits.ordersPerAccount) return null
  return refuse('OPEN_ORDER_LIMIT_REACHED', open, state.rules.limits.ordersPerAccount)
}

function setLevels(
  state: State,
  log: EventLog,
  row: number,
  kind: number,
  { proof, takeProfit, stopLoss }: SetPositionTpsl,
): void {
  const wanted = kind === TAKE_PROFIT ? takeProfit : stopLoss
  if (wanted === undefined) return
  const { positions } = state
  const { level: slot, firesAbove } = triggerKindOf(kind)
  const levels = levelList(wanted)
  endLevels(state, log, row, slot!, levels.length === 0 ? 'owner' : 'replaced')
  const side = positions.lots[row]! > 0 ? 1 : 0
  for (const level of levels) {
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
    joinLevels(state, trigger)
  }
}
