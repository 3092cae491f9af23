// Stores the exchange that each key of this browser belongs to.

import type { VenuePin, VenuePins } from '../../../client/venues/venue-guard.ts'
import { isVenueId } from '../../../units/venue-id.ts'
import type { Storage } from '../preferences.ts'

export const venueName = (address: string) => `openperp.venue.${address}`

export function keptVenues(storage: Storage): VenuePins {
  return {
    get: (address) => pinIn(storage.get(venueName(address))),
    set: (address, pin) => storage.set(venueName(address), JSON.stringify(pin)),
  }
}

/** Damaged entry: the key belongs to an unknown exchange, so it may not sign for any. */
const damaged: VenuePin = { venue: 'unknown', sandbox: false }

function pinIn(text: string | null): VenuePin | null {
  if (text === null) return null
  try {
    const { venue, sandbox } = JSON.parse(text) as Partial<Record<string, unknown>>
    return isVenueId(venue) ? { venue, sandbox: sandbox === true } : damaged
  } catch {
    // Not JSON.
    return damaged
  }
}
