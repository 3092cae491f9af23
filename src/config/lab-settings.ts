// The settings of sandboxes that repeat: the manual clock and the fixture.

import { type TSchema, Type } from '../protocol/schemas/typebox.ts'
import { parseDecimal } from '../units/decimal.ts'
import type { About } from './about.ts'
import { ConfigError } from './config-error.ts'
import { flag } from './setting-types.ts'

/** A funded account of a fixture. `amount` is in micro-dollars. */
export type NamedAccount = Readonly<{ name: string; amount: number }>

/** The same start as that of an embedded exchange, so that both repeat each other. */
const startStandard = Date.UTC(2026, 0, 1)
const accountsMax = 1_000
const amountMax = 1_000_000_000_000_000

export const labSettings = {
  clock: Type.Enum(['wall', 'manual'], {
    default: 'wall',
    inFixture: 'manual',
    defaultShown: '`wall`, in a fixture `manual`',
    description:
      'what advances the time of a new sandbox. `wall`: the clock of the machine. ' +
      '`manual`: only `POST /sandbox/clock`, so that the same requests [repeat ' +
      'exactly](../lab.md). An existing sandbox keeps its clock',
  } satisfies About),
  startAt: Type.Unsafe<number>({
    default: startStandard,
    defaultShown: '`2026-01-01T00:00:00Z`',
    read: readInstant,
    description: 'with `clock` manual: the initial time of the sandbox, in UTC',
  } satisfies About),
  speedBump: flag({
    default: false,
    description: 'with `clock` manual: whether orders that may take wait at the speed bump',
  }),
  fixture: flag({
    default: false,
    flagOnly: true,
    description:
      'a sandbox for one [test run](../lab.md): free ports, temporary folder, one line of JSON ' +
      'when ready; ends with its standard input. Neither variables nor `openperp.env` are read',
  }),
  accounts: Type.Unsafe<readonly NamedAccount[]>({
    default: 'alice:100000,bob:100000',
    flagOnly: true,
    read: readAccounts,
    description: 'with `fixture`: the accounts to open, as `name:USD,…`',
  } satisfies About),
} satisfies Readonly<Record<string, TSchema>>

function readInstant(from: string, given: unknown): number {
  if (typeof given === 'number') return given
  const ms = isInstant(given) ? Date.parse(given) : Number.NaN
  // Date.parse moves 31 February to March.
  if (ms >= 0 && new Date(ms).toISOString().startsWith(String(given).slice(0, 10))) return ms
  throw new ConfigError(
    `${from} must be a UTC time from 1970 on, such as 2026-01-01T00:00:00Z, ` +
      `not ${JSON.stringify(given)}`,
  )
}

function isInstant(given: unknown): given is string {
  return (
    typeof given === 'string' &&
    /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(given)
  )
}

function readAccounts(from: string, given: unknown): readonly NamedAccount[] {
  if (typeof given !== 'string') throw notAccounts(from, given)
  const accounts = given === '' ? [] : given.split(',').map((each) => readAccount(from, each))
  if (accounts.length > accountsMax)
    throw new ConfigError(
      `${from} names ${accounts.length} accounts; the maximum is ${accountsMax}`,
    )
  const twice = accounts.find(({ name }, at) => accounts.findIndex((a) => a.name === name) < at)
  if (twice === undefined) return accounts
  throw new ConfigError(`${from} names ${twice.name} twice`)
}

function readAccount(from: string, text: string): NamedAccount {
  const [, name, usd] = /^([\w .-]{1,31}):(.+)$/.exec(text) ?? []
  if (name === undefined || usd === undefined) throw notAccounts(from, text)
  const amount = parseDecimal(usd, 6)
  if (amount.ok && amount.value > 0 && amount.value <= amountMax)
    return { name, amount: amount.value }
  throw new ConfigError(
    `${from} gives ${name} ${JSON.stringify(usd)}; the amount must be above 0 and at most ` +
      '1000000000 USD, with up to six decimals',
  )
}

const notAccounts = (from: string, given: unknown) =>
  new ConfigError(
    `${from} must be name:USD, separated by commas, such as alice:50000,bob:10000, not ` +
      `${JSON.stringify(given)}; a name has up to 31 letters, digits, spaces, dots and dashes`,
  )
