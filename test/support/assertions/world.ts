// One exchange with a bit of everything, made once and copied for each row: a row breaks something
// in its copy and runs a command, or calls what must never be called so.

import type { Sequenced } from '../../../src/core/commands/commands.ts'
import { apply, EventLog, type State } from '../../../src/core/engine.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import type { Market } from '../../../src/core/state/market.ts'
import type { Side } from '../../../src/words/order-words.ts'
import { BTC, ETH, given, levelAt, orderOf, type Plain, type Scene, SOL } from '../scene.ts'

/** By the text of the assertion: what breaks it. */
export type Rows = Readonly<Record<string, (world: World) => void>>

const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12, D: 10 ** 12, insurance: 10 ** 12 }
const mmp = { windowMs: 1_000, frozenMs: 1_000, maxLots: 1_000_000, maxNet: null }

/** A is long and B short in BTC; C has an isolated position in ETH. Bids are at 59,900 and below,
 *  asks at 60,100 and above. */
function makeScene(): Scene {
  const scene = given({ markets: ['BTC', 'ETH'], funds })
  scene.list('SOL', { speedBumpMs: 200 }).accepted()
  scene.buys('A', 'B', 1_000, 60_000)
  scene.own('C', 'SetMarginMode', { market: ETH, isolated: true }).accepted()
  scene.buys('C', 'B', 500, 30_000, ETH)
  scene.bid('A', 100, 59_900)
  scene.bid('A', 50, 59_900, { clientOrderId: 'mine' })
  scene.bid('C', 70, 59_800)
  scene.ask('B', 200, 60_100)
  scene.ask('B', 100, 60_200)
  scene.ask('A', 300, 60_300, { reduceOnly: true }).accepted()
  scene.own('C', 'SetMmp', { market: BTC, limits: mmp }).accepted()
  scene.bid('C', 10, 59_700, { tif: 'ALO', mmp: true }).accepted()
  scene.bid('C', 10, 59_600, { expireTime: scene.now + 600_000 }).accepted()
  scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', ...levels }).accepted()
  scene.stop('B', 'bid', levelAt(61_000, { size: 20, clientOrderId: 'stop' })).accepted()
  scene.stop('A', 'ask', trailing, { reduceOnly: true }).accepted()
  scene.bid('D', 30, 59_500, { takeProfit: levelAt(61_500) }).accepted()
  placeOco(scene)
  placeAlgos(scene)
  scene.ask('B', 100, 30_000, { market: SOL, tif: 'ALO' }).accepted()
  scene.bid('A', 100, 30_000, { market: SOL }).accepted()
  scene.own('C', 'Withdraw', { amount: 5_000_000 }).accepted()
  scene.own('A', 'CreateSubaccount', { address: 'A2' }).accepted()
  return scene
}

const levels = { takeProfit: levelAt(62_000), stopLoss: levelAt(58_000) }
const trailing = levelAt(0, { size: 10, trail: { distance: 500, ppm: null, activation: null } })

function placeOco(scene: Scene): void {
  const leg = { side: 'ask', reduceOnly: false }
  const order = { ...leg, size: 40, price: 60_400, clientOrderId: null }
  const stop = { ...leg, level: levelAt(59_000, { size: 40 }) }
  scene.own('D', 'PlaceOco', { market: BTC, legs: [order, stop] }).accepted()
}

function placeAlgos(scene: Scene): void {
  const wish = { market: BTC, side: 'bid', size: 90, reduceOnly: false, clientOrderId: null }
  const twap = { ...wish, slippagePpm: 5_000, durationSeconds: 120 }
  scene.own('D', 'PlaceTwap', { ...twap, side: 'ask' }).accepted()
  const iceberg = { ...wish, price: 59_400, display: 30, expireTime: null }
  scene.own('D', 'PlaceIceberg', iceberg).accepted()
  scene.wait(1)
}

let made: Readonly<{ bytes: Uint8Array; ids: Scene['ids']; now: number }> | null = null

export class World {
  readonly state: State
  readonly log = new EventLog()
  readonly ids: Scene['ids']
  now: number

  constructor() {
    if (made === null) {
      const { state, ids, now } = makeScene()
      made = { bytes: encodeState(state), ids, now }
    }
    this.state = decodeState(made.bytes)
    this.ids = made.ids
    this.now = made.now
  }

  get btc(): Market {
    return this.state.markets[BTC]!
  }

  get eth(): Market {
    return this.state.markets[ETH]!
  }

  /** Applies a command as the engine would. */
  run(plain: Plain): void {
    const { seq, stampMs } = this.state
    const sequenced = { seq: seq + 1, atMs: this.now, stampMs, command: plain }
    this.log.clear()
    apply(this.state, sequenced as unknown as Sequenced, this.log)
  }

  own(name: string, type: Plain['type'], more: Readonly<Record<string, unknown>> = {}): void {
    this.run({ type, account: this.ids[name]!, proof: null, ...more })
  }

  /** Rests at, or takes up to, this price. */
  place(name: string, side: Side, size: number, price: number, more = {}): void {
    this.own(name, 'PlaceOrder', { ...orderOf(side, size, price), ...more })
  }

  cancel(name: string, slot: number, market = BTC): void {
    const order = this.state.orders.id(slot)
    this.own(name, 'CancelOrder', { market, order, clientOrderId: null })
  }

  /** Row of an account in a market. */
  row(name: string, market = BTC): number {
    return this.state.markets[market]!.rowOf[this.ids[name]!]!
  }

  level(price: number, market = BTC): number {
    const { bids, asks } = this.state.markets[market]!
    const { levels } = this.state
    return bids.levelOf(levels, price) || asks.levelOf(levels, price)
  }

  /** Slot of the first order at a price. */
  slot(price: number, market = BTC): number {
    return this.state.levels.head[this.level(price, market)]!
  }
}

/** What is not for others, as a row that breaks it needs it. */
export function inside<Inner>(of: unknown): Inner {
  return of as Inner
}
