// Receipts of a real exchange, and what they prove when its journal is rewritten later. The
// dishonest exchange has the same key and signs everything again; the trader has the receipt, and
// what the exchange publishes.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from '../../src/client/client.ts'
import { contradictions } from '../../src/client/receipts/contradictions.ts'
import { ReceiptInvalid, verifyReceipt } from '../../src/client/receipts/verify-receipt.ts'
import { eachRecord } from '../../src/journal/frame.ts'
import { encodeSegmentHead, segmentFile, segmentHeadLength } from '../../src/journal/segment.ts'
import { framesFrom } from '../../src/main/receipts/read-frames.ts'
import { LeadersReceipts } from '../../src/main/receipts/receipts.ts'
import type { Checkpoint, Receipt } from '../../src/protocol/schemas/proofs/receipts.ts'
import { siblingSides } from '../../src/protocol/text/receipt-texts.ts'
import { decodeEntry, encodeEntry } from '../../src/sequencer/codec.ts'
import { readDataFolder } from '../../src/sequencer/data-folder.ts'
import { frameOf } from '../support/journal-records.ts'
import { keyNamed, LiveExchange } from '../support/streams/live-exchange.ts'
import { StreamClient } from '../support/streams/stream-client.ts'

const alice = keyNamed(1)
const bob = keyNamed(2)
const folders = mkdtempSync(join(tmpdir(), 'openperp-receipts-'))
let exchange: LiveExchange
let checkpoint: Checkpoint
/** Receipts of three orders of alice, made with those of bob at the same time. */
let receipts: readonly Receipt[]

/** Sends an order and returns the entry that the reply names. */
async function place(key: typeof alice, price: string): Promise<number> {
  const order = { symbol: 'BTC', side: 'bid', price, amount: '0.01', tif: 'ALO' }
  const body = await exchange.signed(key, 'create_order', { ...order, reduce_only: false })
  const reply = await fetch(`${exchange.url}/api/v1/orders/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(reply.status, 200, await reply.text())
  return Number(reply.headers.get('openperp-seq'))
}

before(async () => {
  exchange = await LiveExchange.start(['--reads', 'owner'], {}, undefined, 100)
  await exchange.client().sandboxSetClock({ freeze: true })
  await exchange.client().sandboxSetOracle({ symbol: 'BTC', price: '100000' })
  await exchange.fund(alice)
  await exchange.fund(bob)
  const stream = await StreamClient.open(exchange.wsUrl)
  await stream.subscribe('checkpoints')
  const seqs = await Promise.all(
    ['90000', '90001', '90002'].flatMap((price) => [place(alice, price), place(bob, price)]),
  )
  const own = seqs.filter((_, at) => at % 2 === 0)
  assert.equal(new Set(seqs).size, seqs.length)
  checkpoint = (
    await stream.next(
      ({ channel, data }) =>
        channel === 'checkpoints' && (data as Checkpoint).seq >= Math.max(...seqs),
    )
  ).data as Checkpoint
  await stream.close()
  const client = new Client({ url: exchange.url, signer: alice, timeoutMs: 600_000 })
  receipts = await Promise.all(own.map((seq) => client.getReceipt({ seq })))
  const foreign = seqs.find((_, at) => at % 2 === 1)!
  for (const seq of [foreign, 1, 10 ** 9])
    await assert.rejects(
      client.getReceipt({ seq }),
      /NOT_FOUND: entry \d+ is not a command of this/,
    )
  const stranger = fetch(`${exchange.url}/api/v1/receipts?seq=${own[0]}&account=${alice.address}`)
  assert.equal((await stranger).status, 401)
})
after(async () => {
  await exchange.close()
  rmSync(folders, { recursive: true, force: true })
})

test('a receipt is verified without the exchange, and holds nothing of others', async () => {
  const client = new Client({ url: exchange.url, timeoutMs: 600_000 })
  const published = await client.getCheckpoints({})
  assert.ok(published.checkpoints.length > 0)
  for (const receipt of receipts) {
    const { frame, inclusion } = receipt
    assert.ok(inclusion !== null)
    const { publicKey } = { publicKey: published.public_key }
    const verified = await verifyReceipt(receipt, { publicKey })
    assert.deepEqual([verified.seq, verified.inCheckpoint], [receipt.seq, true])
    assert.ok(inclusion.checkpoint.seq <= checkpoint.seq || inclusion.checkpoint.seq >= receipt.seq)
    const { entry } = decodeEntry(Buffer.from(receipt.record, 'hex'), 0, receipt.record.length / 2)
    assert.ok(entry.kind === 'command' && entry.command.type === 'PlaceOrder')
    assert.equal(
      receipt.path.length,
      siblingSides(receipt.seq - frame.first_seq, frame.count).length,
    )
    const proof = await client.getFrameProof({ seq: receipt.seq })
    assert.ok(proof !== null)
    assert.deepEqual(await contradictions(receipt, proof), [])
  }
  assert.equal(new Set(receipts.map(({ salt }) => salt)).size, receipts.length)
})

test('a receipt with any other value is not valid', async () => {
  const [receipt] = receipts
  const { frame, inclusion } = receipt!
  const flip = (hex: string) => (hex[0] === '0' ? '1' : '0') + hex.slice(1)
  const changed: Receipt[] = [
    { ...receipt!, record: flip(receipt!.record) },
    { ...receipt!, salt: flip(receipt!.salt) },
    { ...receipt!, seq: receipt!.seq + 1 },
    { ...receipt!, venue: flip(receipt!.venue) },
    { ...receipt!, path: [...receipt!.path, flip(receipt!.salt)] },
    { ...receipt!, frame: { ...frame, count: frame.count + 1 } },
    { ...receipt!, frame: { ...frame, seal: flip(frame.seal) } },
    { ...receipt!, frame: { ...frame, signature: flip(frame.signature) } },
    { ...receipt!, inclusion: { ...inclusion!, index: inclusion!.index + 1 } },
    {
      ...receipt!,
      inclusion: { ...inclusion!, checkpoint: { ...inclusion!.checkpoint, time: 1 } },
    },
  ]
  for (const each of changed) await assert.rejects(verifyReceipt(each), ReceiptInvalid)
  const publicKey = flip(frame.public_key)
  await assert.rejects(verifyReceipt(receipt!, { publicKey }), /signed by .*, not by/)
})

type Records = readonly Buffer[]

/** The same exchange with another history: each frame from `seq` on is made again. */
async function rewritten(
  name: string,
  seq: number,
  change: (frame: Records, at: number) => Records,
) {
  const root = join(folders, name)
  cpSync(exchange.folder, root, { recursive: true })
  for (const file of readdirSync(root).filter((each) => each.startsWith('checkpoints')))
    rmSync(join(root, file))
  const { journal, origin } = readDataFolder(root)
  const frames: Buffer[] = [encodeSegmentHead(1, origin)]
  let before: Buffer = origin
  let next = 1
  for (const { frame } of framesFrom(journal, { segment: 1, offset: segmentHeadLength }, 10 ** 9)) {
    let records: Records = []
    eachRecord(frame, (_, from, to) => {
      records = [...records, Buffer.from(frame.bytes.subarray(from, to))]
    })
    const { firstSeq, count } = frame
    if (seq >= firstSeq && seq < firstSeq + count) records = change(records, seq - firstSeq)
    if (records.length === 0) continue
    const bytes = frameOf(records, next, before)
    frames.push(bytes)
    before = Buffer.from(bytes.subarray(56, 88))
    next += records.length
  }
  writeFileSync(segmentFile(journal, 1), Buffer.concat(frames))
  return { root, seq: next - 1 }
}

/** What the rewritten exchange publishes about an entry. */
async function published({ root, seq: durable }: { root: string; seq: number }, seq: number) {
  const again = new LeadersReceipts({
    folder: root,
    durableSeq: () => durable,
    isOnDisk: async (seq) => seq <= durable,
    mayAnswer: () => true,
    onWarning: assert.fail,
    everyMs: 10 ** 8,
  })
  try {
    await again.checkpointNow()
    return { proof: await again.frameOf(seq), receipt: (await again.receiptOf(seq))!.receipt }
  } finally {
    await again.close()
  }
}

const dishonest: Readonly<Record<string, (records: Records, at: number) => Records>> = {
  dropped: (records, at) => records.filter((_, place) => place !== at),
  reordered: (records, at) => {
    const other = at === 0 ? 1 : at - 1
    return records.map((record, place) =>
      place === at ? records[other]! : place === other ? records[at]! : record,
    )
  },
  changed: (records, at) => {
    const entry = decodeEntry(records[at]!, 0, records[at]!.length)
    assert.ok(entry.entry.kind === 'command' && entry.entry.command.type === 'PlaceOrder')
    const command = { ...entry.entry.command, price: 1_000 } as never
    const other = encodeEntry({ ...entry, entry: { ...entry.entry, command } })
    return records.map((record, place) => (place === at ? other : record))
  },
}

for (const [name, change] of Object.entries(dishonest))
  test(`a command that is ${name} later is proved by its receipt`, async () => {
    const receipt = receipts.find(({ frame }) => frame.count > 1)!
    assert.ok(receipt !== undefined, 'no two orders shared a frame')
    const { proof } = await published(await rewritten(name, receipt.seq, change), receipt.seq)
    assert.ok(proof !== null)
    const found = await contradictions(receipt, proof)
    assert.match(found.join('\n'), /the exchange signed both a frame of entries/)
  })

test('one signed request at two places is proved by two receipts', async () => {
  const receipt = receipts.find(({ frame }) => frame.count > 1)!
  const again = await rewritten('moved', receipt.seq, dishonest.reordered!)
  const at = receipt.seq === receipt.frame.first_seq ? receipt.seq + 1 : receipt.seq - 1
  const later = await published(again, at)
  const found = await contradictions(receipt, later.receipt)
  assert.match(found.join('\n'), new RegExp(`one signed request is both entry ${receipt.seq} and`))
})

test('an exchange that publishes the same history again contradicts nothing', async () => {
  const [receipt] = receipts
  const same = await published(
    await rewritten('same', receipt!.seq, (records) => records),
    receipt!.seq,
  )
  assert.deepEqual(await contradictions(receipt!, same.receipt), [])
  assert.deepEqual(same.receipt.frame, receipt!.frame)
})

test('the command line verifies a receipt offline, and says what it proves', async () => {
  const [receipt] = receipts
  const file = (name: string, content: unknown) => {
    const path = join(folders, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const saved = file('receipt.json', { data: receipt })
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['scripts/openperp.mjs', 'receipt', 'verify', ...args], {
      encoding: 'utf8',
    })
  assert.match(run(saved), /PlaceOrder.*\n[\s\S]*verdict {2}HOLDS/)
  const other = file('other.json', receipts[1])
  const wrong = file('text', 'another text')
  for (const args of [
    [saved, '--text', wrong],
    [saved, '--public-key', createHash('sha256').digest('hex')],
  ])
    assert.throws(() => run(...args), { status: 4 })
  assert.match(run(saved, '--against', other), /HOLDS/)
})
