// An opaque type for the state. The sequencer passes the state from one command to the next and
// snapshots store it, but only the view reads it. This file exports the functions of the core that
// use a state, without the type of its contents.

import type { Sequenced } from './commands/commands.ts'
import * as engine from './engine.ts'
import type { EventLog } from './events/event-log.ts'
import { checkInvariants as check } from './invariants.ts'
import { decodeState as decode } from './snapshot/decode.ts'
import { encodeState as encode } from './snapshot/encode.ts'
import { type Forgotten, type ForkChanges, forkedState as forked } from './snapshot/forked-state.ts'
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

/** Equal states encode to equal bytes. `tradingOnly`: for comparison only; the result cannot be
 *  decoded. */
export const encodeState = encode as (state: ClosedState, tradingOnly?: boolean) => Uint8Array

export const decodeState: (bytes: Uint8Array) => ClosedState = decode

/** Names of the violated invariants. Empty unless the engine has a bug. */
export const checkInvariants = check as (state: ClosedState) => string[]

/** The view observes every later change of the state. One view per state is enough. */
export const viewOf = view as (state: ClosedState) => ExchangeView

/** A copy for a fork, without the keys of clients (snapshot/forked-state.ts). */
export const forkedState = forked as unknown as (
  state: ClosedState,
  changes: ForkChanges,
) => Readonly<{ state: ClosedState; forgotten: Forgotten }>
