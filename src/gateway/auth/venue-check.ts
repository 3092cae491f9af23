// Checks that a signed request is meant for this exchange: if it names a venue, it must name this
// one. The check needs no signature. Messages never repeat what was sent.

import type { Body } from '../../protocol/signing-text.ts'
import { isVenueId } from '../../units/venue-id.ts'
import { apiError } from '../api-error.ts'
import type { VenuePolicy } from '../exchange.ts'

/** Throws if the request is not for this exchange. */
export function requireVenue({ venue }: Body, { id, required }: VenuePolicy): void {
  if (venue === id) return
  if (venue !== undefined && venue !== null) {
    if (!isVenueId(venue))
      throw apiError(
        'MALFORMED_REQUEST',
        'venue must be the id of a venue, 32 lower-case hexadecimal digits',
      )
    throw apiError(
      'OTHER_VENUE',
      `the text was signed for another exchange; this one is ${id} (GET /info/venue). Send it to ` +
        'the exchange that it names, or sign it for this one',
    )
  }
  if (required)
    throw apiError(
      'VENUE_REQUIRED',
      `the text does not say which exchange it is for; add "venue":"${id}" (GET /info/venue) to ` +
        'the body and to the signed text, after type',
    )
}
