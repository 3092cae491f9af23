// Requests that only the variant gets: lines of JSON in the words of the API, which pass the same
// checks as those of a client, without a signature.

import type { Command } from '../../core/index.ts'
import { apiKeyMaker } from '../../gateway/auth/api-keys.ts'
import { unverified } from '../../gateway/auth/unverified.ts'
import type { Exchange } from '../../gateway/exchange.ts'
import { Door } from '../../gateway/intake/door.ts'
import type { Operation } from '../../gateway/operation.ts'
import { apiOperations } from '../../gateway/routes/all-operations.ts'
import { createMarketStatistics } from '../../projections/market-statistics.ts'
import { noReserves } from '../../projections/reserves/published-reserves.ts'
import type { Outcome } from '../../sequencer/outcome.ts'
import { LabFault } from '../lab-fault.ts'
import type { Variant } from './variant.ts'

/** Sent directly before the entry `seq`, or before the first entry later than `atMs`. */
export type Insertion = Readonly<{
  line: number
  seq: number | null
  atMs: number | null
  account: string
  operation: Operation
  body: Readonly<Record<string, unknown>>
}>

const operations = new Map(
  apiOperations('sandbox')
    .filter(({ signs }) => signs !== null)
    .map((each) => [each.name, each]),
)

/** One request a line: `{"seq"|"time", "account", "operation", "body"}`. */
export function parseInsertions(text: string): readonly Insertion[] {
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [parsed(line, at + 1)]))
}

const fields = ['seq', 'time', 'account', 'operation', 'body']

function parsed(text: string, line: number): Insertion {
  const wrong = (what: string) => new LabFault(`line ${line} of the inserted requests ${what}`)
  let given: Record<string, unknown>
  try {
    given = JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw wrong(`is not JSON: ${(error as Error).message}`)
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong('is not a JSON object')
  const unknown = Object.keys(given).find((name) => !fields.includes(name))
  if (unknown !== undefined) throw wrong(`has the field ${unknown}; known are ${fields.join(', ')}`)
  const { seq = null, time = null, account, operation: name, body = {} } = given
  if ((seq === null) === (time === null)) throw wrong('needs either seq or time')
  if (seq !== null && !(Number.isSafeInteger(seq) && (seq as number) > 0))
    throw wrong(`has the seq ${seq}, which is not a whole number above 0`)
  const atMs = typeof time === 'string' ? Date.parse(time) : time
  if (time !== null && !Number.isSafeInteger(atMs))
    throw wrong(`has the time ${JSON.stringify(time)}; times are 2026-11-17T06:25:00Z, or in ms`)
  if (typeof account !== 'string') throw wrong('needs account, an address')
  const operation = operations.get(String(name))
  if (operation === undefined)
    throw wrong(`has the operation ${name}; there are ${[...operations.keys()].join(', ')}`)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrong('has a body that is not an object')
  const at = { seq: seq as number | null, atMs: atMs as number | null }
  return { ...at, line, account, operation, body: body as Insertion['body'] }
}

/** Sends a request to the variant; returns why it was refused, or `null`. */
export async function insert(
  variant: Variant,
  { account, operation, body, line }: Insertion,
  atMs: number,
  onApplied: (outcome: Outcome) => void,
): Promise<string | null> {
  const submit = async (command: Command): Promise<Outcome> => {
    const outcome = variant.apply(command, { atMs })
    onApplied(outcome)
    return outcome
  }
  const door = new Door(exchangeOf(variant, submit, atMs), unverified(venue), null)
  const caller = {
    requestId: `inserted-${line}`,
    ip: '127.0.0.1',
    keyAccount: null,
    actor: account,
  }
  try {
    await door.run(operation, body, caller)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const venue = { id: '0'.repeat(32), required: false }

/** Only what operations that submit commands read. */
function exchangeOf(
  { view, replica }: Variant,
  submit: Exchange['submit'],
  atMs: number,
): Exchange {
  return {
    submit,
    view,
    seq: () => replica.seq,
    reached: () => Promise.resolve(true),
    history: {} as Exchange['history'],
    explain: () => Promise.reject(new Error('an inserted order explains nothing')),
    statistics: createMarketStatistics().statistics,
    closed: () => null,
    wallNow: () => atMs,
    settings: {
      ...{ mode: 'sandbox', fork: true, reads: 'public', untimedTexts: true, venue },
      ...{ creditsPerIp: 100, operatorAccounts: null },
    },
    keyUse: { lastUsedAt: () => null, used: () => undefined },
    apiKeys: apiKeyMaker(Buffer.alloc(32)),
    reserves: noReserves,
    receipts: null,
    disputedPrices: () => [],
    sandbox: null,
    connections: null,
    manual: null,
    lab: null,
    forks: null,
  }
}
