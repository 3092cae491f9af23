// The id of an exchange, which a signed request may name so that it is valid only there: 16 bytes
// as 32 lower-case hexadecimal digits.

export const venueIdBytes = 16
export const venueIdPattern = '^[0-9a-f]{32}$'

const form = new RegExp(venueIdPattern)

export function isVenueId(value: unknown): value is string {
  return typeof value === 'string' && form.test(value)
}
