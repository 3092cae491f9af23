// Something that goes wrong with a source of prices, and what the rules make of it
// (docs/rules/prices.md) in the market that needs the source. The other one, which does not, has to
// stay live at the honest price whatever happens.

import type { PriceScene, SceneOptions } from './price-scene.ts'

export type Seen = (scene: PriceScene, before: PriceScene['health']) => void

export type Fault = Readonly<{
  name: string
  options?: SceneOptions
  /** It is there from the start, so that the source never works. */
  fromTheStart?: true
  seconds: number
  /** What the server does in each second; gives how many messages come of it. */
  act(scene: PriceScene, second: number): number
  /** The market that needs the source, at the end. */
  market: 'live' | 'stale' | 'cancel_only'
  /** Further observations to expect. */
  seen?: Seen
  /** What ends it; null: nothing does. */
  mend?: ((scene: PriceScene) => void) | null
}>

export const honest = (scene: PriceScene) => scene.server.say(...scene.words())
