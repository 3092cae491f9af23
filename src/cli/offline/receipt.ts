// `openperp receipt verify` checks a receipt without the exchange.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { contradictions } from '../../client/receipts/contradictions.ts'
import { ReceiptInvalid, verifyReceipt } from '../../client/receipts/verify-receipt.ts'
import type { FrameProof, Receipt } from '../../protocol/schemas/proofs/receipts.ts'
import { decodeEntry } from '../../sequencer/codec.ts'
import { command } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { pairsOf } from '../frame/screen.ts'

export const receipt = command({
  name: 'receipt',
  group: 'data',
  summary: 'Verify a receipt for a command, and find contradictions of the exchange',
  about:
    'Takes a saved reply of GET /receipts and needs no connection. It checks that the key of the ' +
    'exchange has signed the place of the command in history. With --against, a later receipt or ' +
    'a reply of GET /checkpoints/frame, it shows where the exchange has signed two different ' +
    'histories, which proves that a command was dropped, moved or changed. Exit code 4 if the ' +
    'receipt is not valid or the exchange contradicts it. docs/api/receipts.md describes what a ' +
    'receipt proves.',
  arguments: [
    { name: 'action', about: 'verify', required: true },
    { name: 'file', about: 'saved reply of GET /receipts', required: true },
  ],
  options: {
    against: { type: 'string', value: '<file>', about: 'later reply of the same exchange' },
    'public-key': { type: 'string', value: '<hex>', about: 'the key that the exchange published' },
    text: { type: 'string', value: '<file>', about: 'the text that you signed for the request' },
  },
  examples: [
    'openperp request /receipts --key alice --data \'{"seq": 4711}\' > receipt.json',
    'openperp receipt verify receipt.json',
    'openperp receipt verify receipt.json --against later.json',
  ],
  async run({ values, words: [action, file], screen }) {
    if (action !== 'verify') throw misused(`receipt has no ${action}; it has verify`)
    const given = documentIn(file!)
    if (!('record' in given)) throw misused(`${file} is not a reply of GET /receipts`)
    const findings: string[] = []
    const facts: (readonly [string, string])[] = []
    try {
      const publicKey = values['public-key']
      const verified = await verifyReceipt(given, publicKey === undefined ? {} : { publicKey })
      facts.push(...factsOf(given, verified.inCheckpoint))
      if (values.text !== undefined) findings.push(...textFindings(values.text, verified.textHash))
      if (values.against !== undefined)
        findings.push(...(await contradictions(given, documentIn(values.against))))
    } catch (error) {
      if (!(error instanceof ReceiptInvalid)) throw error
      findings.push(error.message)
    }
    const verdict =
      findings.length === 0
        ? screen.paint('green', 'HOLDS: the exchange has signed this place in history')
        : screen.paint('red', `WRONG: ${findings.length} found`)
    return {
      json: { seq: given.seq, ...Object.fromEntries(facts), findings },
      lines: [
        ...pairsOf(facts),
        ...findings.map((finding) => `wrong  ${finding}`),
        `verdict  ${verdict}`,
      ],
      end: findings.length === 0 ? 'yes' : 'damaged',
    }
  },
})

function documentIn(path: string): Receipt | FrameProof {
  try {
    const parsed = JSON.parse(readFileSync(resolve(path), 'utf8'))
    const document = parsed?.data ?? parsed
    if (typeof document?.frame === 'object' && Array.isArray(document.path)) return document
  } catch (error) {
    throw misused(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw misused(`${path} is not a reply of GET /receipts or GET /checkpoints/frame`)
}

function textFindings(path: string, hash: string | null): string[] {
  // An editor may have added the newline.
  const text = readFileSync(resolve(path), 'utf8').replace(/\n$/, '')
  const own = createHash('sha256').update(text).digest('hex')
  return own === hash ? [] : [`the entry names the signed text ${hash}, and yours is ${own}`]
}

function factsOf({ seq, venue, record, frame, inclusion }: Receipt, covered: boolean) {
  const bytes = Buffer.from(record, 'hex')
  const { atMs, entry } = decodeEntry(bytes, 0, bytes.length)
  return [
    ['entry', `${seq} of venue ${venue}, ${new Date(atMs).toISOString()}`],
    ['command', JSON.stringify(entry.kind === 'command' ? entry.command : entry)],
    ['frame', `entries ${frame.first_seq} to ${frame.first_seq + frame.count - 1}`],
    ['checkpoint', covered ? `entry ${inclusion!.checkpoint.seq}` : 'none covered it yet'],
    ['public key', frame.public_key],
  ] as const
}
