// A scene in which A has a key with a policy, and the key signs.

import { BTC, freeTiers, given, type Outcome, proofOf, type Scene, type Setting } from './scene.ts'

type More = Readonly<Record<string, unknown>>

export const KEY = 'key'

/** A policy that limits nothing. */
export const anything = {
  markets: null,
  postOnly: false,
  reduceOnly: false,
  maxSlippagePpm: null,
  maxOrderValue: null,
  maxPositionValue: null,
  maxDailyLoss: null,
  expiresAt: null,
  allow: [] as readonly string[],
}

const funds = { A: 10 ** 12, B: 10 ** 12 }
export const free: Setting = { tiers: freeTiers, funds, markets: ['BTC', 'ETH'] }

export class KeyScene {
  readonly scene: Scene
  private texts = 0

  constructor(policy: More | null, setting: Setting = free) {
    this.scene = given(setting)
    this.bind(policy).accepted()
  }

  bind(policy: More | null, more: More = {}): Outcome {
    const limits = policy === null ? {} : { policy: { ...anything, ...policy } }
    const key = { agent: KEY, scopes: ['trade', 'margin'] }
    return this.scene.own('A', 'BindAgent', { ...key, ...limits, ...more })
  }

  /** Null takes it away. */
  limit(policy: More | null): Outcome {
    const next = policy === null ? null : { ...anything, ...policy }
    return this.scene.own('A', 'SetAgentPolicy', { agent: KEY, policy: next })
  }

  /** Signed by the key, for commands of A. */
  get signed() {
    this.texts += 1
    return { proof: proofOf(`text-${this.texts}`, this.scene.now, { agent: KEY }) }
  }

  bid(size: number, price: number, more: More = {}): Outcome {
    return this.scene.bid('A', size, price, { ...this.signed, ...more })
  }

  ask(size: number, price: number, more: More = {}): Outcome {
    return this.scene.ask('A', size, price, { ...this.signed, ...more })
  }

  own(type: Parameters<Scene['own']>[1], more: More): Outcome {
    return this.scene.own('A', type, { ...this.signed, ...more })
  }

  edit(order: number, price: number, size: number): Outcome {
    return this.own('EditOrder', { market: BTC, order, clientOrderId: null, price, size })
  }

  twap(size: number, more: More = {}): Outcome {
    const plan = { side: 'bid', size, reduceOnly: false, slippagePpm: 10_000 }
    const rest = { durationSeconds: 60, clientOrderId: null }
    return this.own('PlaceTwap', { market: BTC, ...plan, ...rest, ...more })
  }
}
