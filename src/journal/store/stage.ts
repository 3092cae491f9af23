// Moves of an exchange between a data folder and a store. At any time the exchange goes on at one
// place only: in the store while its stage is `live`, and in the folder before the adoption is
// finished and after a departure.

import type { Frame } from '../frame.ts'
import type { ChainEnd, FrameStore } from './frame-store.ts'

/** `adopting`: frames of a data folder are being copied into the store. `left`: the exchange goes
 *  on in a data folder. Nodes lead and follow only if the store is `live`. */
export type Stage = 'live' | 'adopting' | 'left'

/** Text of a departure as stored. `id` is unique, and is in the folder before it is in the store.
 *  `where`: host and path, for operators. */
export function departureOf(id: string, where: string): string {
  return `${id} ${where}`
}

/** Host and path of a departure. */
export function folderOf(move: string): string {
  return move.slice(move.indexOf(' ') + 1)
}

/** A store that can be left for good. */
export type LeavingStore = FrameStore &
  Readonly<{
    stage: Stage
    /** The text of the departure; empty if there was none. */
    move: string
    /** Ends the exchange in this store, if this node still holds the lease and `end` is the end of
     *  the chain. No node can lead afterwards. */
    leave(end: ChainEnd, move: string): Promise<void>
  }>

/** A store into which a data folder is moved. */
export type AdoptingStore = Pick<FrameStore, 'newest' | 'read' | 'venue' | 'keySecret' | 'close'> &
  Readonly<{
    stage: Stage
    /** Unique for this move into this store. */
    move: string
    /** Accepts frames in a store that an exchange has left. */
    reopen(): Promise<void>
    /** Appends frames after the newest one, all or none. */
    add(before: ChainEnd, frames: readonly Frame[]): Promise<void>
    /** Makes the store `live`. Nodes may lead from now on. */
    finish(end: ChainEnd): Promise<void>
  }>
