// The exchange that each key belongs to, stored in the user's folder: one file for each key, so
// that parallel commands do not overwrite each other's.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { VenuePin, VenuePins } from '../client/venues/venue-guard.ts'
import { isVenueId } from '../units/venue-id.ts'
import { CliError, misused } from './frame/exit-codes.ts'
import { makeFolder } from './frame/make-folder.ts'
import type { Environment } from './frame/screen.ts'

export const venueOptions = {
  venue: {
    value: '<id|none>',
    about: 'venue that texts name (default: the one that the key was first used with)',
  },
} as const

/** Undefined: the venue of the key; `null`: texts name no venue. */
export function venueIn(
  given: Readonly<{ venue?: string }>,
  { OPENPERP_VENUE: variable }: Environment,
): string | null | undefined {
  const text = given.venue ?? (variable === '' ? undefined : variable)
  if (text === undefined || isVenueId(text)) return text
  if (text === 'none') return null
  const from = given.venue === undefined ? 'OPENPERP_VENUE' : '--venue'
  throw misused(
    `${from} must be the id of a venue, 32 lower-case hexadecimal digits, or none`,
    'GET /api/v1/info/venue of an exchange has its id',
  )
}

function fileOf(address: string, { HOME }: Environment): string {
  return join(HOME ?? homedir(), '.openperp', 'venues', address)
}

/** `warn` gets the reason if a venue could not be stored. */
export function keyVenues(environment: Environment, warn: (text: string) => void): VenuePins {
  return {
    get: (address) => readVenue(address, environment),
    set(address, pin) {
      const file = fileOf(address, environment)
      try {
        makeFolder(dirname(file), 0o700)
        // An interrupted write leaves the whole file or none.
        const written = `${file}.${process.pid}`
        writeFileSync(written, `${JSON.stringify(pin)}\n`, { mode: 0o600 })
        renameSync(written, file)
      } catch (error) {
        // The home may be read-only, as in a container; texts name the venue all the same.
        warn(
          `the venue of this key was not kept: ${(error as Error).message}; name it with --venue ` +
            `or OPENPERP_VENUE, here ${pin.venue}`,
        )
      }
    },
  }
}

/** `null` if the key was not used with any exchange yet. */
export function readVenue(address: string, environment: Environment): VenuePin | null {
  const file = fileOf(address, environment)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new CliError('refused', `${file} cannot be read: ${(error as Error).message}`)
  }
  const pin = parsed(text)
  if (pin !== null) return pin
  throw new CliError('refused', `${file} does not say which venue the key belongs to`, {
    hint: 'remove it: the key then belongs to the next exchange that it signs for',
  })
}

function parsed(text: string): VenuePin | null {
  try {
    const { venue, sandbox } = JSON.parse(text) as Partial<Record<string, unknown>>
    return isVenueId(venue) ? { venue, sandbox: sandbox === true } : null
  } catch {
    // Damaged, and reported as such.
    return null
  }
}

export function forgetVenue(address: string, environment: Environment): void {
  rmSync(fileOf(address, environment), { force: true })
}
