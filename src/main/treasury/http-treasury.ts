// A treasury that is a service of the operator. Orders are posted to `<url>/payments`, and reports
// are requested from `<url>/reports`. Both are signed with one secret, like webhooks. The custody
// service needs neither a token of the admin plane nor network access to it.

import type { TreasurySetting } from '../../config/treasury.ts'
import type { DelivererNeeds } from '../webhooks/deliverer.ts'
import { bodyOf, isSigned, signedHeaders } from '../webhooks/message.ts'
import { posted } from '../webhooks/webhook.ts'
import { isSlip, readReport, reportFields, type Written } from './report.ts'
import type { Delivery, Refused, Treasury } from './treasury-port.ts'

const timeoutMs = 10_000
const bytesMax = 1_048_576
const reportsMax = 100
const cursorMax = 128
/** Maximum number of remembered cursors. A longer cycle of cursors is not detected, but is read
 *  slowly (see treasury.ts). */
const cursorsMax = 10_000
const note = 'treasury/reports'

type Setting = Extract<TreasurySetting, { kind: 'http' }>
type Needs = Pick<DelivererNeeds, 'time' | 'signal' | 'exchange'>

export function httpTreasury({ url, secret }: Setting, needs: Needs): Treasury {
  const { exchange } = needs
  // Cursors whose reports were applied since the start.
  const passed = new Set<string>()
  return {
    where: new URL(url).host,
    pay: (row) => posted(`${url}/payments`, bodyOf(row), secret, needs),
    kept: async () => undefined,
    async next() {
      const after = exchange.view().notes.get(note) ?? ''
      const query = new URLSearchParams({ after, limit: `${reportsMax}` })
      const answer = await signedAnswer(`${url}/reports?${query}`, secret, needs)
      return deliveryOf(answer, { after, passed }, async (next) => {
        await exchange.submit({ type: 'KeepNote', name: note, text: next })
        pass(after, passed)
      })
    },
  }
}

/** Adds a cursor, and removes the oldest ones beyond the maximum. */
function pass(cursor: string, passed: Set<string>): void {
  passed.delete(cursor)
  passed.add(cursor)
  const [oldest] = passed
  if (passed.size > cursorsMax) passed.delete(oldest!)
}

/** Requests reports. The signed text is the path with the query. */
async function signedAnswer(url: string, secret: string, { time, signal }: Needs): Promise<string> {
  const { pathname, search } = new URL(url)
  const reply = await fetch(url, {
    headers: signedHeaders(`${pathname}${search}`, secret, time.now()),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  if (reply.status !== 200) {
    await reply.body?.cancel()
    throw new Error(`reports: it answered ${reply.status}`)
  }
  const text = await textOf(reply)
  if (isSigned(reply.headers, text, secret, time.now())) return text
  throw new Error(
    'reports: the answer is not signed with the secret, or its openperp-timestamp is more than ' +
      'five minutes off',
  )
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > bytesMax) throw new Error(`reports: the answer has more than ${bytesMax} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

type Answer = Readonly<{ reports?: unknown; next?: unknown }>

/** Parses an answer. A malformed answer is refused as a whole and requested again; no part of it is
 *  applied. */
function deliveryOf(
  text: string,
  { after, passed }: Readonly<{ after: string; passed: ReadonlySet<string> }>,
  keep: (next: string) => Promise<void>,
): Delivery | null {
  const { reports, next } = answerIn(text)
  if (!Array.isArray(reports) || reports.length > reportsMax)
    throw new Error(
      `reports: the response must contain \`reports\`, a list of at most ${reportsMax} items`,
    )
  if (typeof next !== 'string' || !/^[ -~]*$/.test(next) || next.length > cursorMax)
    throw new Error(`reports: next must be a text of ${cursorMax} plain characters at most`)
  if (reports.length === 0) return null
  // A repeated cursor would repeat the same answer forever, with a journal entry each time.
  if (next === after || next === '' || passed.has(next))
    throw new Error(
      `reports: next is ${JSON.stringify(next)} with reports after ${JSON.stringify(after)}; it ` +
        'must be the cursor behind them' +
        (passed.has(next) ? ', and was passed before: they go in a circle' : ''),
    )
  return {
    name: `reports to ${next}`,
    refused: [],
    reports: reports.map((each, index) => reportAt(`report ${index}`, each)),
    end: (_: readonly Refused[]) => keep(next),
  }
}

function answerIn(text: string): Answer {
  try {
    const answer = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer
  } catch {
    // An answer that is not JSON is reported below, like any other answer that is not an object.
  }
  throw new Error('reports: the answer is not JSON such as {"reports":[],"next":""}')
}

function reportAt(at: string, item: unknown) {
  const fields = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>
  const strange = Object.keys(fields).find((name) => !reportFields.some((each) => each === name))
  if (strange !== undefined)
    throw new Error(
      `reports: ${at} has the unknown field ${strange}; valid fields: ${reportFields.join(', ')}`,
    )
  const texts = Object.entries(fields).map(([name, value]) => [name, `${value ?? ''}`])
  const report = readReport(Object.fromEntries(texts) as Written)
  if (isSlip(report)) throw new Error(`reports: ${at}, ${report.column}: ${report.says}`)
  return { at, report }
}
