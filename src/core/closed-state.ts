// The state for those who hold it and may not look into it: the sequencer hands it from one command
// to the next, snapshots keep it, and all that anybody reads of it is the view. What stands here is
// what the core does with a state, under a type that says nothing of what is in it.

import type { Sequenced } from './commands/commands.ts'
import * as engine from './engine.ts'
import type { EventLog } from './events/event-log.ts'
import { checkInvariants as check } from './invariants.ts'
import { decodeState as decode } from './snapshot/decode.ts'
import { encodeState as encode } from './snapshot/encode.ts'
import type { Genesis } from './state/genesis.ts'
import type { ClosedState } from './state/state.ts'
import { type ExchangeView, viewOf as view } from './view/exchange-view.ts'

export type { ClosedState } from './state/state.ts'

export const createState: (genesis: Genesis) => ClosedState = engine.createState

/** Applies one command; its events are appended to the log. */
export const apply = engine.apply as (
  state: ClosedState,
  sequenced: Sequenced,
  log: EventLog,
) => void

/** Equal states give equal bytes. `tradingOnly`: for comparing, not for decoding. */
export const encodeState = encode as (state: ClosedState, tradingOnly?: boolean) => Uint8Array

export const decodeState: (bytes: Uint8Array) => ClosedState = decode

/** What is broken, by name; nothing, unless we were wrong. */
export const checkInvariants = check as (state: ClosedState) => string[]

/** Sees all that happens to the state from now on: one for each state is enough. */
export const viewOf = view as (state: ClosedState) => ExchangeView
