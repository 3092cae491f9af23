// The fees that an owner pays today, and the volume that decides tomorrow's fees
// (docs/rules/fees.md). Tiers are looked up lazily: the first use on a UTC day fixes the tier for
// that day.

import { broken } from '../../units/invariant.ts'
import { divFloor } from '../../units/rounding.ts'
import * as pool from '../pools/account-pool.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'

// Module constants are compiled into the machine code (docs/performance.md).
const { volumeRing } = pool
const { moneyMax } = limits

export function takerPpmOf(state: State, account: number): number {
  const { accounts } = state
  if (accounts.tierDay[account] !== state.day + 1) fixTier(state, account)
  return accounts.takerPpm[account]!
}

export function makerPpmOf(state: State, account: number): number {
  const { accounts } = state
  if (accounts.tierDay[account] !== state.day + 1) fixTier(state, account)
  return accounts.makerPpm[account]!
}

export function tierOf(state: State, account: number): number {
  const { accounts } = state
  if (accounts.tierDay[account] !== state.day + 1) fixTier(state, account)
  return accounts.tier[account]!
}

/** Whole dollars that the owner traded within the full days before today that count. */
export function volumeDollarsOf(state: State, account: number): number {
  const { accounts } = state
  const owner = accounts.main[account]!
  cleanRing(state, owner)
  let dollars = 0
  let rest = 0
  for (let ago = 1; ago <= state.rules.fees.volumeDays; ago++) {
    const volume = accounts.volumes[ringAt(owner, state.day - ago)]!
    const whole = divFloor(volume, 1_000_000)
    dollars += whole
    rest += volume - whole * 1_000_000
  }
  return dollars + divFloor(rest, 1_000_000)
}

export function addVolume(state: State, account: number, value: number): void {
  const { accounts } = state
  const owner = accounts.main[account]!
  if (!(value > 0)) broken('a fill has no volume', value)
  if (accounts.reserved[owner] === 1) return
  if (accounts.volumeDay[owner] !== state.day + 1) cleanRing(state, owner)
  const at = ringAt(owner, state.day)
  accounts.volumes[at] = Math.min(moneyMax, accounts.volumes[at]! + value)
}

/** Makes all owners look up their tier again after a change of the table. */
export function forgetTiers(state: State): void {
  state.accounts.tierDay.fill(0)
}

function ringAt(owner: number, day: number): number {
  return owner * volumeRing + (((day % volumeRing) + volumeRing) % volumeRing)
}

/** Clears the days that passed without a trade of this owner. */
function cleanRing(state: State, owner: number): void {
  const { accounts } = state
  const last = accounts.volumeDay[owner]! - 1
  const from = Math.max(last + 1, state.day - volumeRing + 1)
  for (let day = from; day <= state.day; day++) accounts.volumes[ringAt(owner, day)] = 0
  accounts.volumeDay[owner] = state.day + 1
}

function fixTier(state: State, account: number): void {
  const { accounts, feeTiers } = state
  let tier = 0
  if (accounts.reserved[account] === 0) {
    const dollars = volumeDollarsOf(state, account)
    while (tier + 1 < feeTiers.length && feeTiers[tier + 1]!.volumeDollars <= dollars) tier += 1
  }
  accounts.tier[account] = tier
  accounts.makerPpm[account] = feeTiers[tier]!.makerPpm
  accounts.takerPpm[account] = feeTiers[tier]!.takerPpm
  accounts.tierDay[account] = state.day + 1
}
